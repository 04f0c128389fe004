/** An operation of a document, made ready once: its variables, its root fields, and how each is answered. */
import {
  type FragmentDefinitionNode,
  type GraphQLSchema,
  isNonNullType,
  type OperationDefinitionNode,
  type OperationTypeNode,
} from 'graphql';
import { argumentReader, type Coerced, variableReader } from './coercion.ts';
import type { OperationContext } from './context.ts';
import { costReader } from './cost.ts';
import type { Grow } from './document-cache.ts';
import { Introspection } from './introspection.ts';
import { type CompileRule, type Projected, Projection } from './projection.ts';
import type { Arguments } from './resolver-map.ts';
import { collectRootFields, decidingVariables, type RootSelection } from './root-fields.ts';
import type { Tallies, Tally } from './tallies.ts';
import { isIntrospective } from './weight.ts';

/** What operations are made ready for. */
export interface Venue {
  /** As it is served. */
  readonly schema: GraphQLSchema;
  /** As projections run it. */
  readonly answers: GraphQLSchema;
  readonly compile: CompileRule;
  readonly tallies: Tallies;
}

/** A root field of an operation. */
export interface RootField extends RootSelection {
  /** A null there makes all of `data` null. */
  readonly isNonNull: boolean;
  /** Answered from the schema alone, without a resolver. */
  readonly isIntrospection: boolean;
  readonly tally: Tally;
  /** @throws GraphQLError for a variable that is null where the argument may not be */
  argumentsFrom(variables: Arguments): Arguments;
  /** Values that the answer may come to. */
  costOf(args: Arguments): number;
  /** What decides how an answer looks, whatever it is about: the selection, and the conditions in it. */
  shapeOf(variables: Arguments): string;
  /** @param value what the resolver gave */
  project(value: unknown, variables: Arguments, context: OperationContext): Projected;
}

const NOTHING: Arguments = Object.freeze({});
/** Sets of root fields that are kept for one operation: two conditions make four. */
const MOST_PATTERNS = 16;
/** What a root field that is ready takes, in characters of the document cache. */
const ROOT_CHARACTERS = 40;

/** What an operation is made of. */
export interface OperationParts {
  readonly venue: Venue;
  readonly definition: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly grow: Grow;
}

/** One operation of a validated document. */
export class PreparedOperation {
  readonly kind: `${OperationTypeNode}`;
  /** Coerces what a request brings. */
  readonly coerce: (raw: Arguments | undefined) => Coerced;
  readonly #venue: Venue;
  readonly #definition: OperationDefinitionNode;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #grow: Grow;
  readonly #deciding: readonly string[];
  readonly #rootsBy = new Map<string, readonly RootField[]>();

  constructor({ venue, definition, fragments, grow }: OperationParts) {
    this.kind = definition.operation;
    this.#venue = venue;
    this.#definition = definition;
    this.#fragments = fragments;
    this.#grow = grow;
    this.coerce = variableReader(venue.schema, definition.variableDefinitions ?? []);
    this.#deciding = decidingVariables(definition, fragments);
  }

  /** Root fields left after fragments and directives, in document order. @param variables coerced */
  rootFields(variables: Arguments): readonly RootField[] {
    const pattern = this.#deciding.length === 0 ? '' : this.#deciding.map((name) => String(variables[name])).join();
    const known = this.#rootsBy.get(pattern);
    if (known !== undefined) return known;
    const roots = collectRootFields(this.#definition, this.#fragments, variables).map((root) => this.#prepare(root));
    if (this.#rootsBy.size < MOST_PATTERNS) {
      this.#rootsBy.set(pattern, roots);
      this.#grow(ROOT_CHARACTERS * roots.length);
    }
    return roots;
  }

  #prepare(selection: RootSelection): RootField {
    const { schema, answers, compile, tallies } = this.#venue;
    const tally = tallies.of(selection.name);
    const part = {
      ...selection,
      fragments: this.#fragments,
      variables: this.#definition.variableDefinitions ?? [],
    };
    const root = {
      ...selection,
      isNonNull: true,
      isIntrospection: true,
      tally,
      argumentsFrom: () => NOTHING,
      costOf: () => 0,
      shapeOf: () => selection.key,
    };
    if (selection.name === '__typename') {
      const projected = { data: { [selection.key]: schema.getRootType(this.#definition.operation)?.name }, errors: [] };
      return { ...root, project: () => projected };
    }
    if (isIntrospective(selection.name)) {
      const introspection = new Introspection(schema, part);
      const isNonNull = selection.name === '__schema';
      return {
        ...root,
        isNonNull,
        costOf: () => introspection.cost,
        project: (_value, variables) => introspection.project(variables),
      };
    }
    const field = schema.getRootType(this.#definition.operation)?.getFields()[selection.name];
    if (field === undefined) throw new Error(`Invariant: no root field ${selection.name} in a validated document`);
    const projection = new Projection({ schema: answers, part, rule: compile, grow: this.#grow });
    return {
      ...selection,
      isNonNull: isNonNullType(field.type),
      isIntrospection: false,
      tally,
      argumentsFrom: argumentReader(field, selection),
      costOf: costReader(field, projection.fields),
      shapeOf: (variables) => JSON.stringify([projection.text, conditionsIn(variables)]),
      project: (value, variables, context) => projection.project(value, variables, context),
    };
  }
}

/** Variables that are true or false: below a root field only directives have arguments, and theirs are. */
function conditionsIn(variables: Arguments): readonly (readonly [string, unknown])[] {
  return Object.entries(variables).filter(([, value]) => typeof value === 'boolean');
}
