/** Prints the documents themselves: one text for each operation, with the fragments that it uses and no others. */
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

/** The table of all operations by root field, and its type. */
export function printOperations(operations: DocumentNode, schema: GraphQLSchema): string {
  const selections = printSelections(schema, operations);
  const fragments = new Map(
    operations.definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
  );
  const all = operations.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  return [
    selections.constants,
    '',
    '/** All operations by their root fields. */',
    'export const OPERATIONS = {',
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
  const used = [...usedBy(operation, fragments)].flatMap((name) => fragments.get(name) ?? []);
  const text = stripIgnoredCharacters([operation, ...used].map(print).join('\n'));
  const facts = `kind: '${operation.operation}', name: '${nameOf(operation)}', field: '${fieldOf(operation)}'`;
  const members = `${facts},\n    text: ${JSON.stringify(text)},\n    answer: ${selections.of(operation)},`;
  return `  ${fieldOf(operation)}: ${callOf(operation)}({\n    ${members}\n  }),`;
}

/** The function that gives an operation its types. */
function callOf(operation: OperationDefinitionNode): string {
  const name = nameOf(operation) + SUFFIX[operation.operation];
  return `operation<${name}, ${name}Variables>`;
}

function nameOf({ name }: OperationDefinitionNode): string {
  if (name === undefined) throw new Error('an operation without a name');
  return name.value;
}

/** The one root field of an operation. */
function fieldOf(operation: OperationDefinitionNode): string {
  const [field, ...others] = operation.selectionSet.selections;
  if (field?.kind !== Kind.FIELD || others.length > 0) throw new Error(`${nameOf(operation)} has not one root field`);
  return field.name.value;
}

/** Names of all fragments that are spread in it, and in those, in the order in which they are met. */
function usedBy(
  node: OperationDefinitionNode | FragmentDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  met: Set<string> = new Set(),
): Set<string> {
  visit(node, {
    FragmentSpread: ({ name: { value } }) => {
      const fragment = fragments.get(value);
      if (fragment === undefined || met.has(value)) return;
      met.add(value);
      usedBy(fragment, fragments, met);
    },
  });
  return met;
}
