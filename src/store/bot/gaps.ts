/**
 * Times of which a bot's files may lack something: after a power cut, or because an operator accepted a loss. A gap stays open
 * over any number of starts, until the bot and the venue have been compared.
 */
import type { Connection } from '../sqlite/database.ts';

export type GapCause = 'POWER_CUT' | 'ACCEPTED_LOSS';

export interface Gap {
  readonly cause: GapCause;
  /** Last moment that the files have, epoch ms; undefined where they have none, so that no order was sent. */
  readonly from: number | undefined;
  /** When something was acknowledged last, epoch ms; undefined where nobody knows. */
  readonly acknowledgedAt: number | undefined;
  /** Transactions of the tables that are known to be missing. */
  readonly commits: number;
  /** Entries of the log, likewise. */
  readonly entries: number;
}

/** The table, as a step of the migrations. */
export const GAPS_TABLE = `
  CREATE TABLE gaps (
    id INTEGER PRIMARY KEY,
    cause TEXT NOT NULL,
    from_at INTEGER,
    acknowledged_at INTEGER,
    commits INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    closed_at INTEGER
  ) STRICT;
  `;

interface GapRow {
  readonly cause: GapCause;
  readonly from_at: number | null;
  readonly acknowledged_at: number | null;
  readonly commits: number;
  readonly entries: number;
}

/** Keeps a gap. @param from as in `Gap`, of the log; the tables may have more */
export function addGap(connection: Connection, { cause, from, acknowledgedAt, commits, entries }: Gap): void {
  connection
    .prepare(
      `INSERT INTO gaps (cause, from_at, acknowledged_at, commits, entries) VALUES (?,
        (SELECT max(at) FROM (SELECT max(at) AS at FROM snapshots UNION ALL SELECT at FROM (SELECT at FROM steps ORDER BY seq DESC LIMIT 1)
          UNION ALL SELECT ?)), ?, ?, ?)`,
    )
    .run(cause, from ?? null, acknowledgedAt ?? null, commits, entries);
}

/** All that are open, as one: from the earliest on. */
export function openGap(connection: Connection): Gap | undefined {
  const rows = connection.prepare<[], GapRow>('SELECT * FROM gaps WHERE closed_at IS NULL ORDER BY id').all();
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  const begins = rows.flatMap(({ from_at }) => from_at ?? []);
  const sum = (count: (row: GapRow) => number): number => rows.reduce((total, row) => total + count(row), 0);
  return {
    cause: last.cause,
    from: begins.length === 0 ? undefined : Math.min(...begins),
    acknowledgedAt: last.acknowledged_at ?? undefined,
    commits: sum(({ commits }) => commits),
    entries: sum(({ entries }) => entries),
  };
}

/** What is there agrees with the venue. @param at epoch ms */
export function closeGaps(connection: Connection, at: number): void {
  connection.prepare<[number]>('UPDATE gaps SET closed_at = ? WHERE closed_at IS NULL').run(at);
}
