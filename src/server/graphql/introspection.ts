/** `__schema` and `__type` at the root: answered by graphql-js from the served schema. Answers are large, so none is kept. */
import { executeSync, type FragmentDefinitionNode, type GraphQLSchema, Kind, type SelectionSetNode } from 'graphql';
import type { Projected } from './projection.ts';
import type { Arguments } from './resolver-map.ts';
import { type Part, type SubDocument, subDocumentOf } from './sub-document.ts';

/** About how many entries the lists of the schema have; the types are counted. */
const ENTRIES: Readonly<Record<string, number>> = { fields: 10, args: 2, inputFields: 6, enumValues: 8, directives: 5 };

/** One field of introspection in one document. */
export class Introspection {
  /** Values that its answer may come to. */
  readonly cost: number;
  readonly #schema: GraphQLSchema;
  readonly #part: SubDocument;

  constructor(schema: GraphQLSchema, part: Part) {
    this.#schema = schema;
    this.#part = subDocumentOf(part);
    const price = pricer(part.fragments, Object.keys(schema.getTypeMap()).length);
    this.cost = part.nodes.reduce((sum, node) => sum + price(node.selectionSet), 1);
  }

  project(variables: Arguments): Projected {
    const used = this.#part.variables.filter((name) => Object.hasOwn(variables, name));
    const { data, errors } = executeSync({
      schema: this.#schema,
      document: this.#part.document,
      variableValues: Object.fromEntries(used.map((name) => [name, variables[name]])),
    });
    return { data: data ?? null, errors: errors ?? [] };
  }
}

/** Each fragment is walked once: what it costs does not depend on where it stands. */
function pricer(
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  types: number,
): (set?: SelectionSetNode) => number {
  const known = new Map<string, number>();
  const priceOf = (name: string): number => {
    const price = known.get(name) ?? priceIn(fragments.get(name)?.selectionSet);
    known.set(name, price);
    return price;
  };
  const priceIn = (set?: SelectionSetNode): number => {
    let sum = 0;
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) sum += priceOf(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) sum += priceIn(selection.selectionSet);
      else {
        const { value } = selection.name;
        sum += 1 + (value === 'types' ? types : (ENTRIES[value] ?? 1)) * priceIn(selection.selectionSet);
      }
    }
    return sum;
  };
  return priceIn;
}
