/**
 * The bot without clock and venue: what comes in, folded into the account's world; what strategies wish about it, through
 * risk and execution into the outbox. Synchronous, deterministic, the same in every mode.
 *
 * HOT: `market` runs for every row. Nothing is allocated and no handler is looked up before a message ends, and then only
 * where a handler exists. Measured in bench/core.ts.
 *
 * Invariants:
 * - Order of work at the end of a message: fold, losses, `onMarket`, `onTrade` in order, `onBook`, claim. At an event:
 *   fold, losses, its handler, wishes that waited for it, claim. Bots take turns in their order.
 * - Before `started` everything is folded and nobody is told (the venue's present state comes first); after `stopped` or
 *   a fault likewise.
 * - Each order command is marked in the state before the next wish is looked at.
 */
import {
  column,
  counted,
  type InputEvent,
  type MarketNo,
  type OperatorSpoke,
  type Seq,
  type VenueEvent,
  ZERO_SHARES,
} from '../domain/index.ts';
import type { Planner } from '../execution/index.ts';
import type { RiskGate } from '../risk/index.ts';
import type { AccountState, MarketView } from '../state/index.ts';
import type { MarketTrade, StrategyHandlers, Wishes } from '../strategy/index.ts';
import { type Cursor, KIND, SIDE } from '../tape/index.ts';
import type { Bot } from './bot.ts';
import { checkWishes } from './check-wishes.ts';
import { Desk } from './desk.ts';
import type { Core, Outbox } from './ports.ts';
import { StrategyFault } from './strategy-fault.ts';

export interface CoreOptions {
  /** Belongs to the core from now on: nobody else folds into it. */
  readonly state: AccountState;
  /** In the order of their numbers: 0, 1, 2 … */
  readonly bots: readonly Bot[];
  readonly risk: RiskGate;
  readonly planner: Planner;
  /** Claims what a final market owes as soon as it is seen. Default true. */
  readonly claims?: boolean;
  /** Number of the first step. Default 1. */
  readonly firstSeq?: Seq;
}

/** The core, and how far it has come. */
export interface TradingCore extends Core {
  /** Market rows taken in. */
  readonly rows: number;
  /** Number of the next step. */
  readonly nextSeq: Seq;
}

/** @throws RangeError when a bot's number is not its place in the list */
export function createCore(options: CoreOptions): TradingCore {
  return new BotCore(options);
}

const DAY_MS = 86_400_000;

/** Who listens to one market, in the order of the bots. */
interface Listeners {
  readonly onMarket: Bot[];
  readonly onTrade: Bot[];
  readonly onBook: Bot[];
}

interface Failed {
  readonly bot: Bot;
  readonly handler: keyof StrategyHandlers;
  readonly event: InputEvent | undefined;
  readonly cause: unknown;
}

class BotCore implements TradingCore {
  readonly #state: AccountState;
  readonly #bots: readonly Bot[];
  readonly #risk: RiskGate;
  readonly #desk: Desk;
  readonly #claims: boolean;
  readonly #listeners: readonly Listeners[];
  /** The markets each bot was put on. */
  readonly #reach: readonly ReadonlySet<MarketNo>[];
  #phase: 'before' | 'running' | 'over' = 'before';
  #rows = 0;
  #seq: number;
  /** Trades of the message that is coming in, of markets where somebody listens. */
  readonly #trades: MarketTrade[] = [];
  /** The equity at which losses were last looked at, and the end of that day: until one changes, nothing is to be seen. */
  #watched = Number.NaN;
  #dayEnds = 0;

  constructor({ state, bots, risk, planner, claims = true, firstSeq }: CoreOptions) {
    for (const [place, { bot, name }] of bots.entries()) {
      if (bot !== place) throw new RangeError(`Invariant: bot ${bot} ("${name}") stands at place ${place}`);
    }
    this.#state = state;
    this.#bots = bots;
    this.#risk = risk;
    this.#desk = new Desk({ state, risk, planner });
    this.#claims = claims;
    this.#seq = firstSeq ?? 1;
    this.#reach = bots.map(({ markets }) => new Set(markets));
    this.#listeners = state.markets.map(({ info }) => listenersOf(bots, info.market));
  }

  get rows(): number {
    return this.#rows;
  }

  get nextSeq(): Seq {
    return counted.seq(this.#seq);
  }

  market(row: Cursor, out: Outbox): void {
    this.#rows += 1;
    if (row.kind === KIND.trade) this.#keepTrade(row);
    if (this.#state.row(row)) this.#messageEnds(out);
  }

  step(event: InputEvent, out: Outbox): void {
    this.#state.fold(event);
    if (event.type === 'operatorSpoke') this.#obey(event.command);
    if (event.type === 'started' && this.#phase === 'before') this.#phase = 'running';
    this.#watch();
    if (this.#phase === 'running') this.#tell(event, out);
    if (event.type === 'stopped') this.#end();
    this.#emit(event, out);
  }

  #messageEnds(out: Outbox): void {
    this.#watch();
    if (this.#phase === 'running') {
      const { touched } = this.#state;
      for (const world of touched) if (world.stateChanged) this.#tellMarket(world, out);
      for (const trade of this.#trades) this.#tellTrade(trade, out);
      for (const world of touched) if (world.bookChanged) this.#tellBook(world, out);
    }
    this.#trades.length = 0;
    if (this.#desk.open) this.#emit(undefined, out);
  }

  /** Loss limits, wherever equity may have changed, and at the turn of the UTC day. */
  #watch(): void {
    if (this.#phase !== 'running') return;
    const { exitEquity, now } = this.#state;
    if (exitEquity === this.#watched && now < this.#dayEnds) return;
    this.#watched = exitEquity;
    this.#dayEnds = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
    const breach = this.#risk.watch(this.#state);
    if (breach === undefined) return;
    this.#desk.refuse(breach);
    this.#withdraw();
  }

  #keepTrade(row: Cursor): void {
    if (this.#listeners[row.market]!.onTrade.length === 0) return;
    this.#trades.push({
      market: counted.market(row.market),
      time: column.time(row.tx),
      taker: row.side === SIDE.bid ? 'BUY' : row.side === SIDE.ask ? 'SELL' : 'unknown',
      price: column.price(row.price),
      shares: column.shares(row.shares),
    });
  }

  #tellMarket(view: MarketView, out: Outbox): void {
    for (const bot of this.#listeners[view.info.market]!.onMarket) {
      this.#ask(bot, 'onMarket', undefined, out, () => bot.handlers.onMarket?.(view, this.#state));
    }
    this.#claim(view.info.market);
  }

  #tellTrade(trade: MarketTrade, out: Outbox): void {
    for (const bot of this.#listeners[trade.market]!.onTrade) {
      this.#ask(bot, 'onTrade', undefined, out, () => bot.handlers.onTrade?.(trade, this.#state));
    }
  }

  #tellBook(view: MarketView, out: Outbox): void {
    for (const bot of this.#listeners[view.info.market]!.onBook) {
      this.#ask(bot, 'onBook', undefined, out, () => bot.handlers.onBook?.(view, this.#state));
    }
  }

  #tell(event: InputEvent, out: Outbox): void {
    switch (event.type) {
      case 'started':
        for (const bot of this.#bots) this.#ask(bot, 'onStart', event, out, () => bot.handlers.onStart?.(this.#state));
        for (const { info } of this.#state.markets) this.#claim(info.market);
        return;
      case 'stopped':
        for (const bot of this.#bots) this.#hearLastWords(bot, event, out);
        return;
      case 'signalReceived':
        for (const bot of this.#bots) {
          this.#ask(bot, 'onSignal', event, out, () => bot.handlers.onSignal?.(event, this.#state));
        }
        return;
      case 'timerFired': {
        const bot = this.#bots[event.bot];
        if (bot !== undefined) this.#ask(bot, 'onTimer', event, out, () => bot.handlers.onTimer?.(event, this.#state));
        return;
      }
      case 'operatorSpoke':
        return;
      default:
        this.#tellOwn(event, out);
    }
  }

  #tellOwn(event: VenueEvent, out: Outbox): void {
    const number = 'order' in event ? this.#state.botOf(event.order) : event.bot;
    const bot = number === undefined ? undefined : this.#bots[number];
    if (bot !== undefined) {
      if (event.type === 'orderFilled') {
        this.#ask(bot, 'onFill', event, out, () => bot.handlers.onFill?.(event, this.#state));
      } else {
        this.#ask(bot, 'onOrder', event, out, () => bot.handlers.onOrder?.(event, this.#state));
      }
      if (this.#phase === 'running') this.#desk.again(bot.bot, event.market);
    }
    // Not at once after a refusal: claim and refusal would chase each other.
    if (event.type !== 'conversionRejected') this.#claim(event.market);
  }

  /** The wishes of `onStop` are not carried out, but its slips are told. */
  #hearLastWords(bot: Bot, event: InputEvent, out: Outbox): void {
    if (this.#phase !== 'running') return;
    try {
      bot.handlers.onStop?.(this.#state);
    } catch (cause) {
      this.#fail({ bot, handler: 'onStop', event, cause }, out);
    }
  }

  #ask(
    bot: Bot,
    handler: keyof StrategyHandlers,
    event: InputEvent | undefined,
    out: Outbox,
    call: () => Wishes,
  ): void {
    if (this.#phase !== 'running') return;
    let wishes: Wishes;
    try {
      wishes = call();
      if (wishes !== undefined) checkWishes(wishes, this.#reach[bot.bot]!);
    } catch (cause) {
      this.#fail({ bot, handler, event, cause }, out);
      return;
    }
    if (wishes !== undefined) this.#desk.carryOut(wishes, bot.bot);
  }

  #fail({ bot, handler, event, cause }: Failed, out: Outbox): void {
    this.#phase = 'over';
    this.#risk.turn('KILLED');
    this.#withdraw();
    const { now } = this.#state;
    out.fault = new StrategyFault({ strategy: bot.name, handler, time: now, row: this.#rows, event, cause });
  }

  #obey(command: OperatorSpoke['command']): void {
    this.#risk.turn(command === 'kill' ? 'KILLED' : command === 'reduce' ? 'REDUCING' : 'ACTIVE');
    // Under `reduce` too: what stands may add exposure, and the next wishes bring back what only shrinks it.
    if (command !== 'resume') this.#withdraw();
  }

  #end(): void {
    this.#phase = 'over';
    this.#withdraw();
  }

  #withdraw(): void {
    this.#desk.forget();
    this.#desk.issue({ type: 'cancelAll' });
  }

  /** A claim is no order: it goes out in every mode, in the name of the first bot on the market. */
  #claim(market: MarketNo): void {
    if (!this.#claims || this.#phase !== 'running' || !this.#state.claimable(market)) return;
    const bot = this.#bots.find(({ markets }) => markets.includes(market))?.bot ?? counted.bot(0);
    this.#desk.issue({ type: 'claim', bot, market, shares: ZERO_SHARES });
  }

  #emit(event: InputEvent | undefined, out: Outbox): void {
    const { refused, commands } = this.#desk.close();
    out.steps.push({
      seq: counted.seq(this.#seq),
      time: this.#state.now,
      row: this.#rows,
      event,
      refused,
      commands,
    });
    this.#seq += 1;
    for (const command of commands) out.commands.push(command);
  }
}

function listenersOf(bots: readonly Bot[], market: MarketNo): Listeners {
  const here = bots.filter((bot) => bot.markets.includes(market));
  const having = (handler: keyof StrategyHandlers) => here.filter(({ handlers }) => handlers[handler] !== undefined);
  return { onMarket: having('onMarket'), onTrade: having('onTrade'), onBook: having('onBook') };
}
