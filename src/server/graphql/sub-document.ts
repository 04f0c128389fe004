/** Extracts one root field into a separate document, without the root field's arguments and directives. */
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

/** A root field and the rest of its document. */
export interface Part {
  readonly key: string;
  readonly name: string;
  readonly nodes: readonly FieldNode[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: readonly VariableDefinitionNode[];
}

/** A document for one root field, and its properties. */
export interface SubDocument {
  readonly document: DocumentNode;
  /** Names of the used variables. */
  readonly variables: readonly string[];
  /** Number of fields below the root field, with fragments expanded. */
  readonly fields: number;
  /** Whether it has neither directives nor `__proto__` as a response key. */
  readonly isPlain: boolean;
}

/** Extracts one root field from its document. */
export function subDocumentOf(part: Part): SubDocument {
  const field = rootNode(part);
  const reached = reachedFragments(field, part.fragments);
  const names = new Set<string>();
  let isPlain = part.key !== '__proto__';
  for (const node of [field, ...reached]) {
    visit(node, {
      Variable: ({ name }) => {
        names.add(name.value);
      },
      Directive: () => {
        isPlain = false;
      },
      Field: ({ alias }) => {
        if (alias?.value === '__proto__') isPlain = false;
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
      ...reached,
    ],
  };
  return { document, variables: [...names], fields: fieldCounter(part.fragments)(field.selectionSet), isPlain };
}

/** Merges all nodes of the response key. Only introspection keeps its arguments. */
function rootNode({ key, name, nodes }: Part): FieldNode {
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

function reachedFragments(
  field: FieldNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly FragmentDefinitionNode[] {
  const reached = new Set<FragmentDefinitionNode>();
  const open: (FieldNode | FragmentDefinitionNode)[] = [field];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    visit(node, {
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value);
        if (fragment === undefined || reached.has(fragment)) return;
        reached.add(fragment);
        open.push(fragment);
      },
    });
  }
  return [...reached];
}

/**
 * Counts the fields of a fragment at each spread, as a compiler visits them. Computes each fragment's count once, so that
 * a short text cannot take unbounded time.
 */
function fieldCounter(fragments: ReadonlyMap<string, FragmentDefinitionNode>): (set?: SelectionSetNode) => number {
  const known = new Map<string, number>();
  const countOf = (name: string): number => {
    const count = known.get(name) ?? countIn(fragments.get(name)?.selectionSet);
    known.set(name, count);
    return count;
  };
  const countIn = (set?: SelectionSetNode): number => {
    let count = 0;
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) count += 1 + countIn(selection.selectionSet);
      else if (selection.kind === Kind.INLINE_FRAGMENT) count += countIn(selection.selectionSet);
      else count += countOf(selection.name.value);
    }
    return count;
  };
  return countIn;
}
