/**
 * The bot without clock and venue: what comes in, folded into the account's world; what strategies wish about it, through
 * risk and execution into the outbox. Synchronous, deterministic, the same in every mode.
 *
 * HOT: `market` runs for every message. Nothing is allocated and no handler is looked up before it ends, and then only
 * where a handler exists. 41 ns for a message of one level, state and book included, 48 with a small `onBook`; 31 a row at
 * four rows a message (2 cores, Node 24, bench/core.ts).
 *
 * Invariants:
 * - Order of work at the end of a message: fold, losses, `onMarket`, halted markets withdrawn from, `onTrade` in order,
 *   `onBook`, claim. At an event: fold, losses, its handler, wishes that waited for it, claim. Bots take turns in their
 *   order.
 * - Before `started` everything is folded and nobody is told (the venue's present state comes first); after `stopped` or
 *   a fault likewise.
 * - Each order command is marked in the state before the next wish is looked at.
 */
import {
  column,
  counted,
  type EpochMs,
  type InputEvent,
  type MarketNo,
  type Seq,
  ZERO_SHARES,
} from '../domain/index.ts';
import type { Planner, RateBudget } from '../execution/index.ts';
import type { RiskGate } from '../risk/index.ts';
import type { AccountState } from '../state/index.ts';
import type { MarketTrade } from '../strategy/index.ts';
import { type Cursor, FLAG, KIND, SIDE } from '../tape/index.ts';
import type { Bot } from './bot.ts';
import { Desk } from './desk.ts';
import type { Core, Outbox } from './ports.ts';
import { type Failed, Strategies } from './strategies.ts';
import { StrategyFault } from './strategy-fault.ts';
import { Supervisor, type SupervisorSettings } from './supervisor.ts';

export interface CoreOptions extends SupervisorSettings {
  /** The venue's rate limit, kept. Default: none. */
  readonly budget?: RateBudget;
  /**
   * Whether a bot whose strategy fails is withdrawn and called no more while the others go on. Default false: everything is
   * cancelled and the run ends.
   */
  readonly alone?: boolean;
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
  /** Those at work, by their numbers: they change with parameters and added markets. */
  readonly bots: readonly Bot[];
}

/** @throws RangeError when a bot's number is not its place in the list */
export function createCore(options: CoreOptions): TradingCore {
  return new BotCore(options);
}

const DAY_MS = 86_400_000;
/** Stands in the outbox for "nothing waits any more". */
const NEVER = column.time(Number.MAX_SAFE_INTEGER);

class BotCore implements TradingCore {
  readonly #state: AccountState;
  readonly #risk: RiskGate;
  readonly #desk: Desk;
  readonly #strategies: Strategies;
  readonly #claims: boolean;
  #running = false;
  #over = false;
  #rows = 0;
  #seq: number;
  /** Trades of the message that is coming in, of markets where somebody listens. */
  readonly #trades: MarketTrade[] = [];
  /** The equity at which losses were last looked at, and the end of that day: until one changes, nothing is to be seen. */
  #watched = Number.NaN;
  #dayEnds = 0;
  readonly #supervisor: Supervisor;
  readonly #paced: boolean;
  /** Whether a rate limit is kept, or positions are taken out: then more than strategies is asked after a message. */
  #acts = false;
  /** Whether strategies are at work and any listens to trades. */
  #hearTrades = false;
  /** What the outbox was last told. */
  #wakeAt: EpochMs | undefined;

  constructor(options: CoreOptions) {
    const { state, bots, risk, planner, budget, firstSeq, claims = true, alone = false } = options;
    this.#state = state;
    this.#risk = risk;
    this.#desk = new Desk({ state, risk, planner, budget });
    this.#strategies = new Strategies(bots, state, this.#desk, alone);
    this.#claims = claims;
    this.#seq = firstSeq ?? 1;
    this.#paced = budget !== undefined;
    this.#supervisor = new Supervisor({ ...options, desk: this.#desk, strategies: this.#strategies });
  }

  get rows(): number {
    return this.#rows;
  }

  get bots(): readonly Bot[] {
    return this.#strategies.seats.bots;
  }

  get nextSeq(): Seq {
    return counted.seq(this.#seq);
  }

  market(row: Cursor, out: Outbox): void {
    const first = row.row;
    if (this.#hearTrades) this.#keepTrades(row);
    this.#state.message(row);
    this.#rows += row.row - first + 1;
    this.#messageEnds(out);
  }

  step(event: InputEvent, out: Outbox): void {
    const before = this.#state.venue;
    this.#state.fold(event);
    if (event.type === 'started') this.#running = !this.#over;
    const goesOn = this.#supervisor.take(event, before, this.#running);
    // Loss limits may begin anew: from the equity of this moment, not from what the next loss leaves.
    if (event.type === 'operatorSpoke') this.#watched = Number.NaN;
    if (this.#running) {
      this.#watch();
      this.#strategies.event(event);
      if (goesOn) this.#askAgain();
      this.#claimAfter(event);
      if (this.#strategies.hasFailed) this.#lookForFailure(out);
      if (this.#supervisor.flattens) this.#supervisor.flattenAfter(event);
    }
    if (event.type === 'stopped') this.#stop();
    this.#acts = this.#paced || this.#supervisor.flattens;
    this.#hearTrades = this.#running && this.#strategies.seats.hearTrades;
    this.#emit(event, out);
  }

  /** Wherever a book is, on the book as it is. */
  #askAgain(): void {
    for (const market of this.#state.markets) if (market.bookTime !== undefined) this.#strategies.book(market);
  }

  #messageEnds(out: Outbox): void {
    if (!this.#running) return;
    const state = this.#state;
    const { touched } = state;
    this.#watch();
    for (let place = 0; place < touched; place += 1) {
      const market = state.touchedAt(place);
      if (!market.stateChanged) continue;
      this.#strategies.market(market);
      this.#supervisor.stateChanged(market);
    }
    if (this.#trades.length > 0) this.#tellTrades();
    for (let place = 0; place < touched; place += 1) {
      const market = state.touchedAt(place);
      if (market.bookChanged) this.#strategies.book(market);
      if (market.stateChanged) this.#claim(market.info.market);
    }
    if (this.#strategies.hasFailed) this.#lookForFailure(out);
    if (this.#acts) this.#act(out);
    if (this.#desk.open) this.#emit(undefined, out);
  }

  /** What else is done at the end of a message. */
  #act(out: Outbox): void {
    const state = this.#state;
    if (this.#supervisor.flattens) {
      for (let place = 0; place < state.touched; place += 1) this.#supervisor.flattenIn(state.touchedAt(place));
    }
    if (this.#desk.wakeAt !== this.#wakeAt) this.#tellWake(out);
  }

  /** Of the message that begins here. */
  #keepTrades({ block, row: first }: Cursor): void {
    const { market, kind, side, price, shares, flags, tx, count } = block;
    for (let row = first; row < count; row += 1) {
      if (kind[row] === KIND.trade && this.#strategies.seats.at(market[row]!).onTrade.length > 0) {
        this.#trades.push({
          market: counted.market(market[row]!),
          time: column.time(tx[row]!),
          taker: side[row] === SIDE.bid ? 'BUY' : side[row] === SIDE.ask ? 'SELL' : 'unknown',
          price: column.price(price[row]!),
          shares: column.shares(shares[row]!),
        });
      }
      if ((flags[row]! & FLAG.last) !== 0) return;
    }
  }

  #tellTrades(): void {
    for (const trade of this.#trades) this.#strategies.trade(trade);
    this.#trades.length = 0;
  }

  /** Loss limits, wherever equity may have changed, and at the turn of the UTC day. */
  #watch(): void {
    const { exitEquity, now } = this.#state;
    if (exitEquity === this.#watched && now < this.#dayEnds) return;
    this.#watched = exitEquity;
    this.#dayEnds = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
    const breach = this.#risk.watch(this.#state);
    if (breach === undefined) return;
    this.#desk.refuse(breach);
    this.#supervisor.withdraw();
  }

  #claimAfter(event: InputEvent): void {
    if (event.type === 'started') for (const { info } of this.#state.markets) this.#claim(info.market);
    // Not at once after an answer to one, whatever it was: claim and answer would chase each other.
    else if ('venueTime' in event && 'market' in event && !isAnswerToClaim(event)) {
      this.#claim(event.market);
    }
  }

  /** A claim is no order: it goes out in every mode, in the name of the first bot on the market. */
  #claim(market: MarketNo): void {
    if (!this.#claims || this.#strategies.failure !== undefined || !this.#state.claimable(market)) return;
    this.#desk.issue({ type: 'claim', bot: this.#strategies.seats.actsOn(market), market, shares: ZERO_SHARES });
  }

  #lookForFailure(out: Outbox): void {
    this.#hearTrades = this.#strategies.seats.hearTrades;
    for (const failure of this.#strategies.takeFailures()) {
      this.#desk.withdraw((bot) => bot === failure.bot);
      out.retired = [...(out.retired ?? []), this.#faultOf(failure)];
    }
    const { failure } = this.#strategies;
    if (failure === undefined) return;
    this.#risk.turn('KILLED', 'STRATEGY');
    this.#stop();
    out.fault = this.#faultOf(failure);
  }

  #faultOf(failed: Failed): StrategyFault {
    return new StrategyFault({ ...failed, time: this.#state.now, row: this.#rows });
  }

  #stop(): void {
    if (this.#over) return;
    this.#running = false;
    this.#hearTrades = false;
    this.#over = true;
    this.#supervisor.withdraw();
  }

  #tellWake(out: Outbox): void {
    this.#wakeAt = this.#desk.wakeAt;
    out.wakeAt = this.#wakeAt ?? NEVER;
  }

  #emit(event: InputEvent | undefined, out: Outbox): void {
    const { refused, commands } = this.#desk.close();
    const step = { seq: counted.seq(this.#seq), time: this.#state.now, row: this.#rows, event, refused, commands };
    this.#seq += 1;
    if (this.#desk.wakeAt !== this.#wakeAt) this.#tellWake(out);
    out.steps = out.steps.length === 0 ? [step] : [...out.steps, step];
    if (commands.length > 0) out.commands = out.commands.length === 0 ? commands : [...out.commands, ...commands];
  }
}

function isAnswerToClaim(event: InputEvent): boolean {
  return event.type === 'conversionRejected' || (event.type === 'converted' && event.conversion === 'claim');
}
