/** Trades and prices of the past. Cents: traded volume **down**. */
import { column, FULL_BPS, type MarketId } from '../../../domain/index.ts';
import type { PricePointRow, TradeRow } from '../../../exchange/index.ts';
import { centsDown, sharesFloat } from '../../../protocol/index.ts';
import type { Shown } from './models.ts';
import { showTouch } from './show-market.ts';

/** A trade, told from the taker's side. Its id is its `seq`: both fills carry it. */
export function showTrade(row: TradeRow, market: MarketId): Shown<'Trade'> {
  const { seq, outcome, side, price, shares, amount, match, at } = row;
  return {
    id: String(seq),
    marketId: market,
    outcome,
    side,
    priceBps: price,
    lastTradePriceBps: outcome === 'YES' ? price : FULL_BPS - price,
    shares: sharesFloat(column.shares(shares)),
    amountCents: centsDown(column.usd(amount)),
    matchType: match,
    seq,
    executedAt: at,
  };
}

/** A point of a price history. */
export function showPricePoint(row: PricePointRow): Shown<'PricePoint'> {
  const { at, yes, no, bestBid = 0, bestAsk = FULL_BPS, lastTrade = 0, volume } = row;
  return {
    at,
    yesPriceBps: yes,
    noPriceBps: no,
    ...showTouch(bestBid, bestAsk, lastTrade),
    volumeCents: centsDown(column.usd(volume)),
  };
}
