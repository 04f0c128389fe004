/**
 * Faults in the frames that the server writes to WebSocket clients.
 *
 * The faults of a frame depend on the seed, the number of earlier sockets, and the frame's position on its socket.
 * Delays keep frames in order; only `reordered` swaps them. Control frames are only delayed.
 */
import type { Duplex } from 'node:stream';
import type { Clock, Random } from '../../clock/index.ts';
import { type EpochMs, timeAfter } from '../../domain/index.ts';
import { DeadlineTimer } from '../deadline-timer.ts';
import type { ChaosSettings } from './settings.ts';

type SocketSettings = ChaosSettings['socket'];

export interface SocketChaosOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: SocketSettings;
  readonly logFault: (fault: string) => void;
}

interface DelayedFrame {
  readonly frame: Buffer;
  readonly at: EpochMs;
}

/** Limit of delayed bytes on a socket. A socket above it is destroyed. */
const MAX_HELD = 16_777_216;
/** Longest wait of a reordered frame for the next one, ms. */
const LONGEST_SWAP_MS = 1_000;
/** Faults in drawing order. */
const FAULTS = ['dropped', 'frozen', 'lost', 'duplicated', 'reordered', 'stale_book'] as const;
const BOOK = Buffer.from('"orderBookUpdated"');

/** Injects faults into one socket, from the end of its handshake. */
export class SocketChaos {
  readonly #options: SocketChaosOptions;
  readonly #socket: Duplex;
  readonly #write: (frame: Uint8Array) => void;
  readonly #end: () => void;
  readonly #splitter = new FrameSplitter();
  readonly #timer: DeadlineTimer;
  #queue: DelayedFrame[] = [];
  #held = 0;
  #swapped: DelayedFrame | undefined;
  #isOpen = false;
  #isEnding = false;
  #last: EpochMs;
  #staleUntil: EpochMs;

  constructor(socket: Duplex, options: SocketChaosOptions) {
    const { clock } = options;
    this.#options = options;
    this.#socket = socket;
    this.#last = clock.now();
    this.#staleUntil = this.#last;
    const { write, end } = socket;
    this.#write = (frame) => void write.call(socket, frame, 'binary');
    this.#end = () => void end.call(socket, undefined, 'binary');
    this.#timer = new DeadlineTimer(clock, () => this.#release());
    socket.write = (chunk: unknown, ...rest: unknown[]): boolean => this.#onWrite(chunk, rest);
    socket.end = (...rest: unknown[]): Duplex => this.#onEnd(rest);
    socket.once('close', () => {
      this.#queue = [];
      this.#timer.set(undefined);
    });
  }

  /** Passes the answer of the handshake. All later bytes are frames. */
  #onWrite(chunk: unknown, rest: readonly unknown[]): boolean {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk;
    if (!(bytes instanceof Uint8Array)) throw new TypeError('Invariant: a socket is written text or bytes');
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#write(bytes);
    } else for (const frame of this.#splitter.push(bytes)) this.#frame(frame);
    this.#release();
    const done = rest.find((argument) => typeof argument === 'function');
    if (typeof done === 'function') queueMicrotask(() => done());
    return this.#held < MAX_HELD;
  }

  #onEnd([chunk]: readonly unknown[]): Duplex {
    if (chunk instanceof Uint8Array || typeof chunk === 'string') this.#onWrite(chunk, []);
    this.#isEnding = true;
    this.#release();
    return this.#socket;
  }

  #frame(frame: Buffer): void {
    const { clock, random, settings, logFault } = this.#options;
    const now = clock.now();
    // Draws all faults, always in this order, so that a fault does not change later draws.
    const faults = new Set(FAULTS.filter((name) => random.uniform() < settings[name]));
    if (!isDataFrame(frame)) faults.clear();
    const wait = settings.latency_ms + random.int(settings.jitter_ms + 1);
    const isBook = frame.includes(BOOK);
    if (faults.has('stale_book') && isBook && now >= this.#staleUntil) {
      this.#staleUntil = timeAfter(now, settings.stale_ms);
      logFault('stale_book');
    }
    if (faults.has('dropped')) {
      logFault('dropped');
      this.#socket.destroy();
      return;
    }
    if (isBook && now < this.#staleUntil) return;
    if (faults.has('lost')) {
      logFault('lost');
      return;
    }
    if (faults.has('frozen')) logFault('frozen');
    const due = timeAfter(now, wait + (faults.has('frozen') ? settings.frozen_ms : 0));
    if (faults.has('reordered') && this.#swapped === undefined) {
      logFault('reordered');
      this.#swapped = { frame, at: timeAfter(due, LONGEST_SWAP_MS) };
      return;
    }
    this.#enqueue(frame, due);
    if (faults.has('duplicated')) {
      logFault('duplicated');
      this.#enqueue(frame, due);
    }
    this.#unswap(due);
  }

  #unswap(due: EpochMs): void {
    if (this.#swapped === undefined) return;
    const { frame } = this.#swapped;
    this.#swapped = undefined;
    this.#enqueue(frame, due);
  }

  #enqueue(frame: Buffer, due: EpochMs): void {
    this.#last = due > this.#last ? due : this.#last;
    this.#queue.push({ frame, at: this.#last });
    this.#held += frame.length;
    if (this.#held > MAX_HELD) this.#socket.destroy();
  }

  /** Writes due frames and schedules the rest. */
  #release(): void {
    const now = this.#options.clock.now();
    if (this.#swapped !== undefined && (this.#isEnding || this.#swapped.at <= now)) this.#unswap(now);
    let written = 0;
    for (const { frame, at } of this.#queue) {
      if (at > now) break;
      written += 1;
      this.#held -= frame.length;
      this.#write(frame);
    }
    this.#queue.splice(0, written);
    if (this.#queue.length === 0 && this.#isEnding) {
      this.#isEnding = false;
      this.#end();
    }
    this.#timer.set(this.#queue[0]?.at ?? this.#swapped?.at);
  }
}

const SHORT = 126;
const LONG = 127;
const LENGTH_BITS = 0x7f;
const OPCODE_BITS = 0x0f;
/** Ping, pong and close are control frames. */
const FIRST_CONTROL = 0x8;

/** Splits the bytes that a server writes to a WebSocket into frames (RFC 6455, 5.2). A server's frames are not masked. */
export class FrameSplitter {
  #rest: Buffer = Buffer.alloc(0);

  /** Adds bytes and returns the complete frames. Buffers an incomplete one. */
  push(chunk: Uint8Array): readonly Buffer[] {
    this.#rest = this.#rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk]);
    const frames: Buffer[] = [];
    for (;;) {
      const length = frameLength(this.#rest);
      if (length === undefined || length > this.#rest.length) return frames;
      frames.push(this.#rest.subarray(0, length));
      this.#rest = this.#rest.subarray(length);
    }
  }
}

function isDataFrame(frame: Buffer): boolean {
  return ((frame[0] ?? 0) & OPCODE_BITS) < FIRST_CONTROL;
}

/** Undefined while the header is incomplete. */
function frameLength(bytes: Buffer): number | undefined {
  if (bytes.length < 2) return undefined;
  const length = (bytes[1] ?? 0) & LENGTH_BITS;
  if (length < SHORT) return 2 + length;
  if (length === SHORT) return bytes.length < 4 ? undefined : 4 + bytes.readUInt16BE(2);
  if (length === LONG) return bytes.length < 10 ? undefined : 10 + Number(bytes.readBigUInt64BE(2));
  return undefined;
}
