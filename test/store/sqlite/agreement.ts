/** Compares the rows with the exchange's view. */
import type { MarketStatistics } from '../../../src/exchange/archive/market-statistics.ts';
import type { Archive, ExchangeView, FillRow, OrderRow, TradeRow } from '../../../src/exchange/index.ts';
import { assertSame, assertTrue } from '../../exchange/properties/asserts.ts';

/** The statistics of a market, from all its trades, newest first. */
function statisticsOf(trades: readonly TradeRow[]): MarketStatistics {
  return { trades: trades.length };
}

const ALL = { maxRows: 1_000_000, direction: 'forward', from: undefined } as const;

/** Expects that all data of both are equal. */
export function assertAgreement(archive: Archive, view: ExchangeView): void {
  assertSame(archive.start().seq, view.seq, 'the last event');
  let orders = 0;
  for (let account = 1; account <= view.accountCount; account += 1) {
    assertCash(archive, view, account);
    orders += assertOrders(archive, view, account);
    assertShares(archive, view, account);
    assertStream(archive, account);
  }
  assertSame(orders, view.orderCount, 'orders of all accounts');
  for (const { number, volume, status } of view.markets) {
    const row = archive.market(number);
    assertSame([row?.volume, row?.status], [volume, status], `market ${number}`);
    const trades = archive.trades(number, ALL);
    assertSame(trades.rows.length, trades.totalCount, `trades of ${number}`);
    assertSame(row?.statistics, statisticsOf(trades.rows), `statistics of ${number}`);
    assertSame(sum(trades.rows.map(({ amount }) => amount)), volume, `volume of ${number} in trades`);
    assertPrices(archive, view, number);
  }
}

function assertCash(archive: Archive, view: ExchangeView, account: number): void {
  const { available = 0, reserved = 0 } = view.account(account) ?? {};
  const { rows, totalCount } = archive.ledger(account, {}, ALL);
  assertSame(rows.length, totalCount, `entries of ${account}`);
  assertSame(sum(rows.map(({ amount }) => amount)), available + reserved, `cash of ${account}`);
  const paidFees = sum(rows.filter(({ kind }) => kind === 'FEE' || kind === 'REBATE').map(({ amount }) => -amount));
  const fees = view.holdingsOf(account).map(({ market, fees, claimed }) => {
    const isRefunded = claimed && view.market(market)?.status === 'CANCELLED';
    return isRefunded ? 0 : fees;
  });
  assertSame(paidFees, sum(fees), `fees of ${account}`);
}

function assertOrders(archive: Archive, view: ExchangeView, account: number): number {
  const { rows, totalCount } = archive.orders(account, {}, ALL);
  assertSame(rows.length, totalCount, `orders of ${account}`);
  const isOpen = ({ status }: OrderRow) => status === 'LIVE' || status === 'PARTIALLY_FILLED';
  const open = view
    .openOrders(account)
    .map((order) => [
      order.order,
      ...[order.market, order.outcome, order.side, order.price],
      ...[order.remaining, order.expiration, order.group],
    ]);
  const stored = rows
    .filter(isOpen)
    .toSorted((a, b) => a.order - b.order)
    .map((row) => [
      ...[row.order, row.market, row.outcome, row.side, row.price],
      // The row still lists the orders of a deleted group.
      ...[row.shares - row.filled, row.expiration, view.group(row.group, account) === undefined ? 0 : row.group],
    ]);
  assertSame(stored, open, `open orders of ${account}`);
  for (const row of rows) assertFills(archive, row);
  return rows.length;
}

function assertFills(archive: Archive, row: OrderRow): void {
  const fills = archive.fillsOfOrder(row.order);
  const left = notReversed(archive, fills);
  const sums = [left.map((fill) => fill.shares), left.map((fill) => fill.amount), left.map((fill) => fill.fee)];
  // Rows in memory and rows of the table must agree.
  assertSame(archive.order(row.order), row, `order ${row.order}, by number and in the list`);
  const listed = archive.fills(row.account, { order: row.order }, 'oldest', ALL).rows;
  assertSame(fills, listed, `fills of order ${row.order}, by order and in the list`);
  assertSame(sums.map(sum), [row.filled, row.amount, row.fee], `fills of order ${row.order}`);
  assertSame(row.status === 'FILLED', row.filled === row.shares, `status of order ${row.order}`);
  const hasReason = row.status === 'CANCELLED' || row.status === 'EXPIRED';
  assertSame(row.cancelReason !== undefined, hasReason, `reason of order ${row.order}`);
  assertSame(archive.orderById(row.id)?.order, row.order, `id of order ${row.order}`);
}

/** Fills of trades that were not reversed. */
function notReversed(archive: Archive, fills: readonly FillRow[]): readonly FillRow[] {
  return fills.filter(({ seq }) => archive.reversalSeqOf(seq) === undefined);
}

/** Shares from fills, splits and merges in markets that have not ended. */
function assertShares(archive: Archive, view: ExchangeView, account: number): void {
  for (const { market, yes, no } of view.holdingsOf(account)) {
    if (view.market(market)?.finalAt !== undefined) continue;
    const fills = notReversed(archive, archive.fills(account, { market }, 'newest', ALL).rows);
    const entries = archive.ledger(account, { market, kinds: ['SPLIT', 'MERGE'] }, ALL).rows;
    const pairs = sum(entries.map(({ amount }) => -amount));
    for (const outcome of ['YES', 'NO'] as const) {
      const moved = fills.map((fill) =>
        fill.outcome !== outcome ? 0 : fill.side === 'BUY' ? fill.shares : -fill.shares,
      );
      const shares = outcome === 'YES' ? yes.shares : no.shares;
      assertSame(pairs + sum(moved), shares, `${outcome} of ${account} in ${market}`);
      const row = archive.holding(account, market);
      const touched = outcome === 'YES' ? row?.yesSeq : row?.noSeq;
      assertTrue(shares === 0 || (touched ?? 0) > 0, `${outcome} of ${account} in ${market} never changed`);
    }
  }
}

/** The stream is linked from its start, and the last event of each order equals the order. */
function assertStream(archive: Archive, account: number): void {
  const { events, isComplete } = archive.orderEvents(account, 0, undefined, 1_000_000);
  assertTrue(isComplete, `stream of ${account}`);
  let prevSeq = 0;
  const last = new Map<number, (typeof events)[number]>();
  for (const event of events) {
    assertSame(event.prevSeq, prevSeq, `link of event ${event.seq}`);
    prevSeq = event.seq;
    last.set(event.order, event);
  }
  for (const [order, { seq, shares, filled, amount, fee, status, cancelReason, at }] of last) {
    const row = archive.order(order);
    const stored = [
      row?.seq,
      row?.shares,
      row?.filled,
      row?.amount,
      row?.fee,
      row?.status,
      row?.cancelReason,
      row?.updatedAt,
    ];
    assertSame([seq, shares, filled, amount, fee, status, cancelReason, at], stored, `last event of order ${order}`);
  }
}

function assertPrices(archive: Archive, view: ExchangeView, market: number): void {
  const { bestBid = 0, bestAsk = 10_000 } = view.book(market) ?? {};
  const quotes = view.quotes(market);
  const current = [
    quotes?.yes,
    quotes?.no,
    bestBid === 0 ? undefined : bestBid,
    bestAsk === 10_000 ? undefined : bestAsk,
  ];
  for (const interval of ['RAW', 'ONE_MINUTE', 'ONE_DAY'] as const) {
    const points = archive.prices({ market, interval, max: 1_000_000 });
    const end = points.at(-1);
    assertSame([end?.yes, end?.no, end?.bestBid, end?.bestAsk], current, `prices of ${market}, ${interval}`);
    assertSame(
      sum(points.map(({ volume }) => volume)),
      view.market(market)?.volume,
      `volume of ${market}, ${interval}`,
    );
  }
}

function sum(list: readonly number[]): number {
  return list.reduce((total, value) => total + value, 0);
}
