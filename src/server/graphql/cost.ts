/** What an answer may come to, estimated before anything runs: fields, times the size of the list that was asked for. */
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql';
import type { Arguments } from './resolver-map.ts';

/** Entries of a list whose size nothing tells, and of a page where none is asked for. */
const USUAL_LIST = 20;
/** Points of a price history, whatever is asked for (the contract's bound). */
const MOST_POINTS = 2_000;
/** No page and no book is larger, and more is refused by whoever reads the argument. */
const MOST_ASKED: Readonly<Record<string, number>> = { first: 100, last: 100, depth: 500 };

/** Tells the values that a root field may come to. @param fields fields below it, fragments written out */
export function costReader(field: GraphQLField<unknown, unknown>, fields: number): (args: Arguments) => number {
  const most = Math.max(1, fields);
  const { type } = field;
  if (field.args.some((argument) => isSizing(argument.name, argument.type))) return (args) => most * sizeOf(type, args);
  const constant = most * sizeOf(type, {});
  return () => constant;
}

/** Whether an argument tells, or holds, how much is asked for. */
function isSizing(name: string, argument: GraphQLInputType): boolean {
  const type = getNullableType(argument);
  if (isSize(name, type)) return true;
  return (
    name === 'input' &&
    isInputObjectType(type) &&
    Object.values(type.getFields()).some((field) => isSize(field.name, getNullableType(field.type)))
  );
}

function isSize(name: string, type: GraphQLInputType): boolean {
  return Object.hasOwn(MOST_ASKED, name) || isListType(type);
}

function sizeOf(type: GraphQLOutputType, args: Arguments): number {
  const named = getNamedType(type).name;
  if (named === 'PricePoint') return MOST_POINTS;
  let size = 0;
  for (const [name, value] of entriesOf(args)) {
    const most = MOST_ASKED[name];
    if (most !== undefined && typeof value === 'number') size = Math.max(size, Math.min(value, most));
    else if (Array.isArray(value)) size = Math.max(size, value.length);
  }
  if (size > 0) return size;
  return named.endsWith('Connection') || isListType(getNullableType(type)) ? USUAL_LIST : 1;
}

/** Arguments, and those within `input`. */
function entriesOf(args: Arguments): readonly (readonly [string, unknown])[] {
  const { input } = args;
  return typeof input === 'object' && input !== null
    ? [...Object.entries(args), ...Object.entries(input)]
    : Object.entries(args);
}
