/**
 * A venue that replays a tape: the recorded market on one side, our orders on the other.
 *
 * Invariants (docs/spec/models.md#time-and-look-ahead): work is done in the order (time, rank, sequence): the market
 * moves first, then own commands arrive (and orders expire), then the bot receives its messages, then its timers fire.
 * Messages of one moment reach the bot in the order of exchange time, market data first. Market data, commands and
 * answers each keep their order on the way. A placing delay holds places and replaces, never cancels. While the bot is
 * called, the clock shows the time of the call.
 *
 * HOT: each message passes twice, once by exchange time and once by receive time. The bot acts at the end of each
 * message, so messages are handed over one by one. About 15 ns a row beside the engine's, and about 1 us for a requote
 * of both sides with its answers (2 cores, Node 24). With the whole replay around it in bench/replay.ts.
 */
import type { SimClock } from '../../clock/index.ts';
import { column, marketNo, type OrderCommand, type VenueEvent } from '../../domain/index.ts';
import type { ExchangeView } from '../../exchange/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Venue, VenueSession, VenueSink } from '../../runtime/index.ts';
import type { Block, Feed } from '../../tape/index.ts';
import { CommandLatencyQueue } from './command-latency-queue.ts';
import { type EngineOutput, type EngineSetup, SimEngine } from './engine.ts';
import { FeedLatency, type LatencyModel } from './latency.ts';
import type { SimModels } from './options.ts';
import { OwnRows } from './own-rows.ts';
import type { SimMarket } from './sim-market.ts';
import { TapeWindow } from './tape-window.ts';
import { TimeQueue } from './time-queue.ts';

export interface SimVenueSetup extends Omit<EngineSetup, 'output' | 'models'> {
  /** Rows in the order of exchange time; closed with the session. */
  readonly feed: Feed;
  /** The run's clock, not later than the first row; the bot's timers are on it. */
  readonly clock: SimClock;
  readonly models: SimModels;
  /** The manifest's: `missing` adds the feed latency, `recorded` takes what the rows say. */
  readonly receiveTime: 'recorded' | 'missing';
  /** Rows a block holds, at least the longest message. Default 8192. */
  readonly blockRows?: number;
}

/** A replay as a venue: connect a sink, then call `pump` until it returns false. */
export class SimVenue implements Venue {
  readonly #engine: SimEngine;
  readonly #clock: SimClock;
  readonly #latency: LatencyModel;
  readonly #feed: Feed;
  readonly #feedLatency: FeedLatency;
  readonly #tape: TapeWindow;
  readonly #ownRows = new OwnRows();
  readonly #marketOf = (no: number): Readonly<SimMarket> | undefined => this.#engine.market(no);
  readonly #commands: CommandLatencyQueue;
  readonly #answers = new TimeQueue<VenueEvent>();
  #sink: VenueSink | undefined;
  #lastAnswer = 0;
  #hasDeliveredAll = false;
  /** An own order or command is new: `#quietUntil` must be recalculated. */
  #hasNewWork = true;
  #quietUntil = 0;

  constructor(setup: SimVenueSetup) {
    this.#clock = setup.clock;
    this.#latency = setup.models.latency;
    this.#feed = setup.feed;
    this.#feedLatency = new FeedLatency(setup.models.latency, setup.receiveTime === 'recorded');
    this.#commands = new CommandLatencyQueue(setup.models.latency);
    this.#tape = new TapeWindow(setup.feed, setup.blockRows ?? 8_192);
    this.#engine = new SimEngine({ ...setup, output: this.#output() });
  }

  /** Rows of the tape that the venue has processed so far. */
  get rows(): number {
    return this.#tape.venueRows;
  }

  /** Messages of the tape that were received before they happened, as clocks disagreed; the bot had them at once. */
  get receivedEarly(): number {
    return this.#feedLatency.early;
  }

  /** The account's books at exchange time: ahead of what the bot knows. */
  get ledger(): Ledger {
    return this.#engine.ledger;
  }

  /**
   * Books what the venue pays makers for the run, when it is over: rebates, and estimated liquidity rewards. The bot never
   * had this cash.
   * @param rewards micro-USD by market number
   */
  payMakers(rewards: readonly number[]): void {
    for (const [market, amount] of this.#engine.charges.rebates()) this.ledger.reward(market, amount);
    for (const [market, micros] of rewards.entries()) {
      if (micros > 0) this.ledger.reward(marketNo(market), column.usd(micros));
    }
  }

  /** The exchange on which the tape is replayed, at exchange time. */
  get exchange(): ExchangeView {
    return this.#engine.exchange;
  }

  /** Whether the bot has received the last row of the tape; commands and answers may still be on their way. */
  get tapeEnded(): boolean {
    return this.#hasDeliveredAll;
  }

  /**
   * The account is new and the book empty, so there is no present state to send.
   * @throws Error when connected already
   */
  connect(sink: VenueSink): Promise<VenueSession> {
    if (this.#sink !== undefined) return Promise.reject(new Error('Invariant: a simulated venue serves one run'));
    this.#sink = sink;
    return Promise.resolve({
      send: (commands) => this.#send(commands),
      close: () => {
        this.#feed.close();
        return Promise.resolve();
      },
    });
  }

  /**
   * Runs until the venue has processed about `maxRows` more rows, or as many commands, answers and timers (a tape
   * without rows for years has only timers). Returns early, once, when the bot has received the last row. Stop the bot
   * then: a bot that answers every answer would never end.
   * @returns false when the tape is over and nothing is in flight
   * @throws Error unless connected
   */
  pump(maxRows = Number.POSITIVE_INFINITY): boolean {
    const sink = this.#sink;
    if (sink === undefined) throw new Error('Invariant: connect before pump');
    const goal = this.#tape.venueRows + maxRows;
    const hadDeliveredAll = this.#hasDeliveredAll;
    for (let steps = 0; this.#tape.venueRows < goal && steps < maxRows; ) {
      this.#runMarket(sink, goal);
      if (!this.#next(sink)) return false;
      if (this.#hasDeliveredAll && !hadDeliveredAll) return true;
      steps += 1;
    }
    return true;
  }

  /** Runs the market alone, up to `goal` rows of the tape, as long as nothing of ours is due and no timer. */
  #runMarket(sink: VenueSink, goal: number): void {
    const tape = this.#tape;
    const clock = this.#clock;
    while (tape.venueRows < goal) {
      if (this.#hasNewWork) this.#updateQuietUntil();
      const timer = clock.nextTime();
      const quiet = timer < this.#quietUntil ? timer : this.#quietUntil;
      if (tape.venueTime > tape.botTime) {
        if (tape.botTime >= quiet) return;
        this.#toBot(sink, tape.botBlock, tape.botRow, tape.messageEnd());
        continue;
      }
      if (tape.venueTime > quiet || tape.venueTime === Number.POSITIVE_INFINITY) return;
      const behind = tape.botTime < Number.POSITIVE_INFINITY;
      const { venueBlock: block, venueRow: from } = tape;
      const to = this.#venueReads();
      if (behind || this.#hasNewWork || tape.botTime >= tape.venueTime || tape.botTime >= quiet) continue;
      // Nothing comes in between: straight on to the bot.
      this.#toBot(sink, block, from, to);
    }
  }

  /** When the first thing of ours is due, timers apart; rows of ours in the feed leave nothing to the market alone. */
  #updateQuietUntil(): void {
    this.#hasNewWork = false;
    this.#quietUntil =
      this.#ownRows.nextAfter < 0
        ? Math.min(this.#answers.next, this.#commands.next, this.#engine.nextDeadline)
        : Number.NEGATIVE_INFINITY;
  }

  /** Does the next piece of work. @returns whether there was any */
  #next(sink: VenueSink): boolean {
    const tapeTime = this.#tape.venueTime;
    const marketTime = this.#marketTime();
    const answerTime = this.#answers.next;
    const commandTime = this.#commands.next;
    const inFlight = Math.min(marketTime, answerTime, commandTime);
    if (tapeTime === Number.POSITIVE_INFINITY && marketTime === Number.POSITIVE_INFINITY) {
      if (!this.#hasDeliveredAll) {
        this.#hasDeliveredAll = true;
        return true;
      }
      if (inFlight === Number.POSITIVE_INFINITY) return false;
    }
    const expiry = this.#engine.nextDeadline;
    const due = Math.min(inFlight, expiry, this.#clock.nextTime());
    this.#hasNewWork = true;
    if (tapeTime <= due) this.#venueReads();
    else if (expiry <= due) this.#engine.reachDeadline(due);
    else if (commandTime <= due) this.#arrive(due);
    else if (marketTime <= due && (marketTime < answerTime || this.#marketFirst())) this.#botReads(sink);
    else if (answerTime <= due) this.#answer(sink, due);
    else this.#clock.runNext();
    return true;
  }

  /** Delivers all events of one step of the venue. Only a command that arrives at this moment comes between. */
  #answer(sink: VenueSink, time: number): void {
    const answers = this.#answers;
    const venueTime = answers.first?.venueTime;
    this.#clock.advanceTo(time);
    do sink.event(answers.take());
    while (answers.next === time && answers.first?.venueTime === venueTime && this.#commands.next > time);
  }

  /** The venue processes the next message of the tape, and with it fixes when the bot receives it; answers its end. */
  #venueReads(): number {
    const tape = this.#tape;
    const { venueBlock: block, venueRow: from } = tape;
    const { tx, rx } = block;
    const received = this.#feedLatency.receivedAt(tx[from]!, rx[from]!);
    rx[from] = received;
    const to = this.#engine.message(block, from);
    for (let row = from + 1; row < to; row += 1) rx[row] = received;
    tape.venueRead(to);
    if (this.#ownRows.begun) {
      this.#ownRows.end(tx[from]!, received, tape.venueRows);
      this.#hasNewWork = true;
    }
    return to;
  }

  /** The next own command is at the venue: carried out, unless it is held back now. */
  #arrive(time: number): void {
    const flight = this.#commands.take(time, this.#marketOf);
    if (flight === undefined) return;
    this.#engine.command(flight, time);
    if (this.#ownRows.begun) this.#ownRows.end(time, this.#feedLatency.ownReceivedAt(time), this.#tape.venueRows);
  }

  /** When the bot receives its next message of market data; Infinity when none is on its way. */
  #marketTime(): number {
    const tape = this.#tape;
    return this.#ownRows.nextAfter === tape.botRows ? this.#ownRows.nextTime : tape.botTime;
  }

  /** At one moment: whether the market's message happened no later than the answer. */
  #marketFirst(): boolean {
    const tape = this.#tape;
    const own = this.#ownRows.nextAfter === tape.botRows;
    const venueTime = own ? this.#ownRows.nextVenueTime : tape.botBlock.tx[tape.botRow]!;
    const answer = this.#answers.first;
    return answer === undefined || venueTime <= answer.venueTime;
  }

  #botReads(sink: VenueSink): void {
    const tape = this.#tape;
    if (this.#ownRows.nextAfter !== tape.botRows) {
      this.#toBot(sink, tape.botBlock, tape.botRow, tape.messageEnd());
      return;
    }
    this.#clock.advanceTo(this.#ownRows.nextTime);
    const { from, to } = this.#ownRows.take();
    sink.rows(this.#ownRows.block, from, to);
  }

  /** The bot receives its next message of the tape, which is these rows. */
  #toBot(sink: VenueSink, block: Block, from: number, to: number): void {
    this.#clock.advanceTo(this.#tape.botTime);
    sink.rows(block, from, to);
    this.#tape.botRead(to);
  }

  #send(commands: readonly OrderCommand[]): void {
    this.#commands.add(commands, this.#clock.now());
    this.#hasNewWork = true;
  }

  #output(): EngineOutput {
    return {
      seenAt: (venueTime) => {
        this.#lastAnswer = Math.max(this.#lastAnswer, venueTime + this.#latency.response(venueTime));
        return this.#lastAnswer;
      },
      fillSeenAt: (venueTime) => {
        const delay = this.#latency.fill?.(venueTime);
        return delay === undefined ? undefined : Math.max(this.#lastAnswer, venueTime + delay);
      },
      event: (event) => {
        this.#lastAnswer = Math.max(this.#lastAnswer, event.time);
        this.#answers.add(event.time, event);
        this.#hasNewWork = true;
      },
      level: (market, side, price, shares) => this.#ownRows.add(market, side, price, shares),
    };
  }
}
