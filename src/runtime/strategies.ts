/**
 * Calls the handlers of the strategy instances (bots) in the order of their numbers. Passes intents to the executor.
 *
 * HOT: `onBook` runs at the end of every message, and allocates nothing (bench/core.ts).
 *
 * Invariants: events that a strategy receives are frozen, so that the store gets unchanged events. After the first
 * failure, no handler is called, and the caller checks `failure`. With `isolateFailures`, only the failed bot is
 * retired, and `takeFailures` returns the failure.
 */
import type {
  FillSettled,
  InputEvent,
  Intent,
  LimitsChanged,
  OrderFilled,
  OrdersReplaced,
  PricesUpdated,
} from '../domain/index.ts';
import type { AccountState, TradedMarket } from '../state/index.ts';
import type { Intents, MarketTrade, StrategyHandlers } from '../strategy/index.ts';
import { checkIntents } from './check-intents.ts';
import type { Effects } from './effects.ts';
import type { IntentExecutor } from './intent-executor.ts';
import type { MissedFill, MissedFills } from './missed-fills.ts';
import { callOrderHandler, type HandlerFailure, ORDER_HANDLERS, type OrderOrFillEvent } from './order-handlers.ts';
import type { StrategyInstance } from './strategy-instance.ts';
import { StrategyRegistry } from './strategy-registry.ts';

type HandlerName = keyof StrategyHandlers;
/** The event that caused a call, or the market whose data did. */
type CallSource = TradedMarket | InputEvent;

export interface StrategiesDeps {
  readonly state: AccountState;
  readonly executor: IntentExecutor;
  readonly effects: Effects;
  /** Whether the other bots continue when a bot fails. */
  readonly isolateFailures: boolean;
  readonly missed: MissedFills;
}

export class Strategies {
  readonly registry: StrategyRegistry;
  readonly #deps: StrategiesDeps;
  #failure: HandlerFailure | undefined;
  readonly #failures: HandlerFailure[] = [];
  #hasFailed = false;

  /** @throws RangeError when a bot's number differs from its index in the list */
  constructor(bots: readonly StrategyInstance[], deps: StrategiesDeps) {
    this.registry = new StrategyRegistry(bots, deps.state, deps.effects);
    this.#deps = deps;
  }

  /** Whether a handler failed since the last `takeFailures`, or the run has failed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  get failure(): HandlerFailure | undefined {
    return this.#failure;
  }

  /** Returns the failures since the last call; always none without `isolateFailures`. */
  takeFailures(): readonly HandlerFailure[] {
    this.#hasFailed = this.#failure !== undefined;
    return this.#failures.splice(0);
  }

  /** Starts the timers of a bot that was added while running, and calls its `onStart`. */
  onBotAdded(bot: StrategyInstance, event: InputEvent): void {
    this.#restartTimers(bot);
    this.#call(bot, 'onStart', event, () => bot.handlers.onStart?.(this.#deps.state));
  }

  /** Stops the timers of idle bots, which the registry lists without timers. */
  stopIdleTimers(): void {
    for (const bot of this.registry.bots) if (this.registry.isIdle(bot)) this.#restartTimers(bot);
  }

  onBook(market: TradedMarket): void {
    const listeners = this.registry.listenersIn(market.info.market).onBook;
    for (let index = 0; index < listeners.length; index += 1) this.#callOnBook(listeners[index]!, market);
  }

  onMarket(market: TradedMarket): void {
    for (const bot of this.registry.listenersIn(market.info.market).onMarket) {
      this.#call(bot, 'onMarket', market, () => bot.handlers.onMarket?.(market, this.#deps.state));
    }
  }

  onTrade(trade: MarketTrade): void {
    Object.freeze(trade);
    for (const bot of this.registry.listenersIn(trade.market).onTrade) {
      this.#call(bot, 'onTrade', this.#deps.state.market(trade.market), () =>
        bot.handlers.onTrade?.(trade, this.#deps.state),
      );
    }
  }

  onEvent(event: InputEvent): void {
    switch (event.type) {
      case 'started':
        for (const bot of this.registry.bots) this.#restartTimers(bot);
        this.#deliverMissed(this.#deps.missed.take());
        for (const bot of this.registry.bots)
          this.#call(bot, 'onStart', event, () => bot.handlers.onStart?.(this.#deps.state));
        return;
      case 'stopped':
        for (const bot of this.registry.bots) {
          // The intents are checked and dropped, because all orders are cancelled next.
          this.#call(bot, 'onStop', event, () => {
            const intents = bot.handlers.onStop?.(this.#deps.state);
            if (intents !== undefined) this.#checkIntents(intents, bot, 'onStop');
            return undefined;
          });
        }
        return;
      case 'signalReceived':
        Object.freeze(event);
        for (const bot of this.registry.bots) {
          if (bot.signals?.includes(event.name) === false) continue;
          this.#call(bot, 'onSignal', event, () => bot.handlers.onSignal?.(event, this.#deps.state));
        }
        return;
      case 'timerFired': {
        const bot = this.registry.findActive(event.bot);
        Object.freeze(event);
        bot?.runningTimers?.onFired(event.timer);
        if (bot !== undefined) this.#call(bot, 'onTimer', event, () => bot.handlers.onTimer?.(event, this.#deps.state));
        return;
      }
      case 'limitsChanged':
        this.#onTermsChanged(event, 'onConfig');
        return;
      case 'pricesUpdated':
        this.#onTermsChanged(event, 'onPrices');
        return;
      case 'ordersReplaced':
        this.#onOrdersReplaced(event);
        return;
      case 'orderAccepted':
      case 'orderRejected':
      case 'orderFilled':
      case 'fillSettled':
      case 'fillReversed':
      case 'orderReduced':
      case 'orderClosed':
      case 'cancelRejected':
      case 'converted':
      case 'conversionRejected':
        this.#onOrderEvent(event);
        return;
      default:
    }
  }

  /** Calls the handlers of missed fills. Executes intents after the last call, when each bot knows all its fills. */
  #deliverMissed(missed: readonly MissedFill[]): void {
    const returned = missed.flatMap(({ event, bot: number, tag }) => {
      const bot = this.registry.findActive(number);
      if (bot === undefined) return [];
      const tagged = Object.freeze(tag === undefined ? event : { ...event, tag });
      const call = () => callOrderHandler(bot.handlers, tagged, this.#deps.state);
      return [{ bot, intents: this.#runHandler(bot, ORDER_HANDLERS[tagged.type], tagged, call) ?? [] }];
    });
    for (const { bot, intents } of returned) {
      if (this.registry.findActive(bot.bot) === bot) this.#deps.executor.executeFromStrategy(intents, bot.bot);
    }
  }

  #onTermsChanged(event: LimitsChanged | PricesUpdated, handler: 'onConfig' | 'onPrices'): void {
    if (this.#deps.state.markets[event.market] === undefined) return;
    for (const bot of this.registry.listenersIn(event.market)[handler]) {
      this.#call(bot, handler, event, () =>
        bot.handlers[handler]?.(this.#deps.state.market(event.market), this.#deps.state),
      );
    }
  }

  /** Calls the bot of the order, plans its deferred quotes in that market again, and merges pairs after a fill. */
  #onOrderEvent(event: OrderOrFillEvent | FillSettled): void {
    const isConversionAnswer = event.type === 'converted' || event.type === 'conversionRejected';
    const number = isConversionAnswer ? event.bot : this.#deps.state.findBot(event.order);
    const bot = number === undefined ? undefined : this.registry.findActive(number);
    if (bot === undefined) return;
    this.#callIfHandled(bot, event);
    if (event.type === 'orderFilled' && event.remaining === 0) this.#onFullyFilled(bot, event);
    if (this.#failure !== undefined) return;
    this.#deps.executor.replan(bot.bot, event.market, event.type === 'cancelRejected');
    if (event.type === 'orderFilled' || event.type === 'orderClosed')
      this.#deps.executor.mergePairs(bot.bot, event.market);
  }

  /** Calls `onOrderClosed` for a filled order, because that handler reports the end of every order. */
  #onFullyFilled(bot: StrategyInstance, { time, venueTime, order, market }: OrderFilled): void {
    if (bot.handlers.onOrderClosed === undefined) return;
    this.#callOrderHandler(bot, { type: 'orderClosed', time, venueTime, order, market, reason: 'FILLED' });
  }

  /**
   * Reports each order of a replace, closed orders first. Then plans the bot's quotes again once. All orders of a
   * replace belong to one bot.
   */
  #onOrdersReplaced(event: OrdersReplaced): void {
    const { time, venueTime, market, closed, accepted } = event;
    const anyOrder = accepted[0] ?? closed[0];
    const number = anyOrder === undefined ? undefined : this.#deps.state.findBot(anyOrder);
    const bot = number === undefined ? undefined : this.registry.findActive(number);
    if (bot === undefined) return;
    const shared = { time, venueTime, market };
    if (bot.handlers.onOrderClosed !== undefined) {
      for (const order of closed)
        this.#callIfHandled(bot, { type: 'orderClosed', ...shared, order, reason: 'REPLACED' });
    }
    if (bot.handlers.onOrderAccepted !== undefined) {
      for (const order of accepted) this.#callIfHandled(bot, { type: 'orderAccepted', ...shared, order });
    }
    if (this.#failure !== undefined) return;
    this.#deps.executor.replan(bot.bot, market);
    this.#deps.executor.mergePairs(bot.bot, market);
  }

  /** Creates no closure if the bot has no handler, which is usual. */
  #callIfHandled(bot: StrategyInstance, event: OrderOrFillEvent | FillSettled): void {
    if (event.type === 'fillSettled') return;
    if (bot.handlers[ORDER_HANDLERS[event.type]] !== undefined) this.#callOrderHandler(bot, event);
  }

  /** Adds the quote's tag to a copy, because the stored event has no tag. */
  #callOrderHandler(bot: StrategyInstance, stored: OrderOrFillEvent): void {
    const tag = 'order' in stored ? this.#deps.state.findTag(stored.order) : undefined;
    const event = Object.freeze(tag === undefined ? stored : { ...stored, tag });
    this.#call(bot, ORDER_HANDLERS[event.type], event, () => callOrderHandler(bot.handlers, event, this.#deps.state));
  }

  /** Does the same as `#call` without a closure, because `onBook` runs for every message. */
  #callOnBook(bot: StrategyInstance, market: TradedMarket): void {
    if (this.#failure !== undefined) return;
    let intents: readonly Intent[] | undefined;
    try {
      const returned = bot.handlers.onBook?.(market, this.#deps.state);
      if (returned !== undefined) intents = this.#checkIntents(returned, bot, 'onBook');
    } catch (cause) {
      this.#fail(bot, 'onBook', market, cause);
      return;
    }
    if (intents !== undefined) this.#deps.executor.executeFromStrategy(intents, bot.bot);
  }

  #call(bot: StrategyInstance, handler: HandlerName, source: CallSource, call: () => Intents): void {
    const intents = this.#runHandler(bot, handler, source, call);
    if (intents !== undefined) this.#deps.executor.executeFromStrategy(intents, bot.bot);
  }

  /** Calls a handler and checks its intents. Returns undefined after an error or an invalid intent. */
  #runHandler(bot: StrategyInstance, handler: HandlerName, source: CallSource, call: () => Intents) {
    if (this.#failure !== undefined || this.registry.findActive(bot.bot) !== bot) return undefined;
    try {
      const intents = call();
      return intents === undefined ? undefined : this.#checkIntents(intents, bot, handler);
    } catch (cause) {
      this.#fail(bot, handler, source, cause);
      return undefined;
    }
  }

  #checkIntents(intents: NonNullable<Intents>, { bot }: StrategyInstance, handler: HandlerName): readonly Intent[] {
    return checkIntents(intents, { handler, markets: this.registry.allowedMarkets(bot), view: this.#deps.state });
  }

  #restartTimers({ bot, timers }: StrategyInstance): void {
    this.#deps.effects.changeTimer({ type: 'begin', bot, timers });
  }

  #fail(failed: StrategyInstance, handler: HandlerName, source: CallSource, cause: unknown): void {
    const { bot, name: strategy } = failed;
    const origin =
      'type' in source ? { event: source, market: undefined } : { event: undefined, market: source.info.slug };
    const failure = { bot, strategy, handler, cause, ...origin };
    this.#deps.effects.drop(bot);
    this.#hasFailed = true;
    if (!this.#deps.isolateFailures) {
      this.#failure = failure;
      return;
    }
    this.#failures.push(failure);
    this.registry.retire(bot);
  }
}
