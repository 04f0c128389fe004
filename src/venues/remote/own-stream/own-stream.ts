/**
 * The account's own stream: what happened to its orders, in the venue's order, without a gap.
 *
 * Invariants: events go on in the order of their numbers, each once; one whose predecessor was not heard makes the stream
 * begin anew from the last one that was. What the venue does not have any more (GAP) is recovered by queries before anything
 * newer goes on.
 */
import { Fault } from '../../../domain/index.ts';
import { OPERATIONS, parseSafeUint, UNAUTHORIZED } from '../../../protocol/index.ts';
import type { OrdersOf } from '../orders/orders-of.ts';
import { type OwnEvent, readOwnEvent, type WireOrderEvent } from '../orders/own-event.ts';
import type { StreamHandle } from '../transport/index.ts';

export interface OwnStreamOptions {
  /** An event later than all before. */
  readonly event: (event: OwnEvent) => void;
  /** Events after `from` up to `to` are lost: finds out by queries what they said. */
  readonly recover: (from: number, to: number) => Promise<void>;
  /** Everything up to `seq` has been told. */
  readonly caughtUp: (seq: number) => void;
  /** What cannot be read, or what the venue will not tell. */
  readonly fault: (error: unknown) => void;
  /** After so long without a word the socket counts as frozen, ms: two SYNCs and a bit. */
  readonly silenceMs: number;
}

/** Between two beginnings of a stream that went wrong, ms. */
const PAUSE_MS = 250;
/** Recovery that fails is tried again, ms. */
const RETRY_MS = 1_000;

export class OwnStream {
  readonly #of: OrdersOf;
  readonly #options: OwnStreamOptions;
  /** Number of the last event that has been told. */
  #seq: number;
  /** Whether `#seq` is a place in this stream at all. */
  #isPlaced: boolean;
  #handle: StreamHandle | undefined;
  /** Events that wait for a recovery. */
  #waiting: WireOrderEvent[] | undefined;
  #heardAt = 0;
  #isRestarting = false;
  /** Who waits for the first word. */
  #synced: PromiseWithResolvers<void> | undefined;

  constructor(of: OrdersOf, options: OwnStreamOptions) {
    this.#of = of;
    this.#options = options;
    this.#seq = of.records.cursor;
    this.#isPlaced = this.#seq > 0;
  }

  /** Number of the last event that has been told. */
  get seq(): number {
    return this.#seq;
  }

  /** Subscribes; resolves when what was missed has been told. @throws Fault STOPPED when it is ended before */
  start(): Promise<void> {
    const synced = Promise.withResolvers<void>();
    this.#synced = synced;
    this.#heardAt = this.#of.clock.now();
    this.#handle = this.#of.transport.subscribe(
      OPERATIONS.orderEvents,
      () => (this.#isPlaced ? { afterSeq: String(this.#seq) } : {}),
      {
        next: (data) => this.#heard(data?.orderEvents ?? undefined),
        refused: (errors) => {
          if (errors.some(({ message }) => message === UNAUTHORIZED)) this.#of.trouble({ type: 'unauthorized' });
          else this.#options.fault(new Error(`orderEvents: ${errors.map(({ message }) => message).join('; ')}`));
        },
      },
      { opens: true },
    );
    this.#watch();
    return synced.promise;
  }

  /** Asks for the stream anew from where it stands. */
  catchUp(): void {
    if (this.#isRestarting || this.#of.timers.isClosed) return;
    this.#isRestarting = true;
    this.#handle?.again();
    this.#of.timers.after(PAUSE_MS, () => {
      this.#isRestarting = false;
    });
  }

  end(): void {
    this.#handle?.end();
    this.#synced?.reject(new Fault('STOPPED', 'the venue was left before it had told of own orders'));
    this.#synced = undefined;
  }

  #heard(event: WireOrderEvent | undefined): void {
    if (this.#of.timers.isClosed) return;
    this.#heardAt = this.#of.clock.now();
    if (this.#waiting !== undefined && event !== undefined) {
      this.#waiting.push(event);
      return;
    }
    try {
      if (event === undefined) this.#restart();
      else this.#take(event);
    } catch (error) {
      this.#options.fault(error);
    }
  }

  #take(event: WireOrderEvent): void {
    const seq = parseSafeUint('orderEvents.seq', event.seq);
    if (event.kind === 'SYNC') this.#sync(seq);
    else if (event.kind === 'GAP') this.#gap(seq);
    else if (seq <= this.#seq) return;
    else if (this.#isPlaced && parseSafeUint('orderEvents.prevSeq', event.prevSeq) > this.#seq) this.#restart();
    else {
      const read = readOwnEvent(event);
      this.#seq = seq;
      this.#isPlaced = true;
      this.#options.event(read);
      this.#options.caughtUp(seq);
    }
  }

  #sync(seq: number): void {
    if (this.#isPlaced && seq > this.#seq) {
      this.#restart();
      return;
    }
    if (!this.#isPlaced) {
      this.#isPlaced = true;
      this.#seq = seq;
      this.#of.records.reached(seq);
    }
    this.#options.caughtUp(seq);
    this.#synced?.resolve();
    this.#synced = undefined;
  }

  #gap(seq: number): void {
    this.#waiting = [];
    this.#of.log.warn(
      { from: this.#seq, to: seq },
      'own orders: the venue does not have all that was missed; asking for it',
    );
    void this.#recover(seq);
  }

  async #recover(to: number): Promise<void> {
    for (;;) {
      if (this.#of.timers.isClosed) return;
      try {
        await this.#options.recover(this.#seq, to);
        break;
      } catch (error) {
        this.#of.log.warn({ err: error }, 'own orders: recovery is tried again');
        await this.#of.timers.pause(RETRY_MS);
      }
    }
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#seq = to;
    this.#isPlaced = true;
    this.#of.records.reached(to);
    this.#options.caughtUp(to);
    this.#synced?.resolve();
    this.#synced = undefined;
    for (const event of waiting) this.#heard(event);
  }

  /** Something was not heard. */
  #restart(): void {
    this.#of.log.info({ seq: this.#seq }, 'own orders: an event was missed; the stream begins anew');
    this.catchUp();
  }

  #watch(): void {
    const { silenceMs } = this.#options;
    this.#of.timers.after(silenceMs / 4, () => {
      const now = this.#of.clock.now();
      if (now - this.#heardAt > silenceMs) {
        this.#heardAt = now;
        this.#of.transport.renew(`own orders: nothing heard for ${silenceMs} ms`);
      }
      this.#watch();
    });
  }
}
