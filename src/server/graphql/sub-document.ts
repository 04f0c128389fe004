/** A root field of a document as a document of its own, without what the root alone decides: arguments, directives. */
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

/** A root field, the rest of its document, and whether it keeps its arguments: only introspection does. */
export interface Part {
  readonly key: string;
  readonly name: string;
  readonly nodes: readonly FieldNode[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: readonly VariableDefinitionNode[];
}

/** A document for one root field, and what there is to know of it. */
export interface SubDocument {
  readonly document: DocumentNode;
  /** Names of the variables that occur in it. */
  readonly variables: readonly string[];
  /** Fields with fragments written out, the root field left out; 0 for a root field without selection. */
  readonly fields: number;
  /** Without directives and without `__proto__` as a response key. */
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

/** All nodes of the response key as one: their selections are read one after the other. */
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
 * Each spread adds its fragment's count, because compilers visit it again. Each count is computed once, so that a short
 * text cannot take unbounded time.
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
