import { z } from 'zod';
import type { KalshiMarketRecord } from '../../protocol/kalshi/index.ts';
import { PriceSteps, SAVED_STEPS } from '../captures/price-steps.ts';

/** Schema of a market's saved state. */
export const SAVED_MARKET = z.object({ ticker: z.string(), steps: SAVED_STEPS, pendingPayout: z.number().optional() });

/** One Kalshi market of an import. */
export class KalshiMarket {
  readonly ticker: string;
  readonly record: KalshiMarketRecord | undefined;
  readonly steps: PriceSteps = new PriceSteps();
  /** YES payout of a result that is not final, bps. */
  pendingPayout: number | undefined;

  constructor(ticker: string, record: KalshiMarketRecord | undefined) {
    this.ticker = ticker;
    this.record = record;
  }

  save(): z.output<typeof SAVED_MARKET> {
    return { ticker: this.ticker, steps: this.steps.save(), pendingPayout: this.pendingPayout };
  }

  restore({ steps, pendingPayout }: z.output<typeof SAVED_MARKET>): void {
    this.steps.restore(steps);
    this.pendingPayout = pendingPayout;
  }
}
