import type { RootsOf } from './models.ts';
import type { PublicPorts } from './ports.ts';
import { showBettingConfig, showMarketConfig } from './show-venue.ts';

type Names = 'bettingConfig' | 'marketConfig' | 'health';

/** Settings, and how the venue is. `health` never waits: it tells of what is durable in the midst of a turn, too. */
export function venueQueries({ desk, venue, markets }: PublicPorts): RootsOf<'Query', Names> {
  return {
    bettingConfig: () => desk.read(() => showBettingConfig(desk.view.config, venue.betPresets())),
    marketConfig: () => desk.read(() => showMarketConfig(desk.view.config)),
    health: () => ({
      status: venue.status(),
      mode: markets.mode,
      version: venue.version,
      serverTime: desk.now,
      engineSeq: markets.seq,
    }),
  };
}
