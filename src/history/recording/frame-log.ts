/**
 * Raw frames of a venue as they came over its sockets, to compare a normalised recording with.
 *
 * The file: a line of JSON about the session, then chunks. A chunk is length (u32) and CRC-32 (u32) of the deflated
 * rest. The rest has for each frame its receive time (f64, epoch ms), socket (u32, from 1; 0 for a note of lost
 * frames), length (u32) and bytes; little-endian. Bytes are copied at once, then compressed and written on other
 * threads. Frames beyond `MAX_WAITING` bytes in that queue are dropped, counted, and noted in their place.
 */
import { closeSync, openSync, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import type { FileFault } from '../../domain/index.ts';
import { writeFault } from '../write-fault.ts';

export interface FrameLogOptions {
  readonly path: string;
  /** What the session is: anything that JSON can say. */
  readonly head: unknown;
  /** The disk refused: called once, nothing is written after it. */
  readonly onFault: (fault: FileFault) => void;
  /** Bytes that may wait to be written; at most 16 MiB, the default. */
  readonly mostWaiting?: number;
}

/** Of a frame in a chunk, and of a chunk in the file. */
export const FRAME_HEAD = 16;
export const CHUNK_HEAD = 8;
/** A chunk is closed when it has so many bytes. */
const CHUNK = 262_144;
const MAX_WAITING = 16 * 1024 * 1024;
/** The most that a chunk holds, and so the longest frame with its heads. */
export const MAX_CHUNK: number = MAX_WAITING + 1_024;

const deflated = promisify<Buffer, Buffer>(deflateRaw);
const written = promisify(write);

export class FrameLog {
  readonly path: string;
  readonly #onFault: (fault: FileFault) => void;
  readonly #mostWaiting: number;
  readonly #fd: number;
  #chunk = Buffer.allocUnsafe(CHUNK);
  #length = 0;
  /** Bytes of chunks that are on their way to the disk. */
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();
  frames = 0;
  #lastAt = 0;
  /** Left out since the last note. */
  #left = 0;
  lost = 0;
  #isClosed = false;
  #isFaulty = false;

  /** @throws FileFault when the file cannot be made */
  constructor({ path, head, onFault, mostWaiting = MAX_WAITING }: FrameLogOptions) {
    this.path = path;
    this.#onFault = onFault;
    this.#mostWaiting = Math.min(mostWaiting, MAX_WAITING);
    try {
      this.#fd = openSync(path, 'w', 0o600);
      writeSync(this.#fd, `${JSON.stringify(head)}\n`);
    } catch (cause) {
      throw writeFault(path, cause);
    }
  }

  /** @param frame copied @param socket from 1 @param at epoch ms */
  take(frame: Buffer, socket: number, at: number): void {
    if (this.#isClosed || this.#isFaulty) return;
    if (this.#waiting + this.#length + frame.length > this.#mostWaiting) {
      this.#left += 1;
      this.lost += 1;
      this.#lastAt = at;
      return;
    }
    if (this.#left > 0) {
      this.#put(Buffer.from(JSON.stringify({ lost: this.#left })), 0, at);
      this.#left = 0;
    }
    this.#put(frame, socket, at);
    this.frames += 1;
  }

  flush(): void {
    if (this.#isClosed || this.#isFaulty || this.#length === 0) return;
    const chunk = this.#chunk.subarray(0, this.#length);
    this.#chunk = Buffer.allocUnsafe(CHUNK);
    this.#length = 0;
    this.#waiting += chunk.length;
    this.#last = this.#last.then(() => this.#write(chunk));
  }

  /** Resolves when all of it is written. A second time it does nothing. Never rejects. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#left > 0) this.#put(Buffer.from(JSON.stringify({ lost: this.#left })), 0, this.#lastAt);
    this.flush();
    this.#isClosed = true;
    await this.#last;
    closeSync(this.#fd);
  }

  #put(frame: Buffer, socket: number, at: number): void {
    const end = this.#length + FRAME_HEAD + frame.length;
    if (end > this.#chunk.length) this.#grow(end);
    this.#chunk.writeDoubleLE(at, this.#length);
    this.#chunk.writeUInt32LE(socket, this.#length + 8);
    this.#chunk.writeUInt32LE(frame.length, this.#length + 12);
    this.#chunk.set(frame, this.#length + FRAME_HEAD);
    this.#length = end;
    if (end >= CHUNK / 2) this.flush();
  }

  async #write(chunk: Buffer): Promise<void> {
    if (this.#isFaulty) return;
    try {
      const body = await deflated(chunk);
      const head = Buffer.alloc(CHUNK_HEAD);
      head.writeUInt32LE(body.length, 0);
      head.writeUInt32LE(crc32(body), 4);
      const bytes = Buffer.concat([head, body]);
      for (let done = 0; done < bytes.length; ) {
        done += (await written(this.#fd, bytes, done, bytes.length - done, null)).bytesWritten;
      }
    } catch (cause) {
      if (!this.#isFaulty) this.#onFault(writeFault(this.path, cause));
      this.#isFaulty = true;
    } finally {
      this.#waiting -= chunk.length;
    }
  }

  /** For a frame of uncommon size. */
  #grow(least: number): void {
    const larger = Buffer.allocUnsafe(least);
    this.#chunk.copy(larger, 0, 0, this.#length);
    this.#chunk = larger;
  }
}
