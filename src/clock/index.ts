export {
  backgroundTimer,
  blockThread,
  type Clock,
  monotonic,
  nextTurn,
  repeatEvery,
  type Stopwatch,
  sleep,
  steadyClock,
  waitForChange,
  wallClock,
  withTimeout,
} from './clock.ts';
export { type Random, secureBytes, secureSeed, seededRandom } from './random.ts';
export { SimClock } from './sim-clock.ts';
