/** Events of own orders as a venue reports them, in internal units. */
import {
  type CloseReason,
  type EpochMs,
  InputFault,
  type MarketNo,
  type MicroShares,
  type MicroUsd,
  type Outcome,
  type PlaceOrder,
  type PriceBps,
  type Side,
} from '../../domain/index.ts';
import type { AccountView } from '../../state/index.ts';

export interface OwnFill {
  /** The same for both sides of the trade. */
  readonly tradeId: string;
  readonly hash: string;
  readonly marketId: string;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly price: PriceBps;
  readonly shares: MicroShares;
  readonly fee: MicroUsd;
  readonly liquidity: 'maker' | 'taker';
  readonly seq: number;
  readonly at: EpochMs;
  /** Set while the venue may still reverse the fill; absent if the fill is final. */
  readonly isProvisional?: boolean;
}

export type OwnOrderEvent = {
  readonly seq: number;
  readonly at: EpochMs;
  readonly hash: string;
  /** Remaining size of the order after the event. */
  readonly remaining: MicroShares;
} & (
  | { readonly kind: 'ACCEPTED' | 'REDUCED' }
  | { readonly kind: 'FILLED'; readonly fill: OwnFill }
  | { readonly kind: 'REVERSED'; readonly fill: OwnFill }
  | { readonly kind: 'CLOSED'; readonly reason: CloseReason }
);

/** Returns the number of a market by the venue's id; undefined for a market outside this run. */
export function marketNumber({ markets }: Pick<AccountView, 'markets'>, marketId: string): MarketNo | undefined {
  const id = marketId.toLowerCase();
  return markets.find(({ info }) => info.id === id)?.info.market;
}

/**
 * Compares a fill with its signed order.
 * @param marketId market of the order
 * @param filled the order's earlier fills, micro-shares
 * @throws InputFault naming the field that contradicts the signed order
 */
export function checkFill(fill: OwnFill, order: PlaceOrder, marketId: string, filled: number): void {
  const { outcome, side, price, shares } = order;
  const isPriceAllowed = side === 'BUY' ? fill.price <= price : fill.price >= price;
  if (fill.marketId.toLowerCase() !== marketId) throw new InputFault('fill.marketId', fill.marketId, marketId);
  if (fill.outcome !== outcome) throw new InputFault('fill.outcome', fill.outcome, `${outcome}, as signed`);
  if (fill.side !== side) throw new InputFault('fill.side', fill.side, `${side}, as signed`);
  if (!isPriceAllowed) throw new InputFault('fill.priceBps', fill.price, `no worse than ${price}, as signed`);
  if (fill.shares > shares - filled)
    throw new InputFault('fill.shares', fill.shares, `at most ${shares - filled}, as signed`);
}
