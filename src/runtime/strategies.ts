/**
 * Calls the handlers of the account's bots, in their order, and hands what they wish to the desk.
 *
 * HOT: `book` runs at the end of every message; nothing is allocated, and nothing looked up where nobody listens. 7 ns with
 * a small handler (bench/core.ts).
 *
 * Invariants: what is handed to a strategy is frozen, so that it goes into the store as it came. After the first failure
 * nobody is called any more; whoever calls looks at `failure`. Where bots fail alone, only the one that failed is called no
 * more, and `takeFailures` tells of it.
 */
import type {
  InputEvent,
  Intent,
  LimitsChanged,
  OrderFilled,
  OrdersReplaced,
  PricesTold,
  SignalReceived,
  Started,
  Stopped,
  TimerFired,
} from '../domain/index.ts';
import type { AccountState, MarketWorld } from '../state/index.ts';
import type { MarketTrade, OrderNews, StrategyHandlers, Wishes } from '../strategy/index.ts';
import type { Bot } from './bot.ts';
import { checkWishes } from './check-wishes.ts';
import type { Desk } from './desk.ts';
import { Seats } from './seats.ts';
import type { StrategyFailure } from './strategy-fault.ts';

/** What a venue says about one order or conversion of ours, and strategies are told as it is. */
type OwnNews = OrderNews | OrderFilled;

/** Who failed, in what, why. */
export type Failed = Omit<StrategyFailure, 'time' | 'row'>;

export class Strategies {
  readonly seats: Seats;
  readonly #state: AccountState;
  readonly #desk: Desk;
  readonly #alone: boolean;
  #failure: Failed | undefined;
  #failures: Failed[] = [];
  #hasFailed = false;

  /**
   * @param alone whether a bot that fails is the only one that is called no more
   * @throws RangeError when a bot's number is not its place in the list
   */
  constructor(bots: readonly Bot[], state: AccountState, desk: Desk, alone: boolean) {
    this.seats = new Seats(bots, state);
    this.#state = state;
    this.#desk = desk;
    this.#alone = alone;
  }

  /** Whether anybody failed that was not told of yet. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  get failure(): Failed | undefined {
    return this.#failure;
  }

  /** Who failed since the last time, where bots fail alone. */
  takeFailures(): readonly Failed[] {
    this.#hasFailed = this.#failure !== undefined;
    const failures = this.#failures;
    this.#failures = [];
    return failures;
  }

  /** Calls `onStart` of a bot that came later than the others. */
  begin(bot: Bot, event: InputEvent): void {
    this.#ask(bot, 'onStart', event, () => bot.handlers.onStart?.(this.#state));
  }

  book(market: MarketWorld): void {
    const listeners = this.seats.at(market.info.market).onBook;
    for (let place = 0; place < listeners.length; place += 1) this.#askBook(listeners[place]!, market);
  }

  market(market: MarketWorld): void {
    for (const bot of this.seats.at(market.info.market).onMarket) {
      this.#ask(bot, 'onMarket', market, () => bot.handlers.onMarket?.(market, this.#state));
    }
  }

  trade(trade: MarketTrade): void {
    Object.freeze(trade);
    for (const bot of this.seats.at(trade.market).onTrade) {
      this.#ask(bot, 'onTrade', this.#state.market(trade.market), () => bot.handlers.onTrade?.(trade, this.#state));
    }
  }

  event(event: InputEvent): void {
    switch (event.type) {
      case 'started':
      case 'stopped':
      case 'signalReceived':
      case 'timerFired':
        this.#life(event);
        return;
      case 'limitsChanged':
      case 'pricesTold':
        this.#config(event);
        return;
      case 'ordersReplaced':
        this.#replaced(event);
        return;
      case 'orderAccepted':
      case 'orderRejected':
      case 'orderFilled':
      case 'orderReduced':
      case 'orderClosed':
      case 'cancelRejected':
      case 'converted':
      case 'conversionRejected':
        this.#ownEvent(event);
        return;
      default:
        return;
    }
  }

  #life(event: Started | Stopped | SignalReceived | TimerFired): void {
    switch (event.type) {
      case 'started':
        for (const bot of this.seats.bots) this.#ask(bot, 'onStart', event, () => bot.handlers.onStart?.(this.#state));
        return;
      case 'stopped':
        for (const bot of this.seats.bots) {
          // What it wishes is not carried out, everything is withdrawn next; a throw or a wrong answer is told.
          this.#ask(bot, 'onStop', event, () => {
            const wishes = bot.handlers.onStop?.(this.#state);
            if (wishes !== undefined) checkWishes(wishes, this.seats.reach(bot.bot));
            return undefined;
          });
        }
        return;
      case 'signalReceived':
        Object.freeze(event);
        for (const bot of this.seats.bots) {
          this.#ask(bot, 'onSignal', event, () => bot.handlers.onSignal?.(event, this.#state));
        }
        return;
      case 'timerFired': {
        const bot = this.seats.active(event.bot);
        Object.freeze(event);
        if (bot !== undefined) this.#ask(bot, 'onTimer', event, () => bot.handlers.onTimer?.(event, this.#state));
      }
    }
  }

  #config(event: LimitsChanged | PricesTold): void {
    if (this.#state.markets[event.market] === undefined) return;
    for (const bot of this.seats.at(event.market).onConfig) {
      this.#ask(bot, 'onConfig', event, () => bot.handlers.onConfig?.(this.#state.market(event.market), this.#state));
    }
  }

  /** To the bot it is about; then what that bot's wish in that market waits for, and the pairs that a fill made. */
  #ownEvent(event: OwnNews): void {
    const converted = event.type === 'converted' || event.type === 'conversionRejected';
    const number = converted ? event.bot : this.#state.botOf(event.order);
    const bot = number === undefined ? undefined : this.seats.active(number);
    if (bot === undefined) return;
    this.#news(bot, event);
    if (event.type === 'orderFilled' && event.remaining === 0) this.#filledWhole(bot, event);
    if (this.#failure !== undefined) return;
    this.#desk.again(bot.bot, event.market, event.type === 'cancelRejected');
    if (event.type === 'orderFilled' || event.type === 'orderClosed') this.#desk.sweep(bot.bot, event.market);
  }

  /** The end of an order is told to a bot that listens, whatever ended it. */
  #filledWhole(bot: Bot, { time, venueTime, order, market }: OrderFilled): void {
    if (bot.handlers.onOrder === undefined) return;
    this.#askOrder(bot, { type: 'orderClosed', time, venueTime, order, market, reason: 'FILLED' });
  }

  /** Told order by order, those that closed first, to a bot that listens; its wish is looked at again once, after all. */
  #replaced(event: OrdersReplaced): void {
    const { time, venueTime, market, closed, accepted } = event;
    const some = accepted[0] ?? closed[0];
    const number = some === undefined ? undefined : this.#state.botOf(some);
    const bot = number === undefined ? undefined : this.seats.active(number);
    if (bot === undefined) return;
    if (bot.handlers.onOrder !== undefined) {
      const told = { time, venueTime, market };
      for (const order of closed) this.#news(bot, { type: 'orderClosed', ...told, order, reason: 'REPLACED' });
      for (const order of accepted) this.#news(bot, { type: 'orderAccepted', ...told, order });
    }
    if (this.#failure !== undefined) return;
    this.#desk.again(bot.bot, market, false);
    this.#desk.sweep(bot.bot, market);
  }

  /** Nothing is made where nobody listens, so no closure in here: it would be paid for at each call. */
  #news(bot: Bot, event: OwnNews): void {
    if (event.type === 'orderFilled') {
      if (bot.handlers.onFill !== undefined) this.#askFill(bot, event);
    } else if (bot.handlers.onOrder !== undefined) this.#askOrder(bot, event);
  }

  #askFill(bot: Bot, fill: OrderFilled): void {
    Object.freeze(fill);
    this.#ask(bot, 'onFill', fill, () => bot.handlers.onFill?.(fill, this.#state));
  }

  #askOrder(bot: Bot, news: OrderNews): void {
    Object.freeze(news);
    this.#ask(bot, 'onOrder', news, () => bot.handlers.onOrder?.(news, this.#state));
  }

  /** `#ask` without a closure, for every message. */
  #askBook(bot: Bot, market: MarketWorld): void {
    if (this.#failure !== undefined) return;
    let wishes: Wishes;
    try {
      wishes = bot.handlers.onBook?.(market, this.#state);
    } catch (cause) {
      this.#fail(bot, failed(bot, 'onBook', market, cause));
      return;
    }
    if (wishes !== undefined) this.#carryOut(wishes, bot, 'onBook', market);
  }

  #ask(bot: Bot, handler: keyof StrategyHandlers, source: MarketWorld | InputEvent, call: () => Wishes): void {
    if (this.#failure !== undefined || this.seats.active(bot.bot) !== bot) return;
    let wishes: Wishes;
    try {
      wishes = call();
    } catch (cause) {
      this.#fail(bot, failed(bot, handler, source, cause));
      return;
    }
    if (wishes !== undefined) this.#carryOut(wishes, bot, handler, source);
  }

  /** A wrong answer is the strategy's failure; what goes wrong behind the desk is not. */
  #carryOut(
    wishes: readonly Intent[],
    bot: Bot,
    handler: keyof StrategyHandlers,
    source: MarketWorld | InputEvent,
  ): void {
    try {
      checkWishes(wishes, this.seats.reach(bot.bot));
    } catch (cause) {
      this.#fail(bot, failed(bot, handler, source, cause));
      return;
    }
    this.#desk.hear(wishes, bot.bot);
  }

  #fail(bot: Bot, failure: Failed): void {
    this.#hasFailed = true;
    if (!this.#alone) {
      this.#failure = failure;
      return;
    }
    this.#failures.push(failure);
    this.seats.retire(bot.bot);
  }
}

/** @param source the event that caused the call, or the market whose message did */
function failed(bot: Bot, handler: keyof StrategyHandlers, source: MarketWorld | InputEvent, cause: unknown): Failed {
  const told = 'type' in source ? { event: source, market: undefined } : { event: undefined, market: source.info.slug };
  return { bot: bot.bot, strategy: bot.name, handler, cause, ...told };
}
