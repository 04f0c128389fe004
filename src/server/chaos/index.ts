export { Chaos } from './chaos.ts';
export type { ChaosSettings } from './settings.ts';
export { skewedClock } from './skewed-clock.ts';
