import { setFlagsFromString } from 'node:v8';

/** As V8 has it: 400, 3,000 and 500 calls; code that was not run for a while is thrown away. */
const FLAGS = [
  '--invocation-count-for-maglev=40',
  '--invocation-count-for-turbofan=400',
  '--minimum-invocations-after-ic-update=40',
  '--no-flush-bytecode',
];

/**
 * From now on V8 compiles what runs after a tenth of the calls that it waits for by itself, and keeps it. A bot does the same
 * thing a few times a second for hours: left alone it quotes its first ten minutes through the interpreter
 * (docs/decisions/0019).
 */
export function compileEarly(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}
