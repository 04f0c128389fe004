export type { AccountView, MarketView, OpenOrder, OrderPhase, PositionView } from './view.ts';
