/**
 * Simulates the files of a bot after a power cut. The disk has the durable content of each file. Of later writes it has
 * any subset of sectors, in any order between files.
 *
 * SQLite (`synchronous=NORMAL`) makes the log (WAL) durable before a checkpoint writes to the database, the database at
 * its end, and the log's header when the log starts again. The bot's own log is never durable, its mark only at
 * creation.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Random } from '../../../src/clock/index.ts';

const ENDS = ['', '-wal', '-intents', '-mark'] as const;
type End = (typeof ENDS)[number];

const SECTOR = 512;
const WAL_HEADER = 32;
const NONE = Buffer.alloc(0);

/** The files after each turn, and the last durable turn of each file. */
export class WatchedDisk {
  readonly #name: string;
  readonly #versions: Record<End, Buffer[]> = { '': [], '-wal': [], '-intents': [], '-mark': [] };
  readonly #durable: Record<End, number> = { '': 0, '-wal': 0, '-intents': 0, '-mark': 0 };

  /** @param name of the database @throws Error before its files exist */
  constructor(name: string) {
    this.#name = name;
    this.recordFiles();
  }

  /** Records the files. Call it after each turn of the event loop. */
  recordFiles(): void {
    for (const end of ENDS) {
      const path = this.#name + end;
      this.#versions[end].push(existsSync(path) ? readFileSync(path) : NONE);
    }
    const now = this.#versions[''].length - 1;
    const [before, after] = [this.#versions[''][now - 1], this.#versions[''][now]];
    if (before === undefined || after === undefined || !before.equals(after)) {
      // A checkpoint: the log up to at least the previous turn, and the database, are durable.
      this.#durable[''] = now;
      this.#durable['-wal'] = Math.max(this.#durable['-wal'], now - 1);
    }
  }

  /** Writes the files after a power cut at this time under another name. */
  cut(random: Random, copy: string): void {
    for (const end of ENDS) {
      const content = end === '-mark' ? this.#mark(random) : this.#mixed(end, random);
      if (content.length > 0 || end === '') writeFileSync(copy + end, content, { mode: 0o600 });
    }
  }

  /** One version of the mark, which fits into a sector. */
  #mark(random: Random): Buffer {
    const versions = this.#versions['-mark'];
    return versions[random.int(versions.length)] ?? NONE;
  }

  #mixed(end: End, random: Random): Buffer {
    const versions = this.#versions[end].slice(this.#durable[end]);
    const [first = NONE, last = NONE] = [versions[0], versions.at(-1)];
    if (versions.length === 1) return last;
    const sizes = versions[random.int(versions.length)] ?? last;
    const content = Buffer.alloc(sizes.length);
    for (let at = 0; at < content.length; at += SECTOR) {
      // Usually the last write, else an earlier version, or zeros where the file grew.
      const from = random.int(4) > 0 ? last : (versions[random.int(versions.length)] ?? first);
      if (at < from.length) from.copy(content, at, at, Math.min(at + SECTOR, from.length));
    }
    if (end === '-wal') last.copy(content, 0, 0, WAL_HEADER);
    return content;
  }
}
