export { type AccountOptions, AccountState } from './account-state.ts';
export type { MarketSetup } from './market-world.ts';
export type { AccountView, MarketView, OpenOrder, OrderPhase, PositionView } from './view.ts';
