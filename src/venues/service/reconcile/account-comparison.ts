/**
 * Compares own orders, positions and cash of the core with the venue's.
 *
 * A comparison is valid only if no own event arrived during the reads and no fill is still on its way.
 */
import { type EpochMs, formatShares, formatTime, formatUsd, subUsd, timeAfter } from '../../../domain/index.ts';
import { readPages } from '../../../network/index.ts';
import { OPERATIONS, type OrderFieldsFragment } from '../../../protocol/index.ts';
import type { ComparisonResult, VenueOrder } from '../../base/index.ts';
import type { CancelSender } from '../orders/cancel-sender.ts';
import type { ConversionSender } from '../orders/conversion-sender.ts';
import type { ExecutionDeps } from '../orders/execution-deps.ts';
import { readPayload } from '../orders/requests.ts';
import type { UnknownOrderResolver } from '../orders/unknown-order-resolver.ts';
import { readOrderState, reportState } from '../own-stream/gap-recovery.ts';
import type { OwnStream } from '../own-stream/own-stream.ts';
import {
  areExplained,
  type Difference,
  findDifferences,
  type Holdings,
  readHoldings,
  readMovements,
  withoutReported,
} from './holdings.ts';

export interface ComparisonDeps extends ExecutionDeps {
  readonly cancels: CancelSender;
  readonly conversions: ConversionSender;
  readonly resolver: UnknownOrderResolver;
  readonly stream: OwnStream;
}

type FoundOrders = readonly (readonly [VenueOrder, OrderFieldsFragment | undefined])[];

/** Time before the last agreement from which the ledger is read, because clocks differ, ms. */
const OVERLAP_MS = 60_000;

export class AccountComparison {
  readonly #deps: ComparisonDeps;
  /** Time at which core and venue last agreed. */
  #agreedAt: EpochMs | undefined;

  constructor(deps: ComparisonDeps) {
    this.#deps = deps;
  }

  /**
   * Compares once. Reports ends of orders that have no event, and accepts differences that the account's ledger
   * explains. Any other difference stays, and the outcome is `disagrees`.
   * @returns undefined if the account changed during the reads or a request has no answer yet. Compare again later.
   * @throws Fault as `readPayload`
   */
  async compare(): Promise<ComparisonResult | undefined> {
    const { stream, conversions } = this.#deps;
    if (!stream.isCurrent || conversions.pendingCount > 0) return undefined;
    const seqBefore = stream.seq;
    const began = this.#deps.clock.now();
    const open = await this.openOrders();
    const found = await this.#readStates(open);
    const holdings = await this.readUnchanged(seqBefore);
    if (holdings === undefined) return undefined;
    const orders = this.#deps.orders.size;
    const unknown = this.#reportOrders(found, seqBefore);
    this.cancelStillOpen(open);
    const differences = findDifferences(this.#deps.view, holdings);
    const texts = [...this.describe(differences), ...this.describeUnknown(unknown)];
    if (unknown.length > 0) return { outcome: 'disagrees', orders, differences: texts };
    if (differences.length === 0) {
      this.onAgreed(began);
      return { outcome: 'agrees', orders, differences: [] };
    }
    if (!(await this.isExplained(differences))) return { outcome: 'disagrees', orders, differences: texts };
    if (stream.seq !== seqBefore || conversions.pendingCount > 0) return undefined;
    this.acceptVenueBalances(differences);
    this.onAgreed(began);
    return { outcome: 'adjusted', orders, differences: texts };
  }

  onAgreed(at: EpochMs): void {
    this.#agreedAt = at;
  }

  /** Reads all open orders of the account, including those of other programs. @throws Fault as `readPayload` */
  openOrders(): Promise<readonly OrderFieldsFragment[]> {
    const statuses = ['LIVE', 'PARTIALLY_FILLED'] as const;
    return readPages('orders', (page) => readPayload(this.#deps, OPERATIONS.orders, { input: { ...page, statuses } }));
  }

  /** Reads the account; undefined if something changed since event `seqBefore`. @throws Fault as `readPayload` */
  async readUnchanged(seqBefore: number): Promise<Holdings | undefined> {
    const { stream, conversions } = this.#deps;
    const holdings = await readHoldings(this.#deps);
    const input = { afterSeq: String(seqBefore), first: 1 };
    const { edges } = await readPayload(this.#deps, OPERATIONS.fills, { input });
    return edges.length === 0 && stream.seq === seqBefore && conversions.pendingCount === 0 ? holdings : undefined;
  }

  /** Cancels own orders that are open at the venue but ended for the core. Returns the number of these orders. */
  cancelStillOpen(open: readonly OrderFieldsFragment[]): number {
    const { orders, records } = this.#deps;
    let count = 0;
    for (const { orderHash } of open) {
      const hash = orderHash.toLowerCase();
      const record = orders.byHash(hash) === undefined ? records.findByHash(hash) : undefined;
      if (record === undefined) continue;
      const order = orders.add(record);
      order.life.onAccepted();
      order.ifAtVenue = 'cancelUnreported';
      this.#deps.log.warn({ order: record.order, hash }, 'an order recorded as ended is open at the venue');
      this.#deps.cancels.cancel([order], { isRequested: false });
      count += 1;
    }
    return count;
  }

  /** Returns whether ledger entries since the last agreement explain the differences. @throws Fault as `readPayload` */
  async isExplained(differences: readonly Difference[]): Promise<boolean> {
    const since = formatTime(timeAfter(this.#agreedAt ?? this.#deps.view.now, -OVERLAP_MS));
    const movements = await readMovements(this.#deps, since);
    return areExplained(differences, withoutReported(movements, this.#deps.conversions.reported));
  }

  /** Reports adjustments that give the core the venue's balances. */
  acceptVenueBalances(differences: readonly Difference[]): void {
    const { reporter, stream } = this.#deps;
    reporter.trades.markBooked(stream.seq);
    const time = this.#deps.clock.now();
    const times = { time, venueTime: time };
    for (const each of differences) {
      if (each.type === 'holding')
        this.#deps.report({ type: 'holdingAdjusted', ...times, market: each.market, ...each.venue });
      else this.#deps.report({ type: 'cashAdjusted', ...times, amount: subUsd(each.venue, each.core) });
    }
  }

  describe(differences: readonly Difference[]): readonly string[] {
    return differences.map((difference) => {
      if (difference.type === 'cash')
        return `cash ${formatUsd(difference.core)} stored, ${formatUsd(difference.venue)} at the venue`;
      const { slug } = this.#deps.view.market(difference.market).info;
      const { core, venue } = difference;
      const held = ({ yes, no }: typeof core): string => `${formatShares(yes)} YES and ${formatShares(no)} NO`;
      return `${slug}: ${held(core)} stored, ${held(venue)} at the venue`;
    });
  }

  /** Describes orders that are open for the core and unknown to the venue, one text a market. */
  describeUnknown(orders: readonly VenueOrder[]): readonly string[] {
    const byMarket = Map.groupBy(orders, ({ record }) => record.market);
    return [...byMarket].map(([market, unknown]) => {
      const numbers = unknown.map(({ record }) => record.order).join(', ');
      const { slug } = this.#deps.view.market(market).info;
      return `${slug}: open here and unknown to the venue: ${unknown.length === 1 ? 'order' : 'orders'} ${numbers}`;
    });
  }

  /** Reads each own order's state at the venue; undefined if the venue does not know the order. */
  #readStates(open: readonly OrderFieldsFragment[]): Promise<FoundOrders> {
    const byHash = new Map(open.map((order) => [order.orderHash.toLowerCase(), order]));
    const find = async (order: VenueOrder) =>
      [order, byHash.get(order.hash) ?? (await readOrderState(this.#deps, order))] as const;
    return Promise.all(this.#deps.orders.open().map(find));
  }

  /** Reports the states of own orders. Returns the orders that the venue had accepted and does not know now. */
  #reportOrders(found: FoundOrders, upTo: number): readonly VenueOrder[] {
    const { reporter, resolver } = this.#deps;
    const unknown: VenueOrder[] = [];
    for (const [order, state] of found) {
      if (order.life.hasEnded) continue;
      if (state !== undefined) {
        order.isMissing = false;
        reportState(reporter, order, state, upTo);
      } else if (order.life.isUnconfirmed) resolver.resolveOverdue(order);
      else if (order.isUnreported) {
        this.#deps.orders.remove(order);
        this.#deps.orders.dropFromBook(order);
      } else {
        order.isMissing = true;
        unknown.push(order);
      }
    }
    return unknown;
  }
}
