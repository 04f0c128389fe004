/** V8 flags of long-running processes. Each function is called once, before the process starts its work. */
import { setFlagsFromString } from 'node:v8';

/** V8's default, for processes that run for days. `main.ts` keeps the heap small for commands. */
const DEFAULT_HEAP_GROWTH = '--heap-growing-percent=0';

/** By default, V8 uses 400, 3,000 and 500 calls, and drops code that has not run for a while. */
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
  // Lets the young generation grow again, after `program.ts` has stopped its growth.
  '--semi-space-growth-factor=2',
  // While the young generation is small, most pending requests survive its collection. V8 may then allocate all later
  // requests as old objects, which costs 5 % more main-thread time per order (bench/notes/restructuring.md).
  '--no-allocation-site-pretenuring',
  DEFAULT_HEAP_GROWTH,
];

/**
 * Makes V8 compile code after about a tenth of the usual number of calls, and keep the compiled code. By default, a bot
 * would interpret code for its first ten minutes, because it works only a few times a second (docs/decisions/0019).
 */
export function compileEarly(): void {
  for (const flag of BOT_FLAGS) setFlagsFromString(flag);
}

export function tuneServer(): void {
  for (const flag of SERVER_FLAGS) setFlagsFromString(flag);
}
