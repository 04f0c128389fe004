/**
 * A connection's way out. Frames wait here until the turn is over and leave in one write; a frame of a stream is the
 * subscriber's own beginning and bytes that all subscribers share.
 *
 * HOT: every frame to every subscriber passes here (bench/fanout.ts). Where they are short, all frames of a turn are copied
 * into one buffer: a write of two buffers costs the kernel and Node more than the copy. A thousand subscribers of one stream
 * have frames of one size: they share that buffer, one after the other.
 *
 * Invariants: what is queued is in order, whoever queued it; beyond `isFull` nothing of a stream is added that can be told
 * anew, beyond `maxBytes` nothing at all.
 */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { headerBytes, writeHeader } from './text-frame.ts';

/** The socket, as the WebSocket around it sees it. */
export interface Line {
  readonly socket: Duplex;
  /** False once a closing frame was sent: nothing may follow it. */
  isOpen(): boolean;
  /** Closes for good; called once at most. */
  tooSlow(what: string): void;
}

/** Bytes that may wait for a consumer. */
export interface Backlog {
  /** From here on a consumer is slow: what can be told anew is left out until it has read on. */
  readonly soft: number;
  /** From here on it is given up. */
  readonly hard: number;
}

/** What went out, and what did not, since the start: for metrics. */
export class OutletCounts {
  /** Written, with their bytes. */
  frames = 0;
  bytes = 0;
  /** Left out for slow consumers, who get what is newest instead. */
  leftOut = 0;
  /** Slow consumers that have read on. */
  caughtUp = 0;
  /** Closed, because nothing of what waited may be lost. */
  givenUp = 0;
}

const NOTHING = Buffer.alloc(0);

/** Outlets that have something to write at the end of the turn, and the room they write from. */
export class FlushList {
  readonly counts = new OutletCounts();
  #outlets: Outlet[] = [];
  #room = NOTHING;

  /** No outlet has anything to write. */
  get isEmpty(): boolean {
    return this.#outlets.length === 0;
  }

  add(outlet: Outlet): void {
    this.#outlets.push(outlet);
  }

  /** So many bytes, which whoever wrote last may have had. */
  room(bytes: number): Buffer {
    if (this.#room.length !== bytes) this.#room = Buffer.allocUnsafe(bytes);
    return this.#room;
  }

  /** The room is somebody's for good. */
  giveRoom(): void {
    this.#room = NOTHING;
  }

  flush(): void {
    while (this.#outlets.length > 0) {
      const outlets = this.#outlets;
      this.#outlets = [];
      for (const outlet of outlets) outlet.flush();
    }
  }
}

/** Up to so many bytes a turn are copied. */
const COPIED = 16_384;

export class Outlet {
  readonly #line: Line;
  readonly #list: FlushList;
  readonly #backlog: Backlog;
  /** Beginning and rest of each frame that waits. */
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Bytes that the socket had when the first of them came: it may have fewer by now. */
  #before = 0;
  #isGivenUp = false;
  #late = new Set<() => void>();

  constructor(line: Line, list: FlushList, backlog: Backlog) {
    this.#line = line;
    this.#list = list;
    this.#backlog = backlog;
    line.socket.on('drain', () => this.#drained());
  }

  /** Bytes that the consumer has not taken yet. */
  get backlog(): number {
    return this.#bytes + this.#line.socket.writableLength;
  }

  /** The consumer is slow. */
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

  /** Closes: too much waits, and nothing of it may be lost. */
  giveUp(what: string): void {
    if (this.#isGivenUp || !this.#line.isOpen()) return;
    this.flush();
    this.#isGivenUp = true;
    this.#list.counts.givenUp += 1;
    this.#line.tooSlow(what);
  }

  /** Calls back once when everything that waits was taken. */
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
    // All was taken at once: no `drain` will come.
    if (!this.#line.socket.writableNeedDrain) this.#drained();
  }

  #writeCopied(parts: readonly Buffer[], bytes: number): void {
    const frames = this.#list.room(bytes);
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
    if (!hasTaken(socket)) this.#list.giveRoom();
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
 * Whether a socket is done with what it was given: nothing waits in it, and the kernel has it all. Of a socket that somebody
 * stands before, to hold frames back, nobody knows.
 */
function hasTaken(socket: Duplex): boolean {
  return socket.writableLength === 0 && socket.write === Socket.prototype.write;
}
