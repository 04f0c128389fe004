/** Past trades and prices in their public form. Rounds cents of traded volume **down**. */
import { column, FULL_BPS, type MarketId } from '../../domain/index.ts';
import type { PricePointRow, TradeRow } from '../../exchange/index.ts';
import { centsDown, sharesFloat } from '../../protocol/index.ts';
import { presentTopOfBook } from './market-presenter.ts';
import type { Model } from './models.ts';

/** A trade from the taker's side. Its id is its `seq`, which both fills carry. */
export function presentTrade(row: TradeRow, market: MarketId): Model<'Trade'> {
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

export function presentPricePoint(row: PricePointRow): Model<'PricePoint'> {
  const { at, yes, no, bestBid = 0, bestAsk = FULL_BPS, lastTrade = 0, volume } = row;
  return {
    at,
    yesPriceBps: yes,
    noPriceBps: no,
    ...presentTopOfBook(bestBid, bestAsk, lastTrade),
    volumeCents: centsDown(column.usd(volume)),
  };
}
