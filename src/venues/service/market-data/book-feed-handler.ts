/**
 * Keeps one market's book in sync with the venue's, and writes its changes as rows.
 *
 * HOT: every frame of its book passes `next` (bench/market-data.ts).
 * Invariants: rows come only from a book with matching number and checksum. A mismatch requests one snapshot; the core
 * keeps the last book until it arrives. The core has the outside book.
 */
import { BookReplica, Ladder } from '../../../book/index.ts';
import type { MarketInfo } from '../../../domain/index.ts';
import type { DataOf, OPERATIONS, WireError } from '../../../protocol/index.ts';
import { KIND, SIDE } from '../../../tape/index.ts';
import {
  type ClockOffset,
  type Log,
  MarketStatusTracker,
  OutsideRows,
  OwnLevels,
  type OwnOrderBook,
  type PrintFlusher,
  PrintQueue,
  type PrintQueueDeps,
  type Selected,
  seenTime,
} from '../../base/index.ts';
import type { StreamSink } from '../transport/index.ts';
import { BookFrame, publicTradeOf, type WireTrade } from './book-frame-codec.ts';

export interface BookFeedDeps extends PrintQueueDeps {
  readonly log: Pick<Log, 'error'>;
  /** Offset of the venue's clock. */
  readonly offset: Pick<ClockOffset, 'offsetMs' | 'errorMs'>;
  /** Delay after which a change counts as late, ms. */
  readonly staleMs: number;
  readonly flusher: PrintFlusher;
  readonly owner: BookFeedOwner;
}

export interface BookFeedOwner {
  /**
   * The book differs from the venue's.
   * @param isOffGrid whether a price was off the market's grid, whose tick may have changed
   */
  bookLost(handler: BookFeedHandler, problem: string, isOffGrid: boolean): void;
  /** The receiver of the rows threw. */
  failed(error: unknown): void;
}

/** Time without rows after which an idle frame writes one, ms. The core measures a book's age by its rows. */
const REFRESH_MS = 2_000;

type BookData = DataOf<(typeof OPERATIONS)['orderBookUpdated']>;

export class BookFeedHandler implements OwnOrderBook, StreamSink<BookData> {
  readonly info: MarketInfo;
  readonly own: OwnLevels;
  readonly status: MarketStatusTracker;
  readonly #deps: BookFeedDeps;
  readonly #tick: number;
  readonly #ladder: Ladder;
  readonly #replica: BookReplica;
  readonly #frame = new BookFrame();
  readonly #outside: OutsideRows;
  readonly #prints: PrintQueue;
  #seenAt = Number.NEGATIVE_INFINITY;
  #rowsAt = 0;
  /** Whether the book was requested. The answer may have a lower number, because the venue may have restarted. */
  #isRequested = false;
  #lostAt: number;
  #hasEnded = false;
  resyncs = 0;

  constructor({ setup: { info, state } }: Selected, deps: BookFeedDeps) {
    this.info = info;
    this.#deps = deps;
    this.#ladder = Ladder.forGrid(info.grid);
    this.#tick = this.#ladder.tickBps;
    this.#replica = new BookReplica(this.#ladder);
    this.own = new OwnLevels(this.#ladder);
    this.#outside = new OutsideRows(info.market, { ladder: this.#ladder, own: this.own, rows: deps.rows });
    this.#prints = new PrintQueue(info.market, this.own, deps);
    this.status = new MarketStatusTracker(info.market, state ?? { status: 'OPEN', acceptingOrders: true });
    this.#lostAt = deps.clock.now();
  }

  /** Whether the book equals the venue's, as far as is known. */
  get isSynced(): boolean {
    return this.#replica.synced && this.#lostAt === Number.POSITIVE_INFINITY;
  }

  /** Number after which the venue may continue; undefined if it must begin with a snapshot. */
  get resumesAt(): number | undefined {
    return this.#replica.synced ? this.#replica.seq : undefined;
  }

  get seq(): number {
    return this.#replica.seq;
  }

  /** Time of the last valid frame, by our clock; -Infinity before the first. */
  get seenAt(): number {
    return this.#seenAt;
  }

  /** When the book began to differ from the venue's, by our clock; Infinity while it does not. */
  get lostAt(): number {
    return this.#lostAt;
  }

  /** Processes a frame of the book. */
  next(data: BookData | null): void {
    const event = data?.orderBookUpdated;
    if (event === null || event === undefined || this.#hasEnded) return;
    try {
      this.book(event);
    } catch (error) {
      this.#deps.owner.failed(error);
    }
  }

  /** Processes a frame of `orderBookUpdated`: any JSON value. */
  book(event: unknown): void {
    const frame = this.#frame;
    const problem = frame.read(event, this.info.id, this.#tick);
    if (problem !== undefined) {
      this.#malformed(`orderBookUpdated: ${problem}`);
      return;
    }
    const wasSynced = this.#replica.synced;
    const outcome = frame.isSnapshot ? this.#snapshot(frame) : this.#replica.delta(frame);
    if (outcome === 'applied') {
      const now = this.#deps.clock.now();
      const { offset, staleMs } = this.#deps;
      this.#seenAt = frame.isChange ? seenTime(frame.at, now, offset, staleMs) : now;
      this.#isRequested = false;
      this.#lostAt = Number.POSITIVE_INFINITY;
      if (frame.isSnapshot) this.#writeSnapshot(now);
      else this.#writeDelta(now);
    } else if (outcome !== 'old' && (wasSynced || frame.isSnapshot)) {
      this.#lose(outcome === 'gap' ? `from ${this.#replica.seq} to ${frame.prevSeq}` : 'its checksum is another one');
    }
  }

  /** Handles an unreadable frame. */
  onMalformed(problem: string): void {
    if (!this.#hasEnded) this.#guard(() => this.#malformed(problem));
  }

  /** Handles a refused subscription. */
  onRefused(errors: readonly WireError[]): void {
    this.#deps.log.error({ market: this.info.id, errors }, 'venue: the book subscription was refused');
  }

  /** Handles the loss of the book's socket: the book is not trusted until a new socket has delivered it. */
  onLost(): void {
    this.#guard(() => {
      if (this.#lostAt === Number.POSITIVE_INFINITY) this.#lostAt = this.#deps.clock.now();
      this.distrust();
    });
  }

  /** Processes a public trade of the market. */
  trade(trade: WireTrade): void {
    if (this.#hasEnded) return;
    const read = publicTradeOf(trade);
    if (read === undefined) return;
    this.#guard(() => {
      if (this.#prints.add(read)) this.#deps.flusher.add(this);
    });
  }

  /**
   * Writes the prints that need not wait any longer.
   * @param ownSeq position of the own stream
   * @returns whether some prints still wait
   */
  flushPrints(ownSeq = 0): boolean {
    this.#guard(() => this.#prints.flush(ownSeq));
    return this.#prints.size > 0;
  }

  /** Marks the book as unusable until it is known to be right. A lost book becomes a gap. */
  distrust(): void {
    if (this.#lostAt === Number.POSITIVE_INFINITY) this.status.trust(false);
    else this.status.loseBook();
    this.writeStatus(0);
  }

  /** Stops processing, and reports the book as lost. */
  leave(): void {
    this.#hasEnded = true;
    this.status.loseBook();
    this.writeStatus(0);
  }

  /** Stops processing. */
  end(): void {
    this.#hasEnded = true;
  }

  #malformed(problem: string): void {
    this.status.malformed(this.#deps.clock.now());
    this.writeStatus(0);
    this.#lose(problem);
  }

  /** Writes the levels whose outside size changed because of own orders. */
  reveal(): void {
    if (!this.#replica.synced) return;
    this.#guard(() => {
      this.own.write(this.#deps.rows, this.info.market, this.#replica.seq);
      this.#deps.rows.end(0, this.#deps.clock.now());
    });
  }

  /** Writes the market's status if it changed. @param at venue time; 0 for ours */
  writeStatus(at: number): void {
    this.status.write(this.#deps.rows);
    this.#deps.rows.end(at, this.#deps.clock.now());
  }

  /** The book was requested. */
  onBegin(): void {
    this.#isRequested = true;
  }

  #snapshot(frame: BookFrame) {
    // This is a late frame of another socket.
    if (this.#replica.synced && !this.#isRequested && frame.seq < this.#replica.seq) return 'old';
    return this.#replica.snapshot(frame);
  }

  #lose(problem: string): void {
    if (this.#lostAt === Number.POSITIVE_INFINITY) this.#lostAt = this.#deps.clock.now();
    this.resyncs += 1;
    this.#deps.owner.bookLost(this, problem, this.#frame.isOffGrid);
  }

  #writeDelta(now: number): void {
    const { rows } = this.#deps;
    const { bids, asks, at, seq } = this.#frame;
    this.#prints.writeUpTo(seq);
    const isRegained = !this.status.isTrusted && this.#seenAt === now && this.status.mayTrust(now);
    const isGapOver = isRegained && this.status.isLost;
    const count = isRegained ? this.#regain(now) : 0;
    this.#outside.applyChanges(SIDE.bid, bids);
    this.#outside.applyChanges(SIDE.ask, asks);
    if (!this.own.isEmpty) this.own.write(rows, this.info.market, seq);
    // A gap ends with a full book, but a book that continues on a new socket gets no snapshot.
    if (isGapOver) this.#outside.book();
    // After a silence the core needs a row to see that the book is current.
    if (rows.count === count && (isRegained || now - this.#rowsAt >= REFRESH_MS)) this.#outside.touch();
    if (rows.count > 0) this.#rowsAt = now;
    rows.end(at, now);
  }

  #writeSnapshot(now: number): void {
    const { rows } = this.#deps;
    const { bids, asks, at, seq } = this.#frame;
    this.#prints.writeUpTo(seq);
    this.#regain(now);
    rows.row(this.info.market, KIND.clear, 0, 0, 0);
    this.own.restart(seq);
    this.#outside.levels(SIDE.bid, bids);
    this.#outside.levels(SIDE.ask, asks);
    this.own.write(rows, this.info.market, seq);
    this.#rowsAt = now;
    rows.end(at, now);
  }

  /** Marks the book as right. @returns number of rows so far */
  #regain(now: number): number {
    this.status.regainBook();
    if (this.status.mayTrust(now)) this.status.trust(true);
    this.status.write(this.#deps.rows);
    return this.#deps.rows.count;
  }

  /** Passes errors to the owner. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#deps.owner.failed(error);
    }
  }
}
