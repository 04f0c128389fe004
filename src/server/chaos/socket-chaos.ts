/**
 * Faults between the service and WebSocket clients: on the frames that the server writes.
 *
 * The faults of a frame depend on the seed, on the number of sockets before, and on the frame's position on its socket.
 * Frames that are not lost, doubled or reordered stay in order, however long they are delayed. Control frames are only
 * delayed.
 */
import type { Duplex } from 'node:stream';
import type { Clock, Random } from '../../clock/index.ts';
import { type EpochMs, timeAfter } from '../../domain/index.ts';
import { DeadlineTimer } from '../deadline-timer.ts';
import { FrameSplitter, isDataFrame } from './frame-splitter.ts';
import type { ChaosSettings } from './settings.ts';

type SocketSettings = ChaosSettings['socket'];

export interface SocketChaosOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: SocketSettings;
  readonly logFault: (fault: string) => void;
}

interface Waiting {
  readonly frame: Buffer;
  readonly at: EpochMs;
}

/** Most delayed bytes of one socket; beyond them it is disconnected. */
const MAX_HELD = 16_777_216;
/** Longest wait of a reordered frame for the next one, ms. */
const LONGEST_SWAP_MS = 1_000;
const BOOK = Buffer.from('"orderBookUpdated"');

/** Puts faults on one socket, from its handshake on. */
export class SocketChaos {
  readonly #options: SocketChaosOptions;
  readonly #socket: Duplex;
  readonly #write: (frame: Uint8Array) => void;
  readonly #end: () => void;
  readonly #splitter = new FrameSplitter();
  readonly #timer: DeadlineTimer;
  #queue: Waiting[] = [];
  #held = 0;
  #swapped: Waiting | undefined;
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
    socket.write = (chunk: unknown, ...rest: unknown[]): boolean => this.#written(chunk, rest);
    socket.end = (...rest: unknown[]): Duplex => this.#ended(rest);
    socket.once('close', () => {
      this.#queue = [];
      this.#timer.set(undefined);
    });
  }

  /** The handshake's answer passes; all later bytes are frames. */
  #written(chunk: unknown, rest: readonly unknown[]): boolean {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk;
    if (!(bytes instanceof Uint8Array)) throw new TypeError('Invariant: a socket is written text or bytes');
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#write(bytes);
    } else for (const frame of this.#splitter.push(bytes)) this.#frame(frame);
    this.#release();
    const done = rest.find((one) => typeof one === 'function');
    if (typeof done === 'function') queueMicrotask(() => done());
    return this.#held < MAX_HELD;
  }

  #ended([chunk]: readonly unknown[]): Duplex {
    if (chunk instanceof Uint8Array || typeof chunk === 'string') this.#written(chunk, []);
    this.#isEnding = true;
    this.#release();
    return this.#socket;
  }

  #frame(frame: Buffer): void {
    const { clock, random, settings, logFault } = this.#options;
    const now = clock.now();
    const meets = (name: 'dropped' | 'frozen' | 'lost' | 'duplicated' | 'reordered' | 'stale_book'): boolean => {
      const comes = random.uniform() < settings[name];
      return comes && isDataFrame(frame);
    };
    // Always drawn, and in one order, so that a fault does not change later draws.
    const met = {
      dropped: meets('dropped'),
      frozen: meets('frozen'),
      lost: meets('lost'),
      duplicated: meets('duplicated'),
      reordered: meets('reordered'),
      stale: meets('stale_book'),
    };
    const wait = settings.latency_ms + random.int(settings.jitter_ms + 1);
    const isBook = frame.includes(BOOK);
    if (met.stale && isBook && now >= this.#staleUntil) {
      this.#staleUntil = timeAfter(now, settings.stale_ms);
      logFault('stale_book');
    }
    if (met.dropped) {
      logFault('dropped');
      this.#socket.destroy();
      return;
    }
    if (isBook && now < this.#staleUntil) return;
    if (met.lost) {
      logFault('lost');
      return;
    }
    if (met.frozen) logFault('frozen');
    const due = timeAfter(now, wait + (met.frozen ? settings.frozen_ms : 0));
    if (met.reordered && this.#swapped === undefined) {
      logFault('reordered');
      this.#swapped = { frame, at: timeAfter(due, LONGEST_SWAP_MS) };
      return;
    }
    this.#enqueue(frame, due);
    if (met.duplicated) {
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
