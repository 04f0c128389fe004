/**
 * Calls the handlers of the account's bots, in their order, and hands what they wish to the desk.
 *
 * HOT: `book` runs at the end of every message; nothing is allocated, and nothing looked up where nobody listens. 7 ns with
 * a small handler (bench/core.ts).
 *
 * Invariant: after the first failure nobody is called any more; whoever calls looks at `failure`.
 */
import type {
  InputEvent,
  Intent,
  LimitsChanged,
  MarketNo,
  OrderFilled,
  OrdersReplaced,
  SignalReceived,
  Started,
  Stopped,
  TimerFired,
  VenueEvent,
} from '../domain/index.ts';
import type { AccountState, MarketWorld } from '../state/index.ts';
import type { MarketTrade, OrderNews, StrategyHandlers, Wishes } from '../strategy/index.ts';
import type { Bot } from './bot.ts';
import { checkWishes } from './check-wishes.ts';
import type { Desk } from './desk.ts';
import type { StrategyFailure } from './strategy-fault.ts';

/** Who listens to one market, in the order of the bots. */
interface Listeners {
  readonly onMarket: readonly Bot[];
  readonly onTrade: readonly Bot[];
  readonly onBook: readonly Bot[];
  readonly onConfig: readonly Bot[];
}

/** Who failed, in what, why. */
export type Failed = Omit<StrategyFailure, 'time' | 'row'>;

export class Strategies {
  readonly #bots: readonly Bot[];
  readonly #state: AccountState;
  readonly #desk: Desk;
  readonly #listeners: readonly Listeners[];
  /** The markets each bot was put on. */
  readonly #reach: readonly ReadonlySet<MarketNo>[];
  readonly #hearTrades: boolean;
  #failure: Failed | undefined;

  /** @throws RangeError when a bot's number is not its place in the list */
  constructor(bots: readonly Bot[], state: AccountState, desk: Desk) {
    for (const [place, { bot, name }] of bots.entries()) {
      if (bot !== place) throw new RangeError(`Invariant: bot ${bot} ("${name}") stands at place ${place}`);
    }
    this.#bots = bots;
    this.#state = state;
    this.#desk = desk;
    this.#listeners = state.markets.map(({ info }) => listenersOf(bots, info.market));
    this.#hearTrades = bots.some(({ handlers }) => handlers.onTrade !== undefined);
    this.#reach = bots.map(({ markets }) => new Set(markets));
  }

  get failure(): Failed | undefined {
    return this.#failure;
  }

  /** Whether anybody listens to trades at all. */
  get hearTrades(): boolean {
    return this.#hearTrades;
  }

  /** Whether anybody listens to trades of a market. */
  wantTrades(market: number): boolean {
    return this.#listeners[market]!.onTrade.length > 0;
  }

  /** The first bot that was put on a market. */
  firstOn(market: MarketNo): Bot | undefined {
    return this.#bots.find(({ markets }) => markets.includes(market));
  }

  book(market: MarketWorld): void {
    const listeners = this.#listeners[market.info.market]!.onBook;
    for (let place = 0; place < listeners.length; place += 1) this.#askBook(listeners[place]!, market);
  }

  market(market: MarketWorld): void {
    for (const bot of this.#listeners[market.info.market]!.onMarket) {
      this.#ask(bot, 'onMarket', market, () => bot.handlers.onMarket?.(market, this.#state));
    }
  }

  trade(trade: MarketTrade): void {
    for (const bot of this.#listeners[trade.market]!.onTrade) {
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
      case 'operatorSpoke':
        return;
      case 'limitsChanged':
        this.#config(event);
        return;
      case 'ordersReplaced':
        this.#replaced(event);
        return;
      default:
        this.#ownEvent(event);
    }
  }

  #life(event: Started | Stopped | SignalReceived | TimerFired): void {
    switch (event.type) {
      case 'started':
        for (const bot of this.#bots) this.#ask(bot, 'onStart', event, () => bot.handlers.onStart?.(this.#state));
        return;
      case 'stopped':
        for (const bot of this.#bots) {
          // What it wishes is not carried out, everything is withdrawn next; a throw or a wrong answer is told.
          this.#ask(bot, 'onStop', event, () => {
            const wishes = bot.handlers.onStop?.(this.#state);
            if (wishes !== undefined) checkWishes(wishes, this.#reach[bot.bot]!);
            return undefined;
          });
        }
        return;
      case 'signalReceived':
        for (const bot of this.#bots) {
          this.#ask(bot, 'onSignal', event, () => bot.handlers.onSignal?.(event, this.#state));
        }
        return;
      case 'timerFired': {
        const bot = this.#bots[event.bot];
        if (bot !== undefined) this.#ask(bot, 'onTimer', event, () => bot.handlers.onTimer?.(event, this.#state));
      }
    }
  }

  #config(event: LimitsChanged): void {
    const listeners = this.#listeners[event.market]?.onConfig ?? [];
    for (const bot of listeners) {
      this.#ask(bot, 'onConfig', event, () => bot.handlers.onConfig?.(this.#state.market(event.market), this.#state));
    }
  }

  /** To the bot it is about; then what that bot's wish in that market waits for, and the pairs that a fill made. */
  #ownEvent(event: Exclude<VenueEvent, LimitsChanged | OrdersReplaced>): void {
    const converted = event.type === 'converted' || event.type === 'conversionRejected';
    const number = converted ? event.bot : this.#state.botOf(event.order);
    const bot = number === undefined ? undefined : this.#bots[number];
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
    const bot = number === undefined ? undefined : this.#bots[number];
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
  #news(bot: Bot, event: Exclude<VenueEvent, LimitsChanged | OrdersReplaced>): void {
    if (event.type === 'orderFilled') {
      if (bot.handlers.onFill !== undefined) this.#askFill(bot, event);
    } else if (bot.handlers.onOrder !== undefined) this.#askOrder(bot, event);
  }

  #askFill(bot: Bot, fill: OrderFilled): void {
    this.#ask(bot, 'onFill', fill, () => bot.handlers.onFill?.(fill, this.#state));
  }

  #askOrder(bot: Bot, news: OrderNews): void {
    this.#ask(bot, 'onOrder', news, () => bot.handlers.onOrder?.(news, this.#state));
  }

  /** `#ask` without a closure, for every message. */
  #askBook(bot: Bot, market: MarketWorld): void {
    if (this.#failure !== undefined) return;
    let wishes: Wishes;
    try {
      wishes = bot.handlers.onBook?.(market, this.#state);
    } catch (cause) {
      this.#failure = failed(bot, 'onBook', market, cause);
      return;
    }
    if (wishes !== undefined) this.#carryOut(wishes, bot, 'onBook', market);
  }

  #ask(bot: Bot, handler: keyof StrategyHandlers, source: MarketWorld | InputEvent, call: () => Wishes): void {
    if (this.#failure !== undefined) return;
    let wishes: Wishes;
    try {
      wishes = call();
    } catch (cause) {
      this.#failure = failed(bot, handler, source, cause);
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
      checkWishes(wishes, this.#reach[bot.bot]!);
    } catch (cause) {
      this.#failure = failed(bot, handler, source, cause);
      return;
    }
    this.#desk.carryOut(wishes, bot.bot);
  }
}

/** @param source the event that caused the call, or the market whose message did */
function failed(bot: Bot, handler: keyof StrategyHandlers, source: MarketWorld | InputEvent, cause: unknown): Failed {
  const told = 'type' in source ? { event: source, market: undefined } : { event: undefined, market: source.info.slug };
  return { strategy: bot.name, handler, cause, ...told };
}

function listenersOf(bots: readonly Bot[], market: MarketNo): Listeners {
  const here = bots.filter((bot) => bot.markets.includes(market));
  const having = (handler: keyof StrategyHandlers) => here.filter(({ handlers }) => handlers[handler] !== undefined);
  return {
    onMarket: having('onMarket'),
    onTrade: having('onTrade'),
    onBook: having('onBook'),
    onConfig: having('onConfig'),
  };
}
