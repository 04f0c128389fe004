/**
 * The size limits of a request: brackets of an unparsed text, fields of a parsed document, values of the answer.
 *
 * The limits apply before the expensive rules of validation and before anything runs.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Arguments } from './context.ts';

/** Inclusive limits of a request. The first three are part of the API contract; the others limit the work to some milliseconds. */
export const LIMITS = {
  /** Length of the document in characters; the request body has the same limit in bytes. */
  maxText: 262_144,
  /** Levels of nested fields; a root field is level 1. Does not apply to introspection. */
  maxLevels: 12,
  /** Root fields of an operation. Each alias and each use of a fragment counts. */
  maxRootFields: 50,
  /** Estimated values in the answer, from the requested list sizes. */
  maxCost: 50_000,
  /** Estimated values of introspection, from the size of the schema. Common tools need half of it. */
  maxIntrospection: 400_000,
  maxTokens: 10_000,
  /** Fields of all operations with fragments expanded, including introspection. */
  maxFields: 3_000,
  /** Pairs of fields with the same response key, which validation compares with each other. */
  maxPairs: 5_000,
  /** Nested brackets in the text, because the parser recurses into each. */
  maxNesting: 250,
};
export type Limits = Readonly<typeof LIMITS>;

const QUOTE = 34;
const HASH = 35;
const BACKSLASH = 92;

/** Returns whether more than `maxNesting` brackets of any kind are nested, strings and comments excluded. */
export function isNestedTooDeep(text: string, maxNesting: number): boolean {
  // Fast path for nearly every document.
  if (text.length <= maxNesting) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === HASH) at = endOfLine(text, at);
    else if (isOpening(code)) {
      depth += 1;
      if (depth > maxNesting) return true;
    } else if (isClosing(code)) depth -= 1;
  }
  return false;
}

function isOpening(code: number): boolean {
  return code === 123 || code === 91 || code === 40;
}

function isClosing(code: number): boolean {
  return code === 125 || code === 93 || code === 41;
}

/** Index of the closing quote of the string that starts here; the text length without one. */
function endOfString(text: string, start: number): number {
  if (text.startsWith('"""', start)) {
    let end = text.indexOf('"""', start + 3);
    while (end > 0 && text.charCodeAt(end - 1) === BACKSLASH) end = text.indexOf('"""', end + 3);
    return end < 0 ? text.length : end + 2;
  }
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    // The parser refuses an unterminated string. It ends here so that it cannot hide the brackets that follow.
    else if (code === QUOTE || code === 10 || code === 13) return at;
  }
  return text.length;
}

function endOfLine(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
  }
  return text.length;
}

/** Selection sets that are merged, with their level. */
interface Place {
  readonly sets: readonly SelectionSetNode[];
  /** 1 for root fields. */
  readonly level: number;
  readonly isIntrospection: boolean;
}

interface Group {
  fields: number;
  readonly sets: SelectionSetNode[];
  isIntrospection: boolean;
}

export interface DocumentSize {
  /** Number of fields counted so far, with fragments expanded. */
  readonly fields: number;
  /** The limit that was exceeded, as text. */
  readonly excess?: string;
}

/**
 * Measures a parsed document. Counts a fragment at each use, so that a short text cannot expand without limit.
 * @param document must have no fragment cycles
 */
export function measure(document: DocumentNode, limits: Limits): DocumentSize {
  const fragments = fragmentsOf(document);
  let fields = 0;
  let pairs = 0;

  const places: Place[] = [];
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    // Validation also visits each fragment definition. Its levels count only where it is used.
    const isFragment = definition.kind === Kind.FRAGMENT_DEFINITION;
    places.push({ sets: [definition.selectionSet], level: isFragment ? 2 : 1, isIntrospection: isFragment });
  }
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const { level, isIntrospection } = place;
    const groups = new Map<string, Group>();
    const spread = new Set<string>();
    const sets = [...place.sets];
    let roots = 0;
    for (let set = sets.pop(); set !== undefined; set = sets.pop()) {
      for (const selection of set.selections) {
        fields += 1;
        if (fields > limits.maxFields)
          return { fields, excess: `more than ${limits.maxFields} fields with fragments expanded` };
        if (selection.kind === Kind.FIELD) {
          roots += 1;
          pairs += add(groups, selection);
        } else if (selection.kind === Kind.INLINE_FRAGMENT) {
          sets.push(selection.selectionSet);
        } else if (!spread.has(selection.name.value)) {
          spread.add(selection.name.value);
          const fragment = fragments.get(selection.name.value);
          if (fragment !== undefined) sets.push(fragment.selectionSet);
        }
      }
    }
    if (pairs > limits.maxPairs)
      return { fields, excess: `more than ${limits.maxPairs} pairs of fields with the same response key` };
    if (level === 1 && roots > limits.maxRootFields)
      return { fields, excess: `more than ${limits.maxRootFields} root fields` };
    if (level > limits.maxLevels && !isIntrospection)
      return { fields, excess: `more than ${limits.maxLevels} levels of fields` };
    for (const group of groups.values()) {
      if (group.sets.length === 0) continue;
      const isIntrospectionBelow = isIntrospection || group.isIntrospection;
      places.push({ sets: group.sets, level: level + 1, isIntrospection: isIntrospectionBelow });
    }
  }
  return { fields };
}

export function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}

/** Adds a field to the group of its response key. @returns the number of new pairs */
function add(groups: Map<string, Group>, field: FieldNode): number {
  const key = field.alias?.value ?? field.name.value;
  let group = groups.get(key);
  if (group === undefined) {
    group = { fields: 0, sets: [], isIntrospection: isIntrospective(field.name.value) };
    groups.set(key, group);
  }
  group.fields += 1;
  if (field.selectionSet !== undefined) group.sets.push(field.selectionSet);
  return group.fields - 1;
}

/** Returns whether a root field is `__schema` or `__type`. */
export function isIntrospective(name: string): boolean {
  return name === '__schema' || name === '__type';
}

/** Assumed entries of a list or page without a requested size. */
const ASSUMED_LIST_SIZE = 20;
/** Limit of points in a price history. */
const MAX_POINTS = 2_000;
/** Largest page and book; resolvers refuse more. */
const MAX_REQUESTED: Readonly<Record<string, number>> = { first: 100, last: 100, depth: 500 };

/** Estimates the values in the answer of a root field: fields times list size. @param fields number of fields below it */
export function costReader(field: GraphQLField<unknown, unknown>, fields: number): (args: Arguments) => number {
  const fieldCount = Math.max(1, fields);
  const { type } = field;
  if (field.args.some((argument) => hasListSize(argument.name, argument.type)))
    return (args) => fieldCount * sizeOf(type, args);
  const constant = fieldCount * sizeOf(type, {});
  return () => constant;
}

function hasListSize(name: string, argument: GraphQLInputType): boolean {
  const type = getNullableType(argument);
  if (isSize(name, type)) return true;
  return (
    name === 'input' &&
    isInputObjectType(type) &&
    Object.values(type.getFields()).some((field) => isSize(field.name, getNullableType(field.type)))
  );
}

function isSize(name: string, type: GraphQLInputType): boolean {
  return Object.hasOwn(MAX_REQUESTED, name) || isListType(type);
}

function sizeOf(type: GraphQLOutputType, args: Arguments): number {
  const typeName = getNamedType(type).name;
  if (typeName === 'PricePoint') return MAX_POINTS;
  let size = 0;
  for (const [name, value] of entriesOf(args)) {
    const max = MAX_REQUESTED[name];
    if (max !== undefined && typeof value === 'number') size = Math.max(size, Math.min(value, max));
    else if (Array.isArray(value)) size = Math.max(size, value.length);
  }
  if (size > 0) return size;
  return typeName.endsWith('Connection') || isListType(getNullableType(type)) ? ASSUMED_LIST_SIZE : 1;
}

function entriesOf(args: Arguments): readonly (readonly [string, unknown])[] {
  const { input } = args;
  return typeof input === 'object' && input !== null
    ? [...Object.entries(args), ...Object.entries(input)]
    : Object.entries(args);
}
