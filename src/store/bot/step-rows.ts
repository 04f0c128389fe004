/** Steps and snapshots as bytes with a checksum each. */
import { constants } from 'node:buffer';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Statement } from 'better-sqlite3';
import { FileFault } from '../../domain/index.ts';
import { type BotSnapshot, ByteWriter, decodeStep, encodeStep, type Step } from '../../runtime/index.ts';
import type { Connection } from '../sqlite/database.ts';

interface StoredBytes {
  readonly seq: number;
  readonly bytes: Buffer;
  readonly crc: number;
}

/** No text of Node is longer, so no snapshot was. */
const LONGEST = constants.MAX_STRING_LENGTH;
/** Snapshots that are kept, beside the last. */
const KEPT_SNAPSHOTS = 2;

export class StepRows {
  readonly #file: string;
  readonly #writer = new ByteWriter(4_096);
  readonly #insert: Statement;
  readonly #after: Statement<[number], StoredBytes>;
  readonly #keep: Statement;
  readonly #drop: Statement;
  readonly #last: Statement<[], StoredBytes>;

  constructor(file: string, connection: Connection) {
    this.#file = file;
    this.#insert = connection.prepare('INSERT INTO steps VALUES (?, ?, ?, ?)');
    this.#after = connection.prepare('SELECT seq, bytes, crc FROM steps WHERE seq > ? ORDER BY seq');
    this.#keep = connection.prepare('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)');
    this.#drop = connection.prepare(
      `DELETE FROM snapshots WHERE seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT ${KEPT_SNAPSHOTS + 1})`,
    );
    this.#last = connection.prepare('SELECT seq, bytes, crc FROM snapshots ORDER BY seq DESC LIMIT 1');
  }

  add(step: Step): void {
    encodeStep(step, this.#writer);
    const bytes = this.#writer.take();
    this.#insert.run(step.seq, step.time, bytes, crc32(bytes));
  }

  /** Those after a number, in order. @throws FileFault that names the step that cannot be read */
  *after(seq: number): Iterable<Step> {
    for (const stored of this.#after.iterate(seq)) {
      yield this.#read(stored, `step ${stored.seq}`, () => decodeStep(stored.bytes));
    }
  }

  keep(snapshot: BotSnapshot, time: number): void {
    const bytes = deflateRawSync(JSON.stringify(snapshot), { level: 1 });
    this.#keep.run(snapshot.seq, time, bytes, crc32(bytes));
    this.#drop.run();
  }

  /** Undefined before the first. @throws FileFault when it cannot be read */
  lastSnapshot(): BotSnapshot | undefined {
    const stored = this.#last.get();
    if (stored === undefined) return undefined;
    return this.#read(stored, `snapshot ${stored.seq}`, () => {
      const snapshot: BotSnapshot = JSON.parse(
        inflateRawSync(stored.bytes, { maxOutputLength: LONGEST }).toString('utf8'),
      );
      return snapshot;
    });
  }

  #read<T>({ bytes, crc }: StoredBytes, where: string, decode: () => T): T {
    const damage = (problem: string, cause?: unknown) =>
      new FileFault(this.#file, where, problem, 'Put back a good copy of the file', { cause });
    if (crc32(bytes) !== crc) throw damage('its bytes are not those that were written');
    try {
      return decode();
    } catch (cause) {
      throw damage(`it cannot be read (${String(cause)})`, cause);
    }
  }
}

/** What is told again, or does not matter any more, after a restart. */
const PASSING: ReadonlySet<InputEvent['type']> = new Set(['timerFired', 'woke', 'pricesTold']);

/** Whether a step changes anything that a restart has to know. */
export function isKept({ event, commands }: Step): boolean {
  if (commands.length > 0) return true;
  return event !== undefined && !PASSING.has(event.type);
}
