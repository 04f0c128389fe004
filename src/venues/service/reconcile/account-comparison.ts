/**
 * Own orders, positions and cash as the core has them, compared with the venue's.
 *
 * Compared is a moment in which nothing of ours moved: the own stream stood still from before the reads until after them, and
 * no fill is on its way. Only then a difference is one.
 */
import { type EpochMs, formatShares, formatTime, formatUsd, subUsd, timeAfter } from '../../../domain/index.ts';
import { readPages } from '../../../network/index.ts';
import { OPERATIONS, type OrderFieldsFragment } from '../../../protocol/index.ts';
import type { Compared, ExecutionReporter, VenueOrder } from '../../base/index.ts';
import type { Cancels } from '../orders/cancels.ts';
import type { Conversions } from '../orders/conversions.ts';
import type { ExecutionDeps } from '../orders/execution-deps.ts';
import { read } from '../orders/requests.ts';
import type { UnknownOrderResolver } from '../orders/unknown-order-resolver.ts';
import { reportState, stateOf } from '../own-stream/gap-recovery.ts';
import type { OwnStream } from '../own-stream/own-stream.ts';
import {
  areExplained,
  type Difference,
  differencesOf,
  type Holdings,
  readHoldings,
  readMovements,
  unreportedOf,
} from './holdings.ts';

export interface ComparisonParts {
  readonly reporter: ExecutionReporter;
  readonly cancels: Cancels;
  readonly conversions: Conversions;
  readonly resolver: UnknownOrderResolver;
  readonly stream: OwnStream;
}

type FoundOrders = ReadonlyMap<VenueOrder, OrderFieldsFragment | undefined>;

/** The ledger is looked at from so long before the last agreement on, ms: clocks differ. */
const LOOK_BACK_MS = 60_000;

export class AccountComparison {
  readonly #deps: ExecutionDeps;
  readonly #parts: ComparisonParts;
  /** Time at which core and venue last agreed; undefined before. */
  #agreedAt: EpochMs | undefined;

  constructor(deps: ExecutionDeps, parts: ComparisonParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  /**
   * Compares once. Ends of orders without an event are reported as the venue has them; what the account's ledger explains is taken
   * over; anything else stays as it is and `disagrees`.
   * @returns undefined where something moved meanwhile, or waits for its answer: try again
   * @throws Fault as `read`
   */
  async compare(): Promise<Compared | undefined> {
    const { stream, conversions } = this.#parts;
    if (!stream.isCurrent || conversions.waiting > 0) return undefined;
    const before = stream.seq;
    const began = this.#deps.clock.now();
    const open = await this.openOrders();
    const found = await this.#find(open);
    const holdings = await this.still(before);
    if (holdings === undefined) return undefined;
    const orders = this.#deps.orders.size;
    const unknown = this.#reportOrders(found, before);
    this.cancelReturned(open);
    const differences = differencesOf(this.#deps.view, holdings);
    const texts = [...this.texts(differences), ...this.#unknownTexts(unknown)];
    if (unknown.length > 0) return { outcome: 'disagrees', orders, differences: texts };
    if (differences.length === 0) {
      this.agreed(began);
      return { outcome: 'agrees', orders, differences: [] };
    }
    if (!(await this.isExplained(differences))) return { outcome: 'disagrees', orders, differences: texts };
    if (stream.seq !== before || conversions.waiting > 0) return undefined;
    this.takeOver(differences);
    this.agreed(began);
    return { outcome: 'adjusted', orders, differences: texts };
  }

  /** Core and venue are the same at this moment. */
  agreed(at: EpochMs): void {
    this.#agreedAt = at;
  }

  /** All open orders of the account, those of others too. @throws Fault as `read` */
  openOrders(): Promise<readonly OrderFieldsFragment[]> {
    const statuses = ['LIVE', 'PARTIALLY_FILLED'] as const;
    return readPages('orders', (page) => read(this.#deps, OPERATIONS.orders, { input: { ...page, statuses } }));
  }

  /** The account, unless something moved since event `before`. @throws Fault as `read` */
  async still(before: number): Promise<Holdings | undefined> {
    const { stream, conversions, reporter } = this.#parts;
    const holdings = await readHoldings(this.#deps, reporter.markets);
    const input = { afterSeq: String(before), first: 1 };
    const { edges } = await read(this.#deps, OPERATIONS.fills, { input });
    return edges.length === 0 && stream.seq === before && conversions.waiting === 0 ? holdings : undefined;
  }

  /** Cancels own orders that stand at the venue and that the core takes for ended. @returns how many */
  cancelReturned(open: readonly OrderFieldsFragment[]): number {
    const { orders, records } = this.#deps;
    let count = 0;
    for (const { orderHash } of open) {
      const hash = orderHash.toLowerCase();
      const record = orders.byHash(hash) === undefined ? records.find(hash) : undefined;
      if (record === undefined) continue;
      const order = orders.add(record);
      order.life.accepted();
      order.ifSeen = 'cancelUnreported';
      this.#deps.log.warn({ order: record.order, hash }, 'an order that counted as ended is open at the venue');
      this.#parts.cancels.want([order], false);
      count += 1;
    }
    return count;
  }

  /** Whether deposits, splits and the like since the last agreement come to these differences. @throws Fault as `read` */
  async isExplained(differences: readonly Difference[]): Promise<boolean> {
    const since = formatTime(timeAfter(this.#agreedAt ?? this.#deps.view.now, -LOOK_BACK_MS));
    const { reporter, conversions } = this.#parts;
    const movements = await readMovements(this.#deps, reporter.markets, since);
    return areExplained(differences, unreportedOf(movements, conversions.reported));
  }

  /** The core takes over what the venue has. */
  takeOver(differences: readonly Difference[]): void {
    const { reporter, stream } = this.#parts;
    reporter.trades.settled(stream.seq);
    const time = this.#deps.clock.now();
    for (const each of differences) {
      if (each.type === 'holding') {
        this.#deps.report({ type: 'holdingAdjusted', time, venueTime: time, market: each.market, ...each.venue });
      } else {
        const amount = subUsd(each.venue, each.core);
        this.#deps.report({ type: 'cashAdjusted', time, venueTime: time, amount });
      }
    }
  }

  texts(differences: readonly Difference[]): readonly string[] {
    return differences.map((difference) => {
      if (difference.type === 'cash') {
        return `cash ${formatUsd(difference.core)} stored, ${formatUsd(difference.venue)} at the venue`;
      }
      const { slug } = this.#deps.view.market(difference.market).info;
      const { core, venue } = difference;
      const held = ({ yes, no }: typeof core): string => `${formatShares(yes)} YES and ${formatShares(no)} NO`;
      return `${slug}: ${held(core)} stored, ${held(venue)} at the venue`;
    });
  }

  /** State of each own order at the venue; undefined if unknown there. */
  async #find(open: readonly OrderFieldsFragment[]): Promise<FoundOrders> {
    const byHash = new Map(open.map((order) => [order.orderHash.toLowerCase(), order]));
    const find = async (order: VenueOrder) =>
      [order, byHash.get(order.hash) ?? (await stateOf(this.#deps, order))] as const;
    return new Map(await Promise.all(this.#deps.orders.open().map(find)));
  }

  /** @returns orders that the venue had accepted, and does not know */
  #reportOrders(found: FoundOrders, upTo: number): readonly VenueOrder[] {
    const { reporter, resolver } = this.#parts;
    const unknown: VenueOrder[] = [];
    for (const [order, state] of found) {
      if (order.life.hasEnded) continue;
      if (state !== undefined) {
        order.isMissing = false;
        reportState(reporter, order, state, upTo);
      } else if (order.life.isUnconfirmed) resolver.openOverdue(order);
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

  /** One for each market. */
  #unknownTexts(orders: readonly VenueOrder[]): readonly string[] {
    const byMarket = Map.groupBy(orders, ({ record }) => record.market);
    return [...byMarket].map(([market, some]) => {
      const numbers = some.map(({ record }) => record.order).join(', ');
      const { slug } = this.#deps.view.market(market).info;
      return `${slug}: open here and unknown to the venue: ${some.length === 1 ? 'order' : 'orders'} ${numbers}`;
    });
  }
}
