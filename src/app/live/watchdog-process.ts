/** Entry of the watchdog's process, which `halfspread run` starts. Messages arrive on standard input. */
import process from 'node:process';
import { runWatchdog } from './run-watchdog.ts';

// Ctrl+C reaches every process of a terminal. The watchdog ends with the bot, after the bot's orders are cancelled.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
// Standard error is shared with the bot and may have closed with the terminal.
process.stderr.on('error', () => {});

await runWatchdog(process.stdin);
process.exit(0);
