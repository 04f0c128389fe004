/** What a mapping makes of the rows of one file: functions over the cells of a row, compiled once a file. */
import { FULL_BPS, InputFault } from '../../domain/index.ts';
import { nearest } from '../../strategy/index.ts';
import { FLAG, SIDE, STATUS_CODES } from '../../tape/index.ts';
import { badCell, levelsReader } from './cell-readers.ts';
import type { Mapping, RowMapping } from './mapping.ts';
import type { MarketImport } from './market-import.ts';
import type { RowTimes } from './row-cursor.ts';
import { timeReader } from './time-format.ts';
import { bpsOf, isEmpty, microSharesOf, numberOf, type PriceUnit, type SizeUnit } from './units.ts';

export type Cells = readonly unknown[];
type Read<T> = (cells: Cells) => T;
type BookSideCode = typeof SIDE.bid | typeof SIDE.ask;

/** Applies a row to its market. @returns why the row cannot be read, if it cannot */
type Apply = (cells: Cells, market: MarketImport, isNo: boolean) => string | undefined;

interface RowRule {
  readonly means: RowMapping['means'];
  readonly fits: Read<boolean>;
  readonly apply: Apply;
  /** Trade id, to drop repeated ones. */
  readonly id: Read<unknown> | undefined;
}

export class RowDecoder {
  readonly times: RowTimes;
  readonly instrument: Read<string> | undefined;
  /** Whether the row is about NO; undefined for a word that is neither. */
  readonly isNo: Read<boolean | undefined> | undefined;
  readonly message: Read<unknown> | undefined;
  readonly #rules: readonly RowRule[];
  readonly #file: string;
  readonly #columns: readonly string[];

  /**
   * @param file its name, for faults
   * @throws InputFault that names the first field of the mapping whose column the file does not have
   */
  constructor(mapping: Mapping, file: string, columns: readonly string[], onZone: (zone: string) => void) {
    this.#file = file;
    this.#columns = columns;
    const { time, market, messages, rows } = mapping;
    const at = this.#cell(time.column, 'time.column');
    const read = timeReader(time.format, time.zone, onZone);
    const { received } = time;
    const receivedAt = received === undefined ? undefined : this.#cell(received.column, 'time.received.column');
    const readReceived = received === undefined ? undefined : timeReader(received.format, received.zone, onZone);
    this.times = {
      column: time.column,
      missing: time.missing,
      isMissing: (cells) => isEmpty(at(cells)),
      tx: (cells) => read(at(cells)),
      rx: receivedAt && readReceived && ((cells) => readReceived(receivedAt(cells))),
    };
    if (market.column !== undefined) {
      const instrument = this.#cell(market.column, 'market.column');
      this.instrument = (cells) => String(instrument(cells) ?? '');
    }
    if (market.outcome !== undefined) this.isNo = this.#outcome(market.outcome);
    if (typeof messages === 'object') this.message = this.#cell(messages.column, 'messages.column');
    this.#rules = rows.map((row, index) => ({
      means: row.means,
      fits: this.#fits(row.when, `rows[${index}].when.column`),
      apply: this.#apply(row, `rows[${index}]`),
      id: row.means === 'trade' && row.id !== undefined ? this.#cell(row.id, `rows[${index}].id`) : undefined,
    }));
  }

  /** What the row means; undefined when no entry of the mapping takes it. */
  ruleOf(cells: Cells): RowRule | undefined {
    for (const rule of this.#rules) if (rule.fits(cells)) return rule;
    return undefined;
  }

  #cell(column: string, field: string): Read<unknown> {
    const index = this.#columns.indexOf(column);
    if (index >= 0) return (cells) => cells[index];
    const near = nearest(column, this.#columns);
    const columns = this.#columns.slice(0, 50).join(', ');
    const hint = near === undefined ? '' : ` (did you mean "${near}"?)`;
    throw new InputFault(field, column, `a column of ${this.#file}${hint}: ${columns}`);
  }

  #outcome({ column, yes, no }: NonNullable<Mapping['market']['outcome']>): Read<boolean | undefined> {
    const cell = this.#cell(column, 'market.outcome.column');
    const words = new Map([...yes.map((word) => [word, false] as const), ...no.map((word) => [word, true] as const)]);
    return (cells) => words.get(String(cell(cells)));
  }

  #fits(when: RowMapping['when'], field: string): Read<boolean> {
    if (when === undefined) return () => true;
    const cell = this.#cell(when.column, field);
    const words = new Set(when.is);
    return (cells) => words.has(String(cell(cells) ?? ''));
  }

  #apply(row: RowMapping, field: string): Apply {
    switch (row.means) {
      case 'level':
      case 'level_delta':
      case 'snapshot':
      case 'insert_cancel':
        return this.#levels(row, field);
      case 'book':
        return this.#book(row, field);
      case 'top_of_book':
        return this.#top(row, field);
      case 'trade':
        return this.#trade(row, field);
      case 'candle': {
        const [price, size] = [this.#price(row.close, `${field}.close`), this.#size(row.volume, `${field}.volume`)];
        return (cells, market, isNo) => {
          const bps = price(cells);
          const shares = size(cells, bps);
          if (!Number.isFinite(bps)) return badCell(row.close.column, row.close.unit);
          if (Number.isNaN(shares)) return badCell(row.volume.column, row.volume.unit);
          // A candle without trades is no print.
          if (shares > 0) market.trade(SIDE.unknown, bps, shares, isNo, FLAG.inferred);
          return undefined;
        };
      }
      case 'status':
        return this.#status(row, field);
      case 'resolution':
        return this.#resolution(row, field);
      case 'gap':
        return (_, market) => {
          market.gap();
          return undefined;
        };
      case 'nothing':
        return () => undefined;
    }
  }

  #levels(
    row: Extract<
      RowMapping,
      { side: unknown; size: unknown; means: 'level' | 'level_delta' | 'snapshot' | 'insert_cancel' }
    >,
    field: string,
  ): Apply {
    const side = this.#side(row.side, `${field}.side`);
    const price = this.#price(row.price, `${field}.price`);
    const size = this.#size(row.size, `${field}.size`);
    const sign = row.means === 'insert_cancel' ? this.#sign(row.action, `${field}.action`) : () => 1;
    const { means } = row;
    return (cells, market, isNo) => {
      const of = side(cells);
      const bps = price(cells);
      const shares = size(cells, bps) * sign(cells);
      if (of === undefined) return `column "${row.side.column}": no word for a bid or an ask`;
      if (!Number.isFinite(bps)) return badCell(row.price.column, row.price.unit);
      if (Number.isNaN(shares)) return badCell(row.size.column, row.size.unit);
      if (means === 'snapshot' && !market.hasFullBook) market.fullBook();
      if (means === 'level' || means === 'snapshot') {
        const isNews = market.level(of, bps, shares, isNo);
        return isNews || means === 'snapshot' ? undefined : 'level that changes nothing';
      }
      market.levelDelta(of, bps, shares, isNo);
      return undefined;
    };
  }

  #book(row: Extract<RowMapping, { means: 'book' }>, field: string): Apply {
    const lists = (
      [
        ['bids', SIDE.bid],
        ['asks', SIDE.ask],
      ] as const
    ).map(([name, side]) => ({
      side,
      column: row[name].column,
      levels: levelsReader(row[name].price, row[name].size, row.price_unit, row.size_unit),
      cell: this.#cell(row[name].column, `${field}.${name}.column`),
    }));
    return (cells, market, isNo) => {
      const read = lists.map(({ side, column, levels, cell }) => ({ side, column, found: levels(cell(cells)) }));
      const bad = read.find(({ found }) => found === undefined);
      if (bad !== undefined) return `column "${bad.column}": no list of levels with a price and a size`;
      market.fullBook();
      for (const { side, found = [] } of read) for (const [bps, shares] of found) market.level(side, bps, shares, isNo);
      return undefined;
    };
  }

  #top(row: Extract<RowMapping, { means: 'top_of_book' }>, field: string): Apply {
    const sides = (
      [
        ['bid', SIDE.bid],
        ['ask', SIDE.ask],
      ] as const
    ).map(([name, side]) => ({
      side,
      of: row[name],
      cell: this.#cell(row[name].price.column, `${field}.${name}.price.column`),
      price: this.#price(row[name].price, `${field}.${name}.price`),
      size: this.#size(row[name].size, `${field}.${name}.size`),
    }));
    return (cells, market, isNo) => {
      for (const { side, of, cell, price, size } of sides) {
        const bps = price(cells);
        const isEmptySide = isEmpty(cell(cells)) || bps === 0 || bps === FULL_BPS;
        const shares = isEmptySide ? 0 : size(cells, bps);
        if (!isEmptySide && !Number.isFinite(bps)) return badCell(of.price.column, of.price.unit);
        if (Number.isNaN(shares)) return badCell(of.size.column, of.size.unit);
        market.top(side, isEmptySide || shares === 0 ? undefined : bps, shares, isNo);
      }
      return undefined;
    };
  }

  #trade(row: Extract<RowMapping, { means: 'trade' }>, field: string): Apply {
    const side = row.side === undefined ? undefined : this.#side(row.side, `${field}.side`);
    const price = this.#price(row.price, `${field}.price`);
    const size = this.#size(row.size, `${field}.size`);
    return (cells, market, isNo) => {
      const bps = price(cells);
      const shares = size(cells, bps);
      if (!Number.isFinite(bps)) return badCell(row.price.column, row.price.unit);
      if (Number.isNaN(shares)) return badCell(row.size.column, row.size.unit);
      market.trade(side?.(cells) ?? SIDE.unknown, bps, shares, isNo);
      return undefined;
    };
  }

  #status(row: Extract<RowMapping, { means: 'status' }>, field: string): Apply {
    const cell = this.#cell(row.column, `${field}.column`);
    const words = new Map(
      STATUS_CODES.flatMap((status) => (row.words[status] ?? []).map((word) => [word, status] as const)),
    );
    return (cells, market) => {
      const status = words.get(String(cell(cells)));
      if (status === undefined) return `column "${row.column}": no word for a status`;
      market.status(status);
      return undefined;
    };
  }

  #resolution(row: Extract<RowMapping, { means: 'resolution' }>, field: string): Apply {
    const cell = this.#cell(row.column, `${field}.column`);
    const words = new Map<string, number | undefined>();
    for (const word of row.yes) words.set(word, FULL_BPS);
    for (const word of row.no) words.set(word, 0);
    for (const word of row.void) words.set(word, undefined);
    const { payout: unit } = row;
    return (cells, market, isNo) => {
      const word = String(cell(cells));
      let payout = words.get(word);
      if (!words.has(word)) {
        payout = unit === undefined ? Number.NaN : Math.round(bpsOf(numberOf(cell(cells)), unit));
        if (Number.isNaN(payout)) return `column "${row.column}": no word for an outcome`;
      }
      market.resolution(isNo && payout !== undefined ? FULL_BPS - payout : payout);
      return undefined;
    };
  }

  #price({ column, unit }: { column: string; unit: PriceUnit }, field: string): Read<number> {
    const cell = this.#cell(column, `${field}.column`);
    return (cells) => bpsOf(numberOf(cell(cells)), unit);
  }

  #size(
    { column, unit, constant }: { column?: string | undefined; unit: SizeUnit; constant?: number | undefined },
    field: string,
  ): (cells: Cells, bps: number) => number {
    if (column === undefined) {
      if (constant === undefined)
        throw new InputFault(`${field}.column`, undefined, 'a column of sizes, or `constant`');
      return (_, bps) => microSharesOf(constant, unit, bps);
    }
    const cell = this.#cell(column, `${field}.column`);
    return (cells, bps) => microSharesOf(numberOf(cell(cells)), unit, bps);
  }

  #side(
    { column, bid, ask }: { column: string; bid: readonly string[]; ask: readonly string[] },
    field: string,
  ): Read<BookSideCode | undefined> {
    const cell = this.#cell(column, `${field}.column`);
    const words = new Map<string, BookSideCode>();
    for (const word of bid) words.set(word, SIDE.bid);
    for (const word of ask) words.set(word, SIDE.ask);
    return (cells) => words.get(String(cell(cells)));
  }

  #sign(
    { column, insert, cancel }: { column: string; insert: readonly string[]; cancel: readonly string[] },
    field: string,
  ): Read<number> {
    const cell = this.#cell(column, `${field}.column`);
    const words = new Map([...insert.map((word) => [word, 1] as const), ...cancel.map((word) => [word, -1] as const)]);
    return (cells) => words.get(String(cell(cells))) ?? Number.NaN;
  }
}
