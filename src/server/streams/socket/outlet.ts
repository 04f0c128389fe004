/**
 * A connection's way out. Frames wait here until the turn is over and leave in one write; a frame of a stream is the
 * subscriber's own beginning and bytes that all subscribers share.
 *
 * HOT: every frame to every subscriber passes here (bench/fanout.ts). Where they are short, all frames of a turn are copied
 * into one buffer: a write of two buffers costs the kernel and Node more than the copy.
 *
 * Invariants: what is queued is in order, whoever queued it; beyond `isFull` nothing of a stream is added that can be told
 * anew, beyond `mostBytes` nothing at all.
 */
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

/** Outlets that have something to write at the end of the turn. */
export class FlushList {
  #outlets: Outlet[] = [];

  add(outlet: Outlet): void {
    this.#outlets.push(outlet);
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
const NOTHING = Buffer.alloc(0);

export class Outlet {
  readonly #line: Line;
  readonly #list: FlushList;
  readonly #backlog: Backlog;
  /** Beginning and rest of each frame that waits. */
  #parts: Buffer[] = [];
  #bytes = 0;
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
    return this.backlog > this.#backlog.soft;
  }

  /** Queues a frame. @param what for the reason of closing when too much waits already */
  frame(beginning: Buffer, rest: Buffer, what: string): void {
    if (this.#isGivenUp || !this.#line.isOpen()) return;
    if (this.backlog > this.#backlog.hard) {
      this.giveUp(what);
      return;
    }
    if (this.#parts.length === 0) this.#list.add(this);
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
    if (bytes <= COPIED) this.#writeCopied(parts, bytes);
    else this.#writeShared(parts);
    // All was taken at once: no `drain` will come.
    if (!this.#line.socket.writableNeedDrain) this.#drained();
  }

  #writeCopied(parts: readonly Buffer[], bytes: number): void {
    const frames = Buffer.allocUnsafe(bytes);
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
    this.#line.socket.write(frames);
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
