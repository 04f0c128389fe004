/**
 * Own orders, positions and cash as the core has them, compared with the venue's.
 *
 * Compared is a moment in which nothing of ours moved: the own stream stood still from before the reads until after them, and
 * no fill is on its way. Only then a difference is one.
 */
import { type EpochMs, formatShares, formatTime, formatUsd, subUsd, timeAfter } from '../../../domain/index.ts';
import { OPERATIONS, type OrderFieldsFragment } from '../../../protocol/index.ts';
import { ask, askAll } from '../orders/ask.ts';
import type { Cancels } from '../orders/cancels.ts';
import type { Conversions } from '../orders/conversions.ts';
import type { Facts } from '../orders/facts.ts';
import type { OrdersOf } from '../orders/orders-of.ts';
import type { SentOrder, SentOrders } from '../orders/sent-orders.ts';
import type { Settlement } from '../orders/settlement.ts';
import { stateOf, tellState } from '../own-stream/gap-recovery.ts';
import type { OwnStream } from '../own-stream/own-stream.ts';
import {
  areExplained,
  type Difference,
  differencesOf,
  type Holdings,
  readHoldings,
  readMovements,
  untoldOf,
} from './holdings.ts';
import type { Compared } from './recovery-recorder.ts';

export interface ComparisonParts {
  readonly sent: SentOrders;
  readonly facts: Facts;
  readonly cancels: Cancels;
  readonly conversions: Conversions;
  readonly settlement: Settlement;
  readonly stream: OwnStream;
}

type FoundOrders = ReadonlyMap<SentOrder, OrderFieldsFragment | undefined>;

/** The ledger is looked at from so long before the last agreement on, ms: clocks differ. */
const LOOK_BACK_MS = 60_000;

export class AccountComparison {
  readonly #of: OrdersOf;
  readonly #parts: ComparisonParts;
  /** When core and venue last agreed; undefined before the first time. */
  #agreedAt: EpochMs | undefined;

  constructor(of: OrdersOf, parts: ComparisonParts) {
    this.#of = of;
    this.#parts = parts;
  }

  /**
   * Compares once. Ends of orders that no event told are told as the venue has them; what the account's ledger explains is taken
   * over; anything else stays as it is and `disagrees`.
   * @returns undefined where something moved meanwhile, or waits for its answer: try again
   * @throws Fault as `ask`
   */
  async compare(): Promise<Compared | undefined> {
    const { stream, sent, conversions } = this.#parts;
    if (!stream.isCurrent || conversions.waiting > 0) return undefined;
    const before = stream.seq;
    const began = this.#of.clock.now();
    const open = await this.openOrders();
    const found = await this.#find(open);
    const holdings = await this.still(before);
    if (holdings === undefined) return undefined;
    const orders = sent.size;
    const unknown = this.#tellOrders(found, before);
    this.cancelReturned(open);
    const differences = differencesOf(this.#of.view, holdings);
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

  /** All open orders of the account, whoever placed them. @throws Fault as `ask` */
  openOrders(): Promise<readonly OrderFieldsFragment[]> {
    const statuses = ['LIVE', 'PARTIALLY_FILLED'] as const;
    return askAll(
      this.#of,
      OPERATIONS.orders,
      (page) => ({ input: { ...page, statuses } }),
      (data) => data.orders,
    );
  }

  /** The account, unless something moved since event `before`. @throws Fault as `ask` */
  async still(before: number): Promise<Holdings | undefined> {
    const { stream, conversions, facts } = this.#parts;
    const holdings = await readHoldings(this.#of, facts.markets);
    const input = { afterSeq: String(before), first: 1 };
    const { edges } = await ask(this.#of, OPERATIONS.fills, { input }, (data) => data.fills);
    return edges.length === 0 && stream.seq === before && conversions.waiting === 0 ? holdings : undefined;
  }

  /** Cancels own orders that stand at the venue and that the core holds for over. @returns how many */
  cancelReturned(open: readonly OrderFieldsFragment[]): number {
    const { sent, cancels } = this.#parts;
    let count = 0;
    for (const { orderHash } of open) {
      const hash = orderHash.toLowerCase();
      const record = sent.find(hash) === undefined ? this.#of.records.find(hash) : undefined;
      if (record === undefined) continue;
      const order = sent.add(record);
      order.accepted = true;
      order.revenant = true;
      this.#of.log.warn({ order: record.order, hash }, 'an order that was held for over stands at the venue');
      cancels.want([order], false);
      count += 1;
    }
    return count;
  }

  /** Whether deposits, splits and the like since the last agreement come to these differences. @throws Fault as `ask` */
  async isExplained(differences: readonly Difference[]): Promise<boolean> {
    const since = formatTime(timeAfter(this.#agreedAt ?? this.#of.view.now, -LOOK_BACK_MS));
    const { facts, conversions } = this.#parts;
    const movements = await readMovements(this.#of, facts.markets, since);
    return areExplained(differences, untoldOf(movements, conversions.told));
  }

  /** The core takes the venue's word. */
  takeOver(differences: readonly Difference[]): void {
    const { facts, stream } = this.#parts;
    facts.trades.settled(stream.seq);
    const time = this.#of.clock.now();
    for (const each of differences) {
      if (each.type === 'holding') {
        this.#of.tell({ type: 'holdingAdjusted', time, venueTime: time, market: each.market, ...each.venue });
      } else {
        const amount = subUsd(each.venue, each.core);
        this.#of.tell({ type: 'cashAdjusted', time, venueTime: time, amount });
      }
    }
  }

  texts(differences: readonly Difference[]): readonly string[] {
    return differences.map((difference) => {
      if (difference.type === 'cash') {
        return `cash ${formatUsd(difference.core)} stored, ${formatUsd(difference.venue)} at the venue`;
      }
      const { slug } = this.#of.view.market(difference.market).info;
      const { core, venue } = difference;
      const held = ({ yes, no }: typeof core): string => `${formatShares(yes)} YES and ${formatShares(no)} NO`;
      return `${slug}: ${held(core)} stored, ${held(venue)} at the venue`;
    });
  }

  /** What the venue has of each own order; undefined for nothing. */
  async #find(open: readonly OrderFieldsFragment[]): Promise<FoundOrders> {
    const byHash = new Map(open.map((order) => [order.orderHash.toLowerCase(), order]));
    const find = async (order: SentOrder) =>
      [order, byHash.get(order.hash) ?? (await stateOf(this.#of, order))] as const;
    return new Map(await Promise.all(this.#parts.sent.list().map(find)));
  }

  /** @returns orders that the venue had accepted, and does not know */
  #tellOrders(found: FoundOrders, upTo: number): readonly SentOrder[] {
    const { sent, facts, settlement } = this.#parts;
    const unknown: SentOrder[] = [];
    for (const [order, state] of found) {
      if (order.gone) continue;
      if (state !== undefined) {
        order.isMissing = false;
        tellState(facts, order, state, upTo);
      } else if (!order.accepted) settlement.openOverdue(order);
      else if (order.revenant) {
        sent.end(order);
        this.#of.own.never(order.hash);
      } else {
        order.isMissing = true;
        unknown.push(order);
      }
    }
    return unknown;
  }

  /** One for each market. */
  #unknownTexts(orders: readonly SentOrder[]): readonly string[] {
    const byMarket = Map.groupBy(orders, ({ record }) => record.market);
    return [...byMarket].map(([market, some]) => {
      const numbers = some.map(({ record }) => record.order).join(', ');
      const { slug } = this.#of.view.market(market).info;
      return `${slug}: open here and unknown to the venue: ${some.length === 1 ? 'order' : 'orders'} ${numbers}`;
    });
  }
}
