/**
 * Books the rebates and rewards that the venue has paid, each once.
 *
 * The venue pays a UTC day's earnings after the day, one sum per cause, without an announcement. `MakerPayments` picks
 * the listed days and causes with the largest sum below the excess cash plus one lot. Other excess cash is booked as an
 * adjustment. A matching payment that is listed later replaces the adjustment.
 */
import {
  DAY_MS,
  epochMs,
  Fault,
  formatDay,
  formatUsd,
  LOT,
  type MarketNo,
  type MicroUsd,
  negUsd,
  startOfUtcDay,
  unchecked,
} from '../../domain/index.ts';
import type { StoredCash } from '../../runtime/index.ts';
import { polymarketMarketId } from '../../runtime/index.ts';
import type { PolymarketDeps } from './deps.ts';
import { type ListedPayment, readListedPayments } from './payment-lists.ts';

export interface Payment extends ListedPayment {
  /** Undefined for a market outside of this run. */
  readonly market: MarketNo | undefined;
  readonly amount: MicroUsd;
}

const SEARCHED_DAYS = 7;
/** Interval of checks for records that were listed after their payment, ms. */
const LATE_CHECK_MS = 3_600_000;

export class MakerPayments {
  readonly #deps: PolymarketDeps;
  readonly #signatureType: number;
  #nextLateCheck = 0;

  constructor(deps: PolymarketDeps, signatureType: number) {
    this.#deps = deps;
    this.#signatureType = signatureType;
  }

  /** Returns the payments that explain `excess` micro-USD of cash; none, with a warning, if they cannot be read. */
  async findExplaining(excess: number): Promise<readonly Payment[]> {
    return pickNearest(await this.#unbooked(), excess);
  }

  /** Replaces adjustments by payments that were listed later, at most once an hour. */
  async replaceAdjustments(): Promise<void> {
    const { clock, records, report } = this.#deps;
    const now = clock.now();
    if (now < this.#nextLateCheck) return;
    this.#nextLateCheck = now + LATE_CHECK_MS;
    const unexplained = findUnexplainedCash(records.cash(this.#firstDay()));
    if (unexplained.length === 0) return;
    let unbooked = await this.#unbooked();
    for (const { time, amount } of unexplained) {
      const ended = unbooked.filter(({ day }) => day + DAY_MS <= time);
      const found = pickNearest(ended, amount);
      const sum = sumAmounts(found);
      if (found.length === 0 || sum <= amount - LOT) continue;
      // In this order, a crash between the reports leaves excess cash, which the next comparison explains.
      report({ type: 'cashAdjusted', time: now, venueTime: now, amount: negUsd(unchecked.usd(sum)) });
      for (const payment of found) this.book(payment);
      unbooked = unbooked.filter((each) => !found.includes(each));
    }
  }

  book(payment: Payment): void {
    const { clock, report } = this.#deps;
    const time = clock.now();
    const { cause, day, market, amount } = payment;
    if (market !== undefined) report({ type: 'makerPaid', time, venueTime: time, market, cause, day, amount });
    else report({ type: 'cashAdjusted', time, venueTime: time, amount, trade: paymentKey(payment) });
  }

  describe({ cause, day, condition, market, amount }: Payment): string {
    const name = market === undefined ? condition : this.#deps.view.market(market).info.slug;
    return `${name}: ${cause} of ${formatUsd(amount)} for ${formatDay(day)}`;
  }

  #firstDay() {
    return startOfUtcDay(this.#deps.clock.now() - SEARCHED_DAYS * DAY_MS);
  }

  async #unbooked(): Promise<readonly Payment[]> {
    const { records, view, clock, log, signer } = this.#deps;
    // Payments from before the account was taken over are in its initial cash.
    if (records.streamPosition === 0) return [];
    const since = this.#firstDay();
    const { firstRunAt, paid, adjusted } = records.cash(since);
    const markets = new Map(view.markets.map(({ info }) => [String(info.id), info.market]));
    const booked = new Set(adjusted.map(({ trade }) => trade));
    const account = { maker: signer.maker.toLowerCase(), signatureType: this.#signatureType };
    const unbooked: Payment[] = [];
    try {
      for (let day = Math.max(since, startOfUtcDay(firstRunAt ?? 0)); day + DAY_MS <= clock.now(); day += DAY_MS) {
        for (const listed of await readListedPayments(this.#deps, account, epochMs(day))) {
          const market = markets.get(polymarketMarketId(listed.condition));
          const isBooked = paid.some(
            (each) => each.cause === listed.cause && each.day === day && each.market === market,
          );
          if (!isBooked && !booked.has(paymentKey(listed)))
            unbooked.push({ ...listed, market, amount: unchecked.usd(listed.amount) });
        }
      }
    } catch (error) {
      // Trading does not need the payments.
      if (!(error instanceof Fault)) throw error;
      const consequence = 'excess cash is booked as an adjustment';
      log.warn({ err: error }, `polymarket: rebates and rewards could not be read; ${consequence}`);
      return [];
    }
    return unbooked;
  }
}

function paymentKey({ cause, day, condition }: ListedPayment): string {
  return `${cause} ${formatDay(day)} ${condition}`;
}

function sumAmounts(payments: readonly Payment[]): number {
  return payments.reduce((sum, { amount }) => sum + amount, 0);
}

/** Picks the groups of payments (by day and cause) with the largest sum below `amount` plus one lot. */
function pickNearest(payments: readonly Payment[], amount: number): readonly Payment[] {
  const groups = [...Map.groupBy(payments, ({ cause, day }) => `${cause} ${day}`).values()];
  let best: readonly Payment[] = [];
  const choose = (from: number, sum: number, chosen: readonly Payment[]): void => {
    if (sum > sumAmounts(best)) best = chosen;
    for (const [index, group] of groups.entries()) {
      const total = sum + sumAmounts(group);
      if (index >= from && total < amount + LOT) choose(index + 1, total, [...chosen, ...group]);
    }
  };
  choose(0, 0, []);
  return best;
}

/** Returns unexplained increases of cash, oldest first, without those that an equal decrease cancels. */
function findUnexplainedCash({ firstRunAt, adjusted }: StoredCash) {
  const unexplained: { readonly time: number; readonly amount: number }[] = [];
  for (const { time, amount, trade } of adjusted) {
    if (trade !== undefined || time === firstRunAt) continue;
    if (amount > 0) unexplained.push({ time, amount });
    else {
      const index = unexplained.findIndex((each) => Math.abs(each.amount + amount) < LOT);
      if (index >= 0) unexplained.splice(index, 1);
    }
  }
  return unexplained;
}
