/**
 * A venue that replays a tape and matches own orders against the recorded market.
 *
 * Invariants (docs/spec/models.md#time-and-look-ahead): work is done in the order (time, rank, sequence). At one time
 * the market moves first, then orders expire and own commands arrive, then the bot receives messages, then its timers
 * fire. Messages with one receive time reach the bot in the order of exchange time, market data first. Market data,
 * commands and answers each keep their order. A placing delay holds places and replaces, never cancels. During a call
 * of the bot the clock shows the time of the call.
 *
 * HOT: each message passes twice, once by exchange time and once by receive time (bench/replay.ts). The bot acts at the
 * end of each message, so messages are delivered one by one.
 */
import type { SimClock } from '../../clock/index.ts';
import { marketNo, type OrderCommand, unchecked, type VenueEvent } from '../../domain/index.ts';
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
  /** Rows in the order of exchange time. Closed with the session. */
  readonly feed: Feed;
  /** The run's clock, which also runs the bot's timers. The clock starts at or before the first row. */
  readonly clock: SimClock;
  readonly models: SimModels;
  /** The manifest's value. `missing` adds the feed latency, `recorded` uses the times of the rows. */
  readonly receiveTime: 'recorded' | 'missing';
  /** Capacity of a block in rows, at least the longest message. Default 8192. */
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
  readonly #findMarket = (number: number): Readonly<SimMarket> | undefined => this.#engine.market(number);
  readonly #commands: CommandLatencyQueue;
  readonly #answers = new TimeQueue<VenueEvent>();
  #sink: VenueSink | undefined;
  #lastAnswerTime = 0;
  #hasTapeEnded = false;
  #isNextOwnTimeStale = true;
  /** Time of the next own command, answer or deadline; -Infinity while own rows wait for the bot. */
  #nextOwnTime = 0;

  constructor(setup: SimVenueSetup) {
    this.#clock = setup.clock;
    this.#latency = setup.models.latency;
    this.#feed = setup.feed;
    this.#feedLatency = new FeedLatency(setup.models.latency, setup.receiveTime === 'recorded');
    this.#commands = new CommandLatencyQueue(setup.models.latency);
    this.#tape = new TapeWindow(setup.feed, setup.blockRows ?? 8_192);
    this.#engine = new SimEngine({ ...setup, output: this.#output() });
  }

  /** Number of tape rows that the venue has processed. */
  get rows(): number {
    return this.#tape.venueRows;
  }

  /** Number of tape messages with a receive time before their venue time, which the bot receives at once. */
  get earlyMessageCount(): number {
    return this.#feedLatency.earlyCount;
  }

  /** The account at exchange time, which is ahead of the bot's knowledge. */
  get ledger(): Ledger {
    return this.#engine.ledger;
  }

  /**
   * Books the venue's payments to makers at the end of the run: rebates and estimated liquidity rewards. The bot never
   * has this cash.
   * @param rewards micro-USD by market number
   */
  payMakers(rewards: readonly number[]): void {
    for (const [market, amount] of this.#engine.charges.rebates()) this.ledger.bookReward(market, amount);
    for (const [market, micros] of rewards.entries()) {
      if (micros > 0) this.ledger.bookReward(marketNo(market), unchecked.usd(micros));
    }
  }

  /** The exchange that replays the tape, at exchange time. */
  get exchange(): ExchangeView {
    return this.#engine.exchange;
  }

  /** Whether the bot has received the last row of the tape. Commands and answers may still be in flight. */
  get hasTapeEnded(): boolean {
    return this.#hasTapeEnded;
  }

  /** Connects. Sends no state, because the account is new and the book is empty. @throws Error if already connected */
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
   * Runs until the venue has processed about `maxRows` more rows, or as many commands, answers and timers. Also returns
   * when the bot has received the last row. Then stop the bot, because a bot may react to every answer forever.
   * @returns false when the tape has ended and nothing is in flight
   * @throws Error unless connected
   */
  pump(maxRows = Number.POSITIVE_INFINITY): boolean {
    const sink = this.#sink;
    if (sink === undefined) throw new Error('Invariant: connect before pump');
    const targetRows = this.#tape.venueRows + maxRows;
    const hadTapeEnded = this.#hasTapeEnded;
    for (let steps = 0; this.#tape.venueRows < targetRows && steps < maxRows; ) {
      this.#runMarket(sink, targetRows);
      if (!this.#runNext(sink)) return false;
      if (this.#hasTapeEnded && !hadTapeEnded) return true;
      steps += 1;
    }
    return true;
  }

  /** Replays messages of the tape until `targetRows` rows are processed, or `#nextOwnTime` or a timer is reached. */
  #runMarket(sink: VenueSink, targetRows: number): void {
    const tape = this.#tape;
    const clock = this.#clock;
    while (tape.venueRows < targetRows) {
      if (this.#isNextOwnTimeStale) this.#updateNextOwnTime();
      const timerTime = clock.nextTime();
      const stopTime = timerTime < this.#nextOwnTime ? timerTime : this.#nextOwnTime;
      if (tape.venueTime > tape.botTime) {
        if (tape.botTime >= stopTime) return;
        this.#deliver(sink, tape.botBlock, tape.botRow, tape.messageEnd());
        continue;
      }
      if (tape.venueTime > stopTime || tape.venueTime === Number.POSITIVE_INFINITY) return;
      const isBotBehind = tape.botTime < Number.POSITIVE_INFINITY;
      const { venueBlock: block, venueRow: from } = tape;
      const to = this.#processMessage();
      if (isBotBehind || this.#isNextOwnTimeStale || tape.botTime >= tape.venueTime || tape.botTime >= stopTime)
        continue;
      // Nothing is due in between, so the bot receives the message at once.
      this.#deliver(sink, block, from, to);
    }
  }

  #updateNextOwnTime(): void {
    this.#isNextOwnTimeStale = false;
    this.#nextOwnTime =
      this.#ownRows.nextAfter < 0
        ? Math.min(this.#answers.nextTime, this.#commands.nextTime, this.#engine.nextDeadline)
        : Number.NEGATIVE_INFINITY;
  }

  /** Does the next piece of work. Returns false if no work is left. */
  #runNext(sink: VenueSink): boolean {
    const tapeTime = this.#tape.venueTime;
    const marketTime = this.#nextMarketTime();
    const answerTime = this.#answers.nextTime;
    const commandTime = this.#commands.nextTime;
    const inFlightTime = Math.min(marketTime, answerTime, commandTime);
    if (tapeTime === Number.POSITIVE_INFINITY && marketTime === Number.POSITIVE_INFINITY) {
      if (!this.#hasTapeEnded) {
        this.#hasTapeEnded = true;
        return true;
      }
      if (inFlightTime === Number.POSITIVE_INFINITY) return false;
    }
    const deadline = this.#engine.nextDeadline;
    const due = Math.min(inFlightTime, deadline, this.#clock.nextTime());
    this.#isNextOwnTimeStale = true;
    if (tapeTime <= due) this.#processMessage();
    else if (deadline <= due) this.#engine.processDeadline(due);
    else if (commandTime <= due) this.#executeArrived(due);
    else if (marketTime <= due && (marketTime < answerTime || this.#isMarketFirst())) this.#deliverMarketData(sink);
    else if (answerTime <= due) this.#deliverAnswers(sink, due);
    else this.#clock.runNext();
    return true;
  }

  /** Delivers the events of one step of the venue, until a command arrives at the same time. */
  #deliverAnswers(sink: VenueSink, time: number): void {
    const answers = this.#answers;
    const venueTime = answers.first?.venueTime;
    this.#clock.advanceTo(time);
    do sink.event(answers.shift());
    while (answers.nextTime === time && answers.first?.venueTime === venueTime && this.#commands.nextTime > time);
  }

  /** Processes the venue's next message of the tape, and sets its receive time. Returns the row after the message. */
  #processMessage(): number {
    const tape = this.#tape;
    const { venueBlock: block, venueRow: from } = tape;
    const { tx, rx } = block;
    const received = this.#feedLatency.receivedAt(tx[from]!, rx[from]!);
    rx[from] = received;
    const to = this.#engine.processMessage(block, from);
    for (let row = from + 1; row < to; row += 1) rx[row] = received;
    tape.advanceVenue(to);
    if (this.#ownRows.hasOpenMessage) {
      this.#ownRows.end(tx[from]!, received, tape.venueRows);
      this.#isNextOwnTimeStale = true;
    }
    return to;
  }

  /** Executes the next arrived command, unless the placing delay holds the command. */
  #executeArrived(time: number): void {
    const queued = this.#commands.removeNext(time, this.#findMarket);
    if (queued === undefined) return;
    this.#engine.execute(queued, time);
    if (this.#ownRows.hasOpenMessage)
      this.#ownRows.end(time, this.#feedLatency.ownReceivedAt(time), this.#tape.venueRows);
  }

  /** Returns when the bot receives its next message of market data; Infinity if no message is in flight. */
  #nextMarketTime(): number {
    const tape = this.#tape;
    return this.#ownRows.nextAfter === tape.botRows ? this.#ownRows.nextTime : tape.botTime;
  }

  /** For equal receive times, returns whether the market's next message happened no later than the next answer. */
  #isMarketFirst(): boolean {
    const tape = this.#tape;
    const isOwnNext = this.#ownRows.nextAfter === tape.botRows;
    const venueTime = isOwnNext ? this.#ownRows.nextVenueTime : tape.botBlock.tx[tape.botRow]!;
    const answer = this.#answers.first;
    return answer === undefined || venueTime <= answer.venueTime;
  }

  #deliverMarketData(sink: VenueSink): void {
    const tape = this.#tape;
    if (this.#ownRows.nextAfter !== tape.botRows) {
      this.#deliver(sink, tape.botBlock, tape.botRow, tape.messageEnd());
      return;
    }
    this.#clock.advanceTo(this.#ownRows.nextTime);
    const { from, to } = this.#ownRows.shift();
    sink.rows(this.#ownRows.block, from, to);
  }

  /** Delivers these rows, which are the bot's next message of the tape. */
  #deliver(sink: VenueSink, block: Block, from: number, to: number): void {
    this.#clock.advanceTo(this.#tape.botTime);
    sink.rows(block, from, to);
    this.#tape.advanceBot(to);
  }

  #send(commands: readonly OrderCommand[]): void {
    this.#commands.add(commands, this.#clock.now());
    this.#isNextOwnTimeStale = true;
  }

  #output(): EngineOutput {
    return {
      receiveTime: (venueTime) => {
        this.#lastAnswerTime = Math.max(this.#lastAnswerTime, venueTime + this.#latency.response(venueTime));
        return this.#lastAnswerTime;
      },
      fillReceiveTime: (venueTime) => {
        const delay = this.#latency.fill?.(venueTime);
        return delay === undefined ? undefined : Math.max(this.#lastAnswerTime, venueTime + delay);
      },
      emit: (event) => {
        this.#lastAnswerTime = Math.max(this.#lastAnswerTime, event.time);
        this.#answers.add(event.time, event);
        this.#isNextOwnTimeStale = true;
      },
      onLevel: (market, side, price, shares) => this.#ownRows.add(market, side, price, shares),
    };
  }
}
