/** Extracts one root field into a separate document, without its arguments and directives. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import { isIntrospective } from './limits.ts';

export interface RootFieldPart {
  readonly key: string;
  readonly name: string;
  readonly nodes: readonly FieldNode[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: readonly VariableDefinitionNode[];
}

export interface SubDocument {
  readonly document: DocumentNode;
  readonly variables: readonly string[];
  /** Number of fields below the root field, with fragments expanded. */
  readonly fields: number;
  /** True if the document has neither directives nor `__proto__` as a response key. */
  readonly isPlain: boolean;
}

export function extractRootField(part: RootFieldPart): SubDocument {
  const field = mergeNodes(part);
  const usedFragments = collectFragments(field, part.fragments);
  const names = new Set<string>();
  let isPlain = part.key !== '__proto__';
  for (const node of [field, ...usedFragments]) {
    visit(node, {
      enter(child) {
        if (child.kind === Kind.VARIABLE) names.add(child.name.value);
        if (child.kind === Kind.DIRECTIVE || (child.kind === Kind.FIELD && child.alias?.value === '__proto__'))
          isPlain = false;
      },
    });
  }
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [
      {
        kind: Kind.OPERATION_DEFINITION,
        operation: OperationTypeNode.QUERY,
        variableDefinitions: part.variables.filter(({ variable }) => names.has(variable.name.value)),
        selectionSet: { kind: Kind.SELECTION_SET, selections: [field] },
      },
      ...usedFragments,
    ],
  };
  return { document, variables: [...names], fields: createSelectionSum(part.fragments)(field.selectionSet), isPlain };
}

/** Merges all nodes of the response key. Keeps the arguments of introspection fields only. */
function mergeNodes({ key, name, nodes }: RootFieldPart): FieldNode {
  const selections = nodes.flatMap((node) => node.selectionSet?.selections ?? []);
  const [first] = nodes;
  return {
    kind: Kind.FIELD,
    alias: { kind: Kind.NAME, value: key },
    name: { kind: Kind.NAME, value: name },
    ...(isIntrospective(name) && first?.arguments !== undefined ? { arguments: first.arguments } : {}),
    ...(selections.length > 0 ? { selectionSet: { kind: Kind.SELECTION_SET, selections } } : {}),
  };
}

function collectFragments(
  field: FieldNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly FragmentDefinitionNode[] {
  const usedFragments = new Set<FragmentDefinitionNode>();
  const unvisited: (FieldNode | FragmentDefinitionNode)[] = [field];
  for (let node = unvisited.pop(); node !== undefined; node = unvisited.pop()) {
    visit(node, {
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value);
        if (fragment === undefined || usedFragments.has(fragment)) return;
        usedFragments.add(fragment);
        unvisited.push(fragment);
      },
    });
  }
  return [...usedFragments];
}

/**
 * Returns a function that sums the fields of a selection. A field adds 1, and `weight` times the sum of its own
 * selection. Computes each fragment once, so that a short text cannot take unbounded time.
 */
export function createSelectionSum(
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  weight: (field: string) => number = () => 1,
): (set?: SelectionSetNode) => number {
  const sums = new Map<string, number>();
  const sumFragment = (name: string): number => {
    const sum = sums.get(name) ?? sumSelection(fragments.get(name)?.selectionSet);
    sums.set(name, sum);
    return sum;
  };
  const sumSelection = (set?: SelectionSetNode): number => {
    let sum = 0;
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) sum += sumFragment(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) sum += sumSelection(selection.selectionSet);
      else sum += 1 + weight(selection.name.value) * sumSelection(selection.selectionSet);
    }
    return sum;
  };
  return sumSelection;
}
