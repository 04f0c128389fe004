/** Orders and fills as CSV (RFC 4180). */
import type { Fill, Order } from '../generated/schema-types.ts';

type Cells = readonly (string | number | null)[];

export function fillsCsv(fills: readonly Fill[]): string {
  const head: Cells = [
    'time',
    'bot',
    'market',
    'side',
    'price_bps',
    'micro_shares',
    'fee_micro_usd',
    'outcome',
    'maker',
    'trade',
    'tag',
  ];
  return csv([
    head,
    ...fills.map(
      (fill): Cells => [
        new Date(fill.time).toISOString(),
        fill.bot,
        fill.market,
        fill.side,
        fill.price,
        fill.shares,
        fill.fee,
        fill.outcome,
        String(fill.maker),
        fill.trade,
        fill.tag,
      ],
    ),
  ]);
}

export function ordersCsv(orders: readonly Order[]): string {
  const head: Cells = [
    'since',
    'bot',
    'market',
    'order',
    'side',
    'price_bps',
    'remaining_micro_shares',
    'outcome',
    'phase',
    'tag',
  ];
  return csv([
    head,
    ...orders.map(
      (order): Cells => [
        new Date(order.since).toISOString(),
        order.bot,
        order.market,
        order.order,
        order.side,
        order.price,
        order.remaining,
        order.outcome,
        order.phase,
        order.tag,
      ],
    ),
  ]);
}

function csv(rows: readonly Cells[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** A text for a spreadsheet: quoted, and never a formula. */
function csvCell(value: string | number | null): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
