/**
 * Weighs a parsed document before the expensive rules of validation see it.
 *
 * Fragments are written out by counting, so that a short text cannot stand for an endless one; fields of one response
 * key are counted as pairs, because validation compares each with each.
 */
import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';
import type { Limits } from './limits.ts';

/** Selections that are read as one, with where they stand. */
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

/** What a document comes to. */
export interface Weight {
  /** Fields with fragments written out, as far as they were counted. */
  readonly fields: number;
  /** What is too much about it. */
  readonly excess?: string;
}

/** @param document without cycles of fragments */
export function weigh(document: DocumentNode, limits: Limits): Weight {
  const fragments = fragmentsOf(document);
  let fields = 0;
  let pairs = 0;

  const places: Place[] = [];
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    // Fragments are validated for themselves, too; their levels count where they are used.
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
        if (fields > limits.mostFields)
          return { fields, excess: `more than ${limits.mostFields} fields with fragments written out` };
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
    if (pairs > limits.mostPairs)
      return { fields, excess: `more than ${limits.mostPairs} pairs of fields under one name` };
    if (level === 1 && roots > limits.mostRootFields)
      return { fields, excess: `more than ${limits.mostRootFields} root fields` };
    if (level > limits.mostLevels && !isIntrospection)
      return { fields, excess: `more than ${limits.mostLevels} levels of fields` };
    for (const group of groups.values()) {
      if (group.sets.length === 0) continue;
      const below = isIntrospection || group.isIntrospection;
      places.push({ sets: group.sets, level: level + 1, isIntrospection: below });
    }
  }
  return { fields };
}

/** Fragments by name. */
export function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}

/** Puts a field beside those of its response key. @returns the pairs this makes */
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

/** `__schema` and `__type`, at the root; elsewhere nothing is called so. */
export function isIntrospective(name: string): boolean {
  return name === '__schema' || name === '__type';
}
