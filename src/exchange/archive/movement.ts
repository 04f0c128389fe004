/** The projector's intermediate values: movements of cash, and trades with the tape account. */
import { LOT, type Outcome } from '../../domain/index.ts';
import { ORDER_KIND, orderKind } from '../matching/codes.ts';
import type { LedgerKind, OrderRow } from './rows.ts';

/** A movement of cash, before it is a row. */
export interface Movement {
  readonly account: number;
  readonly kind: LedgerKind;
  readonly amount: number;
  readonly market?: number;
  readonly order?: number;
  readonly fill?: number;
}

/** A trade without its sides. */
export interface Trade {
  readonly seq: number;
  readonly market: number;
  readonly yesPrice: number;
  readonly shares: number;
  readonly match: number;
}

/** The side of a trade without an order: a trader on the tape. */
export interface OutsideSide {
  /** A code of `ORDER_KIND`, always a BUY. */
  readonly kind: number;
  readonly outcome: Outcome;
  /** In the terms of `outcome`. */
  readonly price: number;
  /** Price times shares. */
  readonly amount: number;
}

/** Returns the tape trader's side of a trade with an order. */
export function outsideAgainst({ outcome, side }: Pick<OrderRow, 'outcome' | 'side'>, trade: Trade): OutsideSide {
  const isBid = (outcome === 'YES') === (side === 'BUY');
  return outsideBuys(!isBid, trade);
}

/** Returns the side of a tape trader who buys YES (else NO). */
export function outsideBuys(yes: boolean, { yesPrice, shares }: Pick<Trade, 'yesPrice' | 'shares'>): OutsideSide {
  const price = yes ? yesPrice : 10_000 - yesPrice;
  const outcome = yes ? 'YES' : 'NO';
  const kind = yes ? ORDER_KIND.buyYes : ORDER_KIND.buyNo;
  return { kind, outcome, price, amount: (shares / LOT) * price };
}

/** Returns kind, price and amount of an order's side of a trade. */
export function sideOf({ outcome, side }: Pick<OrderRow, 'outcome' | 'side'>, { yesPrice, shares }: Trade) {
  const price = outcome === 'YES' ? yesPrice : 10_000 - yesPrice;
  return { kind: orderKind(outcome, side), price, amount: (shares / LOT) * price };
}
