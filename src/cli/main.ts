/** The process: runs the command line and sets the exit code. Started by bin/halfspread.js. */
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { EXIT } from './exit-code.ts';
import { processHeap, watchHeap } from './heap-watch.ts';
import { showUncaughtError } from './output/show-fault.ts';
import { flushOutput, processTerminal } from './output/terminal.ts';
import { run } from './program.ts';

// Maximum size of the semi-spaces of later threads, MB. V8's default depends on the machine's memory.
setFlagsFromString('--max-semi-space-size=8');
// A backtest's orders become garbage among old objects. V8's default lets garbage grow to four times the live size.
setFlagsFromString('--heap-growing-percent=100');
// A message passes through about forty small functions. V8's default inlines half of them, which costs 6 % of a replay.
setFlagsFromString('--max-inlined-bytecode-size-cumulative=2000');

/** Runs the command line and ends the process. @param heapLimitMb heap limit that `bin/halfspread.js` measured */
export async function main(heapLimitMb: number): Promise<void> {
  const terminal = processTerminal();
  let isDone = false;
  // A strategy can end the process, or wait forever at import. Neither must look like success.
  process.on('exit', (code) => {
    if (isDone || code !== EXIT.ok) return;
    terminal.err.write(
      'error: the process ended before the command did. A strategy must not call process.exit or wait forever at import\n',
    );
    process.exitCode = EXIT.strategy;
  });

  // An uncaught error leaves the command in an unknown state, so the command must not write a report. Errors after
  // the end of the command are harmless.
  const onUncaughtError = (error: unknown): void => {
    if (isDone) return;
    isDone = true;
    const { text, exitCode } = showUncaughtError(error, { showsStack: process.argv.includes('--debug') });
    terminal.err.write(text);
    process.exit(exitCode);
  };
  process.on('uncaughtException', onUncaughtError);
  process.on('unhandledRejection', onUncaughtError);

  let isHeapFull = false;
  watchHeap(processHeap(heapLimitMb), (problem) => {
    isHeapFull = true;
    terminal.err.write(problem);
    // Each command ends cleanly on SIGTERM: a bot cancels its orders, a venue closes its file.
    process.kill(process.pid, 'SIGTERM');
  });

  const code = await run(process.argv.slice(2), terminal);
  isDone = true;
  await flushOutput();
  // A strategy's timers must not delay the end.
  process.exit(isHeapFull ? EXIT.usage : code);
}
