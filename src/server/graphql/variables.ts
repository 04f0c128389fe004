/**
 * HOT: reads variables and arguments by plans that are made once (bench/server.ts).
 *
 * A plan gives the same result as graphql-js for valid, usual input, in a third of the time or less. Anything else (defaults,
 * nulls for arguments, errors) goes to graphql-js.
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

/** Variables as the operation declares them, or why they are not. */
export type Coerced =
  | { readonly variables: Arguments; readonly problems?: undefined }
  | { readonly problems: readonly string[] };

interface VariablePlan {
  readonly name: string;
  readonly read: InputReader;
  /** It has to be there. */
  readonly isRequired: boolean;
}

const NOTHING: Arguments = Object.freeze({});
const NO_VARIABLES: Coerced = { variables: NOTHING };
const MAX_PROBLEMS = 20;

/** Coerces what a request brings, any JSON object or nothing. */
export function variableReader(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (raw: Arguments | undefined) => Coerced {
  if (definitions.length === 0) return () => NO_VARIABLES;
  const plans = plansOf(schema, definitions);
  return (raw = NOTHING) => {
    const plain = plans === undefined ? undefined : readVariables(plans, raw);
    if (plain !== undefined) return { variables: plain };
    const { coerced, errors } = getVariableValues(schema, definitions, raw, { maxErrors: MAX_PROBLEMS });
    return errors === undefined ? { variables: coerced } : { problems: errors.map(({ message }) => message) };
  };
}

/**
 * Reads the arguments of a root field; once for all requests where no variable is in them.
 * @returns a function that throws GraphQLError for a variable that is null where the argument may not be
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

/** Plans of all variables; undefined where one has a default. */
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

/** Undefined unless all are there that have to be, and right. */
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

/** Undefined unless every variable is there and not null. */
function readPairs(pairs: readonly (readonly [string, string])[], variables: Arguments): Arguments | undefined {
  const args: Record<string, unknown> = {};
  for (const [argument, variable] of pairs) {
    const value = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
    if (value === undefined || value === null) return undefined;
    args[argument] = value;
  }
  return args;
}

/** A value that graphql-js has to read: perhaps wrong, perhaps only unusual. */
export const UNREAD: unique symbol = Symbol('unread');

/** The value as its type has it, or `UNREAD`. */
export type InputReader = (value: unknown) => unknown;

interface FieldPlan {
  readonly name: string;
  readonly read: InputReader;
  readonly isRequired: boolean;
  /** Undefined for none. */
  readonly byDefault: unknown;
}

/** Creates the plan of a type. @param known existing plans of input objects */
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
      return UNREAD; // graphql-js reads it again and reports what is wrong
    }
  };
}

/** Of lists; one value instead of a list is left to graphql-js. */
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
    // Types may hold each other: fields are planned when the first value comes.
    plans ??= fieldPlans(type, known);
    return plans === undefined || !isPlainObject(value) ? UNREAD : readFields(plans, value);
  };
  known.set(type, reader);
  return reader;
}

/** The object itself where all is as it came and in the type's order, which is the rule; else a copy in that order. */
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
  // More members than fields: one of them is not of this type.
  return found === names.length ? (copy ?? value) : UNREAD;
}

/** A copy of the first members. */
function firstOf(
  names: readonly string[],
  count: number,
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(names.slice(0, count).map((name) => [name, value[name]]));
}

/** Undefined where objects of the type are not to be planned. */
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

/** As JSON has them: nothing is inherited but what every object has. */
function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
