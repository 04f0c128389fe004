/**
 * The database of a study: its tapes, its trials, and the result of every finished backtest. A trial's state
 * follows from its backtests, so a killed study loses only the running backtests.
 */
import { existsSync, rmSync } from 'node:fs';
import { default as Database } from 'better-sqlite3';
import { z } from 'zod';
import { FileFault } from '../domain/index.ts';
import { assertExists, assertRegularFile } from './disk-fault.ts';
import { type Connection, closeOnFailure, connect, prepareFile, withSqliteFaults } from './sqlite/database.ts';
import { checkVersion } from './sqlite/read-only-file.ts';

/** "hsst" in ASCII. */
const APPLICATION_ID = 0x68_73_73_74;

const MIGRATIONS = [
  `
  CREATE TABLE study (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    identity TEXT NOT NULL
  ) STRICT;
  CREATE TABLE trials (
    number INTEGER PRIMARY KEY,
    parameters TEXT NOT NULL
  ) STRICT;
  CREATE TABLE runs (
    subject TEXT NOT NULL,
    tape TEXT NOT NULL,
    figures TEXT,
    problem TEXT,
    PRIMARY KEY (subject, tape),
    CHECK ((figures IS NULL) <> (problem IS NULL))
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE tapes (
    place INTEGER PRIMARY KEY,
    tape TEXT NOT NULL
  ) STRICT;
  `,
];

const VERSION_CHECK = {
  kind: 'a study',
  applicationId: APPLICATION_ID,
  migrations: MIGRATIONS,
  remedies: {
    foreign: 'Name a file that `npx halfspread optimize` wrote',
    older: 'Run `npx halfspread optimize` on its study with --resume once',
  },
};

/** Remedy for a damaged file. It does not suggest `journal check`, which does not support studies. */
const DAMAGE_REMEDY = 'Put back a good copy of the file, or run the study again into a new one';
/** Maximum number of rows in one read. A longer read would keep a running study from resetting its WAL. */
const PAGE_ROWS = 1_000;
/** Maximum number of rows that a read-only connection reads from one table. */
const MAX_ROWS = 300_000;

interface StoredStudyRun {
  /** Number of a trial, or name of a control. */
  readonly subject: string;
  readonly tape: string;
  /** Metrics of a finished backtest, or why it failed. */
  readonly outcome: { readonly figures: unknown } | { readonly problem: string };
}

const storedRun = z.object({
  subject: z.string(),
  tape: z.string(),
  figures: z.string().nullable(),
  problem: z.string().nullable(),
});
const storedTape = z.object({ place: z.int(), tape: z.string() });
const storedTrial = z.object({ number: z.int(), parameters: z.string() });

export class StudyStore {
  readonly file: string;
  readonly #connection: Connection;

  private constructor(file: string, connection: Connection) {
    this.file = file;
    this.#connection = connection;
  }

  /** Opens a study's file, and creates it if it is missing. @throws FileFault */
  static open(file: string): StudyStore {
    assertRegularFile(file);
    const connection = connect(file, { cacheMb: 16 });
    return closeOnFailure(connection, () => {
      prepareFile(file, connection, MIGRATIONS, APPLICATION_ID);
      connection.pragma('wal_autocheckpoint = 1000');
      return new StudyStore(file, connection);
    });
  }

  /** Opens a study that another process may be running. @throws FileFault if it is missing or has another version */
  static openReadOnly(file: string): StudyStore {
    assertExists(file, 'Name the file of a study');
    const openFile = () => new Database(file, { readonly: true, fileMustExist: true });
    const connection = withStudyFaults(file, 'opened', openFile);
    return closeOnFailure(connection, () => {
      withStudyFaults(file, 'opened', () => checkVersion(file, connection, VERSION_CHECK));
      return new StudyStore(file, connection);
    });
  }

  /** Removes a study's file, if it exists. Keeps another kind of file. @throws FileFault for another kind of file */
  static remove(file: string): void {
    if (existsSync(file)) StudyStore.open(file).close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  }

  /** Returns the inputs that identify the study; undefined in a new file. @throws FileFault */
  identity(): unknown {
    const sql = 'SELECT identity FROM study';
    const row: unknown = withStudyFaults(this.file, 'read', () => this.#connection.prepare(sql).get());
    if (row === undefined) return undefined;
    return this.#parse('study', z.object({ identity: z.string() }).parse(row).identity);
  }

  storeIdentity(identity: unknown): void {
    this.#execute('INSERT INTO study VALUES (1, ?)', JSON.stringify(identity));
  }

  /** Returns each trial's parameters by its number. @throws FileFault */
  trials(): ReadonlyMap<number, unknown> {
    const sql = 'SELECT number, parameters FROM trials WHERE number > ? ORDER BY number LIMIT ?';
    const rows = this.#readPages('trials', storedTrial, sql, [-1], ({ number }) => [number]);
    return new Map(rows.map(({ number, parameters }) => [number, this.#parse(`trial ${number}`, parameters)]));
  }

  storeTrial(number: number, parameters: unknown): void {
    this.#execute('INSERT OR IGNORE INTO trials VALUES (?, ?)', number, JSON.stringify(parameters));
  }

  /** Returns the stored tapes in order. A file of an earlier version has none. @throws FileFault */
  tapes(): readonly unknown[] {
    const sql = 'SELECT place, tape FROM tapes WHERE place > ? ORDER BY place LIMIT ?';
    const rows = this.#readPages('tapes', storedTape, sql, [-1], ({ place }) => [place]);
    return rows.map(({ place, tape }) => this.#parse(`tape ${place}`, tape));
  }

  /** Stores tapes, but replaces no stored tape. @throws FileFault */
  storeTapes(tapes: readonly unknown[]): void {
    for (const [place, tape] of tapes.entries())
      this.#execute('INSERT OR IGNORE INTO tapes VALUES (?, ?)', place, JSON.stringify(tape));
  }

  /** @throws FileFault */
  runs(): readonly StoredStudyRun[] {
    const sql =
      'SELECT subject, tape, figures, problem FROM runs WHERE (subject, tape) > (?, ?) ORDER BY subject, tape LIMIT ?';
    const rows = this.#readPages('backtests', storedRun, sql, ['', ''], ({ subject, tape }) => [subject, tape]);
    return rows.map(({ subject, tape, figures, problem }) => {
      if (figures === null) return { subject, tape, outcome: { problem: problem ?? '' } };
      return { subject, tape, outcome: { figures: this.#parse(`run of ${subject} on ${tape}`, figures) } };
    });
  }

  /** Stores a result durably, but replaces no stored result. @throws FileFault */
  storeRun({ subject, tape, outcome }: StoredStudyRun): void {
    const figures = 'figures' in outcome ? JSON.stringify(outcome.figures) : null;
    const problem = 'problem' in outcome ? outcome.problem : null;
    this.#execute('INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?)', subject, tape, figures, problem);
  }

  close(): void {
    withStudyFaults(this.file, 'closed', () => this.#connection.close());
  }

  #execute(sql: string, ...values: readonly (string | number | null)[]): void {
    withStudyFaults(this.file, 'written', () => this.#connection.prepare(sql).run(...values));
  }

  /** Reads all rows in pages. @param sql query whose parameters are the key of the last read row and the page size */
  #readPages<Row>(
    name: 'trials' | 'tapes' | 'backtests',
    rowSchema: z.ZodType<Row>,
    sql: string,
    firstKey: readonly (string | number)[],
    getKey: (row: Row) => readonly (string | number)[],
  ): readonly Row[] {
    const rows: Row[] = [];
    const query = withStudyFaults(this.file, 'read', () => this.#connection.prepare(sql));
    for (let key = firstKey; ; ) {
      const page = z.array(rowSchema).parse(withStudyFaults(this.file, 'read', () => query.all(...key, PAGE_ROWS)));
      for (const each of page) rows.push(each);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_ROWS) return rows;
      if (this.#connection.readonly && rows.length >= MAX_ROWS) {
        const remedy = 'Look at it with `npx halfspread optimize best`';
        throw new FileFault(this.file, undefined, `it has more than ${MAX_ROWS} ${name}`, remedy);
      }
      key = getKey(last);
    }
  }

  #parse(where: string, text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (cause) {
      const remedy = 'Put back a good copy of the file, or start a new study';
      throw new FileFault(this.file, where, 'it is damaged', remedy, { cause });
    }
  }
}

function withStudyFaults<T>(file: string, verb: string, work: () => T): T {
  return withSqliteFaults(file, verb, work, DAMAGE_REMEDY);
}
