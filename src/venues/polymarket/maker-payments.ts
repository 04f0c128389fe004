/**
 * Rebates and rewards of the account: of the venue's records those whose cash has come are booked, each once.
 *
 * The venue pays what makers earned on a UTC day after its end, each cause in one sum, and does not say so anywhere: only cash
 * rises. So the payments of some days and causes are looked for that come nearest to it from below. Cash that no record explains
 * is an adjustment. A record that comes later turns it into what it was.
 */
import { column, epochMs, Fault, formatUsd, LOT, type MarketNo, type MicroUsd, negUsd } from '../../domain/index.ts';
import type { StoredCash } from '../../runtime/index.ts';
import type { PolymarketDeps } from './deps.ts';
import { marketIdOf } from './market.ts';
import { DAY_MS, dateOf, dayOf, type ListedPayment, listedPayments } from './payment-lists.ts';

export interface Payment extends ListedPayment {
  /** Undefined outside of this run. */
  readonly market: MarketNo | undefined;
  readonly amount: MicroUsd;
}

/** Days whose records are read. */
const DAYS = 7;
/** Between two looks for records that came after their cash, ms. */
const LATE_MS = 3_600_000;

export class MakerPayments {
  readonly #deps: PolymarketDeps;
  readonly #signatureType: number;
  #nextLook = 0;

  constructor(deps: PolymarketDeps, signatureType: number) {
    this.#deps = deps;
    this.#signatureType = signatureType;
  }

  /** Payments that are in so much more cash than the core has. None where the records cannot be read: that is logged. */
  async within(excess: number): Promise<readonly Payment[]> {
    return nearest(await this.#waiting(), excess);
  }

  /** Adjustments for which there is a record by now become payments. From time to time only. */
  async bookLate(): Promise<void> {
    const { clock, records, report } = this.#deps;
    const now = clock.now();
    if (now < this.#nextLook) return;
    this.#nextLook = now + LATE_MS;
    const unnamed = unnamedCash(records.cash(this.#since()));
    if (unnamed.length === 0) return;
    let waiting = await this.#waiting();
    for (const { time, amount } of unnamed) {
      const ended = waiting.filter(({ day }) => day + DAY_MS <= time);
      const found = nearest(ended, amount);
      const sum = sumOf(found);
      if (found.length === 0 || sum <= amount - LOT) continue;
      // In this order a crash in between leaves cash that is explained.
      report({ type: 'cashAdjusted', time: now, venueTime: now, amount: negUsd(column.usd(sum)) });
      for (const payment of found) this.book(payment);
      waiting = waiting.filter((each) => !found.includes(each));
    }
  }

  book(payment: Payment): void {
    const { clock, report } = this.#deps;
    const time = clock.now();
    const { cause, day, market, amount } = payment;
    if (market !== undefined) report({ type: 'makerPaid', time, venueTime: time, market, cause, day, amount });
    else report({ type: 'cashAdjusted', time, venueTime: time, amount, trade: keyOf(payment) });
  }

  text({ cause, day, condition, market, amount }: Payment): string {
    const name = market === undefined ? condition : this.#deps.view.market(market).info.slug;
    return `${name}: ${cause} of ${formatUsd(amount)} for ${dateOf(day)}`;
  }

  #since() {
    return dayOf(this.#deps.clock.now() - DAYS * DAY_MS);
  }

  /** What the venue lists for days that are over, and is not booked. */
  async #waiting(): Promise<readonly Payment[]> {
    const { records, view, clock, log, signer } = this.#deps;
    // What an account had before it was taken over is in its cash.
    if (records.cursor === 0) return [];
    const since = this.#since();
    const { began, paid, adjusted } = records.cash(since);
    const markets = new Map(view.markets.map(({ info }) => [String(info.id), info.market]));
    const booked = new Set(adjusted.map(({ trade }) => trade));
    const account = { maker: signer.maker.toLowerCase(), signatureType: this.#signatureType };
    const waiting: Payment[] = [];
    try {
      for (let day = Math.max(since, dayOf(began ?? 0)); day + DAY_MS <= clock.now(); day += DAY_MS) {
        for (const listed of await listedPayments(this.#deps, account, epochMs(day))) {
          const market = markets.get(marketIdOf(listed.condition));
          const isBooked = paid.some(
            (each) => each.cause === listed.cause && each.day === day && each.market === market,
          );
          if (!isBooked && !booked.has(keyOf(listed)))
            waiting.push({ ...listed, market, amount: column.usd(listed.amount) });
        }
      }
    } catch (error) {
      // Trading goes on without them.
      if (!(error instanceof Fault)) throw error;
      log.warn({ err: error }, 'polymarket: rebates and rewards could not be read: more cash is an adjustment');
      return [];
    }
    return waiting;
  }
}

function keyOf({ cause, day, condition }: ListedPayment): string {
  return `${cause} ${dateOf(day)} ${condition}`;
}

function sumOf(payments: readonly Payment[]): number {
  return payments.reduce((sum, { amount }) => sum + amount, 0);
}

interface Choice {
  readonly sum: number;
  readonly groups: readonly (readonly Payment[])[];
}

/** Of the payments by day and cause those that come nearest to an amount, and exceed it by less than dust. */
function nearest(payments: readonly Payment[], amount: number): readonly Payment[] {
  const groups = [...Map.groupBy(payments, ({ cause, day }) => `${cause} ${day}`).values()];
  let best: Choice = { sum: 0, groups: [] };
  const choose = (at: number, sum: number, chosen: Choice['groups']): void => {
    if (sum > best.sum) best = { sum, groups: chosen };
    for (const [place, group] of groups.entries()) {
      const more = sum + sumOf(group);
      if (place >= at && more < amount + LOT) choose(place + 1, more, [...chosen, group]);
    }
  };
  choose(0, 0, []);
  return best.groups.flat();
}

/** Cash that came and was not explained, oldest first; cash that went takes away what was as much. */
function unnamedCash({ began, adjusted }: StoredCash): { readonly time: number; readonly amount: number }[] {
  const unnamed: { readonly time: number; readonly amount: number }[] = [];
  for (const { time, amount, trade } of adjusted) {
    if (trade !== undefined || time === began) continue;
    if (amount > 0) unnamed.push({ time, amount });
    else {
      const same = unnamed.findIndex((each) => Math.abs(each.amount + amount) < LOT);
      if (same >= 0) unnamed.splice(same, 1);
    }
  }
  return unnamed;
}
