import { setFlagsFromString } from 'node:v8';

const FLAGS = [
  // A command passes through some fifty small functions (bench/exchange.ts).
  '--max-inlined-bytecode-size-cumulative=6000',
  '--max-inlined-bytecode-size=2000',
  // Room for new objects grows as V8 has it by itself. In the 1 MB that `main.ts` leaves a program, whatever two hundred
  // requests under way hold is copied again and again: an order costs a server up to a seventh more (docs/performance.md).
  '--semi-space-growth-factor=2',
];

/** Sets V8 for a process that serves a venue. To be called once, before it opens. */
export function tuneServer(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}
