/**
 * Calls the handlers of the strategy instances in the order of their numbers. Passes intents to the executor.
 *
 * HOT: `onBook` runs at the end of every message, and allocates nothing (bench/core.ts).
 *
 * Invariants: events that a strategy receives are frozen, so that the store gets unchanged events. After the first
 * failure, no handler is called, and the caller checks `failure`. With `isolateFailures`, only the failed instance is
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
  /** Whether the other instances continue when one fails. */
  readonly isolateFailures: boolean;
  readonly missed: MissedFills;
}

export class Strategies {
  readonly registry: StrategyRegistry;
  readonly #deps: StrategiesDeps;
  #failure: HandlerFailure | undefined;
  readonly #failures: HandlerFailure[] = [];
  #hasFailed = false;

  /** @throws RangeError when an instance's number differs from its index in the list */
  constructor(instances: readonly StrategyInstance[], deps: StrategiesDeps) {
    this.registry = new StrategyRegistry(instances, deps.state, deps.effects);
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

  /** Starts the timers of an instance that was added while running, and calls its `onStart`. */
  onInstanceAdded(instance: StrategyInstance, event: InputEvent): void {
    this.#restartTimers(instance);
    this.#call(instance, 'onStart', event, () => instance.handlers.onStart?.(this.#deps.state));
  }

  /** Stops the timers of idle instances, which the registry lists without timers. */
  stopIdleTimers(): void {
    for (const instance of this.registry.instances) if (this.registry.isIdle(instance)) this.#restartTimers(instance);
  }

  onBook(market: TradedMarket): void {
    const listeners = this.registry.listenersIn(market.info.market).onBook;
    for (let index = 0; index < listeners.length; index += 1) this.#callOnBook(listeners[index]!, market);
  }

  onMarket(market: TradedMarket): void {
    for (const instance of this.registry.listenersIn(market.info.market).onMarket) {
      this.#call(instance, 'onMarket', market, () => instance.handlers.onMarket?.(market, this.#deps.state));
    }
  }

  onTrade(trade: MarketTrade): void {
    Object.freeze(trade);
    for (const instance of this.registry.listenersIn(trade.market).onTrade) {
      this.#call(instance, 'onTrade', this.#deps.state.market(trade.market), () =>
        instance.handlers.onTrade?.(trade, this.#deps.state),
      );
    }
  }

  onEvent(event: InputEvent): void {
    switch (event.type) {
      case 'started':
        for (const instance of this.registry.instances) this.#restartTimers(instance);
        this.#deliverMissed(this.#deps.missed.take());
        for (const instance of this.registry.instances)
          this.#call(instance, 'onStart', event, () => instance.handlers.onStart?.(this.#deps.state));
        return;
      case 'stopped':
        for (const instance of this.registry.instances) {
          // The intents are checked and dropped, because all orders are cancelled next.
          this.#call(instance, 'onStop', event, () => {
            const intents = instance.handlers.onStop?.(this.#deps.state);
            if (intents !== undefined) this.#checkIntents(intents, instance, 'onStop');
            return undefined;
          });
        }
        return;
      case 'signalReceived':
        Object.freeze(event);
        for (const instance of this.registry.instances) {
          if (instance.signals?.includes(event.name) === false) continue;
          this.#call(instance, 'onSignal', event, () => instance.handlers.onSignal?.(event, this.#deps.state));
        }
        return;
      case 'timerFired': {
        const instance = this.registry.findActive(event.bot);
        Object.freeze(event);
        instance?.runningTimers?.onFired(event.timer);
        if (instance !== undefined)
          this.#call(instance, 'onTimer', event, () => instance.handlers.onTimer?.(event, this.#deps.state));
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

  /** Calls the handlers of missed fills. Executes intents after the last call, when instances know all their fills. */
  #deliverMissed(missed: readonly MissedFill[]): void {
    const returned = missed.flatMap(({ event, bot: number, tag }) => {
      const instance = this.registry.findActive(number);
      if (instance === undefined) return [];
      const tagged = Object.freeze(tag === undefined ? event : { ...event, tag });
      const call = () => callOrderHandler(instance.handlers, tagged, this.#deps.state);
      return [{ bot: instance, intents: this.#runHandler(instance, ORDER_HANDLERS[tagged.type], tagged, call) ?? [] }];
    });
    for (const { bot: instance, intents } of returned) {
      if (this.registry.findActive(instance.bot) === instance)
        this.#deps.executor.executeFromStrategy(intents, instance.bot);
    }
  }

  #onTermsChanged(event: LimitsChanged | PricesUpdated, handler: 'onConfig' | 'onPrices'): void {
    if (this.#deps.state.markets[event.market] === undefined) return;
    for (const instance of this.registry.listenersIn(event.market)[handler]) {
      this.#call(instance, handler, event, () =>
        instance.handlers[handler]?.(this.#deps.state.market(event.market), this.#deps.state),
      );
    }
  }

  /** Calls the instance of the order, plans its deferred quotes in that market again, and merges pairs after a fill. */
  #onOrderEvent(event: OrderOrFillEvent | FillSettled): void {
    const isConversionAnswer = event.type === 'converted' || event.type === 'conversionRejected';
    const number = isConversionAnswer ? event.bot : this.#deps.state.findInstance(event.order);
    const instance = number === undefined ? undefined : this.registry.findActive(number);
    if (instance === undefined) return;
    this.#callIfHandled(instance, event);
    if (event.type === 'orderFilled' && event.remaining === 0) this.#onFullyFilled(instance, event);
    if (this.#failure !== undefined) return;
    this.#deps.executor.replan(instance.bot, event.market, event.type === 'cancelRejected');
    if (event.type === 'orderFilled' || event.type === 'orderClosed')
      this.#deps.executor.mergePairs(instance.bot, event.market);
  }

  /** Calls `onOrderClosed` for a filled order, because that handler reports the end of every order. */
  #onFullyFilled(instance: StrategyInstance, { time, venueTime, order, market }: OrderFilled): void {
    if (instance.handlers.onOrderClosed === undefined) return;
    this.#callOrderHandler(instance, { type: 'orderClosed', time, venueTime, order, market, reason: 'FILLED' });
  }

  /**
   * Reports each order of a replace, closed orders first. Then plans the instance's quotes again once. All orders of a
   * replace belong to one instance.
   */
  #onOrdersReplaced(event: OrdersReplaced): void {
    const { time, venueTime, market, closed, accepted } = event;
    const anyOrder = accepted[0] ?? closed[0];
    const number = anyOrder === undefined ? undefined : this.#deps.state.findInstance(anyOrder);
    const instance = number === undefined ? undefined : this.registry.findActive(number);
    if (instance === undefined) return;
    const shared = { time, venueTime, market };
    if (instance.handlers.onOrderClosed !== undefined) {
      for (const order of closed)
        this.#callIfHandled(instance, { type: 'orderClosed', ...shared, order, reason: 'REPLACED' });
    }
    if (instance.handlers.onOrderAccepted !== undefined) {
      for (const order of accepted) this.#callIfHandled(instance, { type: 'orderAccepted', ...shared, order });
    }
    if (this.#failure !== undefined) return;
    this.#deps.executor.replan(instance.bot, market);
    this.#deps.executor.mergePairs(instance.bot, market);
  }

  /** Creates no closure if the instance has no handler, which is usual. */
  #callIfHandled(instance: StrategyInstance, event: OrderOrFillEvent | FillSettled): void {
    if (event.type === 'fillSettled') return;
    if (instance.handlers[ORDER_HANDLERS[event.type]] !== undefined) this.#callOrderHandler(instance, event);
  }

  /** Adds the quote's tag to a copy, because the stored event has no tag. */
  #callOrderHandler(instance: StrategyInstance, stored: OrderOrFillEvent): void {
    const tag = 'order' in stored ? this.#deps.state.findTag(stored.order) : undefined;
    const event = Object.freeze(tag === undefined ? stored : { ...stored, tag });
    this.#call(instance, ORDER_HANDLERS[event.type], event, () =>
      callOrderHandler(instance.handlers, event, this.#deps.state),
    );
  }

  /** Does the same as `#call` without a closure, because `onBook` runs for every message. */
  #callOnBook(instance: StrategyInstance, market: TradedMarket): void {
    if (this.#failure !== undefined) return;
    let intents: readonly Intent[] | undefined;
    try {
      const returned = instance.handlers.onBook?.(market, this.#deps.state);
      if (returned !== undefined) intents = this.#checkIntents(returned, instance, 'onBook');
    } catch (cause) {
      this.#fail(instance, 'onBook', market, cause);
      return;
    }
    if (intents !== undefined) this.#deps.executor.executeFromStrategy(intents, instance.bot);
  }

  #call(instance: StrategyInstance, handler: HandlerName, source: CallSource, call: () => Intents): void {
    const intents = this.#runHandler(instance, handler, source, call);
    if (intents !== undefined) this.#deps.executor.executeFromStrategy(intents, instance.bot);
  }

  /** Calls a handler and checks its intents. Returns undefined after an error or an invalid intent. */
  #runHandler(instance: StrategyInstance, handler: HandlerName, source: CallSource, call: () => Intents) {
    if (this.#failure !== undefined || this.registry.findActive(instance.bot) !== instance) return undefined;
    try {
      const intents = call();
      return intents === undefined ? undefined : this.#checkIntents(intents, instance, handler);
    } catch (cause) {
      this.#fail(instance, handler, source, cause);
      return undefined;
    }
  }

  #checkIntents(intents: NonNullable<Intents>, { bot }: StrategyInstance, handler: HandlerName): readonly Intent[] {
    return checkIntents(intents, { handler, markets: this.registry.allowedMarkets(bot), view: this.#deps.state });
  }

  #restartTimers({ bot, timers }: StrategyInstance): void {
    this.#deps.effects.changeTimer({ type: 'restart', bot, timers });
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
