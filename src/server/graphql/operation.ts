/** Prepares an operation once per document. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Arguments, OperationContext } from './context.ts';
import { type FieldGate, getFieldGate } from './gate.ts';
import { createCostEstimator, isIntrospective } from './limits.ts';
import { type CompileRule, Introspection, Projection, type ProjectionResult, type ReportGrowth } from './projection.ts';
import { type Coerced, createArgumentReader, createVariableReader } from './variables.ts';

/** Schema and settings for the preparation of operations. */
export interface OperationSetup {
  readonly schema: GraphQLSchema;
  /** The schema that `projectionSchema` returns. */
  readonly answerSchema: GraphQLSchema;
  readonly compile: CompileRule;
  /** Counts by root field. Includes introspection fields. */
  readonly counters: Map<string, FieldCounts>;
}

export interface RootField extends RootSelection {
  /** True if a null makes `data` null. */
  readonly isNonNull: boolean;
  /** True if the schema answers the field, without a resolver. */
  readonly isIntrospection: boolean;
  readonly counts: FieldCounts;
  readonly gate: FieldGate;
  /** @throws GraphQLError for a null variable in a non-null argument */
  readArguments(variables: Arguments): Arguments;
  estimateCost(args: Arguments): number;
  /** Returns a key of the answer's shape, which selection and conditions determine. */
  computeShape(variables: Arguments): string;
  /** @param value the result of the resolver */
  project(value: unknown, variables: Arguments, context: OperationContext): ProjectionResult;
}

const NO_ARGUMENTS: Arguments = Object.freeze({});
/** Maximum number of cached root field lists per operation. Two conditions need four lists. */
const MAX_CONDITION_SETS = 16;
/** Approximate memory of a prepared root field, in characters of the document cache. */
const ROOT_CHARACTERS = 40;

interface PreparedOperationOptions {
  readonly setup: OperationSetup;
  readonly definition: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly reportGrowth: ReportGrowth;
}

export class PreparedOperation {
  readonly kind: `${OperationTypeNode}`;
  readonly coerce: (raw: Arguments | undefined) => Coerced;
  readonly #options: PreparedOperationOptions;
  readonly #conditionVariables: readonly string[];
  readonly #rootsByConditions = new Map<string, readonly RootField[]>();

  constructor(options: PreparedOperationOptions) {
    const { setup, definition, fragments } = options;
    this.kind = definition.operation;
    this.#options = options;
    this.coerce = createVariableReader(setup.schema, definition.variableDefinitions ?? []);
    this.#conditionVariables = collectConditionVariables(definition, fragments);
  }

  /** Returns the root fields in document order, with fragments and directives applied. @param variables coerced */
  rootFields(variables: Arguments): readonly RootField[] {
    const conditions = this.#conditionVariables.map((name) => String(variables[name])).join();
    const cached = this.#rootsByConditions.get(conditions);
    if (cached !== undefined) return cached;
    const { definition, fragments, reportGrowth } = this.#options;
    const roots = collectRootFields(definition, fragments, variables).map((root) => this.#prepare(root));
    if (this.#rootsByConditions.size < MAX_CONDITION_SETS) {
      this.#rootsByConditions.set(conditions, roots);
      reportGrowth(ROOT_CHARACTERS * roots.length);
    }
    return roots;
  }

  #prepare(selection: RootSelection): RootField {
    const { setup, definition, fragments, reportGrowth } = this.#options;
    const { schema, answerSchema, compile, counters } = setup;
    const rootType = schema.getRootType(definition.operation);
    const counts = counters.get(selection.name) ?? { requested: 0, refused: 0, failed: 0 };
    counters.set(selection.name, counts);
    const part = { ...selection, fragments, variables: definition.variableDefinitions ?? [] };
    const root = {
      ...selection,
      isNonNull: selection.name !== '__type',
      isIntrospection: true,
      counts,
      gate: getFieldGate(selection.name),
      readArguments: () => NO_ARGUMENTS,
      estimateCost: () => 0,
      computeShape: () => selection.key,
    };
    if (selection.name === '__typename') {
      const projected = { data: { [selection.key]: rootType?.name }, errors: [] };
      return { ...root, project: () => projected };
    }
    if (isIntrospective(selection.name)) {
      const introspection = new Introspection(schema, part);
      const project = (_value: unknown, variables: Arguments) => introspection.project(variables);
      return { ...root, estimateCost: () => introspection.cost, project };
    }
    const field = rootType?.getFields()[selection.name];
    if (field === undefined) throw new Error(`Invariant: no root field ${selection.name} in a validated document`);
    const projection = new Projection({ schema: answerSchema, part, rule: compile, reportGrowth });
    return {
      ...root,
      isNonNull: isNonNullType(field.type),
      isIntrospection: false,
      readArguments: createArgumentReader(field, selection.nodes[0]),
      estimateCost: createCostEstimator(field, projection.fields),
      // Only Boolean variables change the shape, because below a root field only directives have arguments.
      computeShape: (variables) => {
        const conditions = Object.entries(variables).filter(([, value]) => typeof value === 'boolean');
        return JSON.stringify([projection.text, conditions]);
      },
      project: (value, variables, context) => projection.project(value, variables, context),
    };
  }
}

/** The fields with one response key. Validation guarantees equal names and arguments. */
export interface RootSelection {
  /** Alias or name. */
  readonly key: string;
  readonly name: string;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
}

/** Collects the root fields in document order (GraphQL specification, CollectFields). @param variables coerced */
function collectRootFields(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: Arguments,
): readonly RootSelection[] {
  const nodesByKey = new Map<string, [FieldNode, ...FieldNode[]]>();
  visitRoot(operation.selectionSet, fragments, (selection) => {
    if (!isSelected(selection, variables)) return false;
    if (selection.kind !== Kind.FIELD) return true;
    const key = selection.alias?.value ?? selection.name.value;
    const nodes = nodesByKey.get(key);
    if (nodes === undefined) nodesByKey.set(key, [selection]);
    else nodes.push(selection);
    return true;
  });
  return Array.from(nodesByKey, ([key, nodes]) => ({ key, name: nodes[0].name.value, nodes }));
}

/** Collects the names of variables in directives on root fields. Nearly every document has none. */
function collectConditionVariables(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly string[] {
  const names = new Set<string>();
  visitRoot(operation.selectionSet, fragments, ({ directives = [] }) => {
    for (const { value } of directives.flatMap((directive) => directive.arguments ?? [])) {
      if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    }
    return true;
  });
  return [...names];
}

/** Visits the root selections, and each fragment's selections once. @param enter returns false to skip a selection */
function visitRoot(
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  enter: (selection: SelectionNode) => boolean,
  visitedFragments = new Set<string>(),
): void {
  for (const selection of set.selections) {
    if (!enter(selection)) continue;
    if (selection.kind === Kind.INLINE_FRAGMENT) visitRoot(selection.selectionSet, fragments, enter, visitedFragments);
    else if (selection.kind === Kind.FRAGMENT_SPREAD && !visitedFragments.has(selection.name.value)) {
      visitedFragments.add(selection.name.value);
      const fragment = fragments.get(selection.name.value);
      if (fragment !== undefined) visitRoot(fragment.selectionSet, fragments, enter, visitedFragments);
    }
  }
}

function isSelected(selection: SelectionNode, variables: Arguments): boolean {
  if (selection.directives === undefined || selection.directives.length === 0) return true;
  const { if: isSkipped } = getDirectiveValues(GraphQLSkipDirective, selection, variables) ?? { if: false };
  const { if: isIncluded } = getDirectiveValues(GraphQLIncludeDirective, selection, variables) ?? { if: true };
  return isSkipped !== true && isIncluded === true;
}

/** Counts for one root field since the start. */
export interface FieldCounts {
  /** Valid requests, including refused ones; for a subscription, its starts. */
  requested: number;
  /** Requests refused for missing credentials, scope or tokens. */
  refused: number;
  /** Executions that ended with an error; for a subscription, events that could not be presented. */
  failed: number;
}
