/** The start of a venue with incomplete, damaged or missing snapshots. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { default as Database } from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVenue } from '../../src/embed.ts';
import { openLiveVenue } from './live-venue.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspread-snapshots-'));
const original = join(folder, 'venue.db');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let hash: unknown;
/** Sequence numbers of the snapshots, oldest first. */
let sequences: readonly number[];

beforeAll(async () => {
  const venue = await openLiveVenue({ db: original });
  const trader = await venue.openTrader(1);
  for (let round = 0; round < 2; round += 1) {
    for (const priceBps of [4_000, 4_100]) await trader.place({ priceBps: priceBps + 10 * round, size: 10 });
    await venue.server.operate('snapshot');
    while (snapshotsIn(original).length <= round) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await trader.place({ priceBps: 3_000, size: 10 });
  await venue.close();
  sequences = snapshotsIn(original);
  hash = (await restart(original)).hash;
}, 120_000);

function snapshotsIn(file: string): readonly number[] {
  const connection = new Database(file, { readonly: true });
  const found = connection.prepare<[], number>('SELECT sequence FROM snapshots ORDER BY sequence').pluck().all();
  connection.close();
  return found;
}

let copies = 0;
function copyWith(...statements: readonly string[]): string {
  copies += 1;
  const file = join(folder, `copy-${copies}.db`);
  copyFileSync(original, file);
  const connection = new Database(file);
  for (const sql of statements) connection.exec(sql);
  connection.close();
  return file;
}

/** Fields that a start logs. */
interface Recovered {
  readonly hash?: string;
  readonly snapshot?: number;
}

/** Starts a venue on a file and closes it. @returns what it recovered from */
async function restart(db: string) {
  const logged: (readonly [string, Recovered])[] = [];
  const note = (fields: Recovered, message: string): void => void logged.push([message, fields]);
  const venue = await startVenue({ db, log: { info: note, warn: note, error: note } });
  await venue.close(0);
  const recovered = logged.find(([message]) => message === 'exchange: recovered')?.[1];
  const notes = logged.flatMap(([message, fields]) => (message === 'recovery: skipped' ? [fields] : []));
  return { hash: recovered?.hash, snapshot: recovered?.snapshot, notes };
}

describe('a venue killed while it wrote a snapshot', () => {
  it('starts from the last complete snapshot and the later records, and deletes the incomplete one', async () => {
    const file = copyWith(
      'INSERT INTO snapshot_pieces SELECT 1 + (SELECT max(first + count - 1) FROM journal), piece, bytes FROM snapshot_pieces GROUP BY piece',
    );
    const found = await restart(file);
    expect(found).toMatchObject({ hash, snapshot: sequences.at(-1), notes: [] });
    const connection = new Database(file, { readonly: true });
    const sql = 'SELECT count(*) FROM snapshot_pieces WHERE sequence NOT IN (SELECT sequence FROM snapshots)';
    expect(connection.prepare(sql).pluck().get()).toBe(0);
    connection.close();
  });

  it('starts from the previous snapshot when the newest is damaged and recovers the same state', async () => {
    const newest = sequences.at(-1);
    const file = copyWith(`UPDATE snapshot_pieces SET bytes = zeroblob(length(bytes)) WHERE sequence = ${newest}`);
    const found = await restart(file);
    expect(found).toMatchObject({ hash, snapshot: sequences[0] });
    expect(found.notes).toEqual([
      { note: expect.stringMatching(`^the snapshot after record ${newest} cannot be used`) },
    ]);
    expect((await restart(file)).notes).toEqual([]);
  });

  it('starts from the previous snapshot when a part of the newest is missing', async () => {
    const file = copyWith(`DELETE FROM snapshot_pieces WHERE sequence = ${sequences.at(-1)}`);
    expect(await restart(file)).toMatchObject({ hash, snapshot: sequences[0], notes: [expect.anything()] });
  });

  it('reports the lost records when no snapshot can be read and earlier records are deleted', async () => {
    const file = copyWith(
      'UPDATE snapshot_pieces SET bytes = zeroblob(length(bytes))',
      `DELETE FROM journal WHERE first <= ${sequences[0]}`,
    );
    await expect(startVenue({ db: file })).rejects.toThrow(/no usable snapshot precedes the records/);
  });
});
