/**
 * Limits the size of a request: brackets of the text, fields of the parsed document, and values of the answer.
 *
 * The limits apply before the expensive validation rules and before any resolver runs.
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
  Lexer,
  type SelectionSetNode,
  Source,
  type Token,
  TokenKind,
} from 'graphql';
import type { Arguments } from './context.ts';

/** Inclusive limits. The first three are part of the API. The others limit a request's work to a few milliseconds. */
export const LIMITS = {
  /** Length of the document in characters. The request body has the same limit in bytes. */
  maxText: 262_144,
  /** Levels of nested fields. A root field has level 1. Introspection may have more levels. */
  maxLevels: 12,
  /** Root fields of an operation. Each alias and each use of a fragment counts. */
  maxRootFields: 50,
  /** Values in the answer, estimated from the requested list sizes. */
  maxCost: 50_000,
  /** Values of introspection, estimated from the size of the schema. Common tools need half of this limit. */
  maxIntrospection: 400_000,
  maxTokens: 10_000,
  /** Fields of all operations with fragments expanded, including introspection. */
  maxFields: 3_000,
  /** Pairs of fields with the same response key. Validation compares each pair. */
  maxPairs: 5_000,
  /** Nested brackets in the text. The parser recurses into each bracket. */
  maxNesting: 250,
};
export type Limits = Readonly<typeof LIMITS>;

const OPENING: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Returns whether more than `maxNesting` brackets are nested before the end, an error or the token limit. */
export function isNestedTooDeep(text: string, { maxNesting, maxTokens }: Limits): boolean {
  // A text has at most one bracket per character.
  if (text.length <= maxNesting) return false;
  const lexer = new Lexer(new Source(text));
  let depth = 0;
  for (let count = 0; count <= maxTokens; count += 1) {
    let token: Token;
    try {
      token = lexer.advance();
    } catch {
      return false; // the parser reports the error
    }
    if (token.kind === TokenKind.EOF) return false;
    if (OPENING.has(token.kind)) depth += 1;
    else if (CLOSING.has(token.kind)) depth -= 1;
    if (depth > maxNesting) return true;
  }
  return false;
}

/** Fields with the same response key. */
interface Group {
  fields: number;
  readonly sets: SelectionSetNode[];
  isIntrospection: boolean;
}

interface DocumentSize {
  /** Number of fields counted so far, with fragments expanded. */
  readonly fields: number;
  /** The limit that was exceeded, as text. */
  readonly excess?: string;
}

/**
 * Measures a parsed document. Counts a fragment at each use, so that a short text cannot expand without limit.
 * @param document must have no fragment cycles
 */
export function measureDocument(document: DocumentNode, limits: Limits): DocumentSize {
  const fragments = indexFragments(document);
  let fields = 0;
  let pairs = 0;

  /** Each entry has the selection sets of one response key. Root fields have level 1. */
  const unvisited: { readonly sets: SelectionSetNode[]; readonly level: number; readonly isIntrospection: boolean }[] =
    [];
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    // Validation also visits each fragment definition. The limits of root fields and levels apply only at its uses. So
    // a definition begins below the root, and is exempt from the limit of levels.
    const isFragment = definition.kind === Kind.FRAGMENT_DEFINITION;
    unvisited.push({ sets: [definition.selectionSet], level: isFragment ? 2 : 1, isIntrospection: isFragment });
  }
  for (let merged = unvisited.pop(); merged !== undefined; merged = unvisited.pop()) {
    const { level, isIntrospection } = merged;
    const groups = new Map<string, Group>();
    const visitedFragments = new Set<string>();
    const sets = [...merged.sets];
    let mergedFieldCount = 0;
    for (let selectionSet = sets.pop(); selectionSet !== undefined; selectionSet = sets.pop()) {
      for (const selection of selectionSet.selections) {
        fields += 1;
        if (fields > limits.maxFields)
          return { fields, excess: `more than ${limits.maxFields} fields with fragments expanded` };
        if (selection.kind === Kind.FIELD) {
          mergedFieldCount += 1;
          pairs += addToGroup(groups, selection);
        } else if (selection.kind === Kind.INLINE_FRAGMENT) {
          sets.push(selection.selectionSet);
        } else if (!visitedFragments.has(selection.name.value)) {
          visitedFragments.add(selection.name.value);
          const fragment = fragments.get(selection.name.value);
          if (fragment !== undefined) sets.push(fragment.selectionSet);
        }
      }
    }
    if (pairs > limits.maxPairs)
      return { fields, excess: `more than ${limits.maxPairs} pairs of fields with the same response key` };
    if (level === 1 && mergedFieldCount > limits.maxRootFields)
      return { fields, excess: `more than ${limits.maxRootFields} root fields` };
    if (level > limits.maxLevels && !isIntrospection)
      return { fields, excess: `more than ${limits.maxLevels} levels of fields` };
    for (const { sets: subSets, isIntrospection: isIntrospectionRoot } of groups.values())
      if (subSets.length > 0)
        unvisited.push({ sets: subSets, level: level + 1, isIntrospection: isIntrospection || isIntrospectionRoot });
  }
  return { fields };
}

export function indexFragments({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/** Adds a field to the group of its response key. @returns the number of new pairs */
function addToGroup(groups: Map<string, Group>, field: FieldNode): number {
  const key = field.alias?.value ?? field.name.value;
  const group = groups.get(key) ?? { fields: 0, sets: [], isIntrospection: isIntrospective(field.name.value) };
  groups.set(key, group);
  group.fields += 1;
  if (field.selectionSet !== undefined) group.sets.push(field.selectionSet);
  return group.fields - 1;
}

export function isIntrospective(name: string): boolean {
  return name === '__schema' || name === '__type';
}

/** Assumed size of a list or page when the request gives no size. */
const ASSUMED_LIST_SIZE = 20;
const MAX_POINTS = 2_000;
/** Maximum values of size arguments. Resolvers refuse larger values. */
const MAX_REQUESTED: Readonly<Record<string, number>> = { first: 100, last: 100, depth: 500 };

/** Returns a function that estimates the values in an answer. @param fieldsBelow fields below the root field */
export function createCostEstimator(
  field: GraphQLField<unknown, unknown>,
  fieldsBelow: number,
): (args: Arguments) => number {
  const fieldCount = Math.max(1, fieldsBelow);
  const { type } = field;
  if (field.args.some((argument) => hasListSize(argument.name, argument.type)))
    return (args) => fieldCount * estimateListSize(type, args);
  const constant = fieldCount * estimateListSize(type, {});
  return () => constant;
}

function hasListSize(name: string, argument: GraphQLInputType): boolean {
  const type = getNullableType(argument);
  if (Object.hasOwn(MAX_REQUESTED, name) || isListType(type)) return true;
  if (name !== 'input' || !isInputObjectType(type)) return false;
  return Object.values(type.getFields()).some(
    (field) => Object.hasOwn(MAX_REQUESTED, field.name) || isListType(getNullableType(field.type)),
  );
}

function estimateListSize(type: GraphQLOutputType, args: Arguments): number {
  const typeName = getNamedType(type).name;
  if (typeName === 'PricePoint') return MAX_POINTS;
  let size = 0;
  for (const [name, value] of [...Object.entries(args), ...Object.entries(args['input'] ?? {})]) {
    const max = MAX_REQUESTED[name];
    if (max !== undefined && typeof value === 'number') size = Math.max(size, Math.min(value, max));
    else if (Array.isArray(value)) size = Math.max(size, value.length);
  }
  if (size > 0) return size;
  return typeName.endsWith('Connection') || isListType(getNullableType(type)) ? ASSUMED_LIST_SIZE : 1;
}
