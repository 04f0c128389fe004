/**
 * Brings the core's world and the venue's together: at the start before the first quote, then again and again.
 *
 * Compared is a moment in which nothing of ours moved: the own stream stood still from before the reads until after them, and
 * no fill is on its way. Only then a difference is one.
 */
import {
  type Conversion,
  column,
  Fault,
  formatShares,
  formatTime,
  formatUsd,
  type MicroUsd,
  negUsd,
  subUsd,
  timeAfter,
  ZERO_USD,
} from '../../../domain/index.ts';
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
} from './holdings.ts';
import { cancelLost, type LostTime, lostOrders } from './lost-orders.ts';

export interface ReconcilerParts {
  readonly sent: SentOrders;
  readonly facts: Facts;
  readonly cancels: Cancels;
  readonly conversions: Conversions;
  readonly settlement: Settlement;
  readonly stream: OwnStream;
}

/** What to do with what is found at the start. */
export interface StartPolicy {
  /** Own orders that still stand. */
  readonly leftovers: 'cancel' | 'adopt';
  /** Differences that nothing explains are taken over instead of refusing the start. */
  readonly adopt: boolean;
  /** Nothing was stored before: what the account has is taken over. */
  readonly isFirst: boolean;
  /** Conversions that were sent before and not told the end of. */
  readonly unanswered: readonly Conversion[];
  /** When the journal may have lost orders; undefined where it has all. */
  readonly lost: LostTime | undefined;
}

const PAUSE_MS = 50;
const MOST_PAUSE_MS = 1_000;
/** Attempts to find a moment in which nothing moves. */
const MOST_ATTEMPTS = 20;
/** How long cancelled leftovers may take to go, ms. */
const LEFTOVERS_MS = 15_000;
/** The ledger is looked at from so long before the last event on, ms: clocks differ. */
const LOOK_BACK_MS = 60_000;

export class Reconciler {
  readonly #of: OrdersOf;
  readonly #parts: ReconcilerParts;

  constructor(of: OrdersOf, parts: ReconcilerParts) {
    this.#of = of;
    this.#parts = parts;
  }

  /** After the stream has caught up. @throws Fault `RECONCILE` naming each difference that nothing explains; as `ask` */
  async start(policy: StartPolicy): Promise<void> {
    const open = await this.openOrders();
    await this.#settleSent(open);
    const lost = policy.lost === undefined ? [] : lostOrders(this.#of, open, policy.lost);
    if (lost.length > 0) await cancelLost(this.#of, lost, () => this.openOrders());
    if (policy.leftovers === 'cancel') await this.#cancelLeftovers();
    else this.#endRequests();
    const differences = await this.#differencesAfter(policy.unanswered);
    if (differences.length === 0) return;
    if (!policy.isFirst && !policy.adopt && !(await this.#areExplained(differences))) {
      const list = differences.map((each) => this.#text(each)).join('; ');
      throw new Fault(
        'RECONCILE',
        `the venue's account is not what the stored one says: ${list}. Find out why, then start with --adopt to take the venue's word`,
      );
    }
    this.#adjust(differences);
  }

  /** Compares once; tells what differs. Does nothing where the account does not stand still. */
  async audit(): Promise<void> {
    const { conversions, settlement, stream } = this.#parts;
    if (conversions.waiting > 0 || settlement.size > 0) return;
    const before = stream.seq;
    const open = await this.openOrders();
    const holdings = await this.#still(before);
    if (holdings === undefined) return;
    this.#auditOrders(open);
    const differences = differencesOf(this.#of.view, holdings);
    if (differences.length === 0) return;
    this.#of.log.warn({ differences: differences.map((each) => this.#text(each)) }, 'the account changed from outside');
    this.#adjust(differences);
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

  /** Orders of before: open ones as they are now, ended ones told, lost ones settled. */
  async #settleSent(open: readonly OrderFieldsFragment[]): Promise<void> {
    const { sent, facts, settlement, stream } = this.#parts;
    const byHash = new Map(open.map((order) => [order.orderHash.toLowerCase(), order]));
    for (const order of sent.list()) {
      const found = byHash.get(order.hash) ?? (await stateOf(this.#of, order));
      if (found !== undefined) tellState(facts, order, found, stream.seq);
      else {
        // Signed, and perhaps sent, by a run that ended meanwhile: nobody wants it any more.
        order.unwanted = true;
        settlement.open(order);
      }
    }
    this.#returned(open);
  }

  /** Own orders that the core holds for over. */
  #returned(open: readonly OrderFieldsFragment[]): void {
    const { sent, cancels } = this.#parts;
    for (const { orderHash } of open) {
      const hash = orderHash.toLowerCase();
      const record = sent.find(hash) === undefined ? this.#of.records.find(hash) : undefined;
      if (record === undefined) continue;
      const order = sent.add(record);
      order.accepted = true;
      order.revenant = true;
      this.#of.log.warn({ order: record.order, hash }, 'an order that was held for over stands at the venue');
      cancels.want([order], false);
    }
  }

  async #cancelLeftovers(): Promise<void> {
    const { sent, cancels } = this.#parts;
    const standing = (): readonly SentOrder[] => sent.list().filter(({ accepted }) => accepted);
    cancels.want(standing(), false);
    const end = this.#of.clock.now() + LEFTOVERS_MS;
    while (standing().length > 0) {
      if (this.#of.clock.now() > end) {
        const names = standing().map(({ record }) => `${record.order} (${record.hash})`);
        throw new Fault(
          'RECONCILE',
          `own orders of an earlier run cannot be cancelled: ${names.join(', ')}. Look at the account's orders with \`halfspread orders <config> --venue\`; a venue that was begun anew does not know them: give the bot another database (--db)`,
        );
      }
      await this.#of.timers.wait(PAUSE_MS);
    }
  }

  /**
   * Of orders that stay: what the earlier run asked about them and was not told, or never got to send. What was to go goes; what
   * was to shrink is as it is, and the core can wish anew.
   */
  #endRequests(): void {
    const { sent, facts, cancels } = this.#parts;
    for (const order of sent.list()) {
      const { market, order: number } = order.record;
      const phase = this.#of.view.market(market).orders.find((each) => each.order === number)?.phase;
      if (phase === 'leaving') cancels.want([order], true);
      else if (phase === 'reducing') facts.cancelRefused(order, 'NOT_FOUND');
    }
  }

  /** What is left when conversions that happened after all have been told. */
  async #differencesAfter(unanswered: readonly Conversion[]): Promise<readonly Difference[]> {
    let differences = differencesOf(this.#of.view, await this.#standing());
    for (const conversion of unanswered) {
      this.#tellConversion(conversion, differences);
      differences = differencesOf(this.#of.view, await this.#standing());
    }
    return differences;
  }

  /** A split or merge that differs by itself has happened; any other has not. A claim is asked for anew by the core. */
  #tellConversion({ type: conversion, bot, market, shares }: Conversion, differences: readonly Difference[]): void {
    const time = this.#of.clock.now();
    const told = { time, venueTime: time, conversion, bot, market };
    const sign = conversion === 'split' ? 1 : -1;
    const has = differences.some(
      (each) =>
        each.type === 'holding' &&
        each.market === market &&
        each.venue.yes - each.core.yes === sign * shares &&
        each.venue.no - each.core.no === sign * shares,
    );
    if (!has || conversion === 'claim') this.#of.tell({ type: 'conversionRejected', ...told, reason: 'NOT_FOUND' });
    else {
      const dollars: MicroUsd = column.usd(shares);
      const paid = conversion === 'split' ? negUsd(dollars) : dollars;
      this.#of.tell({ type: 'converted', ...told, shares, paid, fee: ZERO_USD });
    }
  }

  /** The account in a moment in which nothing moves. @throws Fault `RECONCILE` when there is none */
  async #standing(): Promise<Holdings> {
    for (let count = 0, wait = PAUSE_MS; count < MOST_ATTEMPTS; count += 1, wait = Math.min(2 * wait, MOST_PAUSE_MS)) {
      const holdings = await this.#still(this.#parts.stream.seq);
      if (holdings !== undefined) return holdings;
      await this.#of.timers.wait(wait);
    }
    throw new Fault(
      'RECONCILE',
      'the account does not stand still: others trade on it all the time; stop them for the start',
    );
  }

  /** The account, unless something moved since event `before`. */
  async #still(before: number): Promise<Holdings | undefined> {
    const { stream, conversions, facts } = this.#parts;
    const holdings = await readHoldings(this.#of, facts.markets);
    const input = { afterSeq: String(before), first: 1 };
    const { edges } = await ask(this.#of, OPERATIONS.fills, { input }, (data) => data.fills);
    return edges.length === 0 && stream.seq === before && conversions.waiting === 0 ? holdings : undefined;
  }

  #auditOrders(open: readonly OrderFieldsFragment[]): void {
    const { sent, facts } = this.#parts;
    const hashes = new Set(open.map(({ orderHash }) => orderHash.toLowerCase()));
    for (const order of sent.list()) {
      if (!order.accepted || hashes.has(order.hash)) continue;
      this.#of.log.warn(
        { order: order.record.order, hash: order.hash },
        'an order is gone from the venue without a word',
      );
      facts.ended(order, 'ADMIN', this.#of.clock.now());
    }
    this.#returned(open);
  }

  async #areExplained(differences: readonly Difference[]): Promise<boolean> {
    const since = formatTime(timeAfter(this.#of.view.now, -LOOK_BACK_MS));
    return areExplained(differences, await readMovements(this.#of, this.#parts.facts.markets, since));
  }

  #adjust(differences: readonly Difference[]): void {
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

  #text(difference: Difference): string {
    if (difference.type === 'cash') {
      return `cash ${formatUsd(difference.core)} stored, ${formatUsd(difference.venue)} at the venue`;
    }
    const { slug } = this.#of.view.market(difference.market).info;
    const { core, venue } = difference;
    const held = ({ yes, no }: typeof core): string => `${formatShares(yes)} YES and ${formatShares(no)} NO`;
    return `${slug}: ${held(core)} stored, ${held(venue)} at the venue`;
  }
}
