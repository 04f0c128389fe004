/** The process of a watchdog: its orders come over standard input. Started by `halfspread run`, ended by what it watches. */
import process from 'node:process';
import { watch } from './run-watchdog.ts';

// Ctrl+C goes to every process of a terminal: this one leaves when the bot says goodbye, or has been cleared up after.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

await watch(process.stdin);
process.exit(0);
