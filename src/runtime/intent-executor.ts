/**
 * Turns intents into order commands within one step: checks risk, plans, and enters the commands in the account state.
 *
 * The executor stores the latest quote set of each strategy instance and market. `replan` checks and plans a set again
 * in two cases:
 * - After any answer about the set's orders, while a part of the plan is deferred.
 * - After a refused cancel, because the orders of a failed replace are still open. This happens only once, because a
 *   replace that fails for a lasting reason would otherwise be repeated after each answer.
 *
 * Intents of strategies are ignored in a closed market, and in all markets while positions are flattened. Such intents
 * are not reported as refused, because strategies repeat them by timer. Intents of the core are always executed.
 *
 * With a rate limit, a quote set waits until the limit allows the whole set. Meanwhile, the executor only cancels
 * orders that are more aggressive than every quote of their side.
 */
import type {
  Approved,
  EpochMs,
  InstanceNo,
  Intent,
  MarketNo,
  OrderCommand,
  OrderNo,
  QuoteIntent,
  RateLimitUpdated,
  Refused,
} from '../domain/index.ts';
import { type Planner, quoteError, type RateBudget, rateCost, tooAggressiveOrders } from '../execution/index.ts';
import type { RiskGate } from '../risk/index.ts';
import type { AccountState } from '../state/index.ts';
import type { Step } from './ports.ts';
import { instanceInKey, marketInKey, RateQueue, toQuoteKey } from './rate-queue.ts';
import { RefusalFilter } from './refusal-filter.ts';

export interface IntentExecutorOptions {
  readonly state: AccountState;
  readonly risk: RiskGate;
  readonly planner: Planner;
  /** Default: no limit. */
  readonly budget?: RateBudget | undefined;
}

/** The quote set that an instance wants in a market. */
export interface WantedQuotes {
  readonly bot: InstanceNo;
  readonly intent: QuoteIntent;
  /** Whether a part waits for an answer or for the rate limit. */
  readonly isDeferred: boolean;
}

/** The latest approved quote set of one instance in one market. */
interface ActiveQuote extends Omit<WantedQuotes, 'bot'> {
  /** Number of the event during which the set was planned (`#eventCount`). */
  readonly plannedAtEvent: number;
  /** Whether the set was planned again after a refused cancel. */
  readonly wasRetried: boolean;
}

/** V8 iterates slowly over frozen arrays, so only the type prevents additions. */
const NOTHING: readonly never[] = [];

export class IntentExecutor {
  readonly #options: IntentExecutorOptions;
  readonly #rateQueue: RateQueue | undefined;
  readonly #activeQuotes = new Map<number, ActiveQuote>();
  readonly #refusalFilter = new RefusalFilter();
  readonly #closedMarkets = new Set<MarketNo>();
  #areStrategiesIgnored = false;
  /** Unwanted orders whose cancel was sent a second time. */
  readonly #cancelRetried = new Set<OrderNo>();
  #refused: Refused[] | undefined;
  #commands: OrderCommand[] | undefined;
  #eventCount = 0;

  constructor(options: IntentExecutorOptions) {
    const { budget } = options;
    this.#options = options;
    this.#rateQueue = budget && new RateQueue(budget);
  }

  /** Whether anything was decided since `takeDecisions`. */
  get hasDecisions(): boolean {
    return this.#refused !== undefined || this.#commands !== undefined;
  }

  /** Time at which to call `runQueued`; undefined while nothing waits for the rate limit. */
  get wakeAt(): EpochMs | undefined {
    return this.#rateQueue?.wakeAt;
  }

  /** The current quote sets of a market, for display. */
  wantedQuotes(market: MarketNo): readonly WantedQuotes[] {
    return [...this.#activeQuotes]
      .filter(([quoteKey]) => marketInKey(quoteKey) === market)
      .map(([quoteKey, { intent, isDeferred }]) => ({ bot: instanceInKey(quoteKey), intent, isDeferred }));
  }

  /** Executes intents of a strategy in order, except in closed markets and while strategies are ignored. */
  executeFromStrategy(intents: readonly Intent[], instance: InstanceNo): void {
    if (this.#areStrategiesIgnored) return;
    for (const intent of intents) {
      if (this.#closedMarkets.size === 0 || !this.#closedMarkets.has(intent.market))
        this.#checkAndPlan(intent, instance);
    }
  }

  setStrategiesIgnored(isIgnored: boolean): void {
    this.#areStrategiesIgnored = isIgnored;
  }

  /** Cancels all orders in a market and ignores later intents of strategies there. */
  closeMarket(market: MarketNo): void {
    this.#closedMarkets.add(market);
    this.cancelWhere((_, other) => other === market);
  }

  /** Cancels an order. @returns false if the order is not open, or a cancel is in flight */
  cancelOrder(order: OrderNo, market: MarketNo): boolean {
    const open = this.#options.state.markets[market]?.orders.find((known) => known.order === order);
    if (open === undefined || open.phase === 'cancelling') return false;
    this.issue({ type: 'cancel', order, market });
    return true;
  }

  /** Cancels an order again after a refused cancel, but only once, because a third cancel would be refused too. */
  retryCancel(order: OrderNo, market: MarketNo): void {
    if (!this.#cancelRetried.has(order) && this.cancelOrder(order, market)) this.#cancelRetried.add(order);
  }

  openMarket(market: MarketNo): void {
    this.#closedMarkets.delete(market);
  }

  execute(intent: Intent, instance: InstanceNo): void {
    this.#checkAndPlan(intent, instance);
  }

  /**
   * Plans the quote set again after an answer about one of its orders. Does nothing if the set was planned during the
   * current event.
   * @param cancelRefused whether the venue refused a cancel, reduce or replace
   */
  replan(instance: InstanceNo, market: MarketNo, cancelRefused = false): void {
    const active = this.#activeQuotes.get(toQuoteKey(instance, market));
    if (active === undefined || active.plannedAtEvent === this.#eventCount) return;
    const shouldRetry = cancelRefused && !active.wasRetried;
    if (active.isDeferred || shouldRetry) this.#checkAndPlan(active.intent, instance, active.wasRetried || shouldRetry);
  }

  /** Plans quote sets that wait for the rate limit, as far as it allows, the largest `quoteError` first. */
  runQueued(): void {
    const queue = this.#rateQueue;
    if (queue === undefined) return;
    for (const quoteKey of queue.drain((waiting) => this.#quoteError(waiting))) {
      const active = this.#activeQuotes.get(quoteKey);
      if (active === undefined) continue;
      if (queue.hasWaiting) queue.add(quoteKey);
      else this.#checkAndPlan(active.intent, instanceInKey(quoteKey), active.wasRetried);
    }
  }

  onRateLimitUpdated(event: RateLimitUpdated): void {
    this.#rateQueue?.budget.update(event);
  }

  /** Merges idle pairs of YES and NO shares for an instance, unless a conversion in this market has no answer yet. */
  mergePairs(instance: InstanceNo, market: MarketNo): void {
    const { mode } = this.#options.risk;
    if (mode === 'KILLED' || mode === 'PAUSED' || this.#options.state.isConverting(market)) return;
    for (const command of this.#options.planner.mergePairs(instance, market, this.#options.state)) this.issue(command);
  }

  refuse(refused: Refused): void {
    if (this.#refused === undefined) this.#refused = [refused];
    else this.#refused.push(refused);
  }

  /** Issues a command without waiting for the rate limit, and spends its tokens. */
  issue(command: OrderCommand): void {
    if (this.#rateQueue !== undefined) {
      this.#rateQueue.budget.consume(rateCost([command], this.#options.state.openOrderCount), this.#options.state.now);
    }
    this.#addCommand(command);
  }

  /** Drops all quote sets. Their orders stay open. */
  clearQuotes(): void {
    this.#activeQuotes.clear();
    this.#refusalFilter.clear();
    this.#rateQueue?.clear();
  }

  /** Drops the quote sets of the matching instances and markets, and cancels their orders one by one. */
  cancelWhere(matches: (instance: InstanceNo, market: MarketNo) => boolean): void {
    for (const quoteKey of this.#activeQuotes.keys()) {
      if (!matches(instanceInKey(quoteKey), marketInKey(quoteKey))) continue;
      this.#activeQuotes.delete(quoteKey);
      this.#rateQueue?.remove(quoteKey);
    }
    for (const { orders } of this.#options.state.markets) {
      for (const { order, bot, market, phase } of orders) {
        if (phase !== 'cancelling' && matches(bot, market)) this.issue({ type: 'cancel', order, market });
      }
    }
  }

  /** Begins an event. Until the next call, `replan` skips quote sets that are planned after this call. */
  beginEvent(): void {
    this.#eventCount += 1;
  }

  /** Returns and removes the decisions since the last call. */
  takeDecisions(): Pick<Step, 'refused' | 'commands'> {
    const decisions = { refused: this.#refused ?? NOTHING, commands: this.#commands ?? NOTHING };
    this.#refused = undefined;
    this.#commands = undefined;
    return decisions;
  }

  #checkAndPlan(intent: Intent, instance: InstanceNo, wasRetried = false): void {
    // A claim pays everything, so the venue would refuse a second claim.
    if (intent.type === 'claim' && this.#options.state.isClaiming(intent.market)) return;
    const queue = this.#rateQueue;
    if (queue?.hasWaiting === true && intent.type === 'quote' && intent.quotes.length > 0) {
      this.#enqueue(intent, instance, wasRetried, queue);
      return;
    }
    const quoteKey = toQuoteKey(instance, intent.market);
    const { approved, refused } = this.#options.risk.check(intent, instance, this.#options.state);
    const reported = intent.type === 'quote' ? this.#refusalFilter.newRefusals(quoteKey, intent, refused) : refused;
    for (const refusal of reported) this.refuse(refusal);
    const isDeferred = approved !== undefined && this.#planAndSend(approved, instance);
    if (intent.type !== 'quote') return;
    if (approved === undefined) this.#activeQuotes.delete(quoteKey);
    else this.#activeQuotes.set(quoteKey, { intent, plannedAtEvent: this.#eventCount, isDeferred, wasRetried });
  }

  /** @returns whether a part of the plan is deferred */
  #planAndSend(approved: Approved, instance: InstanceNo): boolean {
    const { commands, dropped, isDeferred } = this.#options.planner.plan(approved, instance, this.#options.state);
    if (this.#rateQueue !== undefined && !this.#takeTokens(approved, instance, commands, this.#rateQueue)) return true;
    for (const command of commands) this.#addCommand(command);
    for (const refusal of dropped) this.refuse(refusal);
    return isDeferred;
  }

  /** Consumes the tokens for the commands. @returns false if the rate limit does not allow the commands now */
  #takeTokens(approved: Approved, instance: InstanceNo, commands: readonly OrderCommand[], queue: RateQueue): boolean {
    const cost = rateCost(commands, 0);
    const quoteKey = toQuoteKey(instance, approved.market);
    if (queue.budget.tryConsume(cost, this.#options.state.now)) {
      if (approved.type === 'quote') queue.remove(quoteKey);
      return true;
    }
    if (approved.type === 'quote') {
      queue.addBlocked(quoteKey, cost, this.#options.state.now);
      this.#cancelTooAggressive(approved, instance, queue);
    } else this.refuse({ ok: false, market: approved.market, code: 'RATE_LIMITED', limit: 1, actual: 0 });
    return false;
  }

  /** Appends a quote set to the queue. `runQueued` later checks the set, unless a newer set has replaced it. */
  #enqueue(intent: QuoteIntent, instance: InstanceNo, wasRetried: boolean, queue: RateQueue): void {
    const quoteKey = toQuoteKey(instance, intent.market);
    queue.add(quoteKey);
    this.#activeQuotes.set(quoteKey, { intent, plannedAtEvent: this.#eventCount, isDeferred: true, wasRetried });
    this.#cancelTooAggressive(intent, instance, queue);
  }

  /** Cancels orders that are more aggressive than every quote of their side. Leaves the reserve of cancel tokens. */
  #cancelTooAggressive(intent: QuoteIntent, instance: InstanceNo, { budget }: RateQueue): void {
    const market = this.#options.state.markets[intent.market];
    if (market === undefined) return;
    for (const order of tooAggressiveOrders(intent, instance, market)) {
      if (!budget.tryConsume({ order: 0, cancel: 1 }, this.#options.state.now, 'keepReserve')) return;
      this.#addCommand({ type: 'cancel', order, market: intent.market });
    }
  }

  /** Adds a command, which is sent when its step is durable. */
  #addCommand(command: OrderCommand): void {
    this.#options.state.applyCommand(command, this.#options.state.now);
    if (this.#commands === undefined) this.#commands = [command];
    else this.#commands.push(command);
  }

  #quoteError(quoteKey: number): number {
    const active = this.#activeQuotes.get(quoteKey);
    const market = this.#options.state.markets[marketInKey(quoteKey)];
    return active === undefined || market === undefined
      ? 0
      : quoteError(active.intent, instanceInKey(quoteKey), market);
  }
}
