export { Chaos } from './chaos.ts';
export { type ChaosSettings, chaosSchema } from './settings.ts';
export { skewedClock } from './skewed-clock.ts';
