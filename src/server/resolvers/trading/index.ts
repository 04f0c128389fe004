export { type Caller, callerOf } from './caller.ts';
export type { Shown, TradingModels } from './models.ts';
export type { Callers, OrderBuckets, TradingPorts } from './ports.ts';
export { tradingResolvers } from './resolvers.ts';
export { showBalance, showLedgerEntry, showPortfolio } from './show-money.ts';
export { fillId, type OrdersShownBy, remainingOf, showFill, showFillsOf, showOrder, tradeId } from './show-order.ts';
export {
  type HeldPosition,
  isClaimable,
  isOpenPosition,
  type PositionsShownBy,
  positionId,
  positionsOf,
  showPosition,
} from './show-position.ts';
export { readPlace, refusalBefore, type SignedPlace, termsOf } from './signed-place.ts';
