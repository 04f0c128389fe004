import { copyFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { addRowCrc } from '../../../src/store/sqlite/row-checksums.ts';

export type Connection = InstanceType<typeof Database>;

/** Tables from which the others are derived, and the index by id. */
export const SOURCES = [
  'journal',
  'snapshots',
  'snapshot_pieces',
  'registry',
  'head',
  'order_keys',
  'event_blocks',
  'order_events',
  'commit_stamp',
];

/** Changes a copy of a file. */
export function changedCopy(source: string, copy: string, change: (connection: Connection) => void): string {
  copyFileSync(source, copy);
  const connection = new Database(copy);
  addRowCrc(connection);
  change(connection);
  connection.close();
  return copy;
}
