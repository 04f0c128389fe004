/** The thread that copies the log into the database while the writer continues; see `checkpoints.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { connect } from './database.ts';

const file: string = workerData;
const connection = connect(file, { cacheMb: 2, mayWrite: true });
parentPort?.on('message', (message: 'checkpoint' | 'close') => {
  if (message === 'checkpoint') {
    connection.pragma('wal_checkpoint(PASSIVE)');
    parentPort?.postMessage('done');
    return;
  }
  connection.close();
  parentPort?.close();
});
