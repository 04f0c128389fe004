/** Objects of this room as streams tell them: the same that queries answer. */
import type { RecordedVote, TradeRow } from '../../../exchange/index.ts';
import type { Shown, ShownMarket } from './models.ts';
import type { PublicPorts } from './ports.ts';
import { showResolution, showVote } from './show-resolution.ts';
import { showTrade } from './show-trade.ts';
import { showBettingConfig, showMarketConfig } from './show-venue.ts';

/** Shows things as of now; to be asked while the engine stands where the disk does. */
export interface PublicShows {
  /** @param market its number, likewise below. @throws RangeError for a number that no market has */
  market(market: number): ShownMarket;
  trade(row: TradeRow): Shown<'Trade'>;
  resolution(market: number): Shown<'Resolution'>;
  vote(vote: RecordedVote): Shown<'ModelVote'>;
  bettingConfig(): Shown<'BettingConfig'>;
  marketConfig(): Shown<'MarketConfig'>;
}

/** What the ports show. */
export function publicShows({ queue, ids, markets, venue }: PublicPorts): PublicShows {
  const { view } = queue;
  return {
    market: (market) => markets.shelf.show(market),
    trade: (row) => showTrade(row, ids.marketId(row.market)),
    resolution: (market) => {
      const record = view.market(market);
      if (record === undefined) throw new RangeError(`Invariant: there is no market ${market}`);
      return showResolution(record);
    },
    vote: showVote,
    bettingConfig: () => showBettingConfig(view.config, venue.betPresets()),
    marketConfig: () => showMarketConfig(view.config),
  };
}
