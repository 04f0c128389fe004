/** Entry of the writing thread; see `writer.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadMessage } from './messages.ts';
import { Writer, type WriterOptions } from './writer.ts';

const options: WriterOptions = workerData;
const writer = new Writer(options);
parentPort?.on('message', (message: ThreadMessage) => {
  if (message.type !== 'close') {
    parentPort?.postMessage(writer.handle(message));
    return;
  }
  writer.close();
  parentPort?.close();
});
