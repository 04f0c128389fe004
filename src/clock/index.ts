export { backgroundTimer } from './background-timer.ts';
export type { Clock } from './clock.ts';
export { nextTurn } from './next-turn.ts';
export { type Random, secureBytes, secureSeed, seededRandom } from './random.ts';
export { RANK, SimClock } from './sim-clock.ts';
export { steadyClock } from './steady-clock.ts';
export { monotonic, type Stopwatch } from './stopwatch.ts';
export { waitForChange } from './wait-for-change.ts';
export { wallClock } from './wall-clock.ts';
