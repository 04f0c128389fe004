/** Where rows stand in lists: by a sort value, then by id, both in the sort's direction. */

/** What a row is sorted by. Values are compared as numbers; ids as numbers, or as texts by their code units. */
export interface Place {
  readonly value: number;
  /** Of one kind within a list, and unique there. */
  readonly id: string | number;
}

/** A list under one sort: what a cursor is good for. */
export interface Listing {
  /** Names the list for ever and everywhere: of an account's or a market's list the id is part of it. */
  readonly list: string;
  readonly sort: string;
}

/** Which way a list runs. */
export type Direction = 'ascending' | 'descending';

/** Negative when `one` stands before `other` in the list, 0 when it is the same place. */
export function comparePlaces(one: Place, other: Place, direction: Direction): number {
  const order = one.value - other.value || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
  return direction === 'ascending' ? order : -order;
}
