/**
 * The account's own stream: what happened to its orders, in the venue's order, without a gap.
 *
 * Invariants: events go on in the order of their numbers, each once; one whose predecessor is missing makes the stream
 * begin again from the last one that is there. What the venue does not have any more (GAP), or sends unreadably, is
 * recovered by queries before anything newer goes on. If a venue's numbers go back (restart, restore of an older copy, or a
 * number that was too high), that is also a GAP. It begins at the last number that a SYNC confirmed.
 */
import { Fault, InputFault } from '../../../domain/index.ts';
import { ReportLimiter } from '../../../network/index.ts';
import { OPERATIONS, parseSafeUint, UNAUTHORIZED } from '../../../protocol/index.ts';
import type { OwnEvent } from '../../base/index.ts';
import type { ExecutionDeps } from '../orders/execution-deps.ts';
import { readOwnEvent, type WireOrderEvent } from '../orders/own-event.ts';
import type { StreamHandle } from '../transport/index.ts';

export interface OwnStreamOptions {
  /** Looks at an event before it counts. @throws InputFault where it contradicts what was signed */
  readonly check: (event: OwnEvent) => void;
  /** An event later than all before. */
  readonly event: (event: OwnEvent) => void;
  /** A fill whose number is not later. */
  readonly repeated: (event: Extract<OwnEvent, { kind: 'FILLED' }>) => void;
  /** Events after `from` up to `to` are lost: finds out by queries what they said. */
  readonly recover: (from: number, to: number) => Promise<void>;
  /** The venue's last event is `to`, though later ones came: what it numbers again from there on is new. */
  readonly wentBack: (to: number) => void;
  /** Everything up to `seq` was processed. */
  readonly caughtUp: (seq: number) => void;
  /** Events that cannot be read, and refusals of the venue. */
  readonly fault: (error: unknown) => void;
  /** Events may be missing from now on, until `isCurrent` again. */
  readonly lost: (problem: string) => void;
  /** After so long without a message the socket counts as frozen, ms: two SYNCs and a bit. */
  readonly silenceMs: number;
}

/** Between two beginnings of a stream that went wrong, and between two tries of a recovery, ms. */
const [PAUSE_MS, RETRY_MS] = [250, 1_000];
/** An event that could not be read so often is passed over, and a start is given up after so many. */
const [MAX_UNREADABLE, MAX_AT_START] = [3, 12];
/** Events that are kept during a recovery; and ms between two reports. */
const [MAX_WAITING, REPORT_MS] = [10_000, 1_000];
/** Further than a million events a second come in eleven days. */
const MAX_JUMP = 1e12;

export class OwnStream {
  readonly #deps: ExecutionDeps;
  readonly #options: OwnStreamOptions;
  /** Number of the last event that was processed. */
  #seq: number;
  /** The last number that a SYNC or a recovery has confirmed. */
  #confirmed: number;
  /** SYNCs in a row that name an earlier number than `#seq`, since the present subscription began. */
  #syncsBehind = 0;
  /** Whether `#seq` is a place in this stream at all. */
  #isPlaced: boolean;
  /** Number of the event before the present subscription; 0 for the beginning. */
  #pendingAfter = 0;
  #isCurrent = false;
  #handle: StreamHandle | undefined;
  /** Events that wait for a recovery. */
  #waiting: WireOrderEvent[] | undefined;
  #seenAt = 0;
  #isRestarting = false;
  /** Events that could not be read, in a row. */
  #unreadable = 0;
  /** The next beginning passes over what could not be read. */
  #isSkipping = false;
  readonly #reports = new ReportLimiter(REPORT_MS);
  /** Resolved by the first SYNC. */
  #synced: PromiseWithResolvers<void> | undefined;

  constructor(deps: ExecutionDeps, options: OwnStreamOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#seq = this.#confirmed = deps.records.cursor;
    this.#isPlaced = this.#seq > 0;
  }

  /** Number of the last event that was processed. */
  get seq(): number {
    return this.#seq;
  }

  /** Whether the venue has said that no event is missing, since the stream was lost the last time. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** Subscribes; resolves when what was missed was processed. @throws Fault STOPPED when it is ended before */
  start(): Promise<void> {
    const synced = Promise.withResolvers<void>();
    this.#synced = synced;
    this.#seenAt = this.#deps.clock.now();
    this.#handle = this.#deps.transport.subscribe(
      OPERATIONS.orderEvents,
      () => {
        const isPlaced = this.#isPlaced && !this.#isSkipping;
        this.#pendingAfter = isPlaced ? this.#seq : 0;
        this.#syncsBehind = 0;
        return isPlaced ? { afterSeq: String(this.#seq) } : {};
      },
      {
        next: (data) => this.#onEvent(data?.orderEvents ?? undefined),
        malformed: (problem) => this.#malformed(problem),
        lost: (problem) => this.#lose(problem),
        // No event comes any more then, and the silence is noticed below.
        ended: () => this.#lose('own orders: the venue ended the stream'),
        refused: (errors) => {
          if (errors.some(({ message }) => message === UNAUTHORIZED)) this.#deps.trouble({ type: 'unauthorized' });
          else {
            const problem = errors.map(({ message }) => message).join('; ');
            this.#options.fault(new Fault('VENUE', `the venue refuses the stream of own orders: ${problem}`));
          }
        },
      },
      { opens: true },
    );
    this.#watch();
    return synced.promise;
  }

  /** Requests the stream again from where it stands. */
  catchUp(): void {
    if (this.#isRestarting || this.#deps.timers.isClosed) return;
    this.#isRestarting = true;
    this.#handle?.again();
    this.#deps.timers.after(PAUSE_MS, () => {
      this.#isRestarting = false;
    });
  }

  end(): void {
    this.#handle?.end();
    this.#synced?.reject(new Fault('STOPPED', 'the venue was left before the stream of own orders had begun'));
    this.#synced = undefined;
  }

  #onEvent(event: WireOrderEvent | undefined): void {
    if (this.#deps.timers.isClosed) return;
    this.#seenAt = this.#deps.clock.now();
    if (this.#waiting !== undefined && event !== undefined) {
      // What does not fit in is missed, and requested when the recovery is over.
      if (this.#waiting.length < MAX_WAITING) this.#waiting.push(event);
      return;
    }
    try {
      if (event === undefined) this.#restart();
      else this.#take(event);
    } catch (error) {
      if (error instanceof InputFault) this.#malformed(error.message);
      else this.#options.fault(error);
    }
  }

  /**
   * An event cannot be read: it is requested again. One that stays so is passed over: the stream begins again from now, and what
   * was missed until then is read by queries, as after a gap.
   */
  #malformed(problem: string): void {
    if (this.#deps.timers.isClosed) return;
    const { clock, log } = this.#deps;
    this.#seenAt = clock.now();
    // A recovery finds out what it said.
    if (this.#waiting !== undefined) return;
    this.#unreadable += 1;
    const suppressed = this.#reports.count(clock.now());
    if (suppressed !== undefined)
      log.error({ problem, after: this.#seq, suppressed }, 'own orders: an event cannot be read; requesting it again');
    this.#lose(`own orders: an event cannot be read: ${problem}`);
    if (this.#unreadable >= MAX_UNREADABLE) this.#isSkipping = true;
    if (this.#unreadable >= MAX_AT_START && this.#synced !== undefined) {
      const remedy =
        "Run `npx halfspread doctor <config.yaml>`: it compares the venue's schema with what the bot needs";
      this.#synced.reject(new Fault('VENUE', `the account's stream of orders cannot be read: ${problem}. ${remedy}`));
      this.#synced = undefined;
      return;
    }
    this.catchUp();
  }

  #take(event: WireOrderEvent): void {
    const seq = parseSafeUint('orderEvents.seq', event.seq);
    if (this.#isPlaced && seq > this.#seq + MAX_JUMP)
      throw new InputFault('orderEvents.seq', event.seq, `a number near the one before, ${this.#seq}`);
    if (this.#isSkipping) {
      if (event.kind !== 'SYNC' && event.kind !== 'GAP') return;
      this.#isSkipping = false;
      this.#unreadable = 0;
      this.#gap(seq);
    } else if (event.kind === 'SYNC') this.#sync(seq);
    else if (event.kind === 'GAP') this.#gap(seq);
    else if (seq <= this.#seq) this.#repeat(event);
    else if (this.#isPlaced && parseSafeUint('orderEvents.prevSeq', event.prevSeq) > this.#seq) this.#restart();
    else {
      const read = readOwnEvent(event);
      this.#options.check(read);
      this.#unreadable = 0;
      this.#seq = seq;
      this.#isPlaced = true;
      this.#options.event(read);
      this.#options.caughtUp(seq);
    }
  }

  /** Processed before, but for a fill that shares its number with another one. */
  #repeat(event: WireOrderEvent): void {
    if (event.kind !== 'FILLED') return;
    const read = readOwnEvent(event);
    if (read.kind === 'FILLED') this.#options.repeated(read);
  }

  #sync(seq: number): void {
    if (this.#isPlaced && seq > this.#seq) {
      this.#restart();
      return;
    }
    // Its numbers went back, and what follows would count as processed. A first SYNC may be older than another socket's events.
    if (seq < this.#seq) this.#syncsBehind += 1;
    if (seq < this.#pendingAfter || this.#syncsBehind > 1) {
      this.#gap(seq);
      return;
    }
    if (!this.#isPlaced) {
      this.#isPlaced = true;
      this.#seq = seq;
      this.#deps.passed(seq);
    }
    if (seq === this.#seq) this.#confirmed = seq;
    this.#options.caughtUp(seq);
    this.#isNowCurrent();
  }

  #gap(seq: number): void {
    this.#isCurrent = false;
    this.#pendingAfter = Math.min(this.#pendingAfter, seq);
    this.#syncsBehind = 0;
    this.#waiting = [];
    const from = seq < this.#seq ? this.#confirmed : this.#seq;
    if (seq < this.#seq) {
      this.#lose(`own orders: the venue's last event is ${seq}, after it sent ${this.#seq}`);
      this.#options.wentBack(Math.min(from, seq));
    }
    this.#deps.log.warn({ from, to: seq }, 'own orders: the venue does not have all that was missed; reading it');
    void this.#recover(from, seq);
  }

  async #recover(from: number, to: number): Promise<void> {
    for (;;) {
      if (this.#deps.timers.isClosed) return;
      try {
        await this.#options.recover(from, to);
        break;
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'own orders: recovery is tried again');
        await this.#deps.timers.pause(RETRY_MS);
      }
    }
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#seq = to;
    this.#confirmed = to;
    this.#isPlaced = true;
    this.#deps.passed(to);
    this.#options.caughtUp(to);
    this.#isNowCurrent();
    for (const event of waiting) this.#onEvent(event);
  }

  #isNowCurrent(): void {
    this.#isCurrent = true;
    this.#synced?.resolve();
    this.#synced = undefined;
  }

  #lose(problem: string): void {
    this.#isCurrent = false;
    if (!this.#deps.timers.isClosed) this.#options.lost(problem);
  }

  #restart(): void {
    this.#deps.log.info({ seq: this.#seq }, 'own orders: an event was missed; the stream restarts');
    this.catchUp();
  }

  #watch(): void {
    const { silenceMs } = this.#options;
    this.#deps.timers.after(silenceMs / 4, () => {
      const now = this.#deps.clock.now();
      if (now - this.#seenAt > silenceMs) {
        this.#seenAt = now;
        const problem = `own orders: no message for ${silenceMs} ms`;
        this.#lose(problem);
        this.#deps.transport.renew(problem);
      }
      this.#watch();
    });
  }
}
