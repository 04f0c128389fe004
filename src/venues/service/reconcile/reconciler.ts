/** Reconciles the core's orders and account with the venue's at the start, before the first quote. */
import { type Conversion, Fault, joinFirst, parseTime, unchecked, ZERO_USD } from '../../../domain/index.ts';
import { OPERATIONS, type OrderFieldsFragment } from '../../../protocol/index.ts';
import {
  accountChangingFault,
  accountDiffersFault,
  batches,
  countJournal,
  type StartPolicy,
  type StartResult,
  type UnrecordedPeriod,
  type VenueOrder,
} from '../../base/index.ts';
import type { ExecutionDeps } from '../orders/execution-deps.ts';
import { readPayload } from '../orders/requests.ts';
import { readOrderState, reportState } from '../own-stream/gap-recovery.ts';
import type { AccountComparison, ComparisonDeps } from './account-comparison.ts';
import { type Difference, findDifferences, type Holdings } from './holdings.ts';

export interface ServiceStartPolicy extends StartPolicy {
  /** Conversions of earlier runs whose end was not reported. */
  readonly unansweredConversions: readonly Conversion[];
  /** Period whose orders the journal may lack; undefined if the journal is complete. */
  readonly unrecorded: UnrecordedPeriod | undefined;
}

/** First and longest pause between two reads of the account, ms. */
const PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;
/** Maximum number of attempts to read the account without a change during the read. */
const MAX_ATTEMPTS = 20;
/** Longest wait for the end of cancelled leftovers, ms. */
const CANCEL_LEFTOVERS_TIMEOUT_MS = 15_000;
/** Longest wait while the venue knows none of the leftovers, ms. */
const ALL_MISSING_TIMEOUT_MS = 1_000;
/** Pause before orders that the venue did not find are read again, ms. */
const MISSING_PAUSE_MS = 3_000;

/** Margin for the difference of the clocks, and for a clock that was set when the machine started, ms. */
const MARGIN_MS = 60_000;
/** Longest wait for the end of cancelled lost orders, ms. */
const CANCEL_LOST_TIMEOUT_MS = 15_000;
const LOST_PAUSE_MS = 100;
/** Maximum number of orders that a fault names. */
const MAX_LISTED = 5;
const SHOW_ORDERS = "Look at the account's orders with `npx halfspread orders --venue <config.yaml>`";

export class Reconciler {
  readonly #deps: ComparisonDeps;
  readonly #comparison: AccountComparison;

  constructor(deps: ComparisonDeps, comparison: AccountComparison) {
    this.#deps = deps;
    this.#comparison = comparison;
  }

  /**
   * Reconciles orders and account. Call this after the stream has caught up.
   * @throws Fault `RECONCILE` that names the first unexplained differences; the errors of `readPayload`
   */
  async start(policy: ServiceStartPolicy): Promise<StartResult> {
    const { orders: own } = this.#deps;
    const began = this.#deps.clock.now();
    const open = await this.#comparison.openOrders();
    const orders = own.size;
    const missing = await this.#settleOrders(open);
    const stillOpenCount = this.#comparison.cancelStillOpen(open);
    const isReadAgain = missing.length > 0 && (policy.adopt || policy.leftovers === 'adopt');
    const unknown = isReadAgain ? await this.#readMissingAgain(missing) : [];
    const closed = policy.adopt ? unknown : [];
    for (const order of closed) this.#deps.reporter.reportEnded(order, 'ADMIN', this.#deps.clock.now());
    const journal = countJournal(policy.journal, own);
    const lost = policy.unrecorded === undefined ? [] : findLostOrders(this.#deps, open, policy.unrecorded);
    if (lost.length > 0) await cancelLost(this.#deps, lost, () => this.#comparison.openOrders());
    if (unknown.length > closed.length) throw leftoversFault('are not known to the venue', unknown);
    const found = own.open().filter(({ life }) => life.isLive);
    if (policy.leftovers === 'cancel') await this.#cancelLeftovers();
    else this.#settleRequests();
    const leftovers = {
      found: found.length + lost.length,
      cancelled: found.filter(({ life }) => life.hasEnded && life.remaining > 0).length + lost.length,
      adopted:
        policy.leftovers === 'adopt' ? found.filter(({ life, isUnwanted }) => life.isLive && !isUnwanted).length : 0,
      ...journal,
    };
    const { differences, canAccept } = await this.#readDifferences(policy);
    const texts = [...this.#comparison.describe(differences), ...this.#comparison.describeUnknown(closed)];
    if (!canAccept) throw accountDiffersFault(texts);
    if (differences.length > 0) this.#comparison.acceptVenueBalances(differences);
    this.#comparison.onAgreed(began);
    const result = { orders: orders + stillOpenCount + lost.length, leftovers };
    // The initial contents of an account are not differences. After a reset of the venue, each start looks initial.
    const isInitial = policy.isFirst && closed.length === 0;
    if (texts.length === 0 || isInitial) return { ...result, outcome: 'agrees', differences: [] };
    return { ...result, outcome: 'adjusted', differences: texts };
  }

  /**
   * Reports the current states of earlier runs' orders, and resolves orders that the venue does not know.
   * @returns accepted orders that the venue did not find
   */
  async #settleOrders(open: readonly OrderFieldsFragment[]): Promise<readonly VenueOrder[]> {
    const { reporter, resolver, stream } = this.#deps;
    const missing: VenueOrder[] = [];
    const byHash = new Map(open.map((order) => [order.orderHash.toLowerCase(), order]));
    for (const order of this.#deps.orders.open()) {
      const found = byHash.get(order.hash) ?? (await readOrderState(this.#deps, order));
      if (found !== undefined) reportState(reporter, order, found, stream.seq);
      else {
        // The order may have been sent, because its run ended before an answer. Cancel the order if it appears.
        order.cancelIfAtVenue();
        resolver.resolve(order);
        if (order.life.isLive) missing.push(order);
      }
    }
    return missing;
  }

  /**
   * Returns the accepted orders that the venue still does not find after a pause. An order is found if the venue lists
   * or returns it, or reported an event of it during the pause. `cancelStillOpen` cancels an order that appears later.
   * @throws Fault as `readPayload`, because a lost answer does not show that an order has ended; as `#readSettled`
   */
  async #readMissingAgain(orders: readonly VenueOrder[]): Promise<readonly VenueOrder[]> {
    const { log, reporter, stream, timers } = this.#deps;
    const fields = { orders: orders.map(({ record }) => record.order) };
    log.warn(fields, 'the venue does not know accepted orders; they are read again');
    const seqs = new Map(orders.map((order) => [order, order.seq]));
    await timers.wait(MISSING_PAUSE_MS);
    const openHashes = new Set((await this.#comparison.openOrders()).map(({ orderHash }) => orderHash.toLowerCase()));
    const missing: VenueOrder[] = [];
    for (const order of orders) {
      const { found, order: state, fills } = await readPayload(this.#deps, OPERATIONS.order, { orderHash: order.hash });
      if (state !== null) reportState(reporter, order, state, stream.seq);
      else if (!found && fills.length === 0 && !openHashes.has(order.hash)) missing.push(order);
    }
    // Processes all trades up to now.
    await this.#readSettled();
    return missing.filter((order) => order.life.isLive && order.seq === seqs.get(order));
  }

  async #cancelLeftovers(): Promise<void> {
    const { cancels } = this.#deps;
    const openOrders = (): readonly VenueOrder[] => this.#deps.orders.open().filter(({ life }) => life.isLive);
    cancels.cancel(openOrders(), { isRequested: false });
    const deadline = this.#deps.clock.now() + CANCEL_LEFTOVERS_TIMEOUT_MS;
    let missingSince = Number.POSITIVE_INFINITY;
    while (openOrders().length > 0) {
      // No end is reported for orders that the venue does not know.
      const now = this.#deps.clock.now();
      const isAllMissing = openOrders().every(({ isMissing }) => isMissing);
      missingSince = isAllMissing ? Math.min(missingSince, now) : Number.POSITIVE_INFINITY;
      if (now > deadline || now > missingSince + ALL_MISSING_TIMEOUT_MS)
        throw leftoversFault('cannot be cancelled', openOrders());
      await this.#deps.timers.wait(PAUSE_MS);
    }
  }

  /**
   * Settles requests of an earlier run that have no answer or were never sent. Cancels are sent again. Reduces are
   * reported as refused, and the core decides again.
   */
  #settleRequests(): void {
    const { reporter, cancels } = this.#deps;
    for (const order of this.#deps.orders.open()) {
      const { request } = order.life;
      if (request === 'cancel') cancels.cancel([order], { isRequested: true });
      else if (request === 'reduce') reporter.reportCancelRefused(order.record, 'NOT_FOUND');
    }
  }

  /**
   * Reads the differences, and whether they can be accepted. Reads again if an own event arrived during a read, because
   * an adjustment would undo the event.
   * @throws Fault `RECONCILE` if the account keeps changing
   */
  async #readDifferences({ isFirst, adopt, unansweredConversions }: ServiceStartPolicy) {
    const { stream } = this.#deps;
    for (let count = 0; count < MAX_ATTEMPTS; count += 1) {
      // Only the first attempt reports the conversions.
      const differences = await this.#settleAndReadDifferences(count === 0 ? unansweredConversions : []);
      const { seq } = stream;
      const isKnown = differences.length === 0 || isFirst || adopt;
      const canAccept = isKnown || (await this.#comparison.isExplained(differences));
      if (stream.seq === seq) return { differences, canAccept };
    }
    throw accountChangingFault();
  }

  /** Reports the outcomes of conversions without an answer. Returns the remaining differences. */
  async #settleAndReadDifferences(unansweredConversions: readonly Conversion[]): Promise<readonly Difference[]> {
    let differences = findDifferences(this.#deps.view, await this.#readSettled());
    for (const conversion of unansweredConversions) {
      this.#reportConversion(conversion, differences);
      differences = findDifferences(this.#deps.view, await this.#readSettled());
    }
    return differences;
  }

  /**
   * Reports a split or merge as done if the market differs by exactly its shares. Reports a claim as refused, so that
   * the core requests the claim again.
   */
  #reportConversion({ type: conversion, bot, market, shares }: Conversion, differences: readonly Difference[]): void {
    const time = this.#deps.clock.now();
    const common = { time, venueTime: time, conversion, bot, market };
    const added = conversion === 'split' ? shares : -shares;
    const isDone = differences.some(
      (each) =>
        each.type === 'holding' &&
        each.market === market &&
        each.venue.yes - each.core.yes === added &&
        each.venue.no - each.core.no === added,
    );
    if (isDone && conversion !== 'claim')
      this.#deps.report({ type: 'converted', ...common, shares, paid: unchecked.usd(-added), fee: ZERO_USD });
    else this.#deps.report({ type: 'conversionRejected', ...common, reason: 'NOT_FOUND' });
  }

  /** Reads the account until nothing changes during a read. @throws Fault `RECONCILE` if the account keeps changing */
  async #readSettled(): Promise<Holdings> {
    for (let count = 0, wait = PAUSE_MS; count < MAX_ATTEMPTS; count += 1, wait = Math.min(2 * wait, MAX_PAUSE_MS)) {
      const holdings = await this.#comparison.readUnchanged(this.#deps.stream.seq);
      if (holdings !== undefined) return holdings;
      await this.#deps.timers.wait(wait);
    }
    throw accountChangingFault();
  }
}

/**
 * Returns the open orders that a journal lost in a power cut. The venue does not state which bot placed an order. So an
 * order without a record is the bot's own if it was placed between the last stored time and the machine's restart.
 */
export function findLostOrders(
  deps: Pick<ExecutionDeps, 'records'>,
  open: readonly OrderFieldsFragment[],
  { from, to }: UnrecordedPeriod,
): readonly OrderFieldsFragment[] {
  return open.filter(({ orderHash, createdAt }) => {
    const at = parseTime('order.createdAt', createdAt);
    const isLost = at >= from - MARGIN_MS && at <= to + MARGIN_MS;
    return isLost && deps.records.findByHash(orderHash.toLowerCase()) === undefined;
  });
}

function leftoversFault(problem: string, orders: readonly VenueOrder[]): Fault {
  const names = orders.map(({ record }) => `${record.order} (${record.hash})`);
  const text = `own orders of an earlier run ${problem}: ${joinFirst(names, MAX_LISTED, ', ')}`;
  const adopt = 'to close those that the venue does not know, start with --adopt';
  const reset = 'a venue that was reset does not know them: give the bot another database (--db)';
  return new Fault('RECONCILE', `${text}. ${SHOW_ORDERS}; ${adopt}; ${reset}`);
}

/**
 * Cancels lost orders and waits for their end. The account's stream reports their trades as external fills.
 * @throws Fault RECONCILE if the orders stay open; the errors of `readOpen`
 */
async function cancelLost(
  deps: ExecutionDeps,
  lost: readonly OrderFieldsFragment[],
  readOpen: () => Promise<readonly OrderFieldsFragment[]>,
): Promise<void> {
  const { clock, transport, timers, log } = deps;
  const { maxCancels } = deps.terms();
  const deadline = clock.now() + CANCEL_LOST_TIMEOUT_MS;
  let open: readonly string[] = lost.map(({ id }) => id);
  log.warn({ orders: open }, 'orders that are missing in the journal are being cancelled');
  for (;;) {
    for (const ids of batches(open, maxCancels)) await transport.mutate(OPERATIONS.cancelOrders, { ids });
    const openIds = new Set((await readOpen()).map(({ id }) => id));
    open = open.filter((id) => openIds.has(id));
    if (open.length === 0) return;
    if (clock.now() > deadline) {
      const problem = `orders that the journal lost when the machine went down cannot be cancelled: ${joinFirst(open, MAX_LISTED, ', ')}`;
      throw new Fault('RECONCILE', `${problem}. ${SHOW_ORDERS}`);
    }
    await timers.wait(LOST_PAUSE_MS);
  }
}
