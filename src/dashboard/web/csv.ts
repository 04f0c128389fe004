/** Converts orders and fills to CSV (RFC 4180). */
import type { Fill, Order } from '../generated/schema-types.ts';

type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | null>>;

const FILLS: Columns<Fill> = {
  time: ({ time }) => new Date(time).toISOString(),
  bot: ({ bot }) => bot,
  market: ({ market }) => market,
  side: ({ side }) => side,
  price_bps: ({ price }) => price,
  micro_shares: ({ shares }) => shares,
  fee_micro_usd: ({ fee }) => fee,
  outcome: ({ outcome }) => outcome,
  maker: ({ maker }) => String(maker),
  trade: ({ trade }) => trade,
  tag: ({ tag }) => tag,
};

const ORDERS: Columns<Order> = {
  since: ({ since }) => new Date(since).toISOString(),
  bot: ({ bot }) => bot,
  market: ({ market }) => market,
  order: ({ order }) => order,
  side: ({ side }) => side,
  price_bps: ({ price }) => price,
  remaining_micro_shares: ({ remaining }) => remaining,
  outcome: ({ outcome }) => outcome,
  phase: ({ phase }) => phase,
  tag: ({ tag }) => tag,
};

export const fillsCsv = (fills: readonly Fill[]): string => csv(FILLS, fills);
export const ordersCsv = (orders: readonly Order[]): string => csv(ORDERS, orders);

function csv<Row>(columns: Columns<Row>, rows: readonly Row[]): string {
  const lines = rows.map((row) => Object.values(columns).map((readCell) => readCell(row)));
  return [Object.keys(columns), ...lines].map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
}

/** Quotes a cell if necessary, and prefixes a text that a spreadsheet would run as a formula with an apostrophe. */
function csvCell(value: string | number | null): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
