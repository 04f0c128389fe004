/** V8 flags of long-running processes. Each function is called once, before the process starts its work. */
import { setFlagsFromString } from 'node:v8';

/** `main.ts` keeps the heap small for commands. A process that runs for days collects as rarely as V8 does by default. */
const DEFAULT_HEAP_GROWTH = '--heap-growing-percent=0';

/** V8's defaults are 400, 3,000 and 500 calls, and it throws away code that was not run for a while. */
const BOT_FLAGS = [
  '--invocation-count-for-maglev=40',
  '--invocation-count-for-turbofan=400',
  '--minimum-invocations-after-ic-update=40',
  '--no-flush-bytecode',
  DEFAULT_HEAP_GROWTH,
];

const SERVER_FLAGS = [
  // A command passes through about fifty small functions (bench/exchange.ts).
  '--max-inlined-bytecode-size-cumulative=6000',
  '--max-inlined-bytecode-size=2000',
  // Lets the space for new objects grow as V8 does by default. With the 1 MB that `main.ts` sets, V8 copies the state of pending
  // requests again and again: an order costs a server up to a seventh more (docs/performance.md).
  '--semi-space-growth-factor=2',
  // While that space is small, most requests under way outlive a collection of it. V8 may conclude that requests live long, and
  // put all later ones among old objects: an order then costs the main thread a twentieth more (bench/notes/restructuring.md).
  '--no-allocation-site-pretenuring',
  DEFAULT_HEAP_GROWTH,
];

/**
 * For a bot: V8 compiles code after a tenth of the usual number of calls, and keeps it. A bot repeats the same work only a few
 * times a second, so by default it would run interpreted code for its first ten minutes (docs/decisions/0019).
 */
export function compileEarly(): void {
  for (const flag of BOT_FLAGS) setFlagsFromString(flag);
}

/** For a process that serves a venue. */
export function tuneServer(): void {
  for (const flag of SERVER_FLAGS) setFlagsFromString(flag);
}
