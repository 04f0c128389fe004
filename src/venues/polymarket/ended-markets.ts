/** Detects markets that ended while no bot ran. */
import { Fault, isFinal } from '../../domain/index.ts';
import type { VenueSink } from '../../runtime/index.ts';
import { MarketStatusTracker, RowWriter, type Selected } from '../base/index.ts';
import type { PolymarketDeps } from './deps.ts';
import type { PolymarketMarketData } from './market-data.ts';

/**
 * Reports the results of markets with holdings. Runs before the account is compared, because winnings may have been redeemed.
 * @returns the markets with the core's updated states
 */
export async function reportEnded(
  markets: readonly Selected[],
  { clock, log, view }: Pick<PolymarketDeps, 'clock' | 'log' | 'view'>,
  data: Pick<PolymarketMarketData, 'statusOf'>,
  sink: Pick<VenueSink, 'rows'>,
): Promise<readonly Selected[]> {
  const rows = new RowWriter({ rows: (block, from, to) => sink.rows(block, from, to) });
  for (const { setup } of markets) {
    const { market, id, slug } = setup.info;
    const { state, position } = view.market(market);
    if (isFinal(state.status) || position.yes + position.no === 0) continue;
    try {
      const tracker = new MarketStatusTracker(market, state);
      const status = await data.statusOf(id);
      if (!isFinal(status)) continue;
      tracker.update(status, false, clock.now());
      tracker.write(rows);
      rows.end(0, clock.now());
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      log.warn({ market: slug, err: error }, 'polymarket: the state of a market cannot be read');
    }
  }
  return markets.map((each) => ({
    ...each,
    setup: { ...each.setup, state: view.market(each.setup.info.market).state },
  }));
}
