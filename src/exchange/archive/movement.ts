/** The projector's intermediate values: movements of cash, and trades with the tape account. */
import { LOT, type Outcome } from '../../domain/index.ts';
import { ORDER_KIND, orderKind } from '../matching/codes.ts';
import type { LedgerKind, OrderRow } from './rows.ts';

/** A movement of cash on its way into a row. */
export interface Movement {
  readonly account: number;
  readonly kind: LedgerKind;
  readonly amount: number;
  readonly market?: number;
  readonly order?: number;
  readonly fill?: number;
}

/** A trade, of neither side. */
export interface Trade {
  readonly seq: number;
  readonly market: number;
  readonly yesPrice: number;
  readonly shares: number;
  readonly match: number;
}

/** The side of a trade that has no order here: a trader on the tape. */
export interface OutsideSide {
  /** A code of `ORDER_KIND`; they only buy. */
  readonly kind: number;
  readonly outcome: Outcome;
  /** In the terms of `outcome`. */
  readonly price: number;
  /** Price times shares. */
  readonly amount: number;
}

/** The counterparty of an order: a buyer of the other side. */
export function outsideAgainst({ outcome, side }: Pick<OrderRow, 'outcome' | 'side'>, trade: Trade): OutsideSide {
  const isBid = (outcome === 'YES') === (side === 'BUY');
  return outsideBuys(!isBid, trade);
}

/** A buyer of YES, else of NO. */
export function outsideBuys(yes: boolean, { yesPrice, shares }: Pick<Trade, 'yesPrice' | 'shares'>): OutsideSide {
  const price = yes ? yesPrice : 10_000 - yesPrice;
  const outcome = yes ? 'YES' : 'NO';
  const kind = yes ? ORDER_KIND.buyYes : ORDER_KIND.buyNo;
  return { kind, outcome, price, amount: (shares / LOT) * price };
}

/** A code of `ORDER_KIND`, and price times shares, of an order's side. */
export function sideOf({ outcome, side }: Pick<OrderRow, 'outcome' | 'side'>, { yesPrice, shares }: Trade) {
  const price = outcome === 'YES' ? yesPrice : 10_000 - yesPrice;
  return { kind: orderKind(outcome, side), price, amount: (shares / LOT) * price };
}
