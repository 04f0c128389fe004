/**
 * A venue for paper trading: real market data comes in, own orders are filled here, and nothing is sent.
 *
 * The simulation is the backtest's: the same engine, queue, fees and liquidity. Only the source of time differs. A
 * message counts as being at the venue when it is received, because it is unknown before. Commands and answers are
 * delayed by their assumed latencies, on the run's clock.
 *
 * HOT: every row of the market passes here. Its own cost, beside the engine, is a copy of the row.
 *
 * Invariants: the engine's time never goes back, whatever the venue's clock says; answers keep their order, never come
 * during `send`, and say when they were handed over; what own takers took of a level is gone for the bot's eyes.
 */
import type { Clock } from '../../clock/index.ts';
import { column, type MarketNo, type MarketState, type OrderCommand, type VenueEvent } from '../../domain/index.ts';
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
  /** Present state first, then news. The answer ends it. */
  start(sink: VenueSink): Promise<{ close(): Promise<void> }>;
}

export interface PaperVenueSetup extends Omit<EngineSetup, 'output' | 'models'> {
  readonly source: PaperSource;
  readonly clock: Clock;
  /** The latency of market data is not used: it is the real one. */
  readonly models: SimModels;
}

/** A market that is added while the run goes on. */
export interface PaperMarket extends ReplayedMarket {
  /** The next number, or that of a market that comes back. */
  readonly market: MarketNo;
  readonly state: Pick<MarketState, 'status' | 'acceptingOrders'>;
}

/** Orders that are filled by what others really did. */
export class PaperVenue implements Venue {
  readonly #engine: SimEngine;
  readonly #source: PaperSource;
  readonly #clock: Clock;
  readonly #models: SimModels;
  readonly #commands: CommandLatencyQueue;
  readonly #answers = new TimeQueue<VenueEvent>();
  readonly #ownRows = new OwnRows();
  readonly #marketOf = (no: number): Readonly<SimMarket> | undefined => this.#engine.market(no);
  #block: Block = makeBlock(256);
  #sink: VenueSink | undefined;
  #time = 0;
  #lastAnswer = 0;
  /** Time of the next wake-up, and its cancel function. */
  #wakeTime = Number.POSITIVE_INFINITY;
  #cancelWake: () => void = () => {};
  #isPumping = false;

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

  /** The exchange on which the venue's market is replayed. */
  get exchange(): ExchangeView {
    return this.#engine.exchange;
  }

  /** The account is new, so only the market's present state is reported. @throws Error if already connected */
  async connect(sink: VenueSink): Promise<VenueSession> {
    if (this.#sink !== undefined) throw new Error('Invariant: a paper venue serves one run');
    this.#sink = sink;
    const session = await this.#source.start({
      rows: (block, from, to) => this.#rows(sink, block, from, to),
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
   * From now on, orders in this market are taken as its state and its prices allow. Orders at prices of another grid are
   * closed. Its rows may come next.
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
    block.price[0] = statusCode(state);
    block.flags[0] = FLAG.last;
    this.#engine.message(block, 0);
    this.#arm();
  }

  #rows(sink: VenueSink, source: Block, from: number, to: number): void {
    const now = this.#clock.now();
    this.#runDue(now - 1);
    // Events with one receive time are delivered in the order in which they happened.
    while (!this.#isDelivered(now, source.tx[from]!)) this.#deliver(sink);
    const block = this.#copyOf(source, from, to);
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
      const next = this.#engine.message(block, row);
      sink.rows(block, row, next);
      row = next;
      this.#endOwn();
      while (this.#ownRows.nextTime <= now) this.#showOwn(sink);
    }
    this.#runDue(now);
    this.#arm();
  }

  /** The caller's block is not ours to write in, and what own orders took is written in. */
  #copyOf(source: Block, from: number, to: number): Block {
    const rows = to - from;
    if (rows > this.#block.tx.length) this.#block = makeBlock(2 * rows);
    copyRows(source, from, to, this.#block, 0);
    this.#block.count = rows;
    return this.#block;
  }

  #send(commands: readonly OrderCommand[]): void {
    this.#commands.add(commands, this.#clock.now());
    this.#arm();
  }

  /** Executes and delivers all that is due. Does nothing in a nested call. */
  #runDue(now: number): void {
    const sink = this.#sink;
    if (this.#isPumping || sink === undefined) return;
    this.#isPumping = true;
    try {
      for (let due = this.#next(); due <= now; due = this.#next()) this.#run(sink, due);
    } finally {
      this.#isPumping = false;
    }
  }

  /** The next piece of work, in the order of the replay: expiries, arrivals, deliveries. */
  #run(sink: VenueSink, due: number): void {
    if (this.#engine.nextDeadline <= due) {
      this.#time = Math.max(this.#time, due);
      this.#engine.reachDeadline(this.#time);
    } else if (this.#commands.next <= due) this.#arrive(due);
    else if (this.#ownRows.nextTime <= due && this.#isDelivered(due, this.#ownRows.nextVenueTime)) this.#showOwn(sink);
    else this.#deliver(sink);
    this.#endOwn();
  }

  /** Whether every due answer that happened before `venueTime` was delivered. */
  #isDelivered(due: number, venueTime: number): boolean {
    return this.#answers.next > due || (this.#answers.first?.venueTime ?? 0) >= venueTime;
  }

  #deliver(sink: VenueSink): void {
    sink.event({ ...this.#answers.take(), time: this.#clock.now() });
  }

  #arrive(due: number): void {
    const flight = this.#commands.take(due, this.#marketOf);
    if (flight === undefined) return;
    this.#time = Math.max(this.#time, due);
    this.#engine.command(flight, this.#time);
  }

  /** Levels that own takers changed are a message of their own. */
  #endOwn(): void {
    if (this.#ownRows.begun) this.#ownRows.end(this.#time, this.#clock.now(), 0);
  }

  #showOwn(sink: VenueSink): void {
    const { from, to } = this.#ownRows.take();
    sink.rows(this.#ownRows.block, from, to);
  }

  #next(): number {
    const nextDelivery = Math.min(this.#answers.next, this.#ownRows.nextTime);
    return Math.min(this.#engine.nextDeadline, this.#commands.next, nextDelivery);
  }

  #arm(): void {
    const next = this.#next();
    if (next === this.#wakeTime) return;
    this.#cancelWake();
    this.#wakeTime = next;
    this.#cancelWake = next === Number.POSITIVE_INFINITY ? () => {} : this.#wakeAt(next);
  }

  #wakeAt(time: number): () => void {
    return this.#clock.schedule(column.time(time), () => {
      this.#wakeTime = Number.POSITIVE_INFINITY;
      this.#runDue(this.#clock.now());
      this.#arm();
    });
  }

  #output(): EngineOutput {
    return {
      // By the run's clock: the venue's may be ahead of it.
      seenAt: () => {
        const now = this.#clock.now();
        this.#lastAnswer = Math.max(this.#lastAnswer, now + this.#models.latency.response(now));
        return this.#lastAnswer;
      },
      event: (event) => {
        this.#lastAnswer = Math.max(this.#lastAnswer, event.time);
        this.#answers.add(this.#lastAnswer, event);
      },
      level: (market, side, price, shares) => this.#ownRows.add(market, side, price, shares),
    };
  }
}

/** A final market takes no orders either. */
function statusCode({ status, acceptingOrders }: PaperMarket['state']): number {
  const shown = status === 'OPEN' && !acceptingOrders ? 'HALTED' : status;
  const code = CODES.indexOf(shown);
  return code < 0 ? CODES.indexOf('RESOLVED') : code;
}
