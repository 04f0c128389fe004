/**
 * Logs the raw frames of a venue's sockets, so that a normalized recording can be compared with them.
 *
 * The file is a line of JSON about the session, then chunks; integers are little-endian. A chunk is the length (u32)
 * and CRC-32 (u32) of a deflated body, then the body. For each frame, the body has the receive time (f64, epoch ms),
 * the socket (u32), the length (u32) and the bytes. Sockets count from 1; 0 is a note of lost frames.
 *
 * Frames are copied at once, then compressed and written on other threads. While more than `MAX_QUEUED_BYTES` wait for
 * these threads, new frames are dropped, and a note in their place counts them.
 */
import { closeSync, openSync, write, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import type { FileFault } from '../../domain/index.ts';
import { writeFault } from '../files.ts';

export interface FrameLogOptions {
  readonly path: string;
  /** Describes the session; any JSON value. */
  readonly head: unknown;
  /** Called once on a write error; nothing is written afterwards. */
  readonly onFault: (fault: FileFault) => void;
  /** Maximum number of bytes that wait to be written. Default and maximum: 16 MiB. */
  readonly maxQueuedBytes?: number;
}

export const FRAME_HEAD_BYTES = 16;
export const CHUNK_HEAD_BYTES = 8;
/** Initial size of the buffer. A chunk is written when it has half this size. */
const INITIAL_CHUNK_BYTES = 262_144;
const MAX_QUEUED_BYTES = 16 * 1024 * 1024;
/** Maximum size of a chunk, and thus of a frame with its head. */
export const MAX_CHUNK_BYTES: number = MAX_QUEUED_BYTES + 1_024;

const deflate = promisify<Buffer, Buffer>(deflateRaw);
const writeBytes = promisify(write);

export class FrameLog {
  readonly path: string;
  readonly #onFault: (fault: FileFault) => void;
  readonly #maxQueuedBytes: number;
  readonly #fd: number;
  #chunk = Buffer.allocUnsafe(INITIAL_CHUNK_BYTES);
  #chunkLength = 0;
  /** Bytes of chunks that are being compressed or written. */
  #queuedBytes = 0;
  #lastWrite: Promise<void> = Promise.resolve();
  frames = 0;
  #lastLostAt = 0;
  /** Number of dropped frames that no note counts yet. */
  #uncountedLost = 0;
  lost = 0;
  #isClosed = false;
  #isFaulty = false;

  /** @throws FileFault when the file cannot be made */
  constructor({ path, head, onFault, maxQueuedBytes = MAX_QUEUED_BYTES }: FrameLogOptions) {
    this.path = path;
    this.#onFault = onFault;
    this.#maxQueuedBytes = Math.min(maxQueuedBytes, MAX_QUEUED_BYTES);
    try {
      this.#fd = openSync(path, 'w', 0o600);
      writeFileSync(this.#fd, `${JSON.stringify(head)}\n`);
    } catch (cause) {
      throw writeFault(path, cause);
    }
  }

  /** Copies a frame into the log. `socket` counts from 1; `at` is the receive time in epoch ms. */
  append(frame: Buffer, socket: number, at: number): void {
    if (this.#isClosed || this.#isFaulty) return;
    if (this.#queuedBytes + this.#chunkLength + frame.length > this.#maxQueuedBytes) {
      this.#uncountedLost += 1;
      this.lost += 1;
      this.#lastLostAt = at;
      return;
    }
    this.#noteLost(at);
    this.#addToChunk(frame, socket, at);
    this.frames += 1;
  }

  flush(): void {
    if (this.#isClosed || this.#isFaulty || this.#chunkLength === 0) return;
    const chunk = this.#chunk.subarray(0, this.#chunkLength);
    this.#chunk = Buffer.allocUnsafe(INITIAL_CHUNK_BYTES);
    this.#chunkLength = 0;
    this.#queuedBytes += chunk.length;
    this.#lastWrite = this.#lastWrite.then(() => this.#write(chunk));
  }

  /** Resolves when everything is written. Never rejects. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#noteLost(this.#lastLostAt);
    this.flush();
    this.#isClosed = true;
    await this.#lastWrite;
    closeSync(this.#fd);
  }

  #noteLost(at: number): void {
    if (this.#uncountedLost === 0) return;
    this.#addToChunk(Buffer.from(JSON.stringify({ lost: this.#uncountedLost })), 0, at);
    this.#uncountedLost = 0;
  }

  #addToChunk(frame: Buffer, socket: number, at: number): void {
    const end = this.#chunkLength + FRAME_HEAD_BYTES + frame.length;
    if (end > this.#chunk.length) this.#chunk = Buffer.concat([this.#chunk.subarray(0, this.#chunkLength)], end);
    this.#chunk.writeDoubleLE(at, this.#chunkLength);
    this.#chunk.writeUInt32LE(socket, this.#chunkLength + 8);
    this.#chunk.writeUInt32LE(frame.length, this.#chunkLength + 12);
    this.#chunk.set(frame, this.#chunkLength + FRAME_HEAD_BYTES);
    this.#chunkLength = end;
    if (end >= INITIAL_CHUNK_BYTES / 2) this.flush();
  }

  async #write(chunk: Buffer): Promise<void> {
    if (this.#isFaulty) return;
    try {
      const body = await deflate(chunk);
      const head = Buffer.alloc(CHUNK_HEAD_BYTES);
      head.writeUInt32LE(body.length, 0);
      head.writeUInt32LE(crc32(body), 4);
      const bytes = Buffer.concat([head, body]);
      for (let done = 0; done < bytes.length; ) {
        done += (await writeBytes(this.#fd, bytes, done, bytes.length - done, null)).bytesWritten;
      }
    } catch (cause) {
      if (!this.#isFaulty) this.#onFault(writeFault(this.path, cause));
      this.#isFaulty = true;
    } finally {
      this.#queuedBytes -= chunk.length;
    }
  }
}
