/**
 * The send queue of a connection. Frames wait until the end of the event-loop turn and are sent in one write. A
 * stream's message has a start for each subscriber, and an end that all subscribers share.
 *
 * HOT: every frame to every subscriber passes here (bench/fanout.ts). Short frames are copied into one buffer, because
 * a write of two buffers costs more than the copy. Writers with the same number of bytes reuse that buffer.
 *
 * Invariants: a connection's messages stay in order. While `isAboveSoftLimit`, replaceable stream events are not
 * queued. Above `BacklogLimits.hard`, the connection is closed.
 */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface WritableSocket {
  readonly socket: Duplex;
  /** Returns false after a close frame, which no frame may follow. */
  isOpen(): boolean;
  /** Closes the connection. Called at most once. */
  closeAsSlow(stream: string): void;
}

/** Limits of a connection's waiting bytes. Above `soft`, replaceable messages are skipped. */
export interface BacklogLimits {
  readonly soft: number;
  readonly hard: number;
}

/** Counts of written messages since the start, for metrics. */
export class WriteCounts {
  frames = 0;
  bytes = 0;
  /** Messages skipped for slow subscribers, which get newer messages instead. */
  skipped = 0;
  /** Slow subscribers that caught up. */
  recovered = 0;
  /** Connections closed because too many bytes wait. */
  closed = 0;
}

const EMPTY = Buffer.alloc(0);

/** Writers with frames to write at the end of the event-loop turn, and their shared buffer. */
export class FlushList {
  readonly counts = new WriteCounts();
  #writers: SocketWriter[] = [];
  #buffer = EMPTY;

  get isEmpty(): boolean {
    return this.#writers.length === 0;
  }

  add(writer: SocketWriter): void {
    this.#writers.push(writer);
  }

  /** Returns a buffer. Calls with the same size return the same buffer until `releaseBuffer`. */
  getBuffer(bytes: number): Buffer {
    if (this.#buffer.length !== bytes) this.#buffer = Buffer.allocUnsafe(bytes);
    return this.#buffer;
  }

  /** Makes the next write use a new buffer, because a socket still needs the current buffer. */
  releaseBuffer(): void {
    this.#buffer = EMPTY;
  }

  flush(): void {
    while (this.#writers.length > 0) {
      const writers = this.#writers;
      this.#writers = [];
      for (const writer of writers) writer.flush();
    }
  }
}

/** Limit of bytes that a flush copies. */
const MAX_COPIED_BYTES = 16_384;

export class SocketWriter {
  readonly #target: WritableSocket;
  readonly #flushList: FlushList;
  readonly #limits: BacklogLimits;
  /** Start and end of each waiting message. */
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Waiting bytes of the socket when the first frame was queued. */
  #socketBytes = 0;
  #isClosed = false;
  #drainListeners = new Set<() => void>();

  constructor(target: WritableSocket, list: FlushList, limits: BacklogLimits) {
    this.#target = target;
    this.#flushList = list;
    this.#limits = limits;
    target.socket.on('drain', () => this.#onDrained());
  }

  get backlogBytes(): number {
    return this.#bytes + this.#target.socket.writableLength;
  }

  get isAboveSoftLimit(): boolean {
    const socketBytes = this.#parts.length === 0 ? this.#target.socket.writableLength : this.#socketBytes;
    return socketBytes + this.#bytes > this.#limits.soft;
  }

  get counts(): WriteCounts {
    return this.#flushList.counts;
  }

  /** Queues a message as one frame. @param stream name for the close reason if too many bytes wait */
  queueFrame(messageStart: Buffer, messageEnd: Buffer, stream: string): void {
    if (this.#isClosed) return;
    if (this.#parts.length === 0) {
      if (!this.#target.isOpen()) return;
      this.#socketBytes = this.#target.socket.writableLength;
      this.#flushList.add(this);
    }
    if (this.#socketBytes + this.#bytes > this.#limits.hard) {
      this.closeAsSlow(stream);
      return;
    }
    this.#parts.push(messageStart, messageEnd);
    const length = messageStart.length + messageEnd.length;
    this.#bytes += headerBytes(length) + length;
  }

  queueText(message: string): void {
    this.queueFrame(EMPTY, Buffer.from(message), 'answers');
  }

  /** Closes the connection, because too many bytes wait and none may be skipped. */
  closeAsSlow(stream: string): void {
    if (this.#isClosed || !this.#target.isOpen()) return;
    this.flush();
    this.#isClosed = true;
    this.#flushList.counts.closed += 1;
    this.#target.closeAsSlow(stream);
  }

  /** Calls `listener` once, after the next flush or `drain` that leaves the socket ready for more bytes. */
  addDrainListener(listener: () => void): void {
    this.#drainListeners.add(listener);
  }

  removeDrainListener(listener: () => void): void {
    this.#drainListeners.delete(listener);
  }

  flush(): void {
    const parts = this.#parts;
    if (parts.length === 0) return;
    const bytes = this.#bytes;
    this.#parts = [];
    this.#bytes = 0;
    if (!this.#target.isOpen()) return;
    this.#flushList.counts.frames += parts.length / 2;
    this.#flushList.counts.bytes += bytes;
    if (bytes <= MAX_COPIED_BYTES) this.#writeCopied(parts, bytes);
    else this.#writeShared(parts);
    // A socket that does not need to drain emits no `drain` event.
    if (!this.#target.socket.writableNeedDrain) this.#onDrained();
  }

  #writeCopied(parts: readonly Buffer[], bytes: number): void {
    const frames = this.#flushList.getBuffer(bytes);
    let offset = 0;
    for (let index = 0; index < parts.length; index += 2) {
      const messageStart = parts[index]!;
      const messageEnd = parts[index + 1]!;
      offset = writeHeader(frames, offset, messageStart.length + messageEnd.length);
      frames.set(messageStart, offset);
      offset += messageStart.length;
      frames.set(messageEnd, offset);
      offset += messageEnd.length;
    }
    const { socket } = this.#target;
    socket.write(frames);
    if (!hasSentAll(socket)) this.#flushList.releaseBuffer();
  }

  #writeShared(parts: readonly Buffer[]): void {
    const { socket } = this.#target;
    socket.cork();
    for (let index = 0; index < parts.length; index += 2) {
      const messageStart = parts[index]!;
      const messageEnd = parts[index + 1]!;
      const length = messageStart.length + messageEnd.length;
      const head = Buffer.allocUnsafe(headerBytes(length) + messageStart.length);
      head.set(messageStart, writeHeader(head, 0, length));
      socket.write(head);
      socket.write(messageEnd);
    }
    socket.uncork();
  }

  #onDrained(): void {
    if (this.#drainListeners.size === 0) return;
    const listeners = this.#drainListeners;
    this.#drainListeners = new Set();
    for (const listener of listeners) listener();
    this.flush();
  }
}

/**
 * Returns whether a socket has passed all bytes to the kernel. Returns false for a socket whose `write` was replaced,
 * because the replacement may delay frames.
 */
function hasSentAll(socket: Duplex): boolean {
  return socket.writableLength === 0 && socket.write === Socket.prototype.write;
}

/** First byte of a whole, uncompressed text frame (RFC 6455, 5.2). A server does not mask its frames. */
const FIN_TEXT = 0x81;
const MAX_SHORT_PAYLOAD = 125;
const MAX_MEDIUM_PAYLOAD = 65_535;

/** Returns the bytes of a frame's header. @param length bytes of the payload */
function headerBytes(length: number): number {
  if (length <= MAX_SHORT_PAYLOAD) return 2;
  return length <= MAX_MEDIUM_PAYLOAD ? 4 : 10;
}

/** Writes a frame's header. @returns the offset of the payload */
function writeHeader(target: Buffer, offset: number, length: number): number {
  target[offset] = FIN_TEXT;
  if (length <= MAX_SHORT_PAYLOAD) {
    target[offset + 1] = length;
    return offset + 2;
  }
  if (length <= MAX_MEDIUM_PAYLOAD) {
    target[offset + 1] = 126;
    target[offset + 2] = length >> 8;
    target[offset + 3] = length & 255;
    return offset + 4;
  }
  target[offset + 1] = 127;
  target.writeUInt16BE(0, offset + 2);
  target.writeUIntBE(length, offset + 4, 6);
  return offset + 10;
}
