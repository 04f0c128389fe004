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

export class Seats {
  readonly #bots: Bot[] = [];
  readonly #state: AccountState;
  /** The markets each bot was put on. */
  readonly #reach: ReadonlySet<MarketNo>[] = [];
  /** Bots that are called no more. */
  readonly #retired = new Set<BotNo>();
  /** Markets that nobody is told of any more. */
  readonly #muted = new Set<MarketNo>();
  #listeners: readonly Listeners[] = [];
  #hearTrades = false;

  /** @throws RangeError when a bot's number is not its place in the list */
  constructor(bots: readonly Bot[], state: AccountState) {
    this.#state = state;
    for (const bot of bots) this.#seat(bot);
    this.#listenAgain();
  }

  /** All of them, by their numbers. */
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

  /** The only markets in which a bot may wish anything. */
  reach(bot: BotNo): ReadonlySet<MarketNo> {
    return this.#reach[bot] ?? NOWHERE;
  }

  /** In whose name the core itself acts in a market: the first bot that was put on it, or the first of all. */
  actsOn(market: MarketNo): BotNo {
    return this.#bots.find(({ markets }) => markets.includes(market))?.bot ?? counted.bot(0);
  }

  /** A bot comes, or comes again in another form. @throws RangeError when its number is not the next or a known one */
  put(bot: Bot): void {
    this.#seat(bot);
    this.#retired.delete(bot.bot);
    this.#listenAgain();
  }

  /** A market is there, new or again. */
  open(market: MarketNo): void {
    this.#muted.delete(market);
    this.#listenAgain();
  }

  /** Nobody is told of a market any more. */
  mute(market: MarketNo): void {
    this.#muted.add(market);
    this.#listenAgain();
  }

  /** A bot is called no more. */
  retire(bot: BotNo): void {
    this.#retired.add(bot);
    this.#listenAgain();
  }

  #seat(bot: Bot): void {
    if (bot.bot > this.#bots.length) {
      throw new RangeError(`Invariant: bot ${bot.bot} ("${bot.name}") stands at place ${this.#bots.length}`);
    }
    this.#bots[bot.bot] = bot;
    this.#reach[bot.bot] = new Set(bot.markets);
  }

  #listenAgain(): void {
    const active = this.#bots.filter(({ bot }) => !this.#retired.has(bot));
    this.#listeners = this.#state.markets.map(({ info }) =>
      listenersOf(this.#muted.has(info.market) ? NOBODY : active, info.market),
    );
    this.#hearTrades = active.some(({ handlers }) => handlers.onTrade !== undefined);
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
