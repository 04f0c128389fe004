/**
 * The root fields of an operation that are left after fragments and directives (GraphQL specification, CollectFields):
 * one for each response key, in document order.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Arguments } from './resolver-map.ts';

/** Fields of one response key, at least one. They have one name and the same arguments, or validation had refused them. */
export interface RootSelection {
  /** Alias or name. */
  readonly key: string;
  readonly name: string;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
}

type Directed = Parameters<typeof getDirectiveValues>[1];

/** @param variables coerced */
export function collectRootFields(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: Arguments,
): readonly RootSelection[] {
  const found = new Map<string, [FieldNode, ...FieldNode[]]>();
  const spread = new Set<string>();
  const collect = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (!isLeft(selection, variables)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        const nodes = found.get(key);
        if (nodes === undefined) found.set(key, [selection]);
        else nodes.push(selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined) collect(fragment.selectionSet);
      }
    }
  };
  collect(operation.selectionSet);
  return Array.from(found, ([key, nodes]) => ({ key, name: nodes[0].name.value, nodes }));
}

/** Names of the variables that decide which root fields are left; none for nearly every document. */
export function decidingVariables(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly string[] {
  const names = new Set<string>();
  const spread = new Set<string>();
  const collect = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      for (const directive of selection.directives ?? []) {
        for (const argument of directive.arguments ?? []) {
          if (argument.value.kind === Kind.VARIABLE) names.add(argument.value.name.value);
        }
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet);
      } else if (selection.kind === Kind.FRAGMENT_SPREAD && !spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined) collect(fragment.selectionSet);
      }
    }
  };
  collect(operation.selectionSet);
  return [...names];
}

function isLeft(selection: Directed, variables: Arguments): boolean {
  if (selection.directives === undefined || selection.directives.length === 0) return true;
  const { if: isSkipped } = getDirectiveValues(GraphQLSkipDirective, selection, variables) ?? { if: false };
  const { if: isIncluded } = getDirectiveValues(GraphQLIncludeDirective, selection, variables) ?? { if: true };
  return isSkipped !== true && isIncluded === true;
}
