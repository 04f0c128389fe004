import { constants } from 'node:buffer';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Statement } from 'better-sqlite3';
import { ByteWriter, FileFault, type InputEvent } from '../../domain/index.ts';
import { type BotSnapshot, decodeStep, encodeStep, type Step } from '../../runtime/index.ts';
import type { DatabaseReads } from '../sqlite/database-reads.ts';
import { rowCrc } from '../sqlite/row-checksums.ts';
import { RowCrc } from '../sqlite/row-crc.ts';

type StoredBytes = { readonly seq: number; readonly at: number; readonly bytes: Buffer; readonly crc: number };
type StoredSnapshot = StoredBytes & { readonly row_crc: number };

/** Maximum size of a decompressed snapshot, which is decoded as one string. */
const MAX_SNAPSHOT_BYTES = constants.MAX_STRING_LENGTH;
/** Number of older snapshots that are kept in addition to the last snapshot. */
const OLDER_SNAPSHOTS = 2;

export class StepRows {
  readonly #reads: DatabaseReads;
  readonly #writer = new ByteWriter(4_096);
  readonly #insert: Statement;
  readonly #after: Statement<[number], StoredBytes>;
  readonly #insertSnapshot: Statement;
  readonly #deleteOldSnapshots: Statement;
  readonly #newestSnapshot: Statement<[], StoredSnapshot>;
  readonly #snapshots: Statement<[], StoredSnapshot>;
  readonly #crc = new RowCrc();

  constructor(reads: DatabaseReads) {
    const { connection } = reads;
    this.#reads = reads;
    this.#insert = connection.prepare('INSERT INTO steps VALUES (?, ?, ?, ?)');
    this.#after = connection.prepare('SELECT seq, at, bytes, crc FROM steps WHERE seq > ? ORDER BY seq');
    this.#insertSnapshot = connection.prepare(
      'INSERT OR REPLACE INTO snapshots (seq, at, bytes, crc, row_crc) VALUES (?, ?, ?, ?, ?)',
    );
    this.#deleteOldSnapshots = connection.prepare(
      `DELETE FROM snapshots WHERE seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT ${OLDER_SNAPSHOTS + 1})`,
    );
    this.#newestSnapshot = connection.prepare('SELECT * FROM snapshots ORDER BY seq DESC LIMIT 1');
    this.#snapshots = connection.prepare('SELECT * FROM snapshots ORDER BY seq');
  }

  add(step: Step): void {
    encodeStep(step, this.#writer);
    const bytes = this.#writer.finish();
    this.#insert.run(step.seq, step.time, bytes, crc32(bytes));
  }

  /**
   * Returns the steps after step `seq`, in order.
   * @param last number of the last written step
   * @throws FileFault that names an unreadable step, or missing steps at the end
   */
  *after(seq: number, last: number): Iterable<Step> {
    let read = seq;
    const rows = this.#reads.query(() => this.#after.iterate(seq), 'steps');
    try {
      for (;;) {
        const { done, value } = this.#reads.query(() => rows.next(), 'steps');
        if (done === true) break;
        yield this.#step(value);
        read = value.seq;
      }
    } finally {
      rows.return?.();
    }
    if (read < last) throw this.#reads.recordDamage('table steps', `steps ${read + 1} to ${last} are missing`);
  }

  /** Yields one sentence for each damaged row. @param last number of the last written step */
  *faults(last: number): Iterable<string> {
    const collectFaults = (work: () => unknown): readonly string[] => {
      try {
        work();
        return [];
      } catch (cause) {
        if (cause instanceof FileFault) return [`${cause.where}: ${cause.problem}`];
        throw cause;
      }
    };
    for (const stored of this.#snapshots.iterate()) yield* collectFaults(() => this.#snapshot(stored));
    let read = 0;
    for (const stored of this.#after.iterate(Number.MIN_SAFE_INTEGER)) {
      yield* collectFaults(() => this.#step(stored));
      read = stored.seq;
    }
    const newest = this.#newestSnapshot.get()?.seq ?? 0;
    if (Math.max(read, newest) < last) yield `steps ${Math.max(read, newest) + 1} to ${last} are missing`;
  }

  writeSnapshot(snapshot: BotSnapshot, time: number): void {
    const bytes = deflateRawSync(JSON.stringify(snapshot), { level: 1 });
    const crc = crc32(bytes);
    this.#insertSnapshot.run(snapshot.seq, time, bytes, crc, rowCrc(this.#crc, [snapshot.seq, time, crc]));
    this.#deleteOldSnapshots.run();
  }

  /** @throws FileFault for an unreadable snapshot */
  lastSnapshot(): BotSnapshot | undefined {
    const stored = this.#newestSnapshot.get();
    return stored === undefined ? undefined : this.#snapshot(stored);
  }

  #step(stored: StoredBytes): Step {
    const where = `step ${stored.seq}`;
    const step = this.#read(stored, where, () => decodeStep(stored.bytes));
    if (step.seq !== stored.seq || step.time !== stored.at) {
      const problem = `its bytes contain step ${step.seq} of time ${step.time}, but its row has time ${stored.at}`;
      throw this.#reads.recordDamage(where, problem);
    }
    return step;
  }

  #snapshot(stored: StoredSnapshot): BotSnapshot {
    const where = `snapshot ${stored.seq}`;
    const { seq, at, crc, row_crc } = stored;
    if (rowCrc(this.#crc, [seq, at, crc]) !== row_crc) throw this.#reads.recordDamage(where, 'its checksum is wrong');
    return this.#read(stored, where, () => {
      const json = inflateRawSync(stored.bytes, { maxOutputLength: MAX_SNAPSHOT_BYTES }).toString('utf8');
      const snapshot: BotSnapshot = JSON.parse(json);
      return snapshot;
    });
  }

  #read<T>({ bytes, crc }: StoredBytes, where: string, decode: () => T): T {
    const isIntact = bytes instanceof Uint8Array && crc32(bytes) === crc;
    if (!isIntact) throw this.#reads.recordDamage(where, 'its bytes are not those that were written');
    try {
      return decode();
    } catch (cause) {
      throw this.#reads.recordDamage(where, `it cannot be read (${String(cause)})`, cause);
    }
  }
}

/** Events that have no effect after a restart. */
const TRANSIENT: ReadonlySet<InputEvent['type']> = new Set(['timerFired', 'woke', 'pricesUpdated']);

export function isStored({ event, commands, states }: Step): boolean {
  if (commands.length > 0 || states !== undefined) return true;
  return event !== undefined && !TRANSIENT.has(event.type);
}
