/** The store of a warm-up. It encodes entries like a bot's log, then writes them to a scratch file or drops them. */
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync } from 'node:fs';
import { ByteWriter } from '../../domain/index.ts';
import {
  checkConsecutive,
  type EventStore,
  type OrderRecords,
  type SignedRecord,
  type Step,
} from '../../runtime/index.ts';
import { withDiskFaults } from '../disk-fault.ts';
import { OWNER_ONLY } from '../private-files.ts';
import { encodeEntry, writeWhole } from './intent-log.ts';

export class WarmupStore implements EventStore, OrderRecords {
  readonly streamPosition = 0;
  readonly epoch = 0;
  readonly unfinishedOrders = () => [];
  readonly findByHash = () => undefined;
  readonly findByNumber = () => undefined;
  readonly trades = () => [];
  readonly reversedTrades = () => [];
  readonly cash = () => ({ firstRunAt: undefined, paid: [], adjusted: [] });
  readonly setEpoch = () => {};
  readonly #writer = new ByteWriter(65_536);
  readonly #scratch: ScratchFile | undefined;
  #pending: Step[] = [];
  #last = 0;
  /** Number of encoded entries. */
  entries = 0;
  #positionToStore = 0;

  /** @param scratch receives the entries. By default, the entries are dropped */
  constructor(scratch?: ScratchFile) {
    this.#scratch = scratch;
  }

  append(steps: readonly Step[]): void {
    this.appendDeferred(steps);
    this.flushDeferred();
  }

  appendDeferred(steps: readonly Step[]): void {
    this.#last = checkConsecutive(this.#last, steps);
    for (const step of steps) this.#pending.push(step);
  }

  flushDeferred(): void {
    if (this.#pending.length > 0) this.#store([]);
  }

  addSigned(rows: readonly SignedRecord[]): void {
    this.#store(rows);
  }

  advanceStreamPosition(position: number): void {
    this.#positionToStore = position;
  }

  resetStreamPosition(position: number): void {
    this.#positionToStore = position;
  }

  #store(signed: readonly SignedRecord[]): void {
    const steps = this.#pending;
    this.#pending = [];
    this.entries += 1;
    const entry = { steps, signed, streamPosition: this.#positionToStore, risk: undefined };
    const frame = encodeEntry(entry, this.entries, 0, this.#writer);
    this.#scratch?.write(frame);
  }
}

/** Bytes after which the file is emptied: about 40 passes of the warm-up. */
const MAX_BYTES = 65_536;

/**
 * An unlinked temporary file in the folder of a bot's file. A warm-up writes entries to this file as a bot writes
 * entries to its log, to warm up the operating system's write path. The file is emptied often, usually before its data
 * reaches the disk. The operating system deletes the file when the process exits.
 */
export class ScratchFile {
  readonly #path: string;
  #fd: number | undefined;
  #written = 0;
  /** Whether the file still has its name, because the operating system cannot unlink an open file. */
  #isLinked = false;

  /** @param path name until the file is unlinked; an existing file is replaced @throws FileFault */
  constructor(path: string) {
    this.#path = path;
    this.#fd = withDiskFaults(path, 'made', () => {
      rmSync(path, { force: true });
      return openSync(path, 'ax', OWNER_ONLY);
    });
    try {
      rmSync(path);
    } catch {
      this.#isLinked = true;
    }
  }

  get length(): number {
    return this.#fd === undefined ? 0 : fstatSync(this.#fd).size;
  }

  /** @throws Error of the file system. You can ignore the error, because no other data depends on this write */
  write(bytes: Uint8Array): void {
    const fd = this.#fd;
    if (fd === undefined) return;
    this.#written += bytes.length;
    if (this.#written > MAX_BYTES) {
      ftruncateSync(fd, 0);
      this.#written = bytes.length;
    }
    writeWhole(fd, bytes);
  }

  close(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd === undefined) return;
    closeSync(fd);
    if (this.#isLinked) rmSync(this.#path, { force: true });
  }
}
