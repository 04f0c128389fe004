export type { AccountSnapshot } from './account-snapshot.ts';
export { AccountState } from './account-state.ts';
export { encodeState } from './encode-state.ts';
export type { MarketSetup } from './market-setup.ts';
export type { MarketWorld } from './market-world.ts';
export type { AccountView, MarketView, OpenOrder, OrderPhase, PositionView, RetailPrices, VenueState } from './view.ts';
