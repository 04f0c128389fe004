export { type Clock, repeatEvery, sleep, steadyClock, wallClock } from './clock.ts';
export { type Random, secureBytes, secureSeed, seededRandom } from './random.ts';
export { RANK, SimClock } from './sim-clock.ts';
export { backgroundTimer, monotonic, nextTurn, type Stopwatch, waitForChange } from './timers.ts';
