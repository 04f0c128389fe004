/**
 * The core is the bot without clock and venue. It applies market data and events to the account state, calls the
 * strategies, and passes their intents through risk and execution to the outbox. It is synchronous, deterministic and
 * the same in every mode.
 *
 * HOT: `market` runs for every message (bench/core.ts). Without decisions and trades for `onTrade`, it allocates
 * nothing. It looks up `onBook` and `onMarket` handlers once per changed market, at the end of a message.
 *
 * Invariants:
 * - Order of work for a message: apply the message, check losses, `onMarket`, cancel in halted markets, `onTrade`,
 *   `onBook`, claim. For an event: apply the event, check losses, call the handler, plan deferred quotes, claim.
 *   Strategy instances are called by number.
 * - Before `started`, and after `stopped` or a fault, all input is applied and no handler is called. The venue reports
 *   its current state before `started`.
 * - Each order command is in the state before the next intent is checked.
 */
import {
  type EpochMs,
  type InputEvent,
  type MarketNo,
  type Seq,
  StrategyFault,
  unchecked,
  ZERO_SHARES,
} from '../domain/index.ts';
import type { Planner, RateBudget } from '../execution/index.ts';
import type { RiskGate } from '../risk/index.ts';
import type { AccountState } from '../state/index.ts';
import type { MarketTrade } from '../strategy/index.ts';
import { type Cursor, FLAG, KIND, SIDE } from '../tape/index.ts';
import { Effects } from './effects.ts';
import { IntentExecutor, type WantedQuotes } from './intent-executor.ts';
import { MissedFills } from './missed-fills.ts';
import type { HandlerFailure } from './order-handlers.ts';
import type { Core, Outbox } from './ports.ts';
import { Strategies } from './strategies.ts';
import type { StrategyInstance } from './strategy-instance.ts';
import { Supervisor, type SupervisorSettings } from './supervisor.ts';

export interface CoreOptions extends SupervisorSettings {
  /** The venue's rate limit. Default: none. */
  readonly budget?: RateBudget;
  /**
   * Whether the other strategy instances continue when one fails. Only the failed instance's orders are cancelled, and
   * its handlers are no longer called. Default false: all orders are cancelled and the run ends.
   */
  readonly isolateFailures?: boolean;
  /** The account state. Only the core may change it. */
  readonly state: AccountState;
  /** Ordered by number: 0, 1, 2 … */
  readonly instances: readonly StrategyInstance[];
  readonly risk: RiskGate;
  readonly planner: Planner;
  /** Whether to claim the payout of a final market at once. Default true. */
  readonly shouldClaim?: boolean;
  /** Number of the first step. Default 1. */
  readonly firstSeq?: Seq;
}

const DAY_MS = 86_400_000;
/** Value of `wakeAt` in the outbox if nothing waits. */
const NEVER = unchecked.time(Number.MAX_SAFE_INTEGER);

export class TradingCore implements Core {
  readonly #state: AccountState;
  readonly #risk: RiskGate;
  readonly #executor: IntentExecutor;
  readonly #strategies: Strategies;
  readonly #effects = new Effects();
  readonly #shouldClaim: boolean;
  #isRunning = false;
  /** Whether the run was stopped or has failed. No later `started` has an effect. */
  #isStopped = false;
  #rows = 0;
  #seq: number;
  /** Trades of the current message in markets with an `onTrade` handler. */
  readonly #trades: MarketTrade[] = [];
  /** Equity at the last loss check, and the end of that UTC day. Limits are checked again when either is outdated. */
  #checkedEquity = Number.NaN;
  #dayEndsAt = 0;
  readonly #supervisor: Supervisor;
  readonly #hasRateLimit: boolean;
  /** Whether messages need `#continueWaitingWork`: with a rate limit, and while flattening. */
  #hasWaitingWork = false;
  /** Whether strategies run and any has an `onTrade` handler. */
  #wantsTrades = false;
  /** The last `wakeAt` that was put into an outbox. */
  #wakeAt: EpochMs | undefined;

  /** @throws RangeError when an instance's number differs from its index in the list */
  constructor(options: CoreOptions) {
    const { state, instances, risk, planner, budget, firstSeq, shouldClaim = true, isolateFailures = false } = options;
    const { missed = new MissedFills([]) } = options;
    this.#state = state;
    this.#risk = risk;
    const executor = new IntentExecutor({ state, risk, planner, budget });
    this.#executor = executor;
    this.#strategies = new Strategies(instances, { state, executor, effects: this.#effects, isolateFailures, missed });
    this.#shouldClaim = shouldClaim;
    this.#seq = firstSeq ?? 1;
    this.#hasRateLimit = budget !== undefined;
    this.#supervisor = new Supervisor({ ...options, missed, executor: this.#executor, strategies: this.#strategies });
  }

  /** Number of market rows so far. */
  get rows(): number {
    return this.#rows;
  }

  /** The strategy instances by number. The list changes with parameters and added markets. */
  get instances(): readonly StrategyInstance[] {
    return this.#strategies.registry.instances;
  }

  wantedQuotes(market: MarketNo): readonly WantedQuotes[] {
    return this.#executor.wantedQuotes(market);
  }

  get nextSeq(): Seq {
    return unchecked.seq(this.#seq);
  }

  market(cursor: Cursor, out: Outbox): void {
    const first = cursor.row;
    if (this.#wantsTrades) this.#collectTrades(cursor);
    this.#state.applyMessage(cursor);
    this.#rows += cursor.row - first + 1;
    this.#onMessageEnd(out);
  }

  step(event: InputEvent, out: Outbox): void {
    const venueBefore = this.#state.venue;
    this.#executor.beginEvent();
    this.#state.apply(event);
    if (event.type === 'started') this.#isRunning = !this.#isStopped;
    const hasResumed = this.#supervisor.onEvent(event, venueBefore, this.#isRunning);
    // The command can restart the loss limits from the current equity, so the limits are checked at once.
    if (event.type === 'operatorCommanded') this.#checkedEquity = Number.NaN;
    if (this.#isRunning) {
      this.#checkLosses();
      this.#strategies.onEvent(event);
      if (hasResumed) this.#callOnBookEverywhere();
      this.#claimAfter(event);
      if (this.#strategies.hasFailed) this.#handleFailures(out);
      if (this.#supervisor.isFlattening) this.#supervisor.flattenAfter(event);
    }
    if (event.type === 'stopped') this.#stop();
    this.#hasWaitingWork = this.#hasRateLimit || this.#supervisor.isFlattening;
    this.#wantsTrades = this.#isRunning && this.#strategies.registry.wantsTrades;
    this.#emit(event, out);
  }

  #callOnBookEverywhere(): void {
    for (const market of this.#state.markets) if (market.bookTime !== undefined) this.#strategies.onBook(market);
  }

  #onMessageEnd(out: Outbox): void {
    if (!this.#isRunning) return;
    const state = this.#state;
    const { messageMarketCount } = state;
    this.#checkLosses();
    for (let index = 0; index < messageMarketCount; index += 1) {
      const market = state.messageMarketAt(index);
      if (!market.stateChanged) continue;
      this.#strategies.onMarket(market);
      this.#supervisor.onStateChanged(market);
    }
    if (this.#trades.length > 0) this.#callOnTrade();
    for (let index = 0; index < messageMarketCount; index += 1) {
      const market = state.messageMarketAt(index);
      if (market.bookChanged) this.#strategies.onBook(market);
      if (market.stateChanged) this.#claim(market.info.market);
    }
    if (this.#strategies.hasFailed) this.#handleFailures(out);
    if (this.#hasWaitingWork) this.#continueWaitingWork(out);
    const { states, timers } = this.#effects;
    if (this.#executor.hasDecisions || states !== undefined) this.#emit(undefined, out);
    else if (timers !== undefined) this.#effects.publishTimers(out);
  }

  /** Continues flattening and updates `wakeAt`, at the end of a message. */
  #continueWaitingWork(out: Outbox): void {
    const state = this.#state;
    if (this.#supervisor.isFlattening) {
      for (let index = 0; index < state.messageMarketCount; index += 1)
        this.#supervisor.flattenIn(state.messageMarketAt(index));
    }
    if (this.#executor.wakeAt !== this.#wakeAt) this.#publishWakeAt(out);
  }

  #collectTrades({ block, row: first }: Cursor): void {
    const { market, kind, side, price, shares, flags, tx, count } = block;
    for (let row = first; row < count; row += 1) {
      const isTradeOfOthers = kind[row] === KIND.trade && (flags[row]! & FLAG.own) === 0;
      if (isTradeOfOthers && this.#strategies.registry.listenersIn(market[row]!).onTrade.length > 0) {
        this.#trades.push({
          market: unchecked.market(market[row]!),
          time: unchecked.time(tx[row]!),
          taker: side[row] === SIDE.bid ? 'BUY' : side[row] === SIDE.ask ? 'SELL' : 'unknown',
          price: unchecked.price(price[row]!),
          shares: unchecked.shares(shares[row]!),
        });
      }
      if ((flags[row]! & FLAG.last) !== 0) return;
    }
  }

  #callOnTrade(): void {
    for (const trade of this.#trades) this.#strategies.onTrade(trade);
    this.#trades.length = 0;
  }

  /** Checks the loss limits when the equity has changed and when a UTC day begins. */
  #checkLosses(): void {
    const { exitEquity, now } = this.#state;
    if (exitEquity === this.#checkedEquity && now < this.#dayEndsAt) return;
    this.#checkedEquity = exitEquity;
    this.#dayEndsAt = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
    const breach = this.#risk.checkLosses(this.#state);
    if (breach === undefined) return;
    this.#executor.refuse(breach);
    this.#supervisor.cancelAll();
  }

  #claimAfter(event: InputEvent): void {
    if (event.type === 'started') for (const { info } of this.#state.markets) this.#claim(info.market);
    // A refused claim would be repeated forever, so do not claim after the answer to a claim.
    else if ('venueTime' in event && 'market' in event && !isAnswerToClaim(event)) {
      this.#claim(event.market);
    }
  }

  /** Sends a claim in every risk mode, because a claim is not an order. */
  #claim(market: MarketNo): void {
    if (!this.#shouldClaim || this.#strategies.failure !== undefined || !this.#state.isClaimable(market)) return;
    const instance = this.#strategies.registry.instanceForMarket(market);
    this.#executor.issue({ type: 'claim', bot: instance, market, shares: ZERO_SHARES });
  }

  #handleFailures(out: Outbox): void {
    this.#wantsTrades = this.#strategies.registry.wantsTrades;
    for (const failure of this.#strategies.takeFailures()) {
      this.#executor.cancelWhere((instance) => instance === failure.bot);
      out.instanceFaults = [...(out.instanceFaults ?? []), this.#toFault(failure)];
    }
    const { failure } = this.#strategies;
    if (failure === undefined) return;
    this.#risk.setMode('KILLED', 'STRATEGY');
    this.#stop();
    out.fault = this.#toFault(failure);
  }

  #toFault(failed: HandlerFailure): StrategyFault {
    return new StrategyFault({ ...failed, time: this.#state.now, row: this.#rows });
  }

  #stop(): void {
    if (this.#isStopped) return;
    this.#isRunning = false;
    this.#wantsTrades = false;
    this.#isStopped = true;
    this.#supervisor.cancelAll();
  }

  #publishWakeAt(out: Outbox): void {
    this.#wakeAt = this.#executor.wakeAt;
    out.wakeAt = this.#wakeAt ?? NEVER;
  }

  #emit(event: InputEvent | undefined, out: Outbox): void {
    const { refused, commands } = this.#executor.takeDecisions();
    const states = this.#effects.takeStates();
    const step = { seq: unchecked.seq(this.#seq), time: this.#state.now, row: this.#rows, event, refused, commands };
    if (states !== undefined) this.#supervisor.saveStates(states);
    this.#seq += 1;
    if (this.#effects.timers !== undefined) this.#effects.publishTimers(out);
    if (this.#executor.wakeAt !== this.#wakeAt) this.#publishWakeAt(out);
    const stored = states === undefined ? step : { ...step, states };
    out.steps = out.steps.length === 0 ? [stored] : [...out.steps, stored];
    if (commands.length > 0) out.commands = out.commands.length === 0 ? commands : [...out.commands, ...commands];
  }
}

function isAnswerToClaim(event: InputEvent): boolean {
  return event.type === 'conversionRejected' || (event.type === 'converted' && event.conversion === 'claim');
}
