/** Readers of cells with lists of levels, and helpers for columns. */

import { tryParseJson } from '../../network/index.ts';
import { numberOf, type PriceUnit, type SizeUnit, toBps, toMicroShares } from './units.ts';

/** Returns all columns that a mapping names. */
export function columnsOf(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return ['column', 'id', 'order_id'].includes(key) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, entry]) => columnsOf(entry, Array.isArray(value) ? '' : name));
}

/** Returns a reader of levels as lists or objects. It returns undefined if a level has no price or size. */
export function levelsReader(
  price: string,
  size: string,
  priceUnit: PriceUnit,
  sizeUnit: SizeUnit,
): (cell: unknown) => [number, number][] | undefined {
  return (cell) => {
    const list: unknown = typeof cell === 'string' && cell !== '' ? tryParseJson(cell) : (cell ?? []);
    if (list === '') return [];
    if (!Array.isArray(list)) return undefined;
    const levels: [number, number][] = [];
    for (const entry of list) {
      if (typeof entry !== 'object' || entry === null) return undefined;
      const bps = toBps(numberOf(Reflect.get(entry, price)), priceUnit);
      const shares = toMicroShares(numberOf(Reflect.get(entry, size)), sizeUnit, bps);
      if (!Number.isFinite(bps) || Number.isNaN(shares)) return undefined;
      levels.push([bps, shares]);
    }
    return levels;
  };
}

/** Reason for dropping a row with an invalid cell. */
export function badCell(column: string | undefined, unit: string): string {
  return `column "${column ?? ''}": not a number of ${unit}`;
}
