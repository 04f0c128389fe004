/**
 * Simulates the settlement of trades. The exchange moves money and shares at the match. The dialect then shows the states of a
 * transaction: MATCHED, MINED, CONFIRMED. A fault adds RETRYING before MINED. A failing transaction is RETRYING, then the
 * exchange reverses the trade (FAILED); if the exchange refuses, the trade is MINED. The gains of a trade can be neither
 * sold nor spent in this dialect before it is CONFIRMED.
 *
 * After a restart, the status follows from the time of the trade and from its reversal, without pending retries.
 */
import { type EpochMs, epochMs, LOT, type Outcome } from '../../domain/index.ts';
import type { ExchangeCommand, ExchangeEvent } from '../../exchange/index.ts';
import type { PolymarketTradeStatus } from '../../protocol/polymarket/index.ts';
import type { Watcher } from '../command-queue-types.ts';
import { DeadlineTimer } from '../deadline-timer.ts';
import type { TransactionOutcome } from './faults.ts';
import { inTermsOf } from './markets.ts';
import type { PolymarketShared } from './shared.ts';

type Traded = Extract<ExchangeEvent, { readonly type: 'traded' }>;

export interface SettlementDeps extends PolymarketShared {
  onStatus(seq: number, status: PolymarketTradeStatus): void;
}

/** A trade that is not confirmed. */
interface Pending {
  readonly seq: number;
  readonly market: number;
  readonly gains: readonly Gain[];
  readonly steps: { readonly at: number; readonly status: PolymarketTradeStatus }[];
  status: PolymarketTradeStatus;
}

/** An account's gain from a trade: shares of an outcome, or dollars. */
interface Gain {
  readonly account: number;
  readonly outcome: Outcome | undefined;
  /** Micro-shares or micro-USD. */
  readonly amount: number;
}

export class Settlement implements Watcher {
  readonly #deps: SettlementDeps;
  readonly #pending = new Map<number, Pending>();
  /** Unconfirmed gains by account and asset. */
  readonly #unsettled = new Map<string, number>();
  readonly #timer: DeadlineTimer;
  #next = Number.POSITIVE_INFINITY;
  #lastTransaction: { readonly taker: number; readonly at: EpochMs; readonly result: TransactionOutcome } | undefined;

  constructor(deps: SettlementDeps) {
    this.#deps = deps;
    this.#timer = new DeadlineTimer(deps.clock, () => this.#advance());
  }

  onCommitted(events: readonly ExchangeEvent[], _command: ExchangeCommand, at: EpochMs): void {
    for (const event of events) {
      if (event.type === 'traded') this.#onTraded(event, at);
      else if (event.type === 'happened' && event.event.type === 'tradeReversed') this.#onReversed(event.event.trade);
    }
  }

  #onTraded(event: Traded, at: EpochMs): void {
    const { minedMs } = this.#deps.settings;
    const result = this.#outcomeOf(event, at);
    const retrying = { at: at + minedMs, status: 'RETRYING' } as const;
    const secondTryAt = at + 2 * minedMs;
    const steps: Pending['steps'] =
      result === 'mined'
        ? this.#minedAt(at + minedMs)
        : [
            retrying,
            ...(result === 'failed' ? [{ at: secondTryAt, status: 'FAILED' } as const] : this.#minedAt(secondTryAt)),
          ];
    const { seq, market } = event;
    const pending: Pending = { seq, market, gains: this.#gainsOf(event), steps, status: 'MATCHED' };
    this.#pending.set(seq, pending);
    this.#addGains(pending, 1);
    this.#deps.onStatus(seq, 'MATCHED');
    this.#schedule(at + minedMs);
  }

  /** All simultaneous trades of one taker share a transaction. */
  #outcomeOf({ taker }: Traded, at: EpochMs): TransactionOutcome {
    if (taker === 0 || taker !== this.#lastTransaction?.taker || at !== this.#lastTransaction.at)
      this.#lastTransaction = { taker, at, result: this.#deps.faults.nextTransaction() };
    return this.#lastTransaction.result;
  }

  #onReversed(seq: number): void {
    const pending = this.#pending.get(seq);
    if (pending !== undefined) this.#remove(pending);
    this.#deps.onStatus(seq, 'FAILED');
  }

  /** @param at time of the trade */
  statusOf(seq: number, at: EpochMs): PolymarketTradeStatus {
    const pending = this.#pending.get(seq);
    if (pending !== undefined) return pending.status;
    if (this.#deps.archive.reversalOf(seq) !== undefined) return 'FAILED';
    const { minedMs, confirmedMs } = this.#deps.settings;
    const age = this.#deps.clock.now() - at;
    if (age >= minedMs + confirmedMs) return 'CONFIRMED';
    return age >= minedMs ? 'MINED' : 'MATCHED';
  }

  /** Bought micro-shares of an outcome that an account cannot sell yet. */
  unsettledShares(account: number, market: number, outcome: Outcome): number {
    return this.#unsettled.get(gainKey({ account, outcome }, market)) ?? 0;
  }

  /** Received micro-USD that an account cannot spend yet. */
  unsettledDollars(account: number): number {
    return this.#unsettled.get(gainKey({ account, outcome: undefined }, 0)) ?? 0;
  }

  close(): void {
    this.#timer.set(undefined);
    this.#pending.clear();
    this.#unsettled.clear();
  }

  /** @param sign 1 adds a trade's gains, -1 removes them */
  #addGains({ gains, market }: Pending, sign: 1 | -1): void {
    for (const gain of gains) {
      const key = gainKey(gain, market);
      const sum = (this.#unsettled.get(key) ?? 0) + sign * gain.amount;
      if (sum === 0) this.#unsettled.delete(key);
      else this.#unsettled.set(key, sum);
    }
  }

  #gainsOf({ maker, taker, yesPrice, shares, fee }: Traded): readonly Gain[] {
    return [maker, taker].flatMap((no, part): readonly Gain[] => {
      // A trader on a tape has no order.
      if (no === 0) return [];
      const { account, outcome, side } = this.#deps.ids.orderRow(no);
      if (side === 'BUY') return [{ account, outcome, amount: shares }];
      const price = inTermsOf(outcome, yesPrice);
      return [{ account, outcome: undefined, amount: (shares / LOT) * price - (part === 1 ? fee : 0) }];
    });
  }

  #advance(): void {
    const now = this.#deps.clock.now();
    for (const pending of this.#pending.values()) {
      for (let step = pending.steps[0]; step !== undefined && step.at <= now; step = pending.steps[0]) {
        pending.steps.shift();
        if (step.status === 'FAILED') {
          void this.#fail(pending);
          break;
        }
        pending.status = step.status;
        if (step.status === 'CONFIRMED') this.#remove(pending);
        this.#deps.onStatus(pending.seq, step.status);
      }
    }
    let next = Number.POSITIVE_INFINITY;
    for (const { steps } of this.#pending.values()) next = Math.min(next, steps[0]?.at ?? next);
    this.#next = Number.POSITIVE_INFINITY;
    if (Number.isFinite(next)) this.#schedule(next);
  }

  /** Reverses a trade. If the exchange refuses, because the gains are already used, the trade is mined instead. */
  async #fail(pending: Pending): Promise<void> {
    const { queue, clock, log } = this.#deps;
    const { seq: trade } = pending;
    const events = await queue.execute({ type: 'reverseTrade', time: queue.now, trade });
    const refusal = events.find((event) => event.type === 'refused')?.refusal;
    if (refusal === undefined) return;
    log.warn({ trade, ...refusal }, 'polymarket: a trade that failed could not be reversed');
    const now = clock.now();
    pending.steps.push(...this.#minedAt(now));
    this.#schedule(now);
  }

  #minedAt(at: number): Pending['steps'] {
    return [
      { at, status: 'MINED' },
      { at: at + this.#deps.settings.confirmedMs, status: 'CONFIRMED' },
    ];
  }

  #remove(pending: Pending): void {
    this.#pending.delete(pending.seq);
    this.#addGains(pending, -1);
  }

  /** Schedules the steps of one interval together, because each run scans all pending trades. */
  #schedule(at: number): void {
    if (at >= this.#next) return;
    this.#next = at;
    this.#timer.set(epochMs(Math.ceil(at / STEP_INTERVAL_MS) * STEP_INTERVAL_MS));
  }
}

const STEP_INTERVAL_MS = 20;

function gainKey({ account, outcome }: Pick<Gain, 'account' | 'outcome'>, market: number): string {
  return outcome === undefined ? `${account}` : `${account} ${market} ${outcome}`;
}
