/** The process: arguments in, exit code out. Started by bin/halfspread.js. */
import process from 'node:process';
import { run } from './run.ts';
import { processTerminal } from './terminal.ts';

// The code is set and the loop left to end by itself, so that a slow reader still gets all that was written.
process.exitCode = await run(process.argv.slice(2), processTerminal());
