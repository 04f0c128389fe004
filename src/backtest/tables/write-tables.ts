/** Writes a run's fills, quotes, equity and markouts for notebooks, each as Parquet and as CSV. */
import { join } from 'node:path';
import { quoteCsv } from '../../history/index.ts';
import type { ObservedFill } from '../collect/run-observer.ts';
import { writeAtomically } from '../report/write-report.ts';
import type { BacktestRun } from '../run-result.ts';
import type { TableCollector } from './table-collector.ts';

type Cell = number | string | boolean | undefined;

interface Column {
  readonly name: string;
  readonly type: 'TIMESTAMP' | 'INT64' | 'DOUBLE' | 'STRING' | 'BOOLEAN';
  readonly data: readonly Cell[];
}

export type Tables = Readonly<Record<'fills' | 'quotes' | 'equity' | 'markouts', readonly Column[]>>;

/**
 * Prices are YES bps, shares micro-shares, amounts micro-USD. Fills and quotes are complete. Equity is the
 * report's equity curve, thinned to at most 33,000 points.
 */
export function toTables({ result, detail }: BacktestRun, { fills, quotes }: TableCollector): Tables {
  const toSlug = (market: number): string => result.markets[market]?.slug ?? String(market);
  const { effective, horizons } = result.markouts;
  const means = [{ label: 'fill', mean: effective }, ...horizons];
  return {
    fills: [
      toColumn('time', 'TIMESTAMP', fills, ({ time }) => time),
      toColumn('market', 'STRING', fills, ({ market }) => toSlug(market)),
      toColumn('order', 'INT64', fills, ({ order }) => order),
      toColumn('side', 'STRING', fills, ({ sign }) => (sign === 1 ? 'BUY' : 'SELL')),
      toColumn('price_bps', 'INT64', fills, ({ yesPrice }) => yesPrice),
      toColumn('shares', 'INT64', fills, ({ shares }) => shares),
      toColumn('fee_micros', 'INT64', fills, ({ fee }) => fee),
      toColumn('liquidity', 'STRING', fills, ({ liquidity }) => liquidity),
      toColumn('tag', 'STRING', fills, ({ basis }) => basis),
      toColumn('inside', 'BOOLEAN', fills, ({ inside }) => inside),
      toColumn('mid_before_bps', 'DOUBLE', fills, ({ mark }) => mark / 2),
      toColumn('ahead_at_placing', 'INT64', fills, (fill) => ifMaker(fill, fill.sharesAheadAtArrival)),
      toColumn('ahead_at_fill', 'INT64', fills, (fill) => ifMaker(fill, fill.sharesAhead)),
      toColumn('trade', 'STRING', fills, ({ trade }) => trade),
    ],
    quotes: [
      toColumn('time', 'TIMESTAMP', quotes, ({ time }) => time),
      toColumn('market', 'STRING', quotes, ({ market }) => toSlug(market)),
      toColumn('bid_bps', 'INT64', quotes, ({ bid }) => undefinedIfZero(bid)),
      toColumn('bid_shares', 'INT64', quotes, ({ bidShares }) => bidShares),
      toColumn('ask_bps', 'INT64', quotes, ({ ask }) => undefinedIfZero(ask)),
      toColumn('ask_shares', 'INT64', quotes, ({ askShares }) => askShares),
      toColumn('outside_bid_bps', 'INT64', quotes, ({ outsideBid }) => undefinedIfZero(outsideBid)),
      toColumn('outside_ask_bps', 'INT64', quotes, ({ outsideAsk }) => undefinedIfZero(outsideAsk)),
    ],
    equity: [
      { name: 'time', type: 'TIMESTAMP', data: detail.equity.time },
      { name: 'equity_micros', type: 'INT64', data: detail.equity.value },
    ],
    markouts: [
      toColumn('horizon', 'STRING', means, ({ label }) => label),
      toColumn('bps', 'DOUBLE', means, ({ mean }) => mean?.bps),
      toColumn('fills', 'INT64', means, ({ mean }) => mean?.count ?? 0),
      toColumn('shares', 'INT64', means, ({ mean }) => mean?.shares ?? 0),
      toColumn('censored', 'INT64', means, ({ mean }) => mean?.censored ?? 0),
      toColumn('low_bps', 'DOUBLE', means, ({ mean }) => mean?.interval?.[0]),
      toColumn('high_bps', 'DOUBLE', means, ({ mean }) => mean?.interval?.[1]),
    ],
  };
}

/** Writes each table atomically. @throws FileFault when a file cannot be written */
export async function writeTables(tables: Tables, folder: string): Promise<void> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  for (const [name, columns] of Object.entries(tables)) {
    const columnData = columns.map((column) => ({
      ...column,
      data: column.data.map((cell) => (cell === undefined ? undefined : toParquetValue(column.type, cell))),
      nullable: true,
    }));
    const files = { parquet: new Uint8Array(parquetWriteBuffer({ columnData })), csv: toCsv(columns) };
    for (const [format, data] of Object.entries(files)) {
      const path = join(folder, `${name}.${format}`);
      await writeAtomically(path, data, 'the table', 'Name a folder that can be written (--tables)');
    }
  }
}

function toColumn<Row>(name: string, type: Column['type'], rows: readonly Row[], cell: (row: Row) => Cell): Column {
  return { name, type, data: rows.map(cell) };
}

function toParquetValue(type: Column['type'], cell: Exclude<Cell, undefined>): unknown {
  if (type === 'TIMESTAMP') return new Date(Number(cell));
  return type === 'INT64' ? BigInt(cell) : cell;
}

function ifMaker({ liquidity }: ObservedFill, ahead: number | undefined): number | undefined {
  return liquidity === 'maker' ? ahead : undefined;
}

function undefinedIfZero(price: number): number | undefined {
  return price === 0 ? undefined : price;
}

/** Returns CSV with ISO 8601 times and empty fields for missing values. */
function toCsv(columns: readonly Column[]): string {
  const rows = columns[0]?.data.length ?? 0;
  const lines = [columns.map(({ name }) => name).join(',')];
  for (let row = 0; row < rows; row += 1)
    lines.push(columns.map(({ type, data }) => csvCell(type, data[row])).join(','));
  return `${lines.join('\n')}\n`;
}

function csvCell(type: Column['type'], cell: Cell): string {
  if (cell === undefined) return '';
  if (type === 'TIMESTAMP') return new Date(Number(cell)).toISOString();
  return quoteCsv(String(cell));
}
