/**
 * HOT: reads variables and arguments with precomputed plans (bench/server.ts).
 *
 * For usual valid input, a plan gives the result of graphql-js in at most a third of the time. graphql-js itself reads
 * invalid input, null arguments, and variables and arguments that have defaults.
 */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  typeFromAST,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import type { Arguments } from './context.ts';

export type Coerced =
  | { readonly variables: Arguments; readonly problems?: undefined }
  | { readonly problems: readonly string[] };

interface VariablePlan {
  readonly name: string;
  readonly read: InputReader;
  readonly isRequired: boolean;
}

const NO_VALUES: Arguments = Object.freeze({});
const NO_VARIABLES: Coerced = { variables: NO_VALUES };
const MAX_PROBLEMS = 20;

export function createVariableReader(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (raw: Arguments | undefined) => Coerced {
  if (definitions.length === 0) return () => NO_VARIABLES;
  const plans = planVariables(schema, definitions);
  return (raw = NO_VALUES) => {
    const plain = plans === undefined ? undefined : readVariables(plans, raw);
    if (plain !== undefined) return { variables: plain };
    const { coerced, errors } = getVariableValues(schema, definitions, raw, { maxErrors: MAX_PROBLEMS });
    return errors === undefined ? { variables: coerced } : { problems: errors.map(({ message }) => message) };
  };
}

/**
 * Returns a function that reads a root field's arguments. Arguments without variables are read only once.
 * @returns a function that throws GraphQLError for a null variable in a non-null argument
 */
export function createArgumentReader(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: Arguments) => Arguments {
  const argumentNodes = node.arguments ?? [];
  const pairs: (readonly [argument: string, variable: string])[] = [];
  let hasVariables = false;
  for (const argument of argumentNodes) {
    const { name, value } = argument;
    if (value.kind === Kind.VARIABLE) pairs.push([name.value, value.name.value]);
    visit(value, {
      Variable: () => {
        hasVariables = true;
      },
    });
  }
  if (!hasVariables) {
    const constant: Arguments = Object.freeze(getArgumentValues(field, node, {}));
    return () => constant;
  }
  const hasDefaults = field.args.some(({ defaultValue }) => defaultValue !== undefined);
  const isPlain = pairs.length === argumentNodes.length && !hasDefaults;
  return (variables) =>
    (isPlain ? readPairs(pairs, variables) : undefined) ?? getArgumentValues(field, node, variables);
}

/** Returns undefined if graphql-js must read the variables, for example because a variable has a default. */
function planVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): readonly VariablePlan[] | undefined {
  const readers = new Map<GraphQLInputType, InputReader>();
  const plans: VariablePlan[] = [];
  for (const { variable, type: node, defaultValue } of definitions) {
    const type = typeFromAST(schema, node);
    const name = variable.name.value;
    if (!isInputType(type) || defaultValue !== undefined || name === '__proto__') return undefined;
    plans.push({ name, read: createInputReader(type, readers), isRequired: isNonNullType(type) });
  }
  return plans;
}

/** Returns undefined if graphql-js must read the variables. */
function readVariables(plans: readonly VariablePlan[], raw: Arguments): Arguments | undefined {
  const variables: Record<string, unknown> = {};
  for (const { name, read, isRequired } of plans) {
    if (!Object.hasOwn(raw, name)) {
      if (isRequired) return undefined;
      continue;
    }
    const value = read(raw[name]);
    if (value === NEEDS_GRAPHQL_JS) return undefined;
    variables[name] = value;
  }
  return variables;
}

/** Returns undefined if a variable is missing or null. */
function readPairs(pairs: readonly (readonly [string, string])[], variables: Arguments): Arguments | undefined {
  const args: Record<string, unknown> = {};
  for (const [argument, variable] of pairs) {
    const value = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
    if (value === undefined || value === null) return undefined;
    args[argument] = value;
  }
  return args;
}

/** Marks an invalid or unusual value, which graphql-js must read. */
export const NEEDS_GRAPHQL_JS: unique symbol = Symbol('needs graphql-js');

/** Returns the coerced value, or `NEEDS_GRAPHQL_JS`. */
export type InputReader = (value: unknown) => unknown;

interface FieldPlan {
  readonly name: string;
  readonly read: InputReader;
  readonly isRequired: boolean;
  /** Undefined for a field without a default. */
  readonly defaultValue: unknown;
}

/** @param readers existing readers of input object types */
export function createInputReader(
  type: GraphQLInputType,
  readers: Map<GraphQLInputType, InputReader> = new Map(),
): InputReader {
  if (isNonNullType(type)) {
    const read = createInputReader(type.ofType, readers);
    return (value) => (value === null || value === undefined ? NEEDS_GRAPHQL_JS : read(value));
  }
  if (isListType(type)) return createListReader(createInputReader(type.ofType, readers));
  if (isLeafType(type)) return createLeafReader(type);
  return isInputObjectType(type) ? createObjectReader(type, readers) : () => NEEDS_GRAPHQL_JS;
}

function createLeafReader(type: GraphQLLeafType): InputReader {
  return (value) => {
    if (value === null) return null;
    try {
      const read = type.parseValue(value);
      return read === undefined ? NEEDS_GRAPHQL_JS : read;
    } catch {
      return NEEDS_GRAPHQL_JS; // graphql-js reads the value again and reports the problem
    }
  };
}

/** Creates a reader of lists. Leaves a single value in place of a list to graphql-js. */
function createListReader(read: InputReader): InputReader {
  return (value) => {
    if (value === null) return null;
    if (!Array.isArray(value)) return NEEDS_GRAPHQL_JS;
    const list: unknown[] = [];
    for (const element of value) {
      const item = read(element);
      if (item === NEEDS_GRAPHQL_JS) return NEEDS_GRAPHQL_JS;
      list.push(item);
    }
    return list;
  };
}

function createObjectReader(type: GraphQLInputObjectType, readers: Map<GraphQLInputType, InputReader>): InputReader {
  const existing = readers.get(type);
  if (existing !== undefined) return existing;
  let plans: readonly FieldPlan[] | undefined;
  const reader: InputReader = (value) => {
    if (value === null) return null;
    // Plan the fields at the first value, because types can be recursive.
    plans ??= planFields(type, readers);
    return plans === undefined || !isPlainObject(value) ? NEEDS_GRAPHQL_JS : readFields(plans, value);
  };
  readers.set(type, reader);
  return reader;
}

/** Returns the object itself if coercion and the type's field order change nothing, else an ordered copy. */
function readFields(plans: readonly FieldPlan[], value: Readonly<Record<string, unknown>>): unknown {
  const names = Object.keys(value);
  let copy: Record<string, unknown> | undefined;
  let readCount = 0;
  for (const { name, read, isRequired, defaultValue } of plans) {
    const raw = value[name];
    if (raw === undefined && defaultValue === undefined) {
      if (isRequired) return NEEDS_GRAPHQL_JS;
      continue;
    }
    const field = raw === undefined ? defaultValue : read(raw);
    if (field === NEEDS_GRAPHQL_JS) return NEEDS_GRAPHQL_JS;
    if (copy === undefined && (field !== raw || names[readCount] !== name)) copy = copyFirst(names, readCount, value);
    if (copy !== undefined) copy[name] = field;
    if (raw !== undefined) readCount += 1;
  }
  // The counts differ if a member is not a field of the type.
  return readCount === names.length ? (copy ?? value) : NEEDS_GRAPHQL_JS;
}

function copyFirst(
  names: readonly string[],
  count: number,
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(names.slice(0, count).map((name) => [name, value[name]]));
}

/** Returns undefined if graphql-js must read objects of the type. */
function planFields(
  type: GraphQLInputObjectType,
  readers: Map<GraphQLInputType, InputReader>,
): readonly FieldPlan[] | undefined {
  const fields = Object.values(type.getFields());
  if (type.isOneOf || fields.some(({ name }) => name in Object.prototype)) return undefined;
  return fields.map(({ name, type: fieldType, defaultValue }) => {
    return { name, read: createInputReader(fieldType, readers), isRequired: isNonNullType(fieldType), defaultValue };
  });
}

/** Returns whether a value is an object with the default prototype, like a result of `JSON.parse`. */
function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
