/** The regime of a market, from its recent events. Times in epoch ms, never falling. */
import type { EpochMs, MarketTrade, MarketView, QuoteIntent } from 'halfspread';
import { jumpLine, regimeQuotes, tickAt, widthMultiplier } from './adjust-quotes.ts';
import { MoveDetector, SweepDetector } from './alarms.ts';
import type { EventRegimeParams } from './params.ts';
import { WeightedVariance } from './volatility.ts';

/** Invariant: `wanted` is the last quote intent of the wrapped strategy; the venue has its `adjusted` form. */
export class MarketRegime {
  /** Last intent of the wrapped strategy; undefined before the first. */
  wanted: QuoteIntent | undefined;
  /** Whether quotes were withdrawn in this pull. */
  #isWithdrawn = false;
  readonly #params: EventRegimeParams;
  readonly #moves: MoveDetector;
  readonly #sweeps: SweepDetector;
  readonly #fast: WeightedVariance;
  readonly #slow: WeightedVariance;
  #pullEnd = Number.NEGATIVE_INFINITY;

  constructor(params: EventRegimeParams) {
    const { jump_window: window, sweep_multiple: multiple, sweep_levels: levels } = params;
    const stepMs = milliseconds(params.vol_step);
    this.#params = params;
    this.#moves = new MoveDetector(milliseconds(window));
    this.#sweeps = new SweepDetector({ windowMs: milliseconds(window), multiple, levels });
    this.#fast = new WeightedVariance({ stepMs, halfLifeMs: milliseconds(params.vol_fast) });
    this.#slow = new WeightedVariance({ stepMs, halfLifeMs: milliseconds(params.vol_slow) });
  }

  /** Updates book and state of the market. Returns the reason if a pull begins. */
  observe(now: EpochMs, { info, state, mark }: MarketView): string | undefined {
    this.#sweeps.endMessage();
    const mid = state.acceptingOrders && mark !== undefined ? mark / 2 : undefined;
    this.#fast.observe(now, mid);
    this.#slow.observe(now, mid);
    if (mid === undefined) return undefined;
    const move = this.#moves.move(now, mid);
    const line = jumpLine(this.#params, tickAt(info.grid, mid), this.#slow.sigmaAt(now));
    return move < line ? undefined : this.#pull(now, `the mid moved ${move} bps within ${this.#params.jump_window} s`);
  }

  /** Adds a trade of others. Returns the reason if a pull begins. */
  observeTrade(now: EpochMs, trade: MarketTrade): string | undefined {
    switch (this.#sweeps.trade(trade)) {
      case 'levels':
        return this.#pull(now, `one message has trades at ${this.#params.sweep_levels} prices`);
      case 'shares':
        return this.#pull(now, `one side traded ${this.#params.sweep_multiple} times the usual shares`);
      case undefined:
        return undefined;
    }
  }

  /** Whether quotes must still be withdrawn. */
  needsWithdrawal(now: EpochMs): boolean {
    return now < this.#pullEnd && !this.#isWithdrawn && this.wanted !== undefined;
  }

  /** Adjusts an intent of the wrapped strategy. Returns the same object if nothing changes. */
  adjusted(now: EpochMs, market: MarketView, wanted: QuoteIntent): QuoteIntent {
    this.#isWithdrawn = now < this.#pullEnd;
    if (this.#isWithdrawn) return { ...wanted, quotes: [] };
    const multiplier = widthMultiplier(this.#params, {
      fast: this.#fast.sigmaAt(now),
      slow: this.#slow.sigmaAt(now),
      sincePull: (now - this.#pullEnd) / 1_000,
    });
    const left = ((this.#resolution(market) ?? Number.POSITIVE_INFINITY) - now) / 1_000;
    const quotes = regimeQuotes(this.#params, market, wanted.quotes, { multiplier, left });
    return quotes === wanted.quotes ? wanted : { ...wanted, quotes };
  }

  /** Time of the next change of quotes without an event; Infinity for never. */
  nextChange(now: EpochMs, market: MarketView): number {
    const {
      recovery_multiplier: recovery,
      recovery_time: time,
      reduce_only_window: reduce,
      halt_window: halt,
    } = this.#params;
    const resolution = this.#resolution(market);
    const before = (window: number) =>
      window === 0 || resolution === undefined ? Number.POSITIVE_INFINITY : resolution - milliseconds(window);
    const recovered = recovery > 1 ? this.#pullEnd + milliseconds(time) : this.#pullEnd;
    return Math.min(
      ...[this.#pullEnd, recovered, before(reduce), before(halt)].map((at) =>
        at > now ? at : Number.POSITIVE_INFINITY,
      ),
    );
  }

  /** Not taken from the end of a recording, which a live bot does not know. */
  #resolution({ info }: MarketView): number | undefined {
    const { resolution_time: time } = this.#params;
    return info.scheduledResolution ?? (time === undefined ? undefined : Date.parse(time));
  }

  /** Returns the reason if a pull begins; undefined if it is only extended. */
  #pull(now: EpochMs, reason: string): string | undefined {
    const isPulled = now < this.#pullEnd;
    this.#pullEnd = now + milliseconds(this.#params.pull_time);
    return isPulled ? undefined : reason;
  }
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1_000);
}
