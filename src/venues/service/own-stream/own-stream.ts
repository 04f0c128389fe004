/**
 * The account's own stream: the events of its orders, in the venue's order, without a gap.
 *
 * Invariants:
 * - Each event is processed once, in the order of the numbers. If an event is missing, the stream restarts after the
 *   last processed event.
 * - Queries recover events that the venue has deleted (GAP) or that cannot be read. Newer events wait for the recovery.
 * - If the venue restarts, restores an older copy, or sent a number that was too high, its numbers go back. The stream
 *   then recovers from the last number that a SYNC (the venue's newest number) or a recovery confirmed, as after a GAP.
 */
import { Fault, InputFault } from '../../../domain/index.ts';
import { ReportLimiter } from '../../../network/index.ts';
import { OPERATIONS, parseSafeUint, UNAUTHORIZED } from '../../../protocol/index.ts';
import type { ExecutionDeps } from '../orders/execution-deps.ts';
import type { HeldRefusals } from '../orders/held-refusals.ts';
import { checkNewFill, readOwnEvent, type WireOrderEvent } from '../orders/own-event.ts';
import type { StreamHandle } from '../transport/index.ts';

export interface OwnStreamOptions {
  /** Refusals that wait for events of this stream. */
  readonly heldRefusals: HeldRefusals;
  /** Recovers the lost events after `from` up to `to` with queries. */
  readonly recover: (from: number, to: number) => Promise<void>;
  /** Receives an error that ends the run, such as a refused subscription. */
  readonly onFault: (error: unknown) => void;
  /** Called when events may be missing, until `isCurrent` is true again. */
  readonly onDesync: (problem: string) => void;
  /** A socket without a message for this long is treated as frozen, ms. Must exceed the interval between SYNCs. */
  readonly silenceMs: number;
}

/** Shortest time between two restarts of the stream, two attempts of a recovery, or two reports, ms. */
const [PAUSE_MS, RETRY_MS, REPORT_INTERVAL_MS] = [250, 1_000, 1_000];
/** Unreadable events in a row after which the event is skipped, and after which a start fails. */
const [MAX_UNREADABLE, MAX_AT_START] = [3, 12];
/** Largest number of events that wait for a recovery. */
const MAX_WAITING = 10_000;
/** Largest plausible step between two numbers: a million events a second for eleven days. */
const MAX_SEQ_STEP = 1e12;

export class OwnStream {
  readonly #deps: ExecutionDeps;
  readonly #options: OwnStreamOptions;
  #seq: number;
  /** The last number that a SYNC or a recovery confirmed. */
  #confirmedSeq: number;
  /** SYNCs in a row with a lower number than `#seq`, since the current subscription began. */
  #syncsBehind = 0;
  /** Whether `#seq` is a position in this stream; false before the first SYNC of a first run. */
  #hasPosition: boolean;
  /** Lowest number that a SYNC of this subscription can have. A lower number shows that the numbers went back. */
  #lowestSync = 0;
  #isCurrent = false;
  #handle: StreamHandle | undefined;
  #waiting: WireOrderEvent[] | undefined;
  #lastMessageAt = 0;
  #isRestarting = false;
  #unreadableCount = 0;
  /** Whether the next restart skips the unreadable event. */
  #isSkipping = false;
  readonly #reports = new ReportLimiter(REPORT_INTERVAL_MS);
  #synced: PromiseWithResolvers<void> | undefined;

  constructor(deps: ExecutionDeps, options: OwnStreamOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#seq = this.#confirmedSeq = deps.records.streamPosition;
    this.#hasPosition = this.#seq > 0;
  }

  /** Number of the last event that was processed. */
  get seq(): number {
    return this.#seq;
  }

  /** Whether a SYNC or a recovery has shown, since the last loss, that no event is missing. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** Subscribes. Resolves when all missed events were processed. @throws Fault STOPPED if `end` is called first */
  start(): Promise<void> {
    const synced = Promise.withResolvers<void>();
    this.#synced = synced;
    this.#lastMessageAt = this.#deps.clock.now();
    this.#handle = this.#deps.transport.subscribe(
      OPERATIONS.orderEvents,
      () => {
        const canResume = this.#hasPosition && !this.#isSkipping;
        this.#lowestSync = canResume ? this.#seq : 0;
        this.#syncsBehind = 0;
        return canResume ? { afterSeq: String(this.#seq) } : {};
      },
      {
        next: (data) => this.#onEvent(data?.orderEvents ?? undefined),
        onMalformed: (problem) => this.#onMalformed(problem),
        onLost: (problem) => this.#onLost(problem),
        onEnded: () => this.#onLost('own orders: the venue ended the stream'),
        onRefused: (errors) => {
          this.#isCurrent = false;
          const messages = errors.map(({ message }) => message);
          const problem = `the venue refuses the stream of own orders: ${messages.join('; ')}`;
          if (messages.includes(UNAUTHORIZED)) this.#deps.onProblem({ type: 'unauthorized' });
          else this.#options.onFault(new Fault('VENUE', problem));
        },
      },
      { startsWithEvent: true },
    );
    this.#watchSilence();
    return synced.promise;
  }

  /** Restarts the stream after the last processed event. */
  catchUp(): void {
    if (this.#isRestarting || this.#deps.timers.isClosed) return;
    this.#isRestarting = true;
    this.#handle?.resubscribe();
    this.#deps.timers.after(PAUSE_MS, () => {
      this.#isRestarting = false;
    });
  }

  end(): void {
    this.#handle?.end();
    this.#synced?.reject(new Fault('STOPPED', 'the venue was closed before the stream of own orders had begun'));
    this.#synced = undefined;
  }

  #onEvent(event: WireOrderEvent | undefined): void {
    if (this.#deps.timers.isClosed) return;
    this.#lastMessageAt = this.#deps.clock.now();
    if (this.#waiting !== undefined && event !== undefined) {
      // An event beyond the limit is dropped here, and requested after the recovery.
      if (this.#waiting.length < MAX_WAITING) this.#waiting.push(event);
      return;
    }
    try {
      if (event === undefined) this.#restart();
      else this.#process(event);
    } catch (error) {
      if (error instanceof InputFault) this.#onMalformed(error.message);
      else this.#options.onFault(error);
    }
  }

  /**
   * Requests an unreadable event again. After `MAX_UNREADABLE` attempts, skips the event: the stream restarts at the
   * newest event, and queries recover the missed events, as after a gap.
   */
  #onMalformed(problem: string): void {
    if (this.#deps.timers.isClosed) return;
    const { clock, log } = this.#deps;
    this.#lastMessageAt = clock.now();
    if (this.#waiting !== undefined) return;
    this.#unreadableCount += 1;
    const suppressed = this.#reports.count('unreadable', clock.now());
    if (suppressed !== undefined)
      log.error({ problem, after: this.#seq, suppressed }, 'own orders: an event cannot be read; requesting it again');
    this.#onLost(`own orders: an event cannot be read: ${problem}`);
    if (this.#unreadableCount >= MAX_UNREADABLE) this.#isSkipping = true;
    if (this.#unreadableCount >= MAX_AT_START && this.#synced !== undefined) {
      const remedy = 'Run `npx halfspread doctor <config.yaml>` to compare the schemas';
      this.#synced.reject(new Fault('VENUE', `the account's stream of orders cannot be read: ${problem}. ${remedy}`));
      this.#synced = undefined;
      return;
    }
    this.catchUp();
  }

  #process(event: WireOrderEvent): void {
    const seq = parseSafeUint('orderEvents.seq', event.seq);
    if (this.#hasPosition && seq > this.#seq + MAX_SEQ_STEP)
      throw new InputFault('orderEvents.seq', event.seq, `a number near the previous number, ${this.#seq}`);
    if (this.#isSkipping) {
      if (event.kind !== 'SYNC' && event.kind !== 'GAP') return;
      this.#isSkipping = false;
      this.#unreadableCount = 0;
      this.#onGap(seq);
    } else if (event.kind === 'SYNC') this.#onSync(seq);
    else if (event.kind === 'GAP') this.#onGap(seq);
    else if (seq <= this.#seq) this.#onRepeated(event);
    else if (this.#hasPosition && parseSafeUint('orderEvents.prevSeq', event.prevSeq) > this.#seq) this.#restart();
    else {
      const read = readOwnEvent(event);
      checkNewFill(read, this.#deps);
      this.#unreadableCount = 0;
      this.#seq = seq;
      this.#hasPosition = true;
      this.#deps.reporter.onEvent(read);
      this.#options.heldRefusals.releaseReported();
      this.#onCaughtUp(seq);
    }
  }

  /** Ignores an event that was processed before. Its fill may be new, because several fills can share a number. */
  #onRepeated(event: WireOrderEvent): void {
    if (event.kind !== 'FILLED') return;
    const read = readOwnEvent(event);
    if (read.kind === 'FILLED') this.#deps.reporter.onLateFill(read.fill, undefined, read.remaining);
  }

  #onSync(seq: number): void {
    if (this.#hasPosition && seq > this.#seq) {
      this.#restart();
      return;
    }
    // Two lower numbers in a row show that the venue's numbers went back. A single one may come from another socket.
    this.#syncsBehind = seq < this.#seq ? this.#syncsBehind + 1 : 0;
    if (seq < this.#lowestSync || this.#syncsBehind > 1) {
      this.#onGap(seq);
      return;
    }
    if (!this.#hasPosition) {
      this.#hasPosition = true;
      this.#seq = seq;
      this.#deps.onPositionPassed(seq);
    }
    if (seq === this.#seq) this.#confirmedSeq = seq;
    this.#onCaughtUp(seq);
    this.#markCurrent();
  }

  #onGap(seq: number): void {
    this.#isCurrent = false;
    this.#lowestSync = Math.min(this.#lowestSync, seq);
    this.#syncsBehind = 0;
    this.#waiting = [];
    const from = seq < this.#seq ? this.#confirmedSeq : this.#seq;
    if (seq < this.#seq) {
      this.#onLost(`own orders: the venue's last event is ${seq}, after it sent ${this.#seq}`);
      this.#deps.reporter.onStreamRewind(Math.min(from, seq));
    }
    this.#deps.log.warn({ from, to: seq }, 'own orders: events are missing; recovering them with queries');
    void this.#recover(from, seq);
  }

  async #recover(from: number, to: number): Promise<void> {
    for (;;) {
      if (this.#deps.timers.isClosed) return;
      try {
        await this.#options.recover(from, to);
        break;
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'own orders: the recovery failed; retrying');
        await this.#deps.timers.pause(RETRY_MS);
      }
    }
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#seq = this.#confirmedSeq = to;
    this.#hasPosition = true;
    this.#deps.onPositionPassed(to);
    this.#onCaughtUp(to);
    this.#markCurrent();
    for (const event of waiting) this.#onEvent(event);
  }

  #onCaughtUp(seq: number): void {
    this.#deps.reporter.trades.startAt(seq);
    this.#deps.orders.advanceTo(seq);
  }

  #markCurrent(): void {
    this.#isCurrent = true;
    this.#synced?.resolve();
    this.#synced = undefined;
  }

  #onLost(problem: string): void {
    this.#isCurrent = false;
    if (!this.#deps.timers.isClosed) this.#options.onDesync(problem);
  }

  #restart(): void {
    this.#deps.log.info({ seq: this.#seq }, 'own orders: an event was missed; the stream restarts');
    this.catchUp();
  }

  #watchSilence(): void {
    const { silenceMs } = this.#options;
    this.#deps.timers.after(silenceMs / 4, () => {
      const now = this.#deps.clock.now();
      if (now - this.#lastMessageAt > silenceMs) {
        this.#lastMessageAt = now;
        const problem = `own orders: no message for ${silenceMs} ms`;
        this.#onLost(problem);
        this.#deps.transport.renew(problem);
      }
      this.#watchSilence();
    });
  }
}
