/**
 * Injects faults into the frames that the server writes to WebSocket clients.
 *
 * A frame's faults depend on the seed, the number of earlier sockets, and the frame's position on its socket. Delayed
 * frames stay in order, except `reordered` frames. Control frames get a delay, but no other fault.
 */
import type { Duplex } from 'node:stream';
import type { Clock, Random } from '../../clock/index.ts';
import { type EpochMs, timeAfter } from '../../domain/index.ts';
import { DeadlineTimer } from '../deadline-timer.ts';
import type { ChaosSettings } from './settings.ts';

interface SocketChaosOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: ChaosSettings['socket'];
  readonly logFault: (fault: string) => void;
}

interface DelayedFrame {
  readonly frame: Buffer;
  readonly dueAt: EpochMs;
}

/** Maximum bytes of delayed frames. A socket with more is destroyed. */
const MAX_HELD_BYTES = 16_777_216;
/** A reordered frame waits at most this long for the next frame. */
const MAX_REORDER_WAIT_MS = 1_000;
/** Faults in the order of their draws. */
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
  #heldBytes = 0;
  #reordered: DelayedFrame | undefined;
  #isOpen = false;
  #isEnding = false;
  #latestDue: EpochMs;
  #staleUntil: EpochMs;

  constructor(socket: Duplex, options: SocketChaosOptions) {
    const { clock } = options;
    this.#options = options;
    this.#socket = socket;
    this.#latestDue = clock.now();
    this.#staleUntil = this.#latestDue;
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

  /** Passes the first bytes, which answer the handshake. All later bytes are frames. */
  #onWrite(chunk: unknown, rest: readonly unknown[]): boolean {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk;
    if (!(bytes instanceof Uint8Array)) throw new TypeError('Invariant: a socket accepts only text or bytes');
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#write(bytes);
    } else for (const frame of this.#splitter.push(bytes)) this.#injectFaults(frame);
    this.#release();
    const onWritten = rest.find((argument) => typeof argument === 'function');
    if (typeof onWritten === 'function') queueMicrotask(() => onWritten());
    return this.#heldBytes < MAX_HELD_BYTES;
  }

  #onEnd([chunk]: readonly unknown[]): Duplex {
    if (chunk instanceof Uint8Array || typeof chunk === 'string') this.#onWrite(chunk, []);
    this.#isEnding = true;
    this.#release();
    return this.#socket;
  }

  #injectFaults(frame: Buffer): void {
    const { clock, random, settings, logFault } = this.#options;
    const now = clock.now();
    // Draw all faults, always in this order, so that a fault does not change later draws.
    const faults = new Set(FAULTS.filter((name) => random.uniform() < settings[name]));
    if (((frame[0] ?? 0) & OPCODE_BITS) >= FIRST_CONTROL_OPCODE) faults.clear();
    const delayMs = settings.latency_ms + random.int(settings.jitter_ms + 1);
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
    const dueAt = timeAfter(now, delayMs + (faults.has('frozen') ? settings.frozen_ms : 0));
    if (faults.has('reordered') && this.#reordered === undefined) {
      logFault('reordered');
      this.#reordered = { frame, dueAt: timeAfter(dueAt, MAX_REORDER_WAIT_MS) };
      return;
    }
    this.#enqueue(frame, dueAt);
    if (faults.has('duplicated')) {
      logFault('duplicated');
      this.#enqueue(frame, dueAt);
    }
    this.#enqueueReordered(dueAt);
  }

  #enqueueReordered(dueAt: EpochMs): void {
    if (this.#reordered === undefined) return;
    const { frame } = this.#reordered;
    this.#reordered = undefined;
    this.#enqueue(frame, dueAt);
  }

  #enqueue(frame: Buffer, dueAt: EpochMs): void {
    this.#latestDue = dueAt > this.#latestDue ? dueAt : this.#latestDue;
    this.#queue.push({ frame, dueAt: this.#latestDue });
    this.#heldBytes += frame.length;
    if (this.#heldBytes > MAX_HELD_BYTES) this.#socket.destroy();
  }

  #release(): void {
    const now = this.#options.clock.now();
    if (this.#reordered !== undefined && (this.#isEnding || this.#reordered.dueAt <= now)) this.#enqueueReordered(now);
    let writtenCount = 0;
    for (const { frame, dueAt } of this.#queue) {
      if (dueAt > now) break;
      writtenCount += 1;
      this.#heldBytes -= frame.length;
      this.#write(frame);
    }
    this.#queue.splice(0, writtenCount);
    if (this.#queue.length === 0 && this.#isEnding) {
      this.#isEnding = false;
      this.#end();
    }
    this.#timer.set(this.#queue[0]?.dueAt ?? this.#reordered?.dueAt);
  }
}

/** Value of the length field if the next 2 bytes contain the length. After 127, the next 8 bytes contain it. */
const LENGTH_IN_2_BYTES = 126;
const LENGTH_BITS = 0x7f;
const OPCODE_BITS = 0x0f;
/** Opcodes from this value on are control frames: ping, pong and close. */
const FIRST_CONTROL_OPCODE = 0x8;

/** Splits the bytes that a server writes to a WebSocket into frames (RFC 6455, 5.2), which are not masked. */
export class FrameSplitter {
  #incomplete: Buffer = Buffer.alloc(0);

  /** Adds bytes and returns the complete frames. Buffers an incomplete frame. */
  push(chunk: Uint8Array): readonly Buffer[] {
    this.#incomplete = this.#incomplete.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#incomplete, chunk]);
    const frames: Buffer[] = [];
    for (;;) {
      const length = frameLength(this.#incomplete);
      if (length === undefined || length > this.#incomplete.length) return frames;
      frames.push(this.#incomplete.subarray(0, length));
      this.#incomplete = this.#incomplete.subarray(length);
    }
  }
}

/** Returns the length of the first frame with its header; undefined while the header is incomplete. */
function frameLength(bytes: Buffer): number | undefined {
  if (bytes.length < 2) return undefined;
  const length = (bytes[1] ?? 0) & LENGTH_BITS;
  if (length < LENGTH_IN_2_BYTES) return 2 + length;
  if (length === LENGTH_IN_2_BYTES) return bytes.length < 4 ? undefined : 4 + bytes.readUInt16BE(2);
  return bytes.length < 10 ? undefined : 10 + Number(bytes.readBigUInt64BE(2));
}
