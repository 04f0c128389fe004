/**
 * HOT: reads variables and arguments with precomputed plans (bench/server.ts).
 *
 * For usual valid input, a plan gives the same result as graphql-js in at most a third of the time. graphql-js reads everything
 * else: defaults, null arguments, errors.
 */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInputField,
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

/** Coerced variables, or the problems in them. */
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

export function variableReader(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (raw: Arguments | undefined) => Coerced {
  if (definitions.length === 0) return () => NO_VARIABLES;
  const plans = plansOf(schema, definitions);
  return (raw = NO_VALUES) => {
    const plain = plans === undefined ? undefined : readVariables(plans, raw);
    if (plain !== undefined) return { variables: plain };
    const { coerced, errors } = getVariableValues(schema, definitions, raw, { maxErrors: MAX_PROBLEMS });
    return errors === undefined ? { variables: coerced } : { problems: errors.map(({ message }) => message) };
  };
}

/**
 * Returns a function that reads the arguments of a root field. Arguments without variables are read once.
 * @returns a function that throws GraphQLError for a null variable in a non-null argument
 */
export function argumentReader(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: Arguments) => Arguments {
  const given = node.arguments ?? [];
  const pairs: (readonly [argument: string, variable: string])[] = [];
  let hasVariables = false;
  for (const argument of given) {
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
  const isPlain = pairs.length === given.length && !hasDefaults;
  return (variables) =>
    (isPlain ? readPairs(pairs, variables) : undefined) ?? getArgumentValues(field, node, variables);
}

/** Plans of all variables; undefined if one has a default. */
function plansOf(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): readonly VariablePlan[] | undefined {
  const known = new Map<GraphQLInputType, InputReader>();
  const plans: VariablePlan[] = [];
  for (const { variable, type: node, defaultValue } of definitions) {
    const type = typeFromAST(schema, node);
    const name = variable.name.value;
    if (!isInputType(type) || defaultValue !== undefined || name === '__proto__') return undefined;
    plans.push({ name, read: inputReader(type, known), isRequired: isNonNullType(type) });
  }
  return plans;
}

/** Undefined if graphql-js must read the variables. */
function readVariables(plans: readonly VariablePlan[], raw: Arguments): Arguments | undefined {
  const variables: Record<string, unknown> = {};
  for (const { name, read, isRequired } of plans) {
    if (!Object.hasOwn(raw, name)) {
      if (isRequired) return undefined;
      continue;
    }
    const value = read(raw[name]);
    if (value === UNREAD) return undefined;
    variables[name] = value;
  }
  return variables;
}

/** Undefined if a variable is missing or null. */
function readPairs(pairs: readonly (readonly [string, string])[], variables: Arguments): Arguments | undefined {
  const args: Record<string, unknown> = {};
  for (const [argument, variable] of pairs) {
    const value = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
    if (value === undefined || value === null) return undefined;
    args[argument] = value;
  }
  return args;
}

/** Marks a value that graphql-js must read: invalid or unusual. */
export const UNREAD: unique symbol = Symbol('unread');

/** Returns the coerced value, or `UNREAD`. */
export type InputReader = (value: unknown) => unknown;

interface FieldPlan {
  readonly name: string;
  readonly read: InputReader;
  readonly isRequired: boolean;
  /** Undefined for none. */
  readonly byDefault: unknown;
}

/** Creates the reader of a type. @param known existing readers of input objects */
export function inputReader(
  type: GraphQLInputType,
  known: Map<GraphQLInputType, InputReader> = new Map(),
): InputReader {
  if (isNonNullType(type)) {
    const read = inputReader(type.ofType, known);
    return (value) => (value === null || value === undefined ? UNREAD : read(value));
  }
  if (isListType(type)) return listReader(inputReader(type.ofType, known));
  if (isLeafType(type)) return leafReader(type);
  return isInputObjectType(type) ? objectReader(type, known) : () => UNREAD;
}

function leafReader(type: GraphQLLeafType): InputReader {
  return (value) => {
    if (value === null) return null;
    try {
      const read = type.parseValue(value);
      return read === undefined ? UNREAD : read;
    } catch {
      return UNREAD; // graphql-js reads it again and reports the problem
    }
  };
}

/** Reads lists. graphql-js reads a single value in place of a list. */
function listReader(read: InputReader): InputReader {
  return (value) => {
    if (value === null) return null;
    if (!Array.isArray(value)) return UNREAD;
    const list: unknown[] = [];
    for (const each of value) {
      const item = read(each);
      if (item === UNREAD) return UNREAD;
      list.push(item);
    }
    return list;
  };
}

function objectReader(type: GraphQLInputObjectType, known: Map<GraphQLInputType, InputReader>): InputReader {
  const made = known.get(type);
  if (made !== undefined) return made;
  let plans: readonly FieldPlan[] | undefined;
  const reader: InputReader = (value) => {
    if (value === null) return null;
    // Types can be recursive, so fields are planned at the first value.
    plans ??= fieldPlans(type, known);
    return plans === undefined || !isPlainObject(value) ? UNREAD : readFields(plans, value);
  };
  known.set(type, reader);
  return reader;
}

/** Returns the object itself if coercion and the type's field order change nothing, as usual; otherwise an ordered copy. */
function readFields(plans: readonly FieldPlan[], value: Readonly<Record<string, unknown>>): unknown {
  const names = Object.keys(value);
  let copy: Record<string, unknown> | undefined;
  let found = 0;
  for (const { name, read, isRequired, byDefault } of plans) {
    const given = value[name];
    if (given === undefined && byDefault === undefined) {
      if (isRequired) return UNREAD;
      continue;
    }
    const field = given === undefined ? byDefault : read(given);
    if (field === UNREAD) return UNREAD;
    if (copy === undefined && (field !== given || names[found] !== name)) copy = firstOf(names, found, value);
    if (copy !== undefined) copy[name] = field;
    if (given !== undefined) found += 1;
  }
  // A member that is not a field of the type makes the counts differ.
  return found === names.length ? (copy ?? value) : UNREAD;
}

function firstOf(
  names: readonly string[],
  count: number,
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(names.slice(0, count).map((name) => [name, value[name]]));
}

/** Undefined if graphql-js must read objects of the type. */
function fieldPlans(
  type: GraphQLInputObjectType,
  known: Map<GraphQLInputType, InputReader>,
): readonly FieldPlan[] | undefined {
  const fields = Object.values(type.getFields());
  if (type.isOneOf || fields.some(({ name }) => name in Object.prototype)) return undefined;
  return fields.map((field) => fieldPlan(field, known));
}

function fieldPlan(
  { name, type, defaultValue }: GraphQLInputField,
  known: Map<GraphQLInputType, InputReader>,
): FieldPlan {
  return { name, read: inputReader(type, known), isRequired: isNonNullType(type), byDefault: defaultValue };
}

/** Returns whether a value is an object with the default prototype, like those of `JSON.parse`. */
function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
