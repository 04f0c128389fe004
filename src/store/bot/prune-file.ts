/** Old rows of the file of a bot that does not run. */
import type { EpochMs } from '../../domain/index.ts';
import { CommitCounter, changeStamp } from '../sqlite/commit-stamp.ts';
import { connect, guarded, prepareFile } from '../sqlite/database.ts';
import { DatabaseReads } from '../sqlite/database-reads.ts';
import { checkForLoss, endUse } from '../sqlite/database-use.ts';
import { BOT_APPLICATION_ID, BOT_MIGRATIONS } from './bot-tables.ts';
import { addPruned, type PrunedRows, Pruning } from './pruning.ts';

/** Slices between two checkpoints: a few megabytes of log. */
const SLICES = 100;

/**
 * Removes what ended before a moment. It may be stopped anywhere: what it did so far holds, and it can begin again. A log in
 * front of the tables stays for the next start. Nobody else may have the file: take the lease first.
 * @param shrink whether the room that became free is given back to the disk, which takes as much again meanwhile
 * @throws FileFault
 */
export function pruneFile(file: string, before: EpochMs, shrink: boolean): PrunedRows {
  const { mark } = checkForLoss(file, { unit: 'entry', mayLoseAtPowerCut: true });
  const connection = connect(file, { cacheMb: 32, mayWrite: true });
  try {
    prepareFile(file, connection, BOT_MIGRATIONS, BOT_APPLICATION_ID);
    return guarded(file, 'written', () => {
      const pruning = new Pruning(connection, new DatabaseReads(file), before);
      connection.transaction(() => changeStamp(connection))();
      const counter = new CommitCounter(connection);
      const counted = connection.transaction(() => {
        const rows = pruning.slice();
        counter.count();
        return rows;
      });
      const slice = (): PrunedRows | undefined => {
        const rows = counted();
        counter.committed();
        return rows;
      };
      let all: PrunedRows = { steps: 0, orders: 0, fills: 0 };
      let slices = 0;
      for (let rows = slice(); rows !== undefined; rows = slice()) {
        all = addPruned(all, rows);
        slices += 1;
        if (slices % SLICES === 0) connection.pragma('wal_checkpoint(TRUNCATE)');
      }
      if (shrink) connection.exec('VACUUM');
      // A bot that was killed has a mark, which its next start compares with. A copy without one is whole now.
      if (mark === undefined) endUse(connection);
      connection.pragma('wal_checkpoint(TRUNCATE)');
      return all;
    });
  } finally {
    connection.close();
  }
}
