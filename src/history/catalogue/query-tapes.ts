/**
 * SQL over a folder of tapes, by DuckDB, which reads them as Parquet.
 *
 * The Parquet files stand in `.parquet` of the folder, a file for each tape, named by its content hash: a tape whose rows are
 * there is not exported again, and files of tapes that are gone are removed. DuckDB is not a dependency of this package: it is
 * loaded where it is installed.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection, StatementType } from '@duckdb/node-api';
import { Fault, FileFault, thrownText } from '../../domain/index.ts';
import { KIND, SIDE } from '../../tape/index.ts';
import { TapeFile } from '../tape-file.ts';
import type { IndexedTape } from './index-file.ts';
import { exportParquet } from './parquet-file.ts';
import type { TapeFolder } from './tape-folder.ts';

const CACHE = '.parquet';
const HASH_DIGITS = 16;
const ENDING = '.tape';
const OF_CACHE = /\.[0-9a-f]{16}\.parquet$/;

/** A result of at most so many rows; `isWhole` says whether that was all. */
export interface QueryResult {
  readonly columns: readonly string[];
  /** Values as JSON can hold them: integers beyond 2^53 and times are texts. */
  readonly rows: readonly (readonly unknown[])[];
  readonly isWhole: boolean;
}

export interface QueryOptions {
  readonly most: number;
  /** The tape that is exported now, and how many are. */
  readonly onExport?: (done: number, all: number) => void;
}

/**
 * @throws Fault DUCKDB where it is not installed, SQL for a query that DuckDB refuses
 * @throws FileFault for no tape, a damaged tape, or a folder that cannot be written to
 */
export async function queryTapes(
  { path, tapes }: TapeFolder,
  sql: string,
  options: QueryOptions,
): Promise<QueryResult> {
  if (tapes.length === 0)
    throw new FileFault(path, undefined, 'there is no tape in this folder', 'Name one with tapes');
  const { DuckDBInstance, StatementType } = await loadDuckDb();
  const folder = join(path, CACHE);
  const files = await exported(path, folder, tapes, options);
  const statements = tables(files, tapes);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    for (const statement of statements) await connection.run(statement);
    await assertOneSelect(connection, sql, StatementType.SELECT);
    // A streamed result would need no limit, but takes twice as long.
    const reader = await connection.runAndReadAll(
      `SELECT * FROM (${sql.replace(/;\s*$/, '')}\n) LIMIT ${options.most + 1}`,
    );
    const rows = reader.getRowsJson();
    return { columns: reader.columnNames(), rows: rows.slice(0, options.most), isWhole: rows.length <= options.most };
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault(
      'SQL',
      `${thrownText(cause).replace(/^Error: (Failed to extract statements: )?/, '')}. The tables are rows, markets and tapes`,
      { cause },
    );
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Other statements write files, or change settings. @throws Fault SQL */
async function assertOneSelect(connection: DuckDBConnection, sql: string, select: StatementType): Promise<void> {
  // DuckDB has no words for a text without a statement.
  const isEmpty = sql.replace(/--.*$/gm, '').trim() === '';
  const statements = isEmpty ? undefined : await connection.extractStatements(sql);
  const statement = statements?.count === 1 ? await statements.prepare(0) : undefined;
  const isSelect = statement?.statementType === select;
  statement?.destroySync();
  if (!isSelect) throw new Fault('SQL', 'The query has to be one SELECT, such as `SELECT count(*) FROM rows`');
}

async function loadDuckDb() {
  try {
    return await import('@duckdb/node-api');
  } catch (cause) {
    throw new Fault(
      'DUCKDB',
      'SQL over tapes needs DuckDB, which is not installed. Add it with `npm install @duckdb/node-api`',
      { cause },
    );
  }
}

/** The Parquet file of each tape, made where it is missing. */
async function exported(
  path: string,
  folder: string,
  tapes: readonly IndexedTape[],
  { onExport }: QueryOptions,
): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true });
  const names = tapes.map(
    ({ file, manifest }) => `${file.slice(0, -ENDING.length)}.${manifest.contentHash.slice(0, HASH_DIGITS)}.parquet`,
  );
  const missing = new Map(
    tapes.flatMap((tape, at) => {
      const name = names[at] ?? '';
      return existsSync(join(folder, name)) ? [] : [[name, tape.file] as const];
    }),
  );
  let done = 0;
  for (const [name, file] of missing) {
    onExport?.(done, missing.size);
    await exportParquet(TapeFile.open(join(path, file)), join(folder, name));
    done += 1;
  }
  const used = new Set(names);
  for (const name of readdirSync(folder))
    if (OF_CACHE.test(name) && !used.has(name)) rmSync(join(folder, name), { force: true });
  return names.map((name) => join(folder, name));
}

/** Statements that make the tables. */
function tables(files: readonly string[], tapes: readonly IndexedTape[]): readonly string[] {
  const tapeRows = tapes.map(({ file, bytes, manifest }) => {
    const { name, source, rows, from, to, receiveTime, contentHash } = manifest;
    const words = [file, name, source.licence, receiveTime, contentHash].map(text).join(', ');
    return `(${words}, ${bytes}, ${rows}, epoch_ms(${from}), epoch_ms(${to}))`;
  });
  const marketRows = tapes.flatMap(({ file, manifest }) =>
    manifest.markets.map((market, number) => {
      const { id, slug, question, category, tags = [], eventId, scheduledResolution, commissionBps } = market;
      const resolution = scheduledResolution === undefined ? 'NULL::TIMESTAMP' : `epoch_ms(${scheduledResolution})`;
      const words = [file, String(id), slug, question].map(text).join(', ');
      return `(${words}, ${number}, ${textOrNull(category)}, [${tags.map(text).join(', ')}]::VARCHAR[], ${textOrNull(eventId)}, ${resolution}, ${commissionBps})`;
    }),
  );
  return [
    `CREATE TABLE tapes AS SELECT * FROM (VALUES ${tapeRows.join(', ')}) AS t(tape, name, licence, receive_time, content_hash, bytes, rows, "from", "to")`,
    `CREATE TABLE markets AS SELECT * FROM (VALUES ${marketRows.join(', ')}) AS m(tape, id, slug, question, number, category, tags, event, scheduled_resolution, commission_bps)`,
    // The name of the tape is that of its file: a join with a table of names would pass every row.
    `CREATE VIEW rows AS SELECT regexp_extract(filename, '([^/\\\\]*)\\.[0-9a-f]{16}\\.parquet$', 1) || '${ENDING}' AS tape, tx AS time, rx AS received, market AS number, ${words('kind', KIND)}, ${words('side', SIDE)}, price, shares / 1e6 AS shares, (flags & 1) = 1 AS last, (flags & 2) = 2 AS inferred FROM read_parquet([${files.map(text).join(', ')}], filename = true)`,
  ];
}

/** A column of codes as words. */
function words(column: string, codes: Readonly<Record<string, number>>): string {
  const cases = Object.entries(codes).map(([word, code]) => `WHEN ${code} THEN ${text(word)}`);
  return `CASE ${column} ${cases.join(' ')} END AS ${column}`;
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

function textOrNull(value: string | undefined): string {
  return value === undefined ? 'NULL::VARCHAR' : text(value);
}
