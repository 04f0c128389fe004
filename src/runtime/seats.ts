/**
 * Which bots are at work, and who of them listens to what in which market.
 *
 * HOT: `at` is asked at the end of every message; its lists are made when a bot comes or goes.
 */
import { type BotNo, counted, type MarketNo } from '../domain/index.ts';
import type { AccountState } from '../state/index.ts';
import type { StrategyHandlers } from '../strategy/index.ts';
import type { Bot } from './bot.ts';

/** Who listens to one market, in the order of the bots. */
export interface Listeners {
  readonly onMarket: readonly Bot[];
  readonly onTrade: readonly Bot[];
  readonly onBook: readonly Bot[];
  readonly onConfig: readonly Bot[];
}

const NOBODY: readonly never[] = [];
const NOWHERE: ReadonlySet<MarketNo> = new Set();

/**
 * Invariant: what is in `bots` is what is called. A bot that was put on markets and has none left rests: it has no handlers
 * and no timers until one of its markets opens again; one that is retired until it is put anew.
 */
export class Seats {
  /** As they were put. */
  readonly #put: Bot[] = [];
  /** As they are called. */
  #bots: readonly Bot[] = [];
  readonly #state: AccountState;
  /** The markets each bot was put on: those that were left meanwhile too, of which a strategy is not told. */
  readonly #reach: ReadonlySet<MarketNo>[] = [];
  /** Bots that are called no more. */
  readonly #retired = new Set<BotNo>();
  /** Markets that nobody trades any more. */
  readonly #left = new Set<MarketNo>();
  #listeners: readonly Listeners[] = [];
  #hearTrades = false;

  /** @throws RangeError when a bot's number is not its place in the list */
  constructor(bots: readonly Bot[], state: AccountState) {
    this.#state = state;
    for (const bot of bots) this.#seat(bot);
    this.#listenAgain();
  }

  /** All of them, by their numbers; those that rest have no handlers. */
  get bots(): readonly Bot[] {
    return this.#bots;
  }

  /** Whether anybody listens to trades at all. */
  get hearTrades(): boolean {
    return this.#hearTrades;
  }

  at(market: number): Listeners {
    return this.#listeners[market]!;
  }

  /** A bot that is at work. */
  active(bot: BotNo): Bot | undefined {
    return this.#retired.has(bot) ? undefined : this.#bots[bot];
  }

  /** Whether a bot is at work in a market. */
  holds(bot: BotNo, market: MarketNo): boolean {
    return this.active(bot) !== undefined && this.reach(bot).has(market) && !this.#left.has(market);
  }

  /** The only markets in which a bot may wish anything; in one that was left it is not carried out. */
  reach(bot: BotNo): ReadonlySet<MarketNo> {
    return this.#reach[bot] ?? NOWHERE;
  }

  /** In whose name the core itself acts in a market: the first bot that was put on it, or the first of all. */
  actsOn(market: MarketNo): BotNo {
    return this.#put.find(({ markets }) => markets.includes(market))?.bot ?? counted.bot(0);
  }

  /** A bot comes, or comes again in another form. @throws RangeError when its number is not the next or a known one */
  put(bot: Bot): void {
    this.#seat(bot);
    this.#retired.delete(bot.bot);
    this.#listenAgain();
  }

  /** A market is there, new or again. */
  open(market: MarketNo): void {
    this.#left.delete(market);
    this.#listenAgain();
  }

  /** Nobody is told of a market any more, and whoever has no other rests. */
  leave(market: MarketNo): void {
    this.#left.add(market);
    this.#listenAgain();
  }

  /** A bot is called no more. */
  retire(bot: BotNo): void {
    this.#retired.add(bot);
    this.#listenAgain();
  }

  #seat(bot: Bot): void {
    if (bot.bot > this.#put.length) {
      throw new RangeError(`Invariant: bot ${bot.bot} ("${bot.name}") stands at place ${this.#put.length}`);
    }
    this.#put[bot.bot] = bot;
    this.#reach[bot.bot] = new Set(bot.markets);
  }

  #listenAgain(): void {
    this.#bots = this.#put.map((bot) => (this.#rests(bot) ? { ...bot, handlers: {}, timers: [] } : bot));
    const active = this.#bots.filter(({ bot }) => !this.#retired.has(bot));
    this.#listeners = this.#state.markets.map(({ info }) =>
      listenersOf(this.#left.has(info.market) ? NOBODY : active, info.market),
    );
    this.#hearTrades = active.some(({ handlers }) => handlers.onTrade !== undefined);
  }

  #rests({ bot, markets }: Bot): boolean {
    if (this.#retired.has(bot)) return true;
    return markets.length > 0 && markets.every((market) => this.#left.has(market));
  }
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
