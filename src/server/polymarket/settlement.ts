/**
 * Simulates the settlement of trades. The exchange moves money and shares at the match. Then the Polymarket API
 * shows a transaction that becomes MATCHED, MINED and CONFIRMED. A simulated fault adds RETRYING. A failing transaction
 * becomes RETRYING, and the exchange then reverses the trade (FAILED). If the exchange refuses the reversal, the
 * transaction becomes MINED instead. Here, a trade's gains cannot be sold or spent before the trade is
 * CONFIRMED.
 *
 * A restart loses pending retries. Afterwards, the status follows from the trade's time and its reversal.
 */
import { type EpochMs, epochMs, LOT, type Outcome } from '../../domain/index.ts';
import type { ExchangeCommand, ExchangeEvent } from '../../exchange/index.ts';
import type { PolymarketTradeStatus } from '../../protocol/polymarket/index.ts';
import type { Watcher } from '../command-queue-types.ts';
import { DeadlineTimer } from '../deadline-timer.ts';
import type { TransactionOutcome } from './faults.ts';
import { toOutcomePrice } from './markets.ts';
import type { PolymarketShared } from './shared.ts';

type Traded = Extract<ExchangeEvent, { readonly type: 'traded' }>;

export interface SettlementDeps extends PolymarketShared {
  onStatus(seq: number, status: PolymarketTradeStatus): void;
}

/** A trade whose transaction is not final. */
interface PendingTrade {
  readonly seq: number;
  readonly market: number;
  readonly gains: readonly Gain[];
  readonly steps: { readonly at: number; readonly status: PolymarketTradeStatus }[];
  status: PolymarketTradeStatus;
}

interface Gain {
  readonly account: number;
  /** Undefined for dollars. */
  readonly outcome: Outcome | undefined;
  /** Micro-shares or micro-USD. */
  readonly amount: number;
}

export class Settlement implements Watcher {
  readonly #deps: SettlementDeps;
  readonly #pending = new Map<number, PendingTrade>();
  /** Unconfirmed gains by account and asset. */
  readonly #unsettled = new Map<string, number>();
  readonly #timer: DeadlineTimer;
  #nextRunAt = Number.POSITIVE_INFINITY;
  #lastTransaction: { readonly taker: number; readonly at: EpochMs; readonly result: TransactionOutcome } | undefined;

  constructor(deps: SettlementDeps) {
    this.#deps = deps;
    this.#timer = new DeadlineTimer(deps.clock, () => this.#runDueSteps());
  }

  onCommitted(events: readonly ExchangeEvent[], _command: ExchangeCommand, at: EpochMs): void {
    for (const event of events) {
      if (event.type === 'traded') this.#onTraded(event, at);
      else if (event.type === 'rareEvent' && event.event.type === 'tradeReversed') this.#onReversed(event.event.trade);
    }
  }

  #onTraded(event: Traded, at: EpochMs): void {
    const { minedMs } = this.#deps.settings;
    const result = this.#drawOutcome(event, at);
    const steps: PendingTrade['steps'] = result === 'mined' ? [] : [{ at: at + minedMs, status: 'RETRYING' }];
    if (result === 'mined') steps.push(...this.#successSteps(at + minedMs));
    else if (result === 'retried') steps.push(...this.#successSteps(at + 2 * minedMs));
    else steps.push({ at: at + 2 * minedMs, status: 'FAILED' });
    const { seq, market } = event;
    const pending: PendingTrade = { seq, market, gains: this.#computeGains(event), steps, status: 'MATCHED' };
    this.#pending.set(seq, pending);
    this.#addGains(pending, 1);
    this.#deps.onStatus(seq, 'MATCHED');
    this.#schedule(at + minedMs);
  }

  /** Draws the outcome of a trade's transaction. All simultaneous trades of one taker share a transaction. */
  #drawOutcome({ taker }: Traded, at: EpochMs): TransactionOutcome {
    if (taker === 0 || taker !== this.#lastTransaction?.taker || at !== this.#lastTransaction.at)
      this.#lastTransaction = { taker, at, result: this.#deps.faults.drawTransaction() };
    return this.#lastTransaction.result;
  }

  #onReversed(seq: number): void {
    const pending = this.#pending.get(seq);
    if (pending !== undefined) this.#remove(pending);
    this.#deps.onStatus(seq, 'FAILED');
  }

  /** @param at the trade's time */
  getStatus(seq: number, at: EpochMs): PolymarketTradeStatus {
    const pending = this.#pending.get(seq);
    if (pending !== undefined) return pending.status;
    if (this.#deps.archive.reversalSeqOf(seq) !== undefined) return 'FAILED';
    const { minedMs, confirmedMs } = this.#deps.settings;
    const age = this.#deps.clock.now() - at;
    if (age >= minedMs + confirmedMs) return 'CONFIRMED';
    return age >= minedMs ? 'MINED' : 'MATCHED';
  }

  /** Returns the bought micro-shares that an account cannot sell yet. */
  unsettledShares(account: number, market: number, outcome: Outcome): number {
    return this.#unsettled.get(gainKey({ account, outcome }, market)) ?? 0;
  }

  /** Returns the received micro-USD that an account cannot spend yet. */
  unsettledDollars(account: number): number {
    return this.#unsettled.get(gainKey({ account, outcome: undefined }, 0)) ?? 0;
  }

  close(): void {
    this.#timer.set(undefined);
    this.#pending.clear();
    this.#unsettled.clear();
  }

  /** @param sign 1 adds the trade's gains; -1 removes the gains */
  #addGains({ gains, market }: PendingTrade, sign: 1 | -1): void {
    for (const gain of gains) {
      const key = gainKey(gain, market);
      const sum = (this.#unsettled.get(key) ?? 0) + sign * gain.amount;
      if (sum === 0) this.#unsettled.delete(key);
      else this.#unsettled.set(key, sum);
    }
  }

  #computeGains({ maker, taker, yesPrice, shares, fee }: Traded): readonly Gain[] {
    return [maker, taker].flatMap((order): readonly Gain[] => {
      // A trader on a tape has no order.
      if (order === 0) return [];
      const { account, outcome, side } = this.#deps.ids.orderRow(order);
      if (side === 'BUY') return [{ account, outcome, amount: shares }];
      const price = toOutcomePrice(outcome, yesPrice);
      return [{ account, outcome: undefined, amount: (shares / LOT) * price - (order === taker ? fee : 0) }];
    });
  }

  #runDueSteps(): void {
    const now = this.#deps.clock.now();
    for (const pending of this.#pending.values()) {
      for (let step = pending.steps[0]; step !== undefined && step.at <= now; step = pending.steps[0]) {
        pending.steps.shift();
        if (step.status === 'FAILED') {
          void this.#reverse(pending);
          break;
        }
        pending.status = step.status;
        if (step.status === 'CONFIRMED') this.#remove(pending);
        this.#deps.onStatus(pending.seq, step.status);
      }
    }
    let next = Number.POSITIVE_INFINITY;
    for (const { steps } of this.#pending.values()) next = Math.min(next, steps[0]?.at ?? next);
    this.#nextRunAt = Number.POSITIVE_INFINITY;
    if (Number.isFinite(next)) this.#schedule(next);
  }

  /** Reverses a trade. If the gains are already used, the exchange refuses, and the transaction becomes MINED. */
  async #reverse(pending: PendingTrade): Promise<void> {
    const { queue, clock, log } = this.#deps;
    const { seq: trade, steps } = pending;
    try {
      const events = await queue.execute({ type: 'reverseTrade', time: queue.now, trade });
      const refusal = events.find((event) => event.type === 'refused')?.refusal;
      if (refusal === undefined) return;
      log.warn({ trade, ...refusal }, 'polymarket: a trade that failed could not be reversed');
      steps.push(...this.#successSteps(clock.now()));
    } catch (error) {
      log.warn({ trade, err: error }, 'polymarket: a trade that failed cannot be reversed yet; retrying');
      steps.push({ at: clock.now() + REVERSAL_RETRY_MS, status: 'FAILED' });
    }
    const [next] = steps;
    if (next !== undefined && this.#pending.has(trade)) this.#schedule(next.at);
  }

  #successSteps(at: number): PendingTrade['steps'] {
    return [
      { at, status: 'MINED' },
      { at: at + this.#deps.settings.confirmedMs, status: 'CONFIRMED' },
    ];
  }

  #remove(pending: PendingTrade): void {
    this.#pending.delete(pending.seq);
    this.#addGains(pending, -1);
  }

  /** Schedules `#runDueSteps` at a multiple of `STEP_INTERVAL_MS`, so that one run handles several steps. */
  #schedule(at: number): void {
    if (at >= this.#nextRunAt) return;
    this.#nextRunAt = at;
    this.#timer.set(epochMs(Math.ceil(at / STEP_INTERVAL_MS) * STEP_INTERVAL_MS));
  }
}

const STEP_INTERVAL_MS = 20;
/** Wait after a full or stopping command queue has rejected a reversal. */
const REVERSAL_RETRY_MS = 1_000;

/** @param market has no effect for dollars */
function gainKey({ account, outcome }: Pick<Gain, 'account' | 'outcome'>, market: number): string {
  return outcome === undefined ? `${account}` : `${account} ${market} ${outcome}`;
}
