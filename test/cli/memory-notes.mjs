// Loaded with `--import`. Writes the memory of the process each second to the file in MEMORY_NOTES.
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

const file = process.env.MEMORY_NOTES;
// Only in the main thread, and not in a watchdog, which inherits the environment.
if (isMainThread && file !== undefined && process.argv[1]?.endsWith('halfspread.js') === true) {
  setInterval(() => {
    const { heapUsed, rss } = process.memoryUsage();
    appendFileSync(file, `${Date.now()} ${heapUsed} ${rss}\n`);
  }, 1_000).unref();
}
