export { type AccountSnapshot, AccountState } from './account-state.ts';
export { encodeState } from './encode-state.ts';
export type { MarketSetup } from './market-state.ts';
export type { TradedMarket } from './traded-market.ts';
export type {
  AccountView,
  MarketRef,
  MarketView,
  OpenOrder,
  OrderPhase,
  PositionView,
  RetailPrices,
  VenueState,
} from './view.ts';
