/** The tables of a run for notebooks: fills, quotes, equity, markouts, each as Parquet and as CSV. */
import { join } from 'node:path';
import { errorMessage, FileFault } from '../../domain/index.ts';
import { makeFolder } from '../../runtime/index.ts';
import type { ObservedFill } from '../collect/run-observer.ts';
import { writeWhole } from '../report/write-report.ts';
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
 * Returns the tables. Prices are YES bps, shares micro-shares, amounts micro-USD. Fills and quotes are complete. Equity is
 * the decimated line of the report, with at most 33,000 points.
 */
export function tablesOf({ result, detail }: BacktestRun, { fills, quotes }: TableCollector): Tables {
  const slugOf = (market: number): string => result.markets[market]?.slug ?? String(market);
  const { effective, horizons } = result.markouts;
  const means = [{ label: 'fill', mean: effective }, ...horizons];
  return {
    fills: [
      column('time', 'TIMESTAMP', fills, ({ time }) => time),
      column('market', 'STRING', fills, ({ market }) => slugOf(market)),
      column('order', 'INT64', fills, ({ order }) => order),
      column('side', 'STRING', fills, ({ sign }) => (sign === 1 ? 'BUY' : 'SELL')),
      column('price_bps', 'INT64', fills, ({ yesPrice }) => yesPrice),
      column('shares', 'INT64', fills, ({ shares }) => shares),
      column('fee_micros', 'INT64', fills, ({ fee }) => fee),
      column('liquidity', 'STRING', fills, ({ liquidity }) => liquidity),
      column('tag', 'STRING', fills, ({ tag }) => tag),
      column('inside', 'BOOLEAN', fills, ({ inside }) => inside),
      column('mid_before_bps', 'DOUBLE', fills, ({ mark }) => mark / 2),
      column('ahead_at_placing', 'INT64', fills, (fill) => ifMaker(fill, fill.frontAtArrival)),
      column('ahead_at_fill', 'INT64', fills, (fill) => ifMaker(fill, fill.front)),
      column('trade', 'STRING', fills, ({ trade }) => trade),
    ],
    quotes: [
      column('time', 'TIMESTAMP', quotes, ({ time }) => time),
      column('market', 'STRING', quotes, ({ market }) => slugOf(market)),
      column('bid_bps', 'INT64', quotes, ({ bid }) => orNone(bid)),
      column('bid_shares', 'INT64', quotes, ({ bidShares }) => bidShares),
      column('ask_bps', 'INT64', quotes, ({ ask }) => orNone(ask)),
      column('ask_shares', 'INT64', quotes, ({ askShares }) => askShares),
      column('outside_bid_bps', 'INT64', quotes, ({ outsideBid }) => orNone(outsideBid)),
      column('outside_ask_bps', 'INT64', quotes, ({ outsideAsk }) => orNone(outsideAsk)),
    ],
    equity: [
      { name: 'time', type: 'TIMESTAMP', data: detail.equity.time },
      { name: 'equity_micros', type: 'INT64', data: detail.equity.value },
    ],
    markouts: [
      column('horizon', 'STRING', means, ({ label }) => label),
      column('bps', 'DOUBLE', means, ({ mean }) => mean?.bps),
      column('fills', 'INT64', means, ({ mean }) => mean?.count ?? 0),
      column('shares', 'INT64', means, ({ mean }) => mean?.shares ?? 0),
      column('censored', 'INT64', means, ({ mean }) => mean?.censored ?? 0),
      column('low_bps', 'DOUBLE', means, ({ mean }) => mean?.interval?.[0]),
      column('high_bps', 'DOUBLE', means, ({ mean }) => mean?.interval?.[1]),
    ],
  };
}

/** Writes each table atomically. @throws FileFault when a table cannot be written */
export async function writeTables(tables: Tables, folder: string): Promise<void> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  for (const [name, columns] of Object.entries(tables)) {
    const path = join(folder, name);
    try {
      makeFolder(folder);
      const columnData = columns.map(({ name: columnName, type, data }) => ({
        name: columnName,
        type,
        data: data.map((cell) => (cell === undefined ? undefined : stored(type, cell))),
        nullable: true,
      }));
      await writeWhole(`${path}.parquet`, Buffer.from(parquetWriteBuffer({ columnData })));
      await writeWhole(`${path}.csv`, csvOf(columns));
    } catch (cause) {
      const problem = `the table cannot be written (${errorMessage(cause)})`;
      throw new FileFault(path, undefined, problem, 'Name a folder that can be written (--tables)', { cause });
    }
  }
}

function column<Row>(name: string, type: Column['type'], rows: readonly Row[], cell: (row: Row) => Cell): Column {
  return { name, type, data: rows.map(cell) };
}

function stored(type: Column['type'], cell: Exclude<Cell, undefined>): unknown {
  if (type === 'TIMESTAMP') return new Date(Number(cell));
  return type === 'INT64' ? BigInt(cell) : cell;
}

function ifMaker({ liquidity }: ObservedFill, ahead: number | undefined): number | undefined {
  return liquidity === 'maker' ? ahead : undefined;
}

function orNone(price: number): number | undefined {
  return price === 0 ? undefined : price;
}

/** Returns CSV with ISO 8601 times and empty fields for missing values. */
function csvOf(columns: readonly Column[]): string {
  const rows = columns[0]?.data.length ?? 0;
  const lines = [columns.map(({ name }) => name).join(',')];
  for (let row = 0; row < rows; row += 1)
    lines.push(columns.map(({ type, data }) => csvCell(type, data[row])).join(','));
  return `${lines.join('\n')}\n`;
}

function csvCell(type: Column['type'], cell: Cell): string {
  if (cell === undefined) return '';
  if (type === 'TIMESTAMP') return new Date(Number(cell)).toISOString();
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
