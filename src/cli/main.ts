/** The process: arguments in, exit code out. Started by bin/halfspread.js. */
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { EXIT } from './exit-code.ts';
import { processHeap, watchHeap } from './heap-watch.ts';
import { strayError } from './output/show-fault.ts';
import { flushed, processTerminal } from './output/terminal.ts';
import { run } from './program.ts';

// What a replay throws away at once fits into the 1 MB that V8 begins with for new objects; by itself it takes up to 32, thrice,
// and keeps it. A thread that is begun from now on has no more than 8. A server wants more (tune-server.ts).
setFlagsFromString('--max-semi-space-size=8');
setFlagsFromString('--semi-space-growth-factor=1');
// A message passes through some forty small functions. By itself V8 stops inlining them halfway: 6 % of a replay.
setFlagsFromString('--max-inlined-bytecode-size-cumulative=2000');

/** Runs the command line of the process and ends it. @param heapLimitMb as `bin/halfspread.js` has found it */
export async function main(heapLimitMb: number): Promise<void> {
  const terminal = processTerminal();
  let done = false;
  // A strategy may end the process itself, or wait for what never comes: neither may look like a finished run.
  process.on('exit', (code) => {
    if (done || code !== EXIT.ok) return;
    terminal.err.write(
      'error: the process ended before the command did. A strategy must not call process.exit, nor wait at import for what never comes\n',
    );
    process.exitCode = EXIT.strategy;
  });

  // What fails outside the command may have left anything half-done: no report may come of it. After the command has told
  // its end nothing of it changes any more.
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
    // Each command has its way to end in good order: a bot cancels its orders, a venue closes its file.
    process.kill(process.pid, 'SIGTERM');
  });

  const code = await run(process.argv.slice(2), terminal);
  done = true;
  // A slow reader still gets all that was written; timers that a strategy left behind hold nothing up.
  await flushed();
  process.exit(isHeapFull ? EXIT.usage : code);
}
