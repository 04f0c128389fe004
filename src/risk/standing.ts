import { FULL_BPS } from '../domain/index.ts';
import type { Commitment, SideTotals } from './commitment.ts';
import type { MarketCommitments } from './commitments.ts';

/** What stands in a market whatever becomes of the wish that is being checked. */
export interface Standing extends SideTotals {
  /** Dearest resting bid and cheapest resting ask in YES terms; 0 and 10000 for none. */
  readonly highestBid: number;
  readonly lowestAsk: number;
  /** Cash held by BUY orders, micro-USD. */
  readonly reserve: number;
  /** Micro-shares held by SELL orders, or on their way into cash. */
  readonly sellingYes: number;
  readonly sellingNo: number;
  readonly orders: number;
}

/** All that stands in a market, takers in flight included, but for the resting orders that a quote set replaces. */
export function standingBeside(here: MarketCommitments, replaced: Commitment | undefined): Standing {
  let { bidShares, askShares, bidCost, askCost, reserve, sellingYes, sellingNo } = here.takers;
  sellingYes += here.merging;
  sellingNo += here.merging;
  let highestBid = 0;
  let lowestAsk = FULL_BPS;
  let orders = 0;
  for (const bot of here.bots) {
    if (bot === replaced) continue;
    bidShares += bot.bidShares;
    askShares += bot.askShares;
    bidCost += bot.bidCost;
    askCost += bot.askCost;
    reserve += bot.reserve;
    sellingYes += bot.sellingYes;
    sellingNo += bot.sellingNo;
    orders += bot.orders;
    if (bot.highestBid > highestBid) highestBid = bot.highestBid;
    if (bot.lowestAsk < lowestAsk) lowestAsk = bot.lowestAsk;
  }
  return { bidShares, askShares, bidCost, askCost, highestBid, lowestAsk, reserve, sellingYes, sellingNo, orders };
}
