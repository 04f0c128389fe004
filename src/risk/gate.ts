import { type BotNo, counted, type Intent, type MarketNo, type Refused } from '../domain/index.ts';
import type { AccountView, MarketView } from '../state/index.ts';
import { feeTooHigh, refusal } from './check-context.ts';
import { Commitments } from './commitments.ts';
import { checkConversion } from './convert-check.ts';
import type { RiskLimits } from './limits.ts';
import { breachText, LossWatch } from './loss-watch.ts';
import type { RiskGate, RiskMode, RiskSnapshot, Verdict } from './policy.ts';
import { checkQuotes } from './quote-check.ts';
import { checkTake } from './take-check.ts';

/**
 * The account's gate: one for all strategies of the account.
 * @param before how it was when the run before ended; ACTIVE and without losses where there was none
 */
export function createRiskGate(limits: RiskLimits, before?: RiskSnapshot): RiskGate {
  return new Gate(limits, before);
}

class Gate implements RiskGate {
  readonly limits: RiskLimits;
  readonly #commitments = new Commitments();
  readonly #losses: LossWatch;
  #mode: RiskMode = 'ACTIVE';

  #reason: string | undefined;

  constructor(limits: RiskLimits, before: RiskSnapshot | undefined) {
    this.limits = limits;
    this.#losses = new LossWatch(limits);
    if (before === undefined) return;
    this.#mode = before.mode;
    this.#reason = before.reason ?? undefined;
    this.#losses.restore(before.losses);
  }

  get mode(): RiskMode {
    return this.#mode;
  }

  get reason(): string | undefined {
    return this.#reason;
  }

  check(intent: Intent, bot: BotNo, view: AccountView): Verdict {
    const context = { limits: this.limits, mode: this.#mode, commitments: this.#commitments, view, bot };
    switch (intent.type) {
      case 'quote':
        return checkQuotes(intent, context);
      case 'take':
        return checkTake(intent, context);
      default:
        return checkConversion(intent, context);
    }
  }

  feeRefusal(market: MarketView): Refused | undefined {
    return feeTooHigh(market, this.limits);
  }

  checkLosses(view: AccountView): Refused | undefined {
    if (this.#mode === 'KILLED') return undefined;
    const breach = this.#losses.check(view);
    if (breach === undefined) return undefined;
    this.#mode = 'KILLED';
    this.#reason = breachText(breach);
    return refusal(this.#worstMarket(view), breach.code, breach.limit, breach.was);
  }

  setMode(mode: RiskMode, reason?: string): void {
    if (this.#mode === 'KILLED' && mode !== 'ACTIVE') return;
    if (this.#mode === 'PAUSED' && mode === 'REDUCING') return;
    if (this.#mode === 'KILLED' && mode === 'ACTIVE') this.#losses.restart();
    this.#mode = mode;
    this.#reason = mode === 'ACTIVE' ? undefined : reason;
  }

  onHoldingsChanged(market: MarketNo): void {
    this.#commitments.forget(market);
  }

  snapshot(): RiskSnapshot {
    return { mode: this.#mode, reason: this.#reason ?? null, losses: this.#losses.snapshot() };
  }

  /** Losses are the account's; the breach names the market in which most can still be lost. */
  #worstMarket(view: AccountView): MarketNo {
    this.#commitments.refresh(view);
    return this.#commitments.heaviest() ?? counted.market(0);
  }
}
