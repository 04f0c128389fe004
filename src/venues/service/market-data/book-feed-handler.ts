/**
 * Keeps one market's book in sync with the venue's, and writes its changes as rows.
 *
 * HOT: `next` processes each frame of the book (bench/market-data.ts). Invariants: levels are written only while the
 * book's sequence number and checksum match the venue's. A mismatch requests one snapshot. The core keeps its last book
 * until the snapshot arrives. The core's book excludes own orders.
 */
import { BookReplica, Ladder } from '../../../book/index.ts';
import type { DataOf, OPERATIONS, WireError } from '../../../protocol/index.ts';
import type { MarketSetup } from '../../../state/index.ts';
import { type ClockOffset, type Log, MarketFeed, type MarketFeedDeps, seenTime } from '../../base/index.ts';
import type { StreamSink } from '../transport/index.ts';
import { BookFrame, toPublicTrade, type WireTrade } from './book-frame-codec.ts';

export interface BookFeedDeps extends MarketFeedDeps {
  readonly log: Pick<Log, 'error'>;
  readonly offset: Pick<ClockOffset, 'offsetMs' | 'errorMs'>;
  /** Delay above which a change counts from its time at the venue, not from its arrival, ms. */
  readonly staleMs: number;
  readonly owner: BookFeedOwner;
}

export interface BookFeedOwner {
  /**
   * Called when the book differs from the venue's.
   * @param isOffGrid whether a price was off the market's grid, whose tick may have changed
   */
  onBookLost(handler: BookFeedHandler, problem: string, isOffGrid: boolean): void;
  /** Called with an error of processing, such as an error of the rows' receiver. */
  onFailed(error: unknown): void;
}

/** Time without rows after which an unchanged frame writes a row, ms. The core measures a book's age by its rows. */
const REFRESH_MS = 2_000;

type BookData = DataOf<(typeof OPERATIONS)['orderBookUpdated']>;

export class BookFeedHandler extends MarketFeed implements StreamSink<BookData> {
  readonly #deps: BookFeedDeps;
  readonly #tickBps: number;
  readonly #replica: BookReplica;
  readonly #frame = new BookFrame();
  #lastRowsAt = 0;
  /** Whether a request for the book waits for a frame. A restarted venue may answer with a lower number. */
  #isRequested = false;

  constructor(selected: MarketSetup, deps: BookFeedDeps) {
    const ladder = Ladder.forGrid(selected.info.grid);
    super(selected, ladder, deps);
    this.#deps = deps;
    this.#tickBps = ladder.tickBps;
    this.#replica = new BookReplica(ladder);
  }

  get isSynced(): boolean {
    return this.#replica.isSynced && this.differsSince === Number.POSITIVE_INFINITY;
  }

  /** Sequence number after which a new subscription may continue; undefined if it must begin with a snapshot. */
  get resumeSeq(): number | undefined {
    return this.#replica.isSynced ? this.#replica.seq : undefined;
  }

  get seq(): number {
    return this.#replica.seq;
  }

  next(data: BookData | null): void {
    const event = data?.orderBookUpdated;
    if (event === null || event === undefined || this.hasEnded) return;
    try {
      this.onBookEvent(event);
    } catch (error) {
      this.#deps.owner.onFailed(error);
    }
  }

  /** Processes a value of `orderBookUpdated`. @param event any JSON value */
  onBookEvent(event: unknown): void {
    const frame = this.#frame;
    const problem = frame.read(event, this.info.id, this.#tickBps);
    if (problem !== undefined) {
      this.#onMalformedFrame(`orderBookUpdated: ${problem}`);
      return;
    }
    const wasSynced = this.#replica.isSynced;
    const outcome = frame.isSnapshot ? this.#applySnapshot(frame) : this.#replica.applyDelta(frame);
    if (outcome === 'applied') {
      const now = this.clock.now();
      const { offset, staleMs } = this.#deps;
      this.seenAt = frame.isChange ? seenTime(frame.at, now, offset, staleMs) : now;
      this.#isRequested = false;
      this.differsSince = Number.POSITIVE_INFINITY;
      if (frame.isSnapshot) {
        this.writeBook(frame.bids, frame.asks, frame.at, now);
        this.#lastRowsAt = now;
      } else this.#writeDelta(now);
    } else if (outcome !== 'old' && (wasSynced || frame.isSnapshot)) {
      const gapProblem = `the events after ${this.#replica.seq} up to ${frame.prevSeq} are missing`;
      this.#lose(outcome === 'gap' ? gapProblem : 'its checksum differs');
    }
  }

  onMalformed(problem: string): void {
    if (!this.hasEnded) this.#guard(() => this.#onMalformedFrame(problem));
  }

  onRefused(errors: readonly WireError[]): void {
    this.#deps.log.error({ market: this.info.id, errors }, 'venue: the book subscription was refused');
  }

  /** Distrusts the book after the loss of its socket, until a new socket delivers the book. */
  onLost(): void {
    this.#guard(() => {
      this.markDiffering();
      this.distrust();
    });
  }

  onTrade(trade: WireTrade): void {
    if (this.hasEnded) return;
    const read = toPublicTrade(trade);
    if (read === undefined) return;
    this.#guard(() => {
      if (this.prints.add(read)) this.#deps.flusher.add(this);
    });
  }

  flushPrints(ownSeq = 0): boolean {
    this.#guard(() => this.prints.flush(ownSeq));
    return this.prints.size > 0;
  }

  end(): void {
    this.hasEnded = true;
  }

  #onMalformedFrame(problem: string): void {
    this.status.onMalformedFrame(this.clock.now());
    this.writeStatus();
    this.#lose(problem);
  }

  publishWithoutOwnOrders(): void {
    if (this.#replica.isSynced) this.#guard(() => this.writeOwnLevels());
  }

  onBegin(): void {
    this.#isRequested = true;
  }

  #applySnapshot(frame: BookFrame) {
    // A lower number without a request is from a late frame of another socket.
    if (this.#replica.isSynced && !this.#isRequested && frame.seq < this.#replica.seq) return 'old';
    return this.#replica.applySnapshot(frame);
  }

  #lose(problem: string): void {
    this.markDiffering();
    this.resyncs += 1;
    this.#deps.owner.onBookLost(this, problem, this.#frame.isOffGrid);
  }

  #writeDelta(now: number): void {
    const { rows } = this;
    const { bids, asks, at, seq } = this.#frame;
    this.prints.writeUpTo(seq);
    const isRegained = !this.status.isTrusted && this.seenAt === now && this.status.mayTrust(now);
    const isGapOver = isRegained && this.status.isInGap;
    if (isRegained) this.markCorrect(now);
    const count = isRegained ? rows.count : 0;
    this.writeLevels(bids, asks, seq);
    // The core needs a full book after a gap. A book that continues on a new socket gets no snapshot, so write it here.
    if (isGapOver) this.writeLadder();
    // After a silence the core needs a row to see that the book is current.
    if (rows.count === count && (isRegained || now - this.#lastRowsAt >= REFRESH_MS)) this.rewriteBest();
    if (rows.count > 0) this.#lastRowsAt = now;
    rows.end(at, now);
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#deps.owner.onFailed(error);
    }
  }
}
