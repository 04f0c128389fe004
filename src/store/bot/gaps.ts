/**
 * Periods in which data of a bot's files may be missing after a power cut, a restore, or a loss that an operator
 * accepted. A gap stays open across starts, until the bot has been compared with the venue.
 */
import type { Gap } from '../../runtime/index.ts';
import type { Connection } from '../sqlite/database.ts';
import type { DatabaseReads } from '../sqlite/database-reads.ts';
import type { StoredRow } from '../sqlite/row-checksums.ts';
import { BOT_CHECKSUMS, ChecksummedInsert, NumberedInsert } from './bot-checksums.ts';

type GapRow = StoredRow &
  Pick<Gap, 'cause' | 'commits' | 'entries'> & {
    readonly [Time in 'from_at' | 'acknowledged_at' | 'closed_at']: number | null;
  };

const LAST_TIME = `SELECT max(at) FROM (SELECT max(at) AS at FROM snapshots
  UNION ALL SELECT at FROM (SELECT at FROM steps ORDER BY seq DESC LIMIT 1))`;

/** Stores a gap. It starts at `from`, or at the time of the tables' last data if that is later. */
export function addGap(connection: Connection, { cause, from, acknowledgedAt, commits, entries }: Gap): void {
  const lastInTables = connection.prepare<[], number | null>(LAST_TIME).pluck().get() ?? undefined;
  const start = lastInTables === undefined ? from : Math.max(lastInTables, from ?? lastInTables);
  const row = { cause, from_at: start, acknowledged_at: acknowledgedAt, commits, entries };
  new NumberedInsert(connection, 'gaps').add(row);
}

/** Returns one gap that spans all open gaps, with the sums of what is missing. @throws FileFault for a damaged row */
export function readOpenGap(reads: DatabaseReads): Gap | undefined {
  const rows = openRows(reads);
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  const starts = rows.flatMap(({ from_at }) => from_at ?? []);
  const sum = (count: (row: GapRow) => number): number => rows.reduce((total, row) => total + count(row), 0);
  return {
    cause: last.cause,
    from: starts.length === 0 ? undefined : Math.min(...starts),
    acknowledgedAt: last.acknowledged_at ?? undefined,
    commits: sum(({ commits }) => commits),
    entries: sum(({ entries }) => entries),
  };
}

/** Closes all gaps after a comparison with the venue. @param at epoch ms. @throws FileFault for a damaged row */
export function closeGaps(reads: DatabaseReads, at: number): void {
  const insert = new ChecksummedInsert(reads.connection, 'gaps', 'INSERT OR REPLACE');
  for (const row of openRows(reads)) insert.add({ ...row, closed_at: at });
}

/** Returns the rows of open gaps. Verifies all rows, because damage can make an open gap look closed. */
function openRows(reads: DatabaseReads): readonly GapRow[] {
  const verify = reads.rowDecoder('gaps', BOT_CHECKSUMS.gaps, (row: GapRow) => row);
  const rows = reads.connection.prepare<[], GapRow>('SELECT * FROM gaps ORDER BY id').all();
  return rows.map(verify).filter(({ closed_at }) => closed_at === null);
}
