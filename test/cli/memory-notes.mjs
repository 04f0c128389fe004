// Loaded into a program before it starts (`--import`): notes each second what its memory is, in the file that MEMORY_NOTES names.
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

const file = process.env.MEMORY_NOTES;
// Not in its threads, and not in a watchdog, which inherits the environment.
if (isMainThread && file !== undefined && process.argv[1]?.endsWith('halfspread.js') === true) {
  setInterval(() => {
    const { heapUsed, rss } = process.memoryUsage();
    appendFileSync(file, `${Date.now()} ${heapUsed} ${rss}\n`);
  }, 1_000).unref();
}
