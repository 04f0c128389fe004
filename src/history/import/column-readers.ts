/** Makes functions that read cells by column name, once per file. */
import { InputFault } from '../../domain/index.ts';
import { tryParseJson } from '../../network/index.ts';
import { nearest } from '../../strategy/index.ts';
import { SIDE } from '../../tape/index.ts';
import type { BookSideCode } from './side-levels.ts';
import { type PriceUnit, parseNumber, type SizeUnit, toBps, toMicroShares } from './units.ts';

export type Cells = readonly unknown[];
export type RowReader<T> = (cells: Cells) => T;

type PriceColumn = { readonly column: string; readonly unit: PriceUnit };
type SizeColumn = {
  readonly column?: string | undefined;
  readonly unit: SizeUnit;
  readonly constant?: number | undefined;
};

export class ColumnReaders {
  readonly #file: string;
  readonly #columns: readonly string[];

  constructor(file: string, columns: readonly string[]) {
    this.#file = file;
    this.#columns = columns;
  }

  /** @param field field of the mapping that names the column @throws InputFault if the file does not have the column */
  cell(column: string, field: string): RowReader<unknown> {
    const index = this.#columns.indexOf(column);
    if (index >= 0) return (cells) => cells[index];
    const near = nearest(column, this.#columns);
    const columns = this.#columns.slice(0, 50).join(', ');
    const hint = near === undefined ? '' : ` (did you mean "${near}"?)`;
    throw new InputFault(field, column, `a column of ${this.#file}${hint}: ${columns}`);
  }

  /** Returns a reader of prices in bps with fractions; NaN for an invalid cell. */
  price({ column, unit }: PriceColumn, field: string): RowReader<number> {
    const readCell = this.cell(column, `${field}.column`);
    return (cells) => toBps(parseNumber(readCell(cells)), unit);
  }

  /** Returns a reader of sizes in micro-shares, rounded **down**; NaN for an invalid cell. */
  size({ column, unit, constant }: SizeColumn, field: string): (cells: Cells, bps: number) => number {
    if (column === undefined) {
      if (constant === undefined)
        throw new InputFault(`${field}.column`, undefined, 'a column of sizes, or `constant`');
      return (_, bps) => toMicroShares(constant, unit, bps);
    }
    const readCell = this.cell(column, `${field}.column`);
    return (cells, bps) => toMicroShares(parseNumber(readCell(cells)), unit, bps);
  }

  /** Returns a reader of price and size, or of the reason for an invalid cell. The names are fields of the mapping. */
  priceAndSize(
    price: PriceColumn,
    size: SizeColumn,
    field: string,
    [priceName, sizeName] = ['price', 'size'],
  ): RowReader<{ readonly bps: number; readonly shares: number } | string> {
    const readPrice = this.price(price, `${field}.${priceName}`);
    const readSize = this.size(size, `${field}.${sizeName}`);
    return (cells) => {
      const bps = readPrice(cells);
      const shares = readSize(cells, bps);
      if (!Number.isFinite(bps)) return describeBadCell(price);
      return Number.isNaN(shares) ? describeBadCell(size) : { bps, shares };
    };
  }

  /** Returns a reader of the side; undefined for an unknown word. */
  side(
    { column, bid, ask }: { column: string; bid: readonly string[]; ask: readonly string[] },
    field: string,
  ): RowReader<BookSideCode | undefined> {
    const readCell = this.cell(column, `${field}.column`);
    const words = new Map<string, BookSideCode>();
    for (const word of bid) words.set(word, SIDE.bid);
    for (const word of ask) words.set(word, SIDE.ask);
    return (cells) => words.get(String(readCell(cells)));
  }
}

/** Returns the column names in a part of a mapping. @param key key of `value` in the mapping */
export function collectColumns(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return ['column', 'id', 'order_id'].includes(key) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, entry]) => collectColumns(entry, Array.isArray(value) ? '' : name));
}

/** Returns a reader of a cell with a list of levels. The reader returns undefined if a level has no price or size. */
export function makeLevelsReader(
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
      const bps = toBps(parseNumber(Reflect.get(entry, price)), priceUnit);
      const shares = toMicroShares(parseNumber(Reflect.get(entry, size)), sizeUnit, bps);
      if (!Number.isFinite(bps) || Number.isNaN(shares)) return undefined;
      levels.push([bps, shares]);
    }
    return levels;
  };
}

/** Returns the reason for dropping a row with an invalid price or size. */
export function describeBadCell({ column, unit }: PriceColumn | SizeColumn): string {
  return `column "${column ?? ''}": not a number of ${unit}`;
}
