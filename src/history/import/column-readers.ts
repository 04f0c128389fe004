/** Functions that read cells by the names of their columns, compiled once a file. */
import { InputFault } from '../../domain/index.ts';
import { nearest } from '../../strategy/index.ts';
import { SIDE } from '../../tape/index.ts';
import type { BookSideCode } from './side-levels.ts';
import { numberOf, type PriceUnit, type SizeUnit, toBps, toMicroShares } from './units.ts';

export type Cells = readonly unknown[];
export type Read<T> = (cells: Cells) => T;

export class ColumnReaders {
  readonly #file: string;
  readonly #columns: readonly string[];

  /** @param file its name, for faults */
  constructor(file: string, columns: readonly string[]) {
    this.#file = file;
    this.#columns = columns;
  }

  /**
   * @param field of the mapping that names the column
   * @throws InputFault when the file does not have it
   */
  cell(column: string, field: string): Read<unknown> {
    const index = this.#columns.indexOf(column);
    if (index >= 0) return (cells) => cells[index];
    const near = nearest(column, this.#columns);
    const columns = this.#columns.slice(0, 50).join(', ');
    const hint = near === undefined ? '' : ` (did you mean "${near}"?)`;
    throw new InputFault(field, column, `a column of ${this.#file}${hint}: ${columns}`);
  }

  /** Bps, with fractions; NaN for what is no number. */
  price({ column, unit }: { column: string; unit: PriceUnit }, field: string): Read<number> {
    const cell = this.cell(column, `${field}.column`);
    return (cells) => toBps(numberOf(cell(cells)), unit);
  }

  /** Micro-shares, rounded **down**; NaN for what is no number. */
  size(
    { column, unit, constant }: { column?: string | undefined; unit: SizeUnit; constant?: number | undefined },
    field: string,
  ): (cells: Cells, bps: number) => number {
    if (column === undefined) {
      if (constant === undefined)
        throw new InputFault(`${field}.column`, undefined, 'a column of sizes, or `constant`');
      return (_, bps) => toMicroShares(constant, unit, bps);
    }
    const cell = this.cell(column, `${field}.column`);
    return (cells, bps) => toMicroShares(numberOf(cell(cells)), unit, bps);
  }

  /** Undefined for a word that is neither. */
  side(
    { column, bid, ask }: { column: string; bid: readonly string[]; ask: readonly string[] },
    field: string,
  ): Read<BookSideCode | undefined> {
    const cell = this.cell(column, `${field}.column`);
    const words = new Map<string, BookSideCode>();
    for (const word of bid) words.set(word, SIDE.bid);
    for (const word of ask) words.set(word, SIDE.ask);
    return (cells) => words.get(String(cell(cells)));
  }
}
