/**
 * A venue for paper trading, which receives real market data, fills own orders locally, and sends nothing.
 *
 * The venue simulates with the backtest's engine, queue, fees and liquidity. Only the source of time differs. A message
 * takes effect at its receipt. Commands and answers have the assumed latencies, on the run's clock.
 *
 * HOT: all market data passes here. Besides the engine's work, each row is copied once.
 *
 * Invariants: the engine's time never decreases, even if the venue's clock does. Answers keep their order, never arrive
 * during `send`, and carry their delivery time. The bot does not see size that its taker orders took.
 */
import type { Clock } from '../../clock/index.ts';
import { type MarketNo, type MarketState, type OrderCommand, unchecked, type VenueEvent } from '../../domain/index.ts';
import type { ExchangeView } from '../../exchange/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Venue, VenueSession, VenueSink } from '../../runtime/index.ts';
import { type Block, copyRows, FLAG, KIND, makeBlock, STATUS_CODES } from '../../tape/index.ts';
import { CommandLatencyQueue } from './command-latency-queue.ts';
import { type EngineOutput, type EngineSetup, SimEngine } from './engine.ts';
import type { SimModels } from './options.ts';
import { OwnRows } from './own-rows.ts';
import type { ReplayedMarket } from './replayed-exchange.ts';
import type { SimMarket } from './sim-market.ts';
import { TimeQueue } from './time-queue.ts';

const CODES: readonly string[] = STATUS_CODES;

/** Source of market data: rows, and events about limits and the venue. */
export interface PaperSource {
  /** Sends the current state, then changes, until the returned object is closed. */
  start(sink: VenueSink): Promise<{ close(): Promise<void> }>;
}

export interface PaperVenueSetup extends Omit<EngineSetup, 'output' | 'models'> {
  readonly source: PaperSource;
  readonly clock: Clock;
  /** The feed latency is not used, because market data has its real latency. */
  readonly models: SimModels;
}

export interface PaperMarket extends ReplayedMarket {
  /** The next number, or the number of a known market. */
  readonly market: MarketNo;
  readonly state: Pick<MarketState, 'status' | 'acceptingOrders'>;
}

export class PaperVenue implements Venue {
  readonly #engine: SimEngine;
  readonly #source: PaperSource;
  readonly #clock: Clock;
  readonly #models: SimModels;
  readonly #commands: CommandLatencyQueue;
  readonly #answers = new TimeQueue<VenueEvent>();
  readonly #ownRows = new OwnRows();
  readonly #findMarket = (number: number): Readonly<SimMarket> | undefined => this.#engine.market(number);
  #block: Block = makeBlock(256);
  #sink: VenueSink | undefined;
  #time = 0;
  #lastAnswerTime = 0;
  /** Time of the next wake-up, and its cancel function. */
  #wakeTime = Number.POSITIVE_INFINITY;
  #cancelWake: () => void = () => {};
  #isRunning = false;

  constructor(setup: PaperVenueSetup) {
    this.#source = setup.source;
    this.#clock = setup.clock;
    this.#models = setup.models;
    this.#commands = new CommandLatencyQueue(setup.models.latency);
    this.#engine = new SimEngine({ ...setup, output: this.#output() });
  }

  get ledger(): Ledger {
    return this.#engine.ledger;
  }

  get exchange(): ExchangeView {
    return this.#engine.exchange;
  }

  /** Connects. Reports only the markets' state, because the account is new. @throws Error if already connected */
  async connect(sink: VenueSink): Promise<VenueSession> {
    if (this.#sink !== undefined) throw new Error('Invariant: a paper venue serves one run');
    this.#sink = sink;
    const session = await this.#source.start({
      rows: (block, from, to) => this.#onRows(sink, block, from, to),
      event: (event) => sink.event(event),
    });
    return {
      send: (commands) => this.#send(commands),
      close: async () => {
        this.#cancelWake();
        await session.close();
      },
    };
  }

  /**
   * Adds a market, or changes the price grid of a known market, which closes the market's orders. The source may send
   * rows of the market after this call.
   */
  addMarket({ market, state, ...added }: PaperMarket): void {
    const now = this.#clock.now();
    this.#runDue(now);
    this.#engine.addMarket(market, added, this.#time);
    const block = this.#block;
    block.count = 1;
    block.tx[0] = this.#time;
    block.rx[0] = now;
    block.market[0] = market;
    block.kind[0] = KIND.status;
    block.price[0] = toStatusCode(state);
    block.flags[0] = FLAG.last;
    this.#engine.processMessage(block, 0);
    this.#scheduleWake();
  }

  #onRows(sink: VenueSink, source: Block, from: number, to: number): void {
    const now = this.#clock.now();
    this.#runDue(now - 1);
    // Events with the same receive time are delivered in the order of venue time.
    while (!this.#areAnswersDelivered(now, source.tx[from]!)) this.#deliverAnswer(sink);
    const block = this.#copy(source, from, to);
    for (let row = 0; row < block.count; ) {
      // All rows of a message share their times.
      const time = Math.max(block.tx[row]!, this.#time);
      let end = row;
      do {
        block.tx[end] = time;
        block.rx[end] = now;
        end += 1;
      } while ((block.flags[end - 1]! & FLAG.last) === 0 && end < block.count);
      this.#time = time;
      const next = this.#engine.processMessage(block, row);
      sink.rows(block, row, next);
      row = next;
      this.#endOwnRows();
      while (this.#ownRows.nextTime <= now) this.#deliverOwnRows(sink);
    }
    this.#runDue(now);
    this.#scheduleWake();
  }

  /** Copies the rows, because the engine rewrites levels and the block belongs to the caller. */
  #copy(source: Block, from: number, to: number): Block {
    const rows = to - from;
    if (rows > this.#block.tx.length) this.#block = makeBlock(2 * rows);
    copyRows(source, from, to, this.#block, 0);
    this.#block.count = rows;
    return this.#block;
  }

  #send(commands: readonly OrderCommand[]): void {
    this.#commands.add(commands, this.#clock.now());
    this.#scheduleWake();
  }

  /** Executes and delivers everything due. Does nothing in a nested call. */
  #runDue(now: number): void {
    const sink = this.#sink;
    if (this.#isRunning || sink === undefined) return;
    this.#isRunning = true;
    try {
      for (let due = this.#nextTime(); due <= now; due = this.#nextTime()) this.#runNext(sink, due);
    } finally {
      this.#isRunning = false;
    }
  }

  /** Does the next piece of work in the replay's order: deadlines, arrivals, deliveries. */
  #runNext(sink: VenueSink, due: number): void {
    if (this.#engine.nextDeadline <= due) {
      this.#time = Math.max(this.#time, due);
      this.#engine.processDeadline(this.#time);
    } else if (this.#commands.nextTime <= due) this.#executeArrived(due);
    else if (this.#ownRows.nextTime <= due && this.#areAnswersDelivered(due, this.#ownRows.nextVenueTime))
      this.#deliverOwnRows(sink);
    else this.#deliverAnswer(sink);
    this.#endOwnRows();
  }

  /** Returns whether all due answers with an earlier venue time than `venueTime` were delivered. */
  #areAnswersDelivered(due: number, venueTime: number): boolean {
    return this.#answers.nextTime > due || (this.#answers.first?.venueTime ?? 0) >= venueTime;
  }

  #deliverAnswer(sink: VenueSink): void {
    sink.event({ ...this.#answers.shift(), time: this.#clock.now() });
  }

  #executeArrived(due: number): void {
    const queued = this.#commands.removeNext(due, this.#findMarket);
    if (queued === undefined) return;
    this.#time = Math.max(this.#time, due);
    this.#engine.execute(queued, this.#time);
  }

  /** Completes the open message about levels that the bot's taker orders changed, if any. */
  #endOwnRows(): void {
    if (this.#ownRows.hasOpenMessage) this.#ownRows.end(this.#time, this.#clock.now(), 0);
  }

  #deliverOwnRows(sink: VenueSink): void {
    const { from, to } = this.#ownRows.shift();
    sink.rows(this.#ownRows.block, from, to);
  }

  #nextTime(): number {
    const nextDelivery = Math.min(this.#answers.nextTime, this.#ownRows.nextTime);
    return Math.min(this.#engine.nextDeadline, this.#commands.nextTime, nextDelivery);
  }

  #scheduleWake(): void {
    const next = this.#nextTime();
    if (next === this.#wakeTime) return;
    this.#cancelWake();
    this.#wakeTime = next;
    this.#cancelWake = () => {};
    if (next === Number.POSITIVE_INFINITY) return;
    this.#cancelWake = this.#clock.schedule(unchecked.time(next), () => {
      this.#wakeTime = Number.POSITIVE_INFINITY;
      this.#runDue(this.#clock.now());
      this.#scheduleWake();
    });
  }

  #output(): EngineOutput {
    return {
      // The run's clock is used, because the venue's clock may be ahead.
      receiveTime: () => {
        const now = this.#clock.now();
        this.#lastAnswerTime = Math.max(this.#lastAnswerTime, now + this.#models.latency.response(now));
        return this.#lastAnswerTime;
      },
      emit: (event) => {
        this.#lastAnswerTime = Math.max(this.#lastAnswerTime, event.time);
        this.#answers.add(this.#lastAnswerTime, event);
      },
      onLevel: (market, side, price, shares) => this.#ownRows.add(market, side, price, shares),
    };
  }
}

/** Returns the tape's code of a market's state. All final states have the code RESOLVED. */
function toStatusCode({ status, acceptingOrders }: PaperMarket['state']): number {
  const code = CODES.indexOf(status === 'OPEN' && !acceptingOrders ? 'HALTED' : status);
  return code < 0 ? CODES.indexOf('RESOLVED') : code;
}
