/**
 * One logical connection: whatever becomes of its sockets, its streams go on.
 *
 * States: down (no socket; a new one is being made, after a pause that grows) -> up (one carries all) -> replacing (a second
 * one is opened beside it; each stream goes over to it with its first word there; when all have, the first is closed).
 * Invariants: never more than two sockets; a stream that opens with something hears one socket at a time, the new one from
 * its first word on; `up` and `down` are told in turns.
 */
import type { Clock, Random } from '../../../clock/index.ts';
import { timeAfter } from '../../../domain/index.ts';
import type { LinkState } from './link-state.ts';
import { type Closing, GraphqlSocket } from './socket.ts';
import type { Stream } from './stream.ts';
import type { Log } from './transport-port.ts';

export interface LaneOptions {
  readonly url: URL;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly takeoverMs: number;
  headers(): Readonly<Record<string, string>>;
  payload(): Readonly<Record<string, string>> | undefined;
  /** What sees the frames of the next socket. */
  readonly tap: (() => (frame: Buffer) => void) | undefined;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** A socket that stood for so long was a good one: what ends it has nothing to do with the tries before. ms. */
const HEALTHY_MS = 10_000;

export class Lane {
  readonly #options: LaneOptions;
  readonly #tell: (state: LinkState) => void;
  readonly #streams = new Set<Stream>();
  #current: GraphqlSocket | undefined;
  #next: GraphqlSocket | undefined;
  /** Streams that have not heard from `#next`. */
  #waiting = 0;
  #isTakingOver = false;
  /** Sockets in a row that could not be opened, or did not stand long. */
  #tries = 0;
  #upAt = 0;
  #cancelPause: (() => void) | undefined;
  #cancelTakeover: (() => void) | undefined;
  #isClosed = false;

  constructor(options: LaneOptions, tell: (state: LinkState) => void) {
    this.#options = options;
    this.#tell = tell;
  }

  /** The socket for requests; undefined while there is none. */
  get socket(): GraphqlSocket | undefined {
    return this.#current?.isOpen === true ? this.#current : undefined;
  }

  get streams(): number {
    return this.#streams.size;
  }

  /** Begins to connect, unless it has. */
  connect(): void {
    if (this.#isClosed || this.#current !== undefined || this.#next !== undefined || this.#cancelPause !== undefined)
      return;
    this.#open();
  }

  add(stream: Stream): void {
    this.#streams.add(stream);
    if (this.#current?.isOpen === true) stream.carry(this.#current);
    if (this.#isTakingOver && this.#next !== undefined) this.#inherit(stream, this.#next);
    this.connect();
  }

  remove(stream: Stream): void {
    this.#streams.delete(stream);
    stream.end();
  }

  /** Replaces the socket, make before break. One replacement at a time. */
  renew(reason: string): void {
    if (this.#isClosed || this.#next !== undefined || this.#current === undefined) return;
    this.#options.log.info({ reason }, 'venue: the socket is being replaced');
    this.#open();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelPause?.();
    this.#cancelTakeover?.();
    this.#next?.close('closed');
    this.#current?.close('closed');
  }

  #open(): void {
    this.#cancelPause = undefined;
    const { url, clock, takeoverMs, headers, payload, tap } = this.#options;
    const socket: GraphqlSocket = new GraphqlSocket(
      { url, headers: headers(), payload: payload(), clock, openTimeoutMs: takeoverMs, tap: tap?.() },
      { acknowledged: () => this.#acknowledged(socket), closed: (closing) => this.#closed(socket, closing) },
    );
    this.#next = socket;
  }

  #acknowledged(socket: GraphqlSocket): void {
    if (this.#current === undefined) {
      this.#next = undefined;
      this.#current = socket;
      for (const stream of [...this.#streams]) stream.carry(socket);
      this.#isUp();
      return;
    }
    const { clock, takeoverMs } = this.#options;
    this.#isTakingOver = true;
    // One more, so that it does not take over while streams are still being begun.
    this.#waiting = 1;
    this.#cancelTakeover = clock.schedule(timeAfter(clock.now(), takeoverMs), () => this.#promote());
    for (const stream of [...this.#streams]) this.#inherit(stream, socket);
    this.#heard();
  }

  #inherit(stream: Stream, socket: GraphqlSocket): void {
    if (stream.opens) this.#waiting += 1;
    stream.inherit(socket, stream.opens ? () => this.#heard() : () => undefined);
  }

  #heard(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#promote();
  }

  /** The new socket stands alone from now on. */
  #promote(): void {
    const [old, socket] = [this.#current, this.#next];
    if (!this.#isTakingOver || socket === undefined) return;
    this.#stopTakeover();
    this.#next = undefined;
    this.#current = socket;
    for (const stream of this.#streams) stream.succeed(socket);
    old?.retire('replaced');
    this.#isUp();
  }

  #stopTakeover(): void {
    this.#cancelTakeover?.();
    this.#cancelTakeover = undefined;
    this.#isTakingOver = false;
  }

  #isUp(): void {
    this.#upAt = this.#options.clock.now();
    this.#tell({ isUp: true });
  }

  #closed(socket: GraphqlSocket, { problem, isBlocked }: Closing): void {
    if (socket === this.#next) {
      this.#next = undefined;
      this.#stopTakeover();
      for (const stream of this.#streams) stream.drop(socket, undefined);
      this.#tryAgain(problem, isBlocked);
      return;
    }
    if (socket !== this.#current) {
      for (const stream of this.#streams) stream.drop(socket, undefined);
      return;
    }
    this.#current = undefined;
    if (this.#options.clock.now() - this.#upAt >= HEALTHY_MS) this.#tries = 0;
    if (this.#isTakingOver) {
      // The heir is acknowledged: there is nothing left to wait for.
      this.#promote();
      for (const stream of this.#streams) stream.drop(socket, undefined);
      return;
    }
    // First that all is lost, then what is lost with it: who withdraws does it at one go.
    this.#tryAgain(problem, isBlocked);
    for (const stream of [...this.#streams]) stream.drop(socket, problem);
  }

  #tryAgain(problem: string, isBlocked: boolean): void {
    if (this.#isClosed) return;
    const { clock, random, log } = this.#options;
    if (this.#current === undefined) this.#tell({ isUp: false, problem, isBlocked });
    else log.warn({ problem }, 'venue: the new socket failed');
    if (this.#next !== undefined || this.#cancelPause !== undefined) return;
    // A replacement that failed is asked for again by whoever found the old socket wanting.
    if (this.#current !== undefined) return;
    // The first try comes at once: most often only this one line broke.
    const pause = this.#tries === 0 ? 0 : pauseAfter(this.#tries, random.uniform());
    this.#tries += 1;
    this.#cancelPause = clock.schedule(timeAfter(clock.now(), pause), () => this.#open());
  }
}

/** Doubles from try to try; half of it by chance, so that a thousand clients do not come back as one. */
function pauseAfter(tries: number, chance: number): number {
  let pause = FIRST_PAUSE_MS;
  for (let count = 1; count < tries && pause < LONGEST_PAUSE_MS; count += 1) pause *= 2;
  return Math.min(pause, LONGEST_PAUSE_MS) * (0.5 + chance / 2);
}
