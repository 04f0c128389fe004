/** Applies rows to their markets by their meaning, with functions that are compiled once per file. */
import { FULL_BPS, type Outcome } from '../../domain/index.ts';
import { FLAG, SIDE, STATUS_CODES } from '../../tape/index.ts';
import { type Cells, type ColumnReaders, describeBadCell, makeLevelsReader, type RowReader } from './column-readers.ts';
import type { MarketImport } from './market-import.ts';
import { oppositeSide, sizeProblem } from './market-rows.ts';
import { ORDER_ACTIONS, type RowMapping } from './row-mapping.ts';
import type { BookSideCode } from './side-levels.ts';
import { isEmpty, parseNumber, toBps } from './units.ts';

/** Applies a row to its market. Returns the reason if the row is dropped. */
export type ApplyRow = (cells: Cells, market: MarketImport, outcome: Outcome) => string | undefined;

type RowMappingFor<Meaning> = Extract<RowMapping, { means: Meaning }>;
type LevelMapping = Extract<RowMapping, { means: 'level' | 'level_delta' | 'snapshot' }>;
type OrderMapping = RowMappingFor<'insert_cancel'>;
type OrderAction = (typeof ORDER_ACTIONS)[number];

/** @throws InputFault that names the first mapping field with a missing column */
export function compileRow(columns: ColumnReaders, row: RowMapping, field: string): ApplyRow {
  switch (row.means) {
    case 'level':
    case 'level_delta':
    case 'snapshot':
      return compileLevel(columns, row, field);
    case 'insert_cancel':
      return compileOrder(columns, row, field);
    case 'book':
      return compileBook(columns, row, field);
    case 'top_of_book':
      return compileTop(columns, row, field);
    case 'trade':
      return compileTrade(columns, row, field);
    case 'candle': {
      const read = columns.priceAndSize(row.close, row.volume, field, ['close', 'volume']);
      return (cells, market, outcome) => {
        const candle = read(cells);
        if (typeof candle === 'string') return candle;
        if (candle.shares === 0) return 'candle without trades';
        market.trade(SIDE.unknown, candle.bps, candle.shares, outcome, FLAG.inferred);
        return undefined;
      };
    }
    case 'status':
      return compileStatus(columns, row, field);
    case 'resolution':
      return compileResolution(columns, row, field);
    case 'gap':
      return (_, market) => {
        market.gap();
        return undefined;
      };
    case 'nothing':
      return () => undefined;
  }
}

function compileLevel(columns: ColumnReaders, row: LevelMapping, field: string): ApplyRow {
  const read = makeLevelReader(columns, row, field);
  const { means } = row;
  return (cells, market, outcome) => {
    const level = read(cells);
    if (typeof level === 'string') return level;
    const { side, bps, shares } = level;
    if (means === 'level_delta') {
      market.levelDelta(side, bps, shares, outcome);
      return undefined;
    }
    if (means === 'snapshot' && !market.hasFullBook && !market.fullBook(outcome)) return undefined;
    const isChanged = market.level(side, bps, shares, outcome);
    return isChanged || means === 'snapshot' ? undefined : 'level without a change';
  };
}

function compileOrder(columns: ColumnReaders, row: OrderMapping, field: string): ApplyRow {
  const read = makeLevelReader(columns, row, field);
  const readSize = columns.size(row.size, `${field}.size`);
  const { action, order_id: idColumn } = row;
  const readWord = columns.cell(action.column, `${field}.action.column`);
  const readId = idColumn === undefined ? undefined : columns.cell(idColumn, `${field}.order_id`);
  const words = new Map<string, OrderAction>();
  for (const name of ORDER_ACTIONS) for (const text of action[name]) words.set(text, name);
  return (cells, market, outcome) => {
    const orderAction = words.get(String(readWord(cells)));
    if (orderAction === undefined)
      return `column "${action.column}": not a word for an order that is inserted, cancelled or executed`;
    const orderId = readId?.(cells);
    if (readId !== undefined && isEmpty(orderId)) return `column "${idColumn}": no order id`;
    const level = read(cells);
    if (orderId !== undefined && orderAction === 'cancel') {
      // A cancel without a size removes the order; a cancel of a known order needs no price.
      const shares = readSize(cells, typeof level === 'string' ? Number.NaN : level.bps);
      if (market.cancelOrder(String(orderId), Number.isNaN(shares) ? undefined : shares)) return undefined;
    }
    if (typeof level === 'string') return level;
    const { side, bps, shares } = level;
    if (orderAction === 'insert') {
      if (orderId === undefined) market.levelDelta(side, bps, shares, outcome);
      else market.insertOrder(String(orderId), side, bps, shares, outcome);
      return undefined;
    }
    if (orderAction === 'execute') {
      market.trade(oppositeSide(side), bps, shares, outcome);
      if (orderId !== undefined && market.cancelOrder(String(orderId), shares)) return undefined;
    }
    market.levelDelta(side, bps, -shares, outcome);
    return undefined;
  };
}

/** Returns a reader of side, price and size in micro-shares. The reader returns a reason if a cell is invalid. */
function makeLevelReader(
  columns: ColumnReaders,
  row: LevelMapping | OrderMapping,
  field: string,
): RowReader<{ readonly side: BookSideCode; readonly bps: number; readonly shares: number } | string> {
  const readSide = columns.side(row.side, `${field}.side`);
  const read = columns.priceAndSize(row.price, row.size, field);
  return (cells) => {
    const side = readSide(cells);
    if (side === undefined) return `column "${row.side.column}": not a word for a bid or an ask`;
    const level = read(cells);
    return typeof level === 'string' ? level : { side, ...level };
  };
}

function compileBook(columns: ColumnReaders, row: RowMappingFor<'book'>, field: string): ApplyRow {
  const lists = (['bids', 'asks'] as const).map((name) => ({
    side: name === 'bids' ? SIDE.bid : SIDE.ask,
    column: row[name].column,
    readLevels: makeLevelsReader(row[name].price, row[name].size, row.price_unit, row.size_unit),
    readCell: columns.cell(row[name].column, `${field}.${name}.column`),
  }));
  return (cells, market, outcome) => {
    const read = lists.map(({ readLevels, readCell, ...list }) => ({ ...list, levels: readLevels(readCell(cells)) }));
    const invalid = read.find(({ levels }) => levels === undefined);
    if (invalid !== undefined) return `column "${invalid.column}": not a list of levels with a price and a size`;
    if (!market.fullBook(outcome)) return undefined;
    for (const { side, levels = [] } of read)
      for (const [bps, shares] of levels) market.level(side, bps, shares, outcome);
    return undefined;
  };
}

function compileTop(columns: ColumnReaders, row: RowMappingFor<'top_of_book'>, field: string): ApplyRow {
  const sides = (['bid', 'ask'] as const).map((name) => ({
    side: SIDE[name],
    mapping: row[name],
    readCell: columns.cell(row[name].price.column, `${field}.${name}.price.column`),
    readPrice: columns.price(row[name].price, `${field}.${name}.price`),
    readSize: columns.size(row[name].size, `${field}.${name}.size`),
  }));
  return (cells, market, outcome) => {
    const tops: { readonly side: BookSideCode; readonly bps: number; readonly shares: number }[] = [];
    for (const { side, mapping, readCell, readPrice, readSize } of sides) {
      const bps = readPrice(cells);
      const isEmptySide = isEmpty(readCell(cells)) || bps === 0 || bps === FULL_BPS;
      const shares = isEmptySide ? 0 : readSize(cells, bps);
      if (!isEmptySide && !Number.isFinite(bps)) return describeBadCell(mapping.price);
      if (Number.isNaN(shares)) return describeBadCell(mapping.size);
      if (bps < 0 || bps > FULL_BPS) return 'price not between 0 and 1';
      const problem = sizeProblem(shares);
      if (problem !== undefined) return problem;
      tops.push({ side, bps, shares });
    }
    for (const { side, bps, shares } of tops) market.top(side, shares === 0 ? undefined : bps, shares, outcome);
    return undefined;
  };
}

function compileTrade(columns: ColumnReaders, row: RowMappingFor<'trade'>, field: string): ApplyRow {
  const readTaker = row.side === undefined ? undefined : columns.side(row.side, `${field}.side`);
  const readWord = row.side === undefined ? undefined : columns.cell(row.side.column, `${field}.side.column`);
  const read = columns.priceAndSize(row.price, row.size, field);
  return (cells, market, outcome) => {
    const trade = read(cells);
    if (typeof trade === 'string') return trade;
    const taker = readTaker?.(cells);
    if (taker === undefined && !isEmpty(readWord?.(cells))) market.countUnknownSide();
    market.trade(taker ?? SIDE.unknown, trade.bps, trade.shares, outcome);
    return undefined;
  };
}

function compileStatus(columns: ColumnReaders, row: RowMappingFor<'status'>, field: string): ApplyRow {
  const readCell = columns.cell(row.column, `${field}.column`);
  const words = new Map(
    STATUS_CODES.flatMap((status) => (row.words[status] ?? []).map((word) => [word, status] as const)),
  );
  return (cells, market) => {
    const status = words.get(String(readCell(cells)));
    if (status === undefined) return `column "${row.column}": not a word for a status`;
    market.status(status);
    return undefined;
  };
}

function compileResolution(columns: ColumnReaders, row: RowMappingFor<'resolution'>, field: string): ApplyRow {
  const readCell = columns.cell(row.column, `${field}.column`);
  const words = new Map<string, number | undefined>();
  for (const word of row.yes) words.set(word, FULL_BPS);
  for (const word of row.no) words.set(word, 0);
  for (const word of row.void) words.set(word, undefined);
  const { payout: unit } = row;
  return (cells, market, outcome) => {
    const word = String(readCell(cells));
    let payout = words.get(word);
    if (!words.has(word)) {
      payout = unit === undefined ? Number.NaN : Math.round(toBps(parseNumber(readCell(cells)), unit));
      if (Number.isNaN(payout)) return `column "${row.column}": not a word for an outcome`;
    }
    market.resolution(outcome === 'NO' && payout !== undefined ? FULL_BPS - payout : payout);
    return undefined;
  };
}
