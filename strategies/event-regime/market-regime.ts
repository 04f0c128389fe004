/** One market's regime: what happened lately, and what follows for quotes. Times in epoch ms, never falling. */
import type { EpochMs, MarketTrade, MarketView, QuoteIntent } from 'halfspread';
import { jumpLine, regimeQuotes, tickAt, widthMultiplier } from './adjust-quotes.ts';
import { MoveDetector, SweepDetector } from './alarms.ts';
import type { EventRegimeParams } from './params.ts';
import { WeightedVariance } from './volatility.ts';

/** Invariant: `wanted` is the last quote intent of the wrapped strategy; what the venue has is `adjusted` of it. */
export class MarketRegime {
  /** As the wrapped strategy returned it; undefined before the first. */
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

  /** Takes the book and the state of the market. Returns why quotes are pulled from now on; undefined if they are not. */
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

  /** Takes a trade of others. Returns why quotes are pulled from now on; undefined if they are not. */
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

  /** Whether quotes have to be withdrawn, and no intent did it yet. */
  needsWithdrawal(now: EpochMs): boolean {
    return now < this.#pullEnd && !this.#isWithdrawn && this.wanted !== undefined;
  }

  /** The intent in place of the one that the wrapped strategy wants: the same object when nothing changes. */
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

  /** When quotes change next, even if nothing happens; Infinity for never. Between, they follow the wrapped strategy. */
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

  /** Never taken from the end of a recording, which a live bot does not know. */
  #resolution({ info }: MarketView): number | undefined {
    const { resolution_time: time } = this.#params;
    return info.scheduledResolution ?? (time === undefined ? undefined : Date.parse(time));
  }

  /** Returns the reason when a pull begins, and undefined when it only gets longer. */
  #pull(now: EpochMs, reason: string): string | undefined {
    const isPulled = now < this.#pullEnd;
    this.#pullEnd = now + milliseconds(this.#params.pull_time);
    return isPulled ? undefined : reason;
  }
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1_000);
}
