/** The two sides of a trade: kind, price and amount (price times shares) in the terms of the side's outcome. */
import { LOT, type Outcome } from '../../domain/index.ts';
import { orderKind } from '../matching/codes.ts';
import type { OrderRow } from './rows.ts';

export interface Trade {
  readonly seq: number;
  readonly market: number;
  readonly yesPrice: number;
  readonly shares: number;
  readonly match: number;
}

/** Returns the side of a tape trader who traded with an order. */
export function tapeSideAgainst({ outcome, side }: Pick<OrderRow, 'outcome' | 'side'>, trade: Trade) {
  const isBid = (outcome === 'YES') === (side === 'BUY');
  return tapeBuySide(!isBid, trade);
}

/** Returns the side of a tape trader who buys YES, or otherwise NO. */
export function tapeBuySide(isYes: boolean, trade: Pick<Trade, 'yesPrice' | 'shares'>) {
  const outcome: Outcome = isYes ? 'YES' : 'NO';
  return { outcome, ...sideOf({ outcome, side: 'BUY' }, trade) };
}

/** Returns an order's side. */
export function sideOf(
  { outcome, side }: Pick<OrderRow, 'outcome' | 'side'>,
  { yesPrice, shares }: Pick<Trade, 'yesPrice' | 'shares'>,
) {
  const price = outcome === 'YES' ? yesPrice : 10_000 - yesPrice;
  return { kind: orderKind(outcome, side), price, amount: (shares / LOT) * price };
}
