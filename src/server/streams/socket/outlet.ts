/**
 * The send queue of a connection. Frames wait until the end of the turn and are sent in one write. A frame of a stream
 * consists of the subscriber's prefix and bytes that all subscribers share.
 *
 * HOT: every frame to every subscriber passes here (bench/fanout.ts). Where they are short, all frames of a turn are
 * copied into one buffer: a write of two buffers costs the kernel and Node more than the copy. A thousand subscribers
 * of one stream have frames of one size: they share that buffer, one after the other.
 *
 * Invariants: the queue is in order over all writers. While `isFull`, no stream event is queued that a later one can
 * replace; beyond `maxBytes`, nothing is queued.
 */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { headerBytes, writeHeader } from './text-frame.ts';

/** The socket of a WebSocket. */
export interface Line {
  readonly socket: Duplex;
  /** False after a close frame: nothing may follow it. */
  isOpen(): boolean;
  /** Closes for good; called once at most. */
  tooSlow(what: string): void;
}

/** Limits of waiting bytes. */
export interface Backlog {
  /** From here on a subscriber is slow: replaceable messages are skipped until it reads again. */
  readonly soft: number;
  /** From here on it is closed. */
  readonly hard: number;
}

/** Counts since the start, for metrics. */
export class OutletCounts {
  /** Written, with their bytes. */
  frames = 0;
  bytes = 0;
  /** Skipped for slow subscribers, which get the newest values instead. */
  leftOut = 0;
  /** Slow subscribers that read again. */
  caughtUp = 0;
  /** Closed because no message of their stream may be skipped. */
  givenUp = 0;
}

const NOTHING = Buffer.alloc(0);

/** Outlets with frames to write at the end of the turn, and their shared buffer. */
export class FlushList {
  readonly counts = new OutletCounts();
  #outlets: Outlet[] = [];
  #buffer = NOTHING;

  /** No outlet has frames to write. */
  get isEmpty(): boolean {
    return this.#outlets.length === 0;
  }

  add(outlet: Outlet): void {
    this.#outlets.push(outlet);
  }

  /** A buffer of this size. Writes reuse it until `releaseBuffer`. */
  buffer(bytes: number): Buffer {
    if (this.#buffer.length !== bytes) this.#buffer = Buffer.allocUnsafe(bytes);
    return this.#buffer;
  }

  /** A socket still needs the buffer: the next write gets a new one. */
  releaseBuffer(): void {
    this.#buffer = NOTHING;
  }

  flush(): void {
    while (this.#outlets.length > 0) {
      const outlets = this.#outlets;
      this.#outlets = [];
      for (const outlet of outlets) outlet.flush();
    }
  }
}

/** Most bytes that are copied per turn. */
const COPIED = 16_384;

export class Outlet {
  readonly #line: Line;
  readonly #list: FlushList;
  readonly #backlog: Backlog;
  /** Prefix and rest of each waiting frame. */
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Waiting bytes of the socket when the first frame was queued; it may have sent some since. */
  #before = 0;
  #isGivenUp = false;
  #late = new Set<() => void>();

  constructor(line: Line, list: FlushList, backlog: Backlog) {
    this.#line = line;
    this.#list = list;
    this.#backlog = backlog;
    line.socket.on('drain', () => this.#drained());
  }

  /** Waiting bytes. */
  get backlog(): number {
    return this.#bytes + this.#line.socket.writableLength;
  }

  /** The subscriber is slow. */
  get isFull(): boolean {
    const before = this.#parts.length === 0 ? this.#line.socket.writableLength : this.#before;
    return before + this.#bytes > this.#backlog.soft;
  }

  /** Of all outlets. */
  get counts(): OutletCounts {
    return this.#list.counts;
  }

  /** Queues a frame. @param what for the reason of closing when too much waits already */
  frame(beginning: Buffer, rest: Buffer, what: string): void {
    if (this.#isGivenUp) return;
    if (this.#parts.length === 0) {
      if (!this.#line.isOpen()) return;
      this.#before = this.#line.socket.writableLength;
      this.#list.add(this);
    }
    if (this.#before + this.#bytes > this.#backlog.hard) {
      this.giveUp(what);
      return;
    }
    this.#parts.push(beginning, rest);
    const length = beginning.length + rest.length;
    this.#bytes += headerBytes(length) + length;
  }

  /** Queues a message. */
  text(message: string): void {
    this.frame(NOTHING, Buffer.from(message), 'answers');
  }

  /** Closes the connection: too many bytes wait, and none may be lost. */
  giveUp(what: string): void {
    if (this.#isGivenUp || !this.#line.isOpen()) return;
    this.flush();
    this.#isGivenUp = true;
    this.#list.counts.givenUp += 1;
    this.#line.tooSlow(what);
  }

  /** Calls back once when all waiting bytes were sent. */
  whenDrained(call: () => void): void {
    this.#late.add(call);
  }

  forget(call: () => void): void {
    this.#late.delete(call);
  }

  flush(): void {
    const parts = this.#parts;
    if (parts.length === 0) return;
    const bytes = this.#bytes;
    this.#parts = [];
    this.#bytes = 0;
    if (!this.#line.isOpen()) return;
    this.#list.counts.frames += parts.length / 2;
    this.#list.counts.bytes += bytes;
    if (bytes <= COPIED) this.#writeCopied(parts, bytes);
    else this.#writeShared(parts);
    // Everything was sent at once: there will be no `drain` event.
    if (!this.#line.socket.writableNeedDrain) this.#drained();
  }

  #writeCopied(parts: readonly Buffer[], bytes: number): void {
    const frames = this.#list.buffer(bytes);
    let at = 0;
    for (let part = 0; part < parts.length; part += 2) {
      const beginning = parts[part]!;
      const rest = parts[part + 1]!;
      at = writeHeader(frames, at, beginning.length + rest.length);
      frames.set(beginning, at);
      at += beginning.length;
      frames.set(rest, at);
      at += rest.length;
    }
    const { socket } = this.#line;
    socket.write(frames);
    if (!hasTaken(socket)) this.#list.releaseBuffer();
  }

  #writeShared(parts: readonly Buffer[]): void {
    const { socket } = this.#line;
    socket.cork();
    for (let part = 0; part < parts.length; part += 2) {
      const beginning = parts[part]!;
      const rest = parts[part + 1]!;
      const length = beginning.length + rest.length;
      const head = Buffer.allocUnsafe(headerBytes(length) + beginning.length);
      head.set(beginning, writeHeader(head, 0, length));
      socket.write(head);
      socket.write(rest);
    }
    socket.uncork();
  }

  #drained(): void {
    if (this.#late.size === 0) return;
    const late = this.#late;
    this.#late = new Set();
    for (const call of late) call();
    this.flush();
  }
}

/**
 * Whether a socket has passed all bytes to the kernel. Unknown, and therefore false, for a socket whose `write` was replaced to delay
 * frames.
 */
function hasTaken(socket: Duplex): boolean {
  return socket.writableLength === 0 && socket.write === Socket.prototype.write;
}
