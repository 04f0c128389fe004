/**
 * Measures SQL over a folder of tapes: the export to Parquet, and an aggregate over all rows, including the start of
 * DuckDB. The first run creates the tapes and their exports, which takes minutes.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exportParquet, openTapeFolder, queryTapes, TapeFile } from '../src/history/index.ts';
import { type Bench, row, summarise } from './harness.ts';
import { syntheticTape } from './workload/synthetic-tape.ts';

const ROUNDS = 3;
const TAPES = 10;
const ROWS = 10_000_000;
const EXPORTED = 1_000_000;
const FOLDER = resolve(import.meta.dirname, 'out', 'query');
const AGGREGATE = `SELECT tape, kind, count(*) AS n, sum(shares) AS shares, avg(price) AS price FROM rows GROUP BY ALL ORDER BY ALL`;

const bench: Bench = async () => {
  const tapes = join(FOLDER, 'tapes');
  mkdirSync(tapes, { recursive: true });
  for (let seed = 1; seed <= TAPES; seed += 1) syntheticTape(join(tapes, `${seed}.tape`), { seed, events: ROWS });
  const small = syntheticTape(join(FOLDER, 'small.tape'), { seed: 1, events: EXPORTED });
  const exports: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const ms = await timed(() => exportParquet(TapeFile.open(small), join(FOLDER, 'small.parquet')));
    exports.push((EXPORTED * 1_000) / ms);
  }
  const query = async () => await queryTapes(openTapeFolder(tapes), AGGREGATE, { maxRows: 1_000 });
  // The first query exports missing tapes.
  const { rows } = await query();
  const total = rows.reduce((sum, [, , n]) => sum + Number(n), 0);
  if (total < TAPES * ROWS) throw new Error(`the aggregate counted ${total} rows of ${TAPES * ROWS}`);
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) seconds.push((await timed(query)) / 1_000);
  const [exported, aggregate] = [summarise(exports), summarise(seconds)];
  return {
    results: [
      row('rows exported to Parquet', exported, 'rows/s'),
      row(`count, sum and mean by tape and kind over ${total / 1e6}M rows`, aggregate, 's'),
    ],
    ratios: {},
    values: { aggregateSeconds: aggregate.median, exportRowsPerSecond: exported.median, rows: total },
    notes: [`${TAPES} synthetic tapes that are already exported; one process; the system may cache the files`],
  };
};
export default bench;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
