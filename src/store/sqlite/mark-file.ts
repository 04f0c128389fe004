/**
 * `<file>-mark` stores the numbers of a database's last acknowledged transaction and record (or log entry) while the
 * database is in use. Updates do not wait for the disk, so the mark survives a crash of the process but not of the
 * machine. After a power cut, the mark can be older than the database, but is never partly written. Closing removes it.
 *
 * 128 bytes, little-endian: 16 bytes magic, u32 version, u32 zero, 16 bytes id of the database, float64 `commits`,
 * float64 `lastEntry`, 64 bytes boot id of the machine (text, then zeros), 4 bytes zero, u32 CRC-32 of the 124 bytes
 * before.
 *
 * HOT: `acknowledgeEntry` runs for each entry of a bot's log (bench/bot-store.ts).
 */
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { diskFault, withDiskFaults, withFile } from '../disk-fault.ts';
import type { Stamp } from './commit-stamp.ts';

export interface CommitMark extends Pick<Stamp, 'database' | 'commits' | 'lastEntry'> {
  /** Boot id of the machine when the mark was made; undefined if the system has none. */
  readonly boot: string | undefined;
  /** Time of the last acknowledgement, epoch ms. */
  readonly at: number;
}

const BYTES = 128;
const MAGIC = Buffer.from('halfspread mark\n', 'latin1');
const VERSION = 1;
const OFFSET = { id: 24, commits: 40, lastEntry: 48, boot: 56, crc: 124 } as const;
const BOOT_BYTES = 64;

export function commitMarkPath(file: string): string {
  return `${file}-mark`;
}

/**
 * Reads the mark of a database. Returns undefined for a missing mark, and the problem as text for an invalid mark.
 * @throws FileFault for an unreadable file
 */
export function readCommitMark(file: string): CommitMark | string | undefined {
  const path = commitMarkPath(file);
  const found = withDiskFaults(path, 'read', () => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? undefined : { at: Math.round(stats.mtimeMs), bytes: readFileSync(path) };
  });
  if (found === undefined) return undefined;
  const { at, bytes } = found;
  if (bytes.length !== BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC))
    return 'it is not the mark of a database';
  if (crc32(bytes.subarray(0, OFFSET.crc)) !== bytes.readUInt32LE(OFFSET.crc)) return 'its checksum is wrong';
  const version = bytes.readUInt32LE(MAGIC.length);
  if (version !== VERSION) return `it is of version ${version}, but this program reads version ${VERSION}`;
  const boot = bytes.toString('latin1', OFFSET.boot, OFFSET.boot + BOOT_BYTES).replace(/\0+$/, '');
  return {
    database: bytes.toString('hex', OFFSET.id, OFFSET.commits),
    commits: bytes.readDoubleLE(OFFSET.commits),
    lastEntry: bytes.readDoubleLE(OFFSET.lastEntry),
    boot: boot === '' ? undefined : boot,
    at,
  };
}

/** Writes the mark of a database in use, atomically and durably. @throws FileFault */
export function writeCommitMark(file: string, { database, commits, lastEntry }: Stamp, boot: string | undefined): void {
  const path = commitMarkPath(file);
  const bytes = Buffer.alloc(BYTES);
  MAGIC.copy(bytes);
  bytes.writeUInt32LE(VERSION, MAGIC.length);
  bytes.write(database, OFFSET.id, 'hex');
  bytes.writeDoubleLE(commits, OFFSET.commits);
  bytes.writeDoubleLE(lastEntry, OFFSET.lastEntry);
  bytes.write(boot ?? '', OFFSET.boot, BOOT_BYTES, 'latin1');
  bytes.writeUInt32LE(crc32(bytes.subarray(0, OFFSET.crc)), OFFSET.crc);
  const partial = `${path}.partial`;
  withDiskFaults(path, 'made', () => {
    rmSync(partial, { force: true });
    withFile(partial, 'wx', (fd) => {
      writeFileSync(fd, bytes);
      fsyncSync(fd);
    });
    renameSync(partial, path);
    withFile(dirname(path), 'r', fsyncSync);
  });
}

/** @throws FileFault */
export function removeCommitMark(file: string): void {
  withDiskFaults(commitMarkPath(file), 'removed', () => rmSync(commitMarkPath(file), { force: true }));
}

/** Opens an existing mark file for updates. Close it after use. */
export class CommitMarkFile {
  readonly #path: string;
  readonly #fd: number;
  readonly #bytes: Buffer;

  /** @throws FileFault if the file is missing */
  constructor(file: string) {
    this.#path = commitMarkPath(file);
    try {
      this.#bytes = readFileSync(this.#path);
      this.#fd = openSync(this.#path, 'r+');
    } catch (cause) {
      throw diskFault(this.#path, 'opened', cause);
    }
  }

  /** Stores both numbers, durably across process crashes. @throws FileFault */
  acknowledge(commits: number, lastEntry: number): void {
    this.#bytes.writeDoubleLE(commits, OFFSET.commits);
    this.acknowledgeEntry(lastEntry);
  }

  /** Like `acknowledge`, but stores only the number of transactions. @throws FileFault */
  acknowledgeCommits(commits: number): void {
    this.#bytes.writeDoubleLE(commits, OFFSET.commits);
    this.#write();
  }

  /** Like `acknowledge`, but stores only `Stamp.lastEntry`. @throws FileFault */
  acknowledgeEntry(lastEntry: number): void {
    this.#bytes.writeDoubleLE(lastEntry, OFFSET.lastEntry);
    this.#write();
  }

  close(): void {
    closeSync(this.#fd);
  }

  #write(): void {
    this.#bytes.writeUInt32LE(crc32(this.#bytes.subarray(0, OFFSET.crc)), OFFSET.crc);
    try {
      for (let written = 0; written < BYTES; )
        written += writeSync(this.#fd, this.#bytes, written, BYTES - written, written);
    } catch (cause) {
      throw diskFault(this.#path, 'written', cause);
    }
  }
}
