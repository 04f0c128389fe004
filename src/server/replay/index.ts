export { type HeldOrders, PlacingDelays } from './placing-delays.ts';
export { Replays } from './replays.ts';
export type { RecordedTape, ReplaySettings } from './settings.ts';
