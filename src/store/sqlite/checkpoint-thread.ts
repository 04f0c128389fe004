/** Entry of the thread that checkpoints while the writer continues; see `checkpoints.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointTask } from './checkpoints.ts';
import { rewriteStamp } from './commit-stamp.ts';
import { connect } from './database.ts';

const file: string = workerData;
const connection = connect(file, { cacheMb: 2 });
parentPort?.on('message', (task: CheckpointTask | 'close') => {
  if (task === 'close') {
    connection.close();
    parentPort?.close();
    return;
  }
  connection.pragma('wal_checkpoint(PASSIVE)');
  // The first transaction after a complete checkpoint restarts the log and waits for the disk: run it here.
  if (task === 'restart') rewriteStamp(connection);
  parentPort?.postMessage('done');
});
