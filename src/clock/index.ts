export {
  backgroundTimer,
  blockThread,
  blockUntilChanged,
  type Clock,
  monotonic,
  nextEventLoopTurn,
  repeatEvery,
  type Stopwatch,
  sleep,
  steadyClock,
  wallClock,
  withTimeout,
} from './clock.ts';
export { type Random, secureBytes, secureSeed, seededRandom } from './random.ts';
export { SimClock } from './sim-clock.ts';
