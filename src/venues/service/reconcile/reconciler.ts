/** Brings the core's world and the venue's together at the start, before the first quote. */
import { type Conversion, column, Fault, type MicroUsd, negUsd, parseTime, ZERO_USD } from '../../../domain/index.ts';
import { OPERATIONS, type OrderFieldsFragment } from '../../../protocol/index.ts';
import type { Compared, Leftovers, LostTime, VenueOrder } from '../../base/index.ts';
import type { ExecutionDeps } from '../orders/execution-deps.ts';
import { batches } from '../orders/requests.ts';
import { reportState, stateOf } from '../own-stream/gap-recovery.ts';
import type { AccountComparison, ComparisonParts } from './account-comparison.ts';
import { type Difference, differencesOf, type Holdings } from './holdings.ts';

/** Treatment of open orders that the start finds. */
export interface StartPolicy {
  /** Own orders that still stand. */
  readonly leftovers: 'cancel' | 'adopt';
  /** Differences that nothing explains are taken over instead of refusing the start. */
  readonly adopt: boolean;
  /** Nothing was stored before: what the account has is taken over. */
  readonly isFirst: boolean;
  /** Conversions that were sent before and have no reported end. */
  readonly unanswered: readonly Conversion[];
  /** Time from which the journal may lack orders; undefined if it has all. */
  readonly lost: LostTime | undefined;
}

/** Result of a start. */
export interface Started extends Compared {
  readonly leftovers: Leftovers;
}

const PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;
/** Attempts to find a moment in which nothing moves. */
const MAX_ATTEMPTS = 20;
/** How long cancelled leftovers may take to go, ms; and where the venue has found none of them. */
const LEFTOVERS_MS = 15_000;
const MISSING_MS = 1_000;

/** Clocks differ, and a clock may have been set when the machine began, ms. */
const MARGIN_MS = 60_000;
/** Time limit for cancelled orders to disappear, ms. */
const GONE_MS = 15_000;
const GONE_PAUSE_MS = 100;

export class Reconciler {
  readonly #deps: ExecutionDeps;
  readonly #parts: ComparisonParts;
  readonly #comparison: AccountComparison;

  constructor(deps: ExecutionDeps, parts: ComparisonParts, comparison: AccountComparison) {
    this.#deps = deps;
    this.#parts = parts;
    this.#comparison = comparison;
  }

  /**
   * After the stream has caught up.
   * @param journal hashes of the orders that the journal has as open
   * @throws Fault `RECONCILE` naming each difference that nothing explains; as `read`
   */
  async start(policy: StartPolicy, journal: readonly string[]): Promise<Started> {
    const { orders: own } = this.#deps;
    const began = this.#deps.clock.now();
    const open = await this.#comparison.openOrders();
    const orders = own.size;
    const returned = await this.#settleSent(open);
    const ended = journal.filter((hash) => own.byHash(hash)?.life.hasEnded ?? true).length;
    const lost = policy.lost === undefined ? [] : lostOrders(this.#deps, open, policy.lost);
    if (lost.length > 0) await cancelLost(this.#deps, lost, () => this.#comparison.openOrders());
    const standing = own.open().filter(stands);
    if (policy.leftovers === 'cancel') await this.#cancelLeftovers();
    else this.#endRequests();
    const leftovers = {
      found: standing.length + lost.length,
      cancelled: standing.filter(({ life }) => life.hasEnded && life.remaining > 0).length + lost.length,
      adopted: policy.leftovers === 'adopt' ? standing.filter((order) => stands(order) && !order.isUnwanted).length : 0,
      ended,
    };
    const { differences, isTaken } = await this.#settledDifferences(policy);
    const done = {
      orders: orders + returned + lost.length,
      leftovers,
      differences: this.#comparison.texts(differences),
    };
    if (differences.length === 0) {
      this.#comparison.agreed(began);
      return { ...done, outcome: 'agrees' };
    }
    if (!isTaken) {
      throw new Fault(
        'RECONCILE',
        `the venue's account is not what the stored one says: ${done.differences.join('; ')}. Find out why, then start with --adopt to take the venue's word`,
      );
    }
    this.#comparison.takeOver(differences);
    this.#comparison.agreed(began);
    // What an account begins with is no difference.
    return policy.isFirst ? { ...done, outcome: 'agrees', differences: [] } : { ...done, outcome: 'adjusted' };
  }

  /**
   * Orders of earlier runs: reports open ones with their present state and closed ones as closed, and resolves lost
   * ones.
   * @returns how many stand that counted as ended
   */
  async #settleSent(open: readonly OrderFieldsFragment[]): Promise<number> {
    const { reporter, resolver, stream } = this.#parts;
    const byHash = new Map(open.map((order) => [order.orderHash.toLowerCase(), order]));
    for (const order of this.#deps.orders.open()) {
      const found = byHash.get(order.hash) ?? (await stateOf(this.#deps, order));
      if (found !== undefined) reportState(reporter, order, found, stream.seq);
      else {
        // Signed, and perhaps sent, by a run that ended meanwhile: it is unwanted.
        order.cancelIfSeen();
        resolver.open(order);
      }
    }
    return this.#comparison.cancelReturned(open);
  }

  async #cancelLeftovers(): Promise<void> {
    const { cancels } = this.#parts;
    const standing = (): readonly VenueOrder[] => this.#deps.orders.open().filter(stands);
    cancels.want(standing(), false);
    const end = this.#deps.clock.now() + LEFTOVERS_MS;
    let missingSince = Number.POSITIVE_INFINITY;
    while (standing().length > 0) {
      // Orders that the venue does not know never go.
      const now = this.#deps.clock.now();
      const isAllMissing = standing().every(({ isMissing }) => isMissing);
      missingSince = isAllMissing ? Math.min(missingSince, now) : Number.POSITIVE_INFINITY;
      if (now > end || now > missingSince + MISSING_MS) {
        const names = standing().map(({ record }) => `${record.order} (${record.hash})`);
        throw new Fault(
          'RECONCILE',
          `own orders of an earlier run cannot be cancelled: ${names.join(', ')}. Look at the account's orders with \`npx halfspread orders --venue <config.yaml>\`; a venue that was reset does not know them: give the bot another database (--db)`,
        );
      }
      await this.#deps.timers.wait(PAUSE_MS);
    }
  }

  /**
   * Of orders that stay: requests of the earlier run without an answer, or that were never sent. What was to go goes;
   * what was to shrink is as it is, and the core decides again.
   */
  #endRequests(): void {
    const { reporter, cancels } = this.#parts;
    for (const order of this.#deps.orders.open()) {
      const { request } = order.life;
      if (request === 'cancel') cancels.want([order], true);
      else if (request === 'reduce') reporter.cancelRefused(order.record, 'NOT_FOUND');
    }
  }

  /**
   * The differences, and whether to adopt them. If something moved while the ledger was read, both sides are read
   * again: the earlier read would undo that move.
   * @throws Fault `RECONCILE` if the account keeps changing
   */
  async #settledDifferences({ isFirst, adopt, unanswered }: StartPolicy) {
    const { stream } = this.#parts;
    for (let count = 0; count < MAX_ATTEMPTS; count += 1) {
      // A conversion is reported once.
      const differences = await this.#differencesAfter(count === 0 ? unanswered : []);
      const { seq } = stream;
      const isKnown = differences.length === 0 || isFirst || adopt;
      const isTaken = isKnown || (await this.#comparison.isExplained(differences));
      if (stream.seq === seq) return { differences, isTaken };
    }
    throw unsteady();
  }

  /** What is left when conversions that happened after all were reported. */
  async #differencesAfter(unanswered: readonly Conversion[]): Promise<readonly Difference[]> {
    let differences = differencesOf(this.#deps.view, await this.#standing());
    for (const conversion of unanswered) {
      this.#reportConversion(conversion, differences);
      differences = differencesOf(this.#deps.view, await this.#standing());
    }
    return differences;
  }

  /** A split or merge that differs by itself has happened; any other has not. The core requests a claim again. */
  #reportConversion({ type: conversion, bot, market, shares }: Conversion, differences: readonly Difference[]): void {
    const time = this.#deps.clock.now();
    const head = { time, venueTime: time, conversion, bot, market };
    const sign = conversion === 'split' ? 1 : -1;
    const has = differences.some(
      (each) =>
        each.type === 'holding' &&
        each.market === market &&
        each.venue.yes - each.core.yes === sign * shares &&
        each.venue.no - each.core.no === sign * shares,
    );
    if (!has || conversion === 'claim') this.#deps.report({ type: 'conversionRejected', ...head, reason: 'NOT_FOUND' });
    else {
      const dollars: MicroUsd = column.usd(shares);
      const paid = conversion === 'split' ? negUsd(dollars) : dollars;
      this.#deps.report({ type: 'converted', ...head, shares, paid, fee: ZERO_USD });
    }
  }

  /** The account at a moment without changes. @throws Fault `RECONCILE` if the account keeps changing */
  async #standing(): Promise<Holdings> {
    for (let count = 0, wait = PAUSE_MS; count < MAX_ATTEMPTS; count += 1, wait = Math.min(2 * wait, MAX_PAUSE_MS)) {
      const holdings = await this.#comparison.still(this.#parts.stream.seq);
      if (holdings !== undefined) return holdings;
      await this.#deps.timers.wait(wait);
    }
    throw unsteady();
  }
}

function unsteady(): Fault {
  const problem = 'the account keeps changing: others trade on it; stop them for the start';
  return new Fault('RECONCILE', problem);
}

/** The venue has accepted it, and its end is not known. */
function stands({ life }: VenueOrder): boolean {
  return life.isLive;
}

/**
 * What a journal wrote last may be missing after a power cut, and with it orders that the venue has. Nothing in the
 * venue's list says which bot placed an order, so the time does: what came in after the last moment that the journal
 * has and before the machine began again, and what no record names, is taken for ours.
 */
export function lostOrders(
  deps: Pick<ExecutionDeps, 'records'>,
  open: readonly OrderFieldsFragment[],
  { from, to }: LostTime,
): readonly OrderFieldsFragment[] {
  return open.filter(({ orderHash, createdAt }) => {
    const at = parseTime('order.createdAt', createdAt);
    const isThen = at >= from - MARGIN_MS && at <= to + MARGIN_MS;
    return isThen && deps.records.find(orderHash.toLowerCase()) === undefined;
  });
}

/**
 * Cancels them and waits until they are closed. Their trades come over the account's stream as external fills.
 * @param open reads the open orders
 * @throws Fault RECONCILE when they stay; as `open`
 */
async function cancelLost(
  deps: ExecutionDeps,
  lost: readonly OrderFieldsFragment[],
  open: () => Promise<readonly OrderFieldsFragment[]>,
): Promise<void> {
  const { clock, transport, timers, log } = deps;
  const { mostCancels } = deps.terms();
  const end = clock.now() + GONE_MS;
  let left: readonly string[] = lost.map(({ id }) => id);
  log.warn({ orders: left }, 'orders that are missing in the journal are being cancelled');
  for (;;) {
    for (const ids of batches(left, mostCancels)) await transport.mutate(OPERATIONS.cancelOrders, { ids });
    const standing = new Set((await open()).map(({ id }) => id));
    left = left.filter((id) => standing.has(id));
    if (left.length === 0) return;
    if (clock.now() > end) {
      throw new Fault(
        'RECONCILE',
        `orders that the journal lost when the machine went down cannot be cancelled: ${left.join(', ')}. Look at the account's orders with \`npx halfspread orders --venue <config.yaml>\``,
      );
    }
    await timers.wait(GONE_PAUSE_MS);
  }
}
