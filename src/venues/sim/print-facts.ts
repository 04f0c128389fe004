import { column, counted, type DoubleMid } from '../../domain/index.ts';
import type { Block } from '../../tape/index.ts';
import type { SimMarket } from './sim-market.ts';
import type { SimPrint, StepTime } from './tap.ts';

/**
 * The one object in which taps are told of prints.
 *
 * HOT: filled for every print, of which there are millions; nothing is allocated. Measured in bench/replay.ts.
 */
export class PrintFacts implements SimPrint {
  market = counted.market(0);
  time = column.time(0);
  taker = 0;
  yesPrice = column.price(0);
  shares = column.shares(0);
  mark: DoubleMid | undefined;

  set(market: SimMarket, at: StepTime, block: Block, row: number): this {
    this.market = market.no;
    this.time = at.now;
    this.taker = block.side[row]!;
    this.yesPrice = column.price(block.price[row]!);
    this.shares = column.shares(block.shares[row]!);
    this.mark = market.mark > 0 ? column.mid(market.mark) : undefined;
    return this;
  }
}
