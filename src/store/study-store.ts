/**
 * The database of a study: its trials, and the result of every backtest that ended. A trial's state follows from its
 * backtests, so one that is killed half-way loses only what was running.
 */
import { existsSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { FileFault } from '../domain/index.ts';
import { demandNoFolder } from './disk-fault.ts';
import { type Connection, connect, guarded, prepareFile } from './sqlite/database.ts';

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
];

/** Figures of a backtest that ended, or why it failed. */
type StoredOutcome = { readonly figures: unknown } | { readonly problem: string };

interface StoredStudyRun {
  /** Number of a trial, or name of a control. */
  readonly subject: string;
  readonly tape: string;
  readonly outcome: StoredOutcome;
}

const storedRun = z.object({
  subject: z.string(),
  tape: z.string(),
  figures: z.string().nullable(),
  problem: z.string().nullable(),
});
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
    demandNoFolder(file);
    const connection = connect(file, { cacheMb: 16, mayWrite: true });
    try {
      prepareFile(file, connection, MIGRATIONS, APPLICATION_ID);
      connection.pragma('wal_autocheckpoint = 1000');
    } catch (cause) {
      connection.close();
      throw cause;
    }
    return new StudyStore(file, connection);
  }

  /** Removes a study's file if there is one. @throws FileFault for a file that is no study: it stays */
  static remove(file: string): void {
    if (existsSync(file)) StudyStore.open(file).close();
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  }

  /** What the study is made of, as it was first stored; undefined for a new file. @throws FileFault */
  identity(): unknown {
    const row: unknown = this.#get('SELECT identity FROM study');
    return row === undefined
      ? undefined
      : this.#parsed('study', z.object({ identity: z.string() }).parse(row).identity);
  }

  storeIdentity(identity: unknown): void {
    this.#run('INSERT INTO study VALUES (1, ?)', JSON.stringify(identity));
  }

  /** Parameters by the number of the trial. @throws FileFault */
  trials(): ReadonlyMap<number, unknown> {
    const rows = z.array(storedTrial).parse(this.#all('SELECT number, parameters FROM trials ORDER BY number'));
    return new Map(rows.map(({ number, parameters }) => [number, this.#parsed(`trial ${number}`, parameters)]));
  }

  storeTrial(number: number, parameters: unknown): void {
    this.#run('INSERT OR IGNORE INTO trials VALUES (?, ?)', number, JSON.stringify(parameters));
  }

  /** @throws FileFault */
  runs(): readonly StoredStudyRun[] {
    const rows = z.array(storedRun).parse(this.#all('SELECT subject, tape, figures, problem FROM runs'));
    return rows.map(({ subject, tape, figures, problem }) => ({
      subject,
      tape,
      outcome:
        figures === null
          ? { problem: problem ?? '' }
          : { figures: this.#parsed(`run of ${subject} on ${tape}`, figures) },
    }));
  }

  /** Durable when it returns. A result that is stored already stays. @throws FileFault */
  storeRun({ subject, tape, outcome }: StoredStudyRun): void {
    const figures = 'figures' in outcome ? JSON.stringify(outcome.figures) : null;
    const problem = 'problem' in outcome ? outcome.problem : null;
    this.#run('INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?)', subject, tape, figures, problem);
  }

  close(): void {
    guarded(this.file, 'closed', () => this.#connection.close());
  }

  #run(sql: string, ...values: readonly (string | number | null)[]): void {
    guarded(this.file, 'written', () => this.#connection.prepare(sql).run(...values));
  }

  #get(sql: string): unknown {
    return guarded(this.file, 'read', () => this.#connection.prepare(sql).get());
  }

  #all(sql: string): unknown {
    return guarded(this.file, 'read', () => this.#connection.prepare(sql).all());
  }

  #parsed(where: string, text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new FileFault(this.file, where, 'it is damaged', 'Put back a good copy of the file, or start a new study', {
        cause,
      });
    }
  }
}
