/**
 * HOT: a value of a variable, read by a plan that its type is made into once: an order in a fifth of what graphql-js takes
 * (bench/server.ts). A plan answers what graphql-js would where that finds nothing wrong; anything else it leaves to it.
 */
import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';

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

/** Makes the plan of a type. @param known plans of input objects that were made before */
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
      return UNREAD; // graphql-js meets it again, and says what is wrong
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
