/**
 * Runs SQL over a folder of tapes, with DuckDB on Parquet exports of the tapes.
 *
 * The folder `.parquet` has one file per tape, named by the tape's file and content hash. Existing files are reused,
 * and files of missing tapes are deleted. DuckDB is an optional package that the user installs.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection, StatementType } from '@duckdb/node-api';
import { Fault, FileFault, thrownText } from '../../domain/index.ts';
import { KIND, SIDE } from '../../tape/index.ts';
import { TapeFile } from '../tape-file.ts';
import type { IndexedTape } from './index-file.ts';
import { exportParquet } from './parquet-tape.ts';
import type { TapeFolder } from './tape-folder.ts';

const EXTENSION = '.tape';
const CACHE_NAME = /\.[0-9a-f]{16}\.parquet$/;

export interface QueryResult {
  readonly columns: readonly string[];
  /** JSON values; integers beyond 2^53 and times are strings. */
  readonly rows: readonly (readonly unknown[])[];
  /** Whether the result has no further rows. */
  readonly isComplete: boolean;
}

export interface QueryOptions {
  readonly maxRows: number;
  /** Called before each export with the number of finished exports and the number of all exports. */
  readonly onExport?: (done: number, total: number) => void;
}

/**
 * Runs one SELECT over the tables `rows`, `markets` and `tapes`.
 * @throws Fault DUCKDB if DuckDB is not installed, SQL for a query that DuckDB refuses
 * @throws FileFault for a damaged tape, and for a folder that has no tapes or cannot be written
 */
export async function queryTapes(
  { path, tapes }: TapeFolder,
  sql: string,
  options: QueryOptions,
): Promise<QueryResult> {
  if (tapes.length === 0)
    throw new FileFault(path, undefined, 'there is no tape in this folder', 'Name a folder with tapes');
  const { DuckDBInstance, StatementType } = await loadDuckDb();
  const folder = join(path, '.parquet');
  const files = await updateExports(path, folder, tapes, options);
  const statements = createTables(files, tapes);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    for (const statement of statements) await connection.run(statement);
    const select = removeComments(sql);
    await assertOneSelect(connection, select, StatementType.SELECT);
    // The limit bounds memory; streaming the result takes twice as long.
    const { maxRows } = options;
    const reader = await connection.runAndReadAll(`SELECT * FROM (${select}\n) LIMIT ${maxRows + 1}`);
    const rows = reader.getRowsJson();
    return { columns: reader.columnNames(), rows: rows.slice(0, maxRows), isComplete: rows.length <= maxRows };
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    const problem = thrownText(cause).replace(/^Error: (Failed to extract statements: )?/, '');
    throw new Fault('SQL', `${problem}. The tables are rows, markets and tapes`, { cause });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Refuses all statements except one SELECT, because others could write files or change settings. @throws Fault SQL */
async function assertOneSelect(connection: DuckDBConnection, sql: string, select: StatementType): Promise<void> {
  // DuckDB has no clear error for a text without a statement.
  const statements = sql === '' ? undefined : await connection.extractStatements(sql);
  const statement = statements?.count === 1 ? await statements.prepare(0) : undefined;
  const isSelect = statement?.statementType === select;
  statement?.destroySync();
  if (!isSelect) throw new Fault('SQL', 'The query must be one SELECT, such as `SELECT count(*) FROM rows`');
}

/** Matches a comment, or captures a string or a quoted name in group 1. */
const QUOTED_OR_COMMENT =
  /(\b[eE]'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\2\$)|--[^\n\r]*|\/\*[\s\S]*?\*\//g;

/**
 * Removes comments and the semicolon at the end, so that the query can be a part of another query. DuckDB may read
 * quotes differently, so callers check the returned text, not `sql`.
 */
function removeComments(sql: string): string {
  const bare = sql.replace(QUOTED_OR_COMMENT, (_comment, quoted: string | undefined) => quoted ?? ' ');
  return bare.replace(/;\s*$/, '').trim();
}

async function loadDuckDb() {
  try {
    return await import('@duckdb/node-api');
  } catch (cause) {
    const problem = 'SQL over tapes needs DuckDB, which is not installed. Add it with `npm install @duckdb/node-api`';
    throw new Fault('DUCKDB', problem, { cause });
  }
}

/** Exports tapes without a Parquet file, and deletes other Parquet files. Returns the path of each tape's file. */
async function updateExports(
  path: string,
  folder: string,
  tapes: readonly IndexedTape[],
  { onExport }: QueryOptions,
): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true });
  const names = tapes.map(
    ({ file, manifest }) => `${file.slice(0, -EXTENSION.length)}.${manifest.contentHash.slice(0, 16)}.parquet`,
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
    if (CACHE_NAME.test(name) && !used.has(name)) rmSync(join(folder, name), { force: true });
  return names.map((name) => join(folder, name));
}

function createTables(files: readonly string[], tapes: readonly IndexedTape[]): readonly string[] {
  const tapeRows = tapes.map(({ file, bytes, manifest }) => {
    const { name, source, rows, from, to, receiveTime, contentHash } = manifest;
    const literals = [file, name, source.licence, receiveTime, contentHash].map(quoteText).join(', ');
    return `(${literals}, ${bytes}, ${rows}, epoch_ms(${from}), epoch_ms(${to}))`;
  });
  const marketRows = tapes.flatMap(({ file, manifest }) =>
    manifest.markets.map((market, number) => {
      const { id, slug, question, category, tags = [], eventId, scheduledResolution, commissionBps } = market;
      const resolution = scheduledResolution === undefined ? 'NULL::TIMESTAMP' : `epoch_ms(${scheduledResolution})`;
      const literals = [file, String(id), slug, question].map(quoteText).join(', ');
      return `(${literals}, ${number}, ${quoteOrNull(category)}, [${tags.map(quoteText).join(', ')}]::VARCHAR[], ${quoteOrNull(eventId)}, ${resolution}, ${commissionBps})`;
    }),
  );
  return [
    `CREATE TABLE tapes AS SELECT * FROM (VALUES ${tapeRows.join(', ')}) AS t(tape, name, licence, receive_time, content_hash, bytes, rows, "from", "to")`,
    `CREATE TABLE markets AS SELECT * FROM (VALUES ${marketRows.join(', ')}) AS m(tape, id, slug, question, number, category, tags, event, scheduled_resolution, commission_bps)`,
    // A regular expression on the file name is faster than a join with a table of names.
    `CREATE VIEW rows AS SELECT regexp_extract(filename, '([^/\\\\]*)\\.[0-9a-f]{16}\\.parquet$', 1) || '${EXTENSION}' AS tape, tx AS time, rx AS received, market AS number, ${toNameColumn('kind', KIND)}, ${toNameColumn('side', SIDE)}, price, shares / 1e6 AS shares, (flags & 1) = 1 AS last, (flags & 2) = 2 AS inferred FROM read_parquet([${files.map(quoteText).join(', ')}], filename = true)`,
  ];
}

function toNameColumn(column: string, codes: Readonly<Record<string, number>>): string {
  const cases = Object.entries(codes).map(([word, code]) => `WHEN ${code} THEN ${quoteText(word)}`);
  return `CASE ${column} ${cases.join(' ')} END AS ${column}`;
}

function quoteText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

function quoteOrNull(value: string | undefined): string {
  return value === undefined ? 'NULL::VARCHAR' : quoteText(value);
}
