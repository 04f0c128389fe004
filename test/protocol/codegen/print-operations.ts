/** Prints the document of each operation with only the fragments that it uses. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  print,
  stripIgnoredCharacters,
  visit,
} from 'graphql';
import { type PrintedSelections, printSelections } from './print-selections.ts';

const SUFFIX = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const;

/** Prints the operations by root field, as the constant `name`. */
export function printOperations(name: string, operations: DocumentNode, schema: GraphQLSchema): string {
  const selections = printSelections(schema, operations);
  const fragments = new Map(
    operations.definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
  );
  const all = operations.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  return [
    selections.constants,
    '',
    '/** Operations by their root fields. */',
    `export const ${name} = {`,
    ...all.map((each) => entry(each, fragments, selections)),
    '};',
    '',
  ].join('\n');
}

function entry(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  selections: PrintedSelections,
): string {
  const used = [...fragmentsUsedBy(operation, fragments)].flatMap((name) => fragments.get(name) ?? []);
  const text = stripIgnoredCharacters([operation, ...used].map(print).join('\n'));
  return `  ${fieldOf(operation)}: ${callOf(operation)}(\n    ${JSON.stringify(text)},\n    ${selections.of(operation)},\n  ),`;
}

/** The call that gives an operation its types. */
function callOf(operation: OperationDefinitionNode): string {
  const name = nameOf(operation) + SUFFIX[operation.operation];
  return `operation<${name}, ${name}Variables>`;
}

function nameOf({ name }: OperationDefinitionNode): string {
  if (name === undefined) throw new Error('an operation has no name');
  return name.value;
}

/** The one root field of an operation. */
function fieldOf(operation: OperationDefinitionNode): string {
  const [field, ...others] = operation.selectionSet.selections;
  if (field?.kind !== Kind.FIELD || others.length > 0)
    throw new Error(`${nameOf(operation)} must have exactly one root field`);
  return field.name.value;
}

/** Names of all fragments that a definition uses, directly or indirectly, in order of occurrence. */
function fragmentsUsedBy(
  node: OperationDefinitionNode | FragmentDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  found: Set<string> = new Set(),
): Set<string> {
  visit(node, {
    FragmentSpread: ({ name: { value } }) => {
      const fragment = fragments.get(value);
      if (fragment === undefined || found.has(value)) return;
      found.add(value);
      fragmentsUsedBy(fragment, fragments, found);
    },
  });
  return found;
}
