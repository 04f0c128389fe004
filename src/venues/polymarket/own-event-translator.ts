/**
 * Translates the venue's records of own orders and trades into events for the core. Reports each event once, although
 * records arrive repeatedly and from several sources.
 *
 * Invariants:
 * - Trade and order identify a fill. Statuses of a trade repeat and arrive out of order, so the furthest status wins.
 * - Only trades produce fills. An order ends when its fills reach the matched size, or when all its trades were read.
 * - Positions of events increase, from `ms * 1000` in each millisecond of the venue's time. A book with the same
 *   millisecond includes these events. Lists and answers have no exact time: `PolymarketDeps.venueTime` estimates it.
 */
import { type CloseReason, type EpochMs, LOT, unchecked, ZERO_SHARES } from '../../domain/index.ts';
import type { Log, OwnFill, ReporterDeps, VenueOrder } from '../base/index.ts';
import { checkOrder, feeRateLookup, type OrderRecord, type OwnTrade, ownFills, type RunFillDeps } from './own-fills.ts';

export type { OrderRecord, OwnTrade };

const POSITIONS_PER_MS = 1_000;
const MAX_TRADES = 8_192;
/** Progress of a trade by status. A RETRYING trade may still be MINED. */
const RANK = { UNKNOWN: 0, MATCHED: 1, RETRYING: 2, MINED: 3, CONFIRMED: 4, FAILED: 5 } as const;

export interface TranslatorDeps extends RunFillDeps, Pick<ReporterDeps, 'orders'> {
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly sellableFrom: SellableFrom;
  /** Requests a read of trades, because the known trades do not add up to the order's matched size. */
  readonly onTradesMissing: (order: VenueOrder) => void;
}

interface KnownTrade {
  readonly status: keyof typeof RANK;
  readonly matchedAt: EpochMs;
  readonly fills: readonly OwnFill[];
  /** Orders whose parts of the trade were processed. */
  readonly orders: Set<string>;
  /** Whether the bought shares can be sold. */
  readonly isSettled: boolean;
}

/** Trade status from which bought shares can be sold. */
export type SellableFrom = 'matched' | 'mined' | 'confirmed';

/** The end of an order that waits for its trades. */
interface PendingEnd {
  readonly matched: number;
  readonly reason: CloseReason;
  readonly at: EpochMs;
}

export class OwnEventTranslator {
  readonly #deps: TranslatorDeps;
  /** By trade id, least recently updated first. */
  readonly #trades = new Map<string, KnownTrade>();
  /** Fills that an earlier run reversed. */
  readonly #reversed: ReadonlySet<string>;
  /** Fills of earlier runs that may be reversed. */
  readonly #fillsOfEarlierRuns = new Set<string>();
  /** Epoch ms. The initial holdings include earlier trades whose order is not stored. */
  readonly #startedAt: number;
  readonly #pendingEnds = new Map<VenueOrder, PendingEnd>();
  #position: number;

  constructor(deps: TranslatorDeps) {
    this.#deps = deps;
    this.#position = deps.records.streamPosition;
    this.#startedAt = deps.records.streamPosition / POSITIONS_PER_MS;
    this.#reversed = new Set(deps.records.reversedTrades(MAX_TRADES));
  }

  /** Position of the last reported event. */
  get position(): number {
    return this.#position;
  }

  /** Sums unconfirmed proceeds of own trades: micro-shares under `<market id> <outcome>`, and micro-USD under ''. */
  unsettled(): ReadonlyMap<string, number> {
    const sums = new Map<string, number>();
    const add = (key: string, amount: number): void => void sums.set(key, (sums.get(key) ?? 0) + amount);
    for (const { status, fills } of this.#trades.values()) {
      if (isFinalTrade(status)) continue;
      for (const { marketId, outcome, side, price, shares, fee } of fills) {
        if (side === 'BUY') add(`${marketId} ${outcome}`, shares);
        else add('', (shares / LOT) * price - fee);
      }
    }
    return sums;
  }

  /** Adds fills that earlier runs reported and that may still be reversed. */
  restore(fills: readonly string[]): void {
    for (const fill of fills) this.#fillsOfEarlierRuns.add(fill);
  }

  /** Returns ids of trades that may still fail: those known only from earlier runs, then trades before `time`. */
  unsettledTradesBefore(time: number): readonly string[] {
    const older = [...this.#trades].filter(
      ([, { status, matchedAt, fills }]) => fills.length > 0 && !isFinalTrade(status) && matchedAt < time,
    );
    const earlierRuns = [...this.#fillsOfEarlierRuns].map(parseTradeId).filter((id) => !this.#trades.has(id));
    return [...new Set([...earlierRuns, ...older.map(([id]) => id)])];
  }

  onAccepted(order: VenueOrder, at: EpochMs): void {
    if (!order.life.isUnconfirmed) return;
    const { hash, life } = order;
    const seq = this.#nextPosition(at);
    this.#deps.reporter.onEvent({ kind: 'ACCEPTED', seq, at, hash, remaining: life.remaining });
    this.#deps.orders.advanceTo(this.#position);
  }

  /** Processes an order record. @param reason why the order ended @throws InputFault for other terms than signed */
  onOrder(record: OrderRecord, at: EpochMs, reason: CloseReason): void {
    const order = this.#deps.orders.byHash(record.id);
    if (order === undefined) return;
    checkOrder(record, order.record, this.#deps.markets);
    if (record.status === 'UNKNOWN') {
      this.#deps.log.warn({ order: record.id }, 'polymarket: an order has an unknown status');
      return;
    }
    // A delayed order waits to be matched. It cannot be cancelled, and its outcome is unknown.
    if (record.status === 'DELAYED') return;
    this.onAccepted(order, at);
    const isOver = record.status === 'CANCELED' || record.status === 'INVALID' || record.change === 'CANCELLATION';
    if (isOver) this.onEnded(order, { matched: record.matched, reason, at });
    else if (record.matched > order.filled + LOT) this.#deps.onTradesMissing(order);
  }

  /** Processes the end of an order, which is reported after the order's fills. */
  onEnded(order: VenueOrder, end: PendingEnd): void {
    if (order.life.hasEnded) return;
    this.#pendingEnds.set(order, end);
    if (!this.#reportEndIfFilled(order)) this.#deps.onTradesMissing(order);
  }

  /** Reports a pending end, because all trades of the order were read. */
  onTradesRead(order: VenueOrder): void {
    const end = this.#pendingEnds.get(order);
    if (end !== undefined) this.#reportEnd(order, end);
  }

  hasPendingEnd(order: VenueOrder): boolean {
    return this.#pendingEnds.has(order);
  }

  /** Processes a trade of the account, in any status. Own parts of one trade may arrive one by one. */
  onTrade(trade: OwnTrade, at: EpochMs): void {
    const known = this.#trades.get(trade.id);
    const orders = known?.orders ?? new Set();
    const newFills = this.#registerNewFills(trade, orders, at);
    const isFurther = known === undefined || RANK[trade.status] > RANK[known.status];
    if (!isFurther && newFills.length === 0) {
      const problem = 'a trade that had failed is confirmed. Its reversal stays booked until the account is compared';
      if (known.status === 'FAILED' && trade.status === 'CONFIRMED')
        this.#deps.log.error({ trade: trade.id }, `polymarket: ${problem}`);
      return;
    }
    const status = isFurther ? trade.status : known.status;
    const reported = known?.fills ?? [];
    const fills = [...reported, ...newFills];
    if (fills.length === 0) return;
    const isSettled = this.#isSettled(status);
    this.#storeTrade(trade.id, { status, matchedAt: trade.matchedAt, fills, orders, isSettled });
    if (status === 'FAILED') {
      this.#reportReversed(isFurther ? fills : newFills, reported, at);
      return;
    }
    for (const fill of fills) {
      // A fill that an earlier run has reported may still need its settlement.
      const isKnown = reported.includes(fill) || this.#isOfEarlierRun(fill);
      if (!isKnown) this.#reportFill({ ...fill, isProvisional: !isSettled }, at);
      else if (isSettled && (known?.isSettled !== true || newFills.includes(fill))) this.#reportSettled(fill, at);
    }
  }

  /** Skips a trade from before the first run, because the initial holdings include it. */
  skipInitialTrade(trade: OwnTrade): void {
    const { id, status, matchedAt } = trade;
    this.#storeTrade(id, { status, matchedAt, fills: [], orders: new Set(orderHashes(trade)), isSettled: true });
  }

  /** Returns the own fills that were not processed before, and adds all orders of the trade to `orders`. */
  #registerNewFills(trade: OwnTrade, orders: Set<string>, at: EpochMs): readonly OwnFill[] {
    const newOrders = new Set(orderHashes(trade).filter((hash) => !orders.has(hash)));
    // Lists repeat trades for minutes. Known parts are skipped before stored records are read.
    if (newOrders.size === 0) return [];
    const fills = ownFills(trade, at, { ...this.#deps, feeRateOf: feeRateLookup(this.#deps) });
    for (const hash of newOrders) orders.add(hash);
    return fills.filter((fill) => newOrders.has(fill.hash) && !this.#isInInitialHoldings(fill, trade));
  }

  #isOfEarlierRun({ tradeId }: OwnFill): boolean {
    return this.#deps.reporter.trades.has(tradeId) || this.#fillsOfEarlierRuns.has(tradeId);
  }

  #isInInitialHoldings(fill: OwnFill, { matchedAt }: OwnTrade): boolean {
    if (matchedAt >= this.#startedAt || this.#isOfEarlierRun(fill)) return false;
    return this.#deps.records.findByHash(fill.hash) === undefined;
  }

  #isSettled(status: OwnTrade['status']): boolean {
    const { sellableFrom } = this.#deps;
    if (sellableFrom === 'matched' || status === 'CONFIRMED') return true;
    return sellableFrom === 'mined' && status === 'MINED';
  }

  #reportSettled(fill: OwnFill, at: EpochMs): void {
    if (this.#deps.sellableFrom !== 'matched') this.#deps.reporter.reportSettled(fill, at, this.#nextPosition(at));
  }

  #reportFill(fill: OwnFill, at: EpochMs): void {
    const { orders, reporter } = this.#deps;
    const order = orders.byHash(fill.hash);
    if (order !== undefined) this.onAccepted(order, at);
    const before = order?.life.remaining ?? fill.shares;
    const remaining = unchecked.shares(Math.max(0, before - fill.shares));
    const seq = this.#nextPosition(at);
    reporter.onEvent({ kind: 'FILLED', seq, at, hash: fill.hash, remaining, fill: { ...fill, seq } });
    orders.advanceTo(this.#position);
    if (order !== undefined) this.#reportEndIfFilled(order);
  }

  /** Reverses reported fills. @param reported fills that this run reported. An earlier run may have reported others */
  #reportReversed(fills: readonly OwnFill[], reported: readonly OwnFill[], at: EpochMs): void {
    const { reporter } = this.#deps;
    for (const fill of fills) {
      const wasReported = reported.includes(fill) || (this.#isOfEarlierRun(fill) && !this.#reversed.has(fill.tradeId));
      if (!wasReported) continue;
      const seq = this.#nextPosition(at);
      const remaining = ZERO_SHARES;
      reporter.onEvent({ kind: 'REVERSED', seq, at, hash: fill.hash, remaining, fill: { ...fill, seq } });
    }
  }

  #reportEndIfFilled(order: VenueOrder): boolean {
    const end = this.#pendingEnds.get(order);
    if (end === undefined || order.life.hasEnded) {
      this.#pendingEnds.delete(order);
      return order.life.hasEnded;
    }
    if (order.filled + LOT <= end.matched) return false;
    this.#reportEnd(order, end);
    return true;
  }

  #reportEnd(order: VenueOrder, { reason, at }: PendingEnd): void {
    this.#pendingEnds.delete(order);
    if (order.life.hasEnded) return;
    const seq = this.#nextPosition(at);
    this.#deps.reporter.onEvent({ kind: 'CLOSED', seq, at, hash: order.hash, remaining: ZERO_SHARES, reason });
    this.#deps.orders.advanceTo(this.#position);
  }

  #storeTrade(id: string, trade: KnownTrade): void {
    this.#trades.delete(id);
    this.#trades.set(id, trade);
    const [oldest = id] = this.#trades.keys();
    if (this.#trades.size > MAX_TRADES) this.#trades.delete(oldest);
  }

  #nextPosition(at: EpochMs): number {
    this.#position = Math.max(this.#position + 1, at * POSITIONS_PER_MS);
    return this.#position;
  }
}

function orderHashes({ takerOrder, makers }: OwnTrade): readonly string[] {
  return [takerOrder, ...makers.map(({ order }) => order)];
}

/** Returns the trade id in a fill's id, `<trade> <order>`. */
function parseTradeId(fill: string): string {
  return fill.slice(0, fill.indexOf(' '));
}

export function isFinalTrade(status: OwnTrade['status']): boolean {
  return status === 'CONFIRMED' || status === 'FAILED';
}
