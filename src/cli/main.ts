/** The process: runs the command line and sets the exit code. Started by bin/halfspread.js. */
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { EXIT } from './exit-code.ts';
import { processHeap, watchHeap } from './heap-watch.ts';
import { strayError } from './output/show-fault.ts';
import { flushed, processTerminal } from './output/terminal.ts';
import { run } from './program.ts';

// What a replay throws away at once fits into the 1 MB that V8 begins with for new objects; by itself it takes up to 32, thrice,
// and keeps it. A thread that is begun from now on has no more than 8. A server gets more (app/v8-flags.ts).
setFlagsFromString('--max-semi-space-size=8');
setFlagsFromString('--semi-space-growth-factor=1');
// Orders of a backtest outlive some collections of new objects. By itself V8 lets four times as much garbage of them pile up as is alive.
setFlagsFromString('--heap-growing-percent=100');
// A message passes through some forty small functions. By itself V8 stops inlining them halfway: 6 % of a replay.
setFlagsFromString('--max-inlined-bytecode-size-cumulative=2000');

/** Runs the command line and ends the process. @param heapLimitMb as `bin/halfspread.js` measured it */
export async function main(heapLimitMb: number): Promise<void> {
  const terminal = processTerminal();
  let done = false;
  // A strategy may end the process, or wait forever at import. Neither may look like success.
  process.on('exit', (code) => {
    if (done || code !== EXIT.ok) return;
    terminal.err.write(
      'error: the process ended before the command did. A strategy must not call process.exit or wait forever at import\n',
    );
    process.exitCode = EXIT.strategy;
  });

  // After an error outside the command, its state is unknown, so it must not write a report. After the command has ended,
  // such errors are harmless.
  const stray = (error: unknown): void => {
    if (done) return;
    done = true;
    const { text, exitCode } = strayError(error, process.argv.includes('--debug'));
    terminal.err.write(text);
    process.exit(exitCode);
  };
  process.on('uncaughtException', stray);
  process.on('unhandledRejection', stray);

  let isHeapFull = false;
  watchHeap(processHeap(heapLimitMb), (problem) => {
    isHeapFull = true;
    terminal.err.write(problem);
    // Each command ends cleanly on SIGTERM: a bot cancels its orders, a venue closes its file.
    process.kill(process.pid, 'SIGTERM');
  });

  const code = await run(process.argv.slice(2), terminal);
  done = true;
  // A slow reader still gets all output. Timers of a strategy must not delay the end.
  await flushed();
  process.exit(isHeapFull ? EXIT.usage : code);
}
