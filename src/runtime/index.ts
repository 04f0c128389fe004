export { type Bot, type BotSpec, createBot } from './bot.ts';
export { type CoreOptions, createCore, type TradingCore } from './core.ts';
export type { Core, EventStore, Outbox, Step, Venue, VenueSession, VenueSink } from './ports.ts';
export { Run, type RunOptions, type Tap } from './run.ts';
export { type StrategyFailure, StrategyFault } from './strategy-fault.ts';
