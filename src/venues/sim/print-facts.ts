import { column, counted, type DoubleMid, type EpochMs } from '../../domain/index.ts';
import type { SimMarket } from './sim-market.ts';
import type { SimPrint } from './tap.ts';

/** The one object in which taps are told of prints: there are millions of them. */
export class PrintFacts implements SimPrint {
  market = counted.market(0);
  time = column.time(0);
  taker = 0;
  yesPrice = column.price(0);
  shares = column.shares(0);
  mark: DoubleMid | undefined;

  set(market: SimMarket, time: EpochMs, taker: number, price: number, shares: number): this {
    this.market = market.no;
    this.time = time;
    this.taker = taker;
    this.yesPrice = column.price(price);
    this.shares = column.shares(shares);
    this.mark = market.mark > 0 ? column.mid(market.mark) : undefined;
    return this;
  }
}
