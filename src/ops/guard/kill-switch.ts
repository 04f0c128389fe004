/**
 * Decides when trading must end at once, from the bot's steps and from regular checks. `Guard` carries out the kill.
 *
 * Invariant: the switch trips once, for the first reason, and stays tripped until `reset`.
 */
import type { EpochMs, InputEvent, MarketNo, Refused } from '../../domain/index.ts';
import { breachText } from '../../risk/index.ts';
import type { Step } from '../../runtime/index.ts';

export interface Kill {
  readonly reason: 'COMMAND' | 'SIGNAL' | 'LOSS' | 'DRAWDOWN' | 'POSITION' | 'ERROR_RATE' | 'STALENESS' | 'CLOCK_SKEW';
  /** One line for people, with the numbers compared. */
  readonly text: string;
}

/** `Infinity` means no limit. A value equal to its limit passes. */
export interface KillLimits {
  /** Refusals by the venue, lost answers and repeated commands within `errorWindowMs`. */
  readonly errors: number;
  readonly errorWindowMs: number;
  /** Longest time without a connection to the venue, or without a message about any book. */
  readonly stalenessMs: number;
  readonly clockSkewMs: number;
  /** |YES - NO| held in one market, micro-shares. */
  readonly position: number;
}

export interface HealthSample {
  readonly now: EpochMs;
  /** Lower bound of the difference between the venue's clock and this machine's, ms. */
  readonly skewMs: number;
  /** Age of the newest book, ms; undefined without books. */
  readonly freshestBookMs: number | undefined;
  /** Whether the account disagrees with the venue. A missing connection then trips nothing. Default false. */
  readonly isDisputed?: boolean;
}

/** Rejections that are part of normal trading: quotes that would cross, replaces of orders that have just filled. */
export const HARMLESS_REJECTIONS: ReadonlySet<string> = new Set([
  'CONFLICT',
  'ALREADY_FINAL',
  'POST_ONLY_WOULD_CROSS',
  'FOK_NOT_FILLABLE',
  'MARKET_NOT_OPEN',
  'MARKET_HALTED',
]);
/** A rejection that is never counted, because a strategy may try any number of times to find liquidity. */
const NOT_FILLABLE = 'FOK_NOT_FILLABLE';
/** Maximum of harmless rejections in a row in one market. More are errors, because a command may repeat endlessly. */
export const MAX_HARMLESS_IN_A_ROW = 50;

export class KillSwitch {
  readonly #limits: KillLimits;
  readonly #netPosition: (market: MarketNo) => number;
  #errors: number[] = [];
  /** Harmless rejections by market since the last success. */
  readonly #harmlessInARow = new Map<MarketNo, number>();
  #downSince: number | undefined;
  #tripped: Kill | undefined;

  /** @param netPosition YES minus NO held in a market now, micro-shares */
  constructor(limits: KillLimits, netPosition: (market: MarketNo) => number) {
    this.#limits = limits;
    this.#netPosition = netPosition;
  }

  get tripped(): Kill | undefined {
    return this.#tripped;
  }

  /** Checks new steps of the bot. @returns the kill that they cause; undefined once tripped */
  onSteps(steps: readonly Step[]): Kill | undefined {
    if (this.#tripped !== undefined) return undefined;
    for (const { event, refused } of steps) {
      const kill = this.#checkLoss(refused) ?? (event === undefined ? undefined : this.#checkEvent(event));
      if (kill !== undefined) return this.#setTripped(kill);
    }
    return undefined;
  }

  /** Checks the bot's health; a timer calls this. @returns the kill that the sample causes; undefined once tripped */
  check({ now, skewMs, freshestBookMs, isDisputed = false }: HealthSample): Kill | undefined {
    if (this.#tripped !== undefined) return undefined;
    const { stalenessMs, clockSkewMs } = this.#limits;
    const downMs = this.#downSince === undefined || isDisputed ? 0 : now - this.#downSince;
    if (downMs > stalenessMs) {
      const text = `the venue was not connected, or the account not compared with it, for ${downMs} ms (${stalenessMs} allowed)${clockHint(downMs, stalenessMs)}`;
      return this.#setTripped({ reason: 'STALENESS', text });
    }
    if (freshestBookMs !== undefined && freshestBookMs > stalenessMs) {
      const text = `no message about a book arrived for ${freshestBookMs} ms (${stalenessMs} allowed)${clockHint(freshestBookMs, stalenessMs)}`;
      return this.#setTripped({ reason: 'STALENESS', text });
    }
    if (skewMs > clockSkewMs) {
      const text = `this clock and the venue's are at least ${Math.floor(skewMs)} ms apart (${clockSkewMs} allowed). Set this clock, then start the bot again`;
      return this.#setTripped({ reason: 'CLOCK_SKEW', text });
    }
    return undefined;
  }

  /** Counts a command that is sent again, because no step contains it. @returns the kill; undefined once tripped */
  onCommandResent(time: EpochMs, command: string): Kill | undefined {
    if (this.#tripped !== undefined) return undefined;
    const kill = this.#countError(time, `${command}, repeated`);
    return kill === undefined ? undefined : this.#setTripped(kill);
  }

  /** Trips the switch from outside. @returns false if it was already tripped */
  trip(kill: Kill): boolean {
    if (this.#tripped !== undefined) return false;
    this.#tripped = kill;
    return true;
  }

  reset(): void {
    this.#tripped = undefined;
    this.#errors = [];
    this.#harmlessInARow.clear();
  }

  #setTripped(kill: Kill): Kill {
    this.trip(kill);
    return kill;
  }

  /** Returns the kill for a breached loss limit. The risk gate has already stopped trading. */
  #checkLoss(refused: readonly Refused[]): Kill | undefined {
    const breach = refused.find(({ code }) => code === 'DAILY_LOSS' || code === 'DRAWDOWN');
    if (breach === undefined) return undefined;
    return { reason: breach.code === 'DAILY_LOSS' ? 'LOSS' : 'DRAWDOWN', text: breachText(breach) };
  }

  #checkEvent(event: InputEvent): Kill | undefined {
    switch (event.type) {
      case 'venueChanged':
        this.#downSince = event.link === 'UP' ? undefined : (this.#downSince ?? event.time);
        return undefined;
      case 'orderRejected':
      case 'conversionRejected':
      case 'cancelRejected': {
        const isTooLate = event.type === 'cancelRejected' && event.reason === 'NOT_FOUND';
        if (isTooLate || HARMLESS_REJECTIONS.has(event.reason))
          return this.#countHarmless(event.market, event.time, event.reason);
        return this.#countError(event.time, event.reason);
      }
      case 'orderUncertain':
        return this.#countError(event.time, 'a lost answer');
      case 'orderAccepted':
      case 'orderReduced':
      case 'orderClosed':
      case 'ordersReplaced':
      case 'converted':
        this.#harmlessInARow.delete(event.market);
        return undefined;
      case 'orderFilled':
        this.#harmlessInARow.delete(event.market);
        return this.#checkPosition(event.market);
      case 'holdingAdjusted':
      case 'fillReversed':
        return this.#checkPosition(event.market);
      default:
        return undefined;
    }
  }

  #countHarmless(market: MarketNo, time: EpochMs, reason: string): Kill | undefined {
    if (reason === NOT_FILLABLE) return undefined;
    const count = (this.#harmlessInARow.get(market) ?? 0) + 1;
    this.#harmlessInARow.set(market, count);
    return count > MAX_HARMLESS_IN_A_ROW ? this.#countError(time, reason) : undefined;
  }

  #countError(now: EpochMs, lastError: string): Kill | undefined {
    const { errors, errorWindowMs } = this.#limits;
    this.#errors = [...this.#errors.filter((time) => time > now - errorWindowMs), now];
    if (this.#errors.length <= errors) return undefined;
    const remedy = lastError === 'INVALID_TICK' ? '. If the market accepts only some prices, set markets.grid' : '';
    const text = `${this.#errors.length} rejections, lost answers and repeats within ${errorWindowMs} ms (${errors} allowed), the last one ${lastError}${remedy}`;
    return { reason: 'ERROR_RATE', text };
  }

  #checkPosition(market: MarketNo): Kill | undefined {
    const heldMicroShares = Math.abs(this.#netPosition(market));
    if (heldMicroShares <= this.#limits.position) return undefined;
    const text = `${heldMicroShares / 1_000_000} shares are held in market ${market} (${this.#limits.position / 1_000_000} allowed)`;
    return { reason: 'POSITION', text };
  }
}

/** Returns a hint for a silence of twice its limit or more, because regular checks notice a real silence earlier. */
function clockHint(silentMs: number, allowedMs: number): string {
  if (silentMs < 2 * allowedMs) return '';
  return '. Perhaps this clock was set, or the process was stopped: check the clock, then start the bot again';
}
