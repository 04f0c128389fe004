import type { RootsOf } from './models.ts';
import type { PublicPorts } from './ports.ts';
import { showBettingConfig, showMarketConfig } from './show-venue.ts';

type Names = 'bettingConfig' | 'marketConfig' | 'health';

/** Settings, and how the venue is. `health` never waits: it tells of what is durable in the midst of a turn, too. */
export function venueQueries({ queue, venue, markets }: PublicPorts): RootsOf<'Query', Names> {
  return {
    bettingConfig: () => queue.read(() => showBettingConfig(queue.view.config, venue.betPresets())),
    marketConfig: () => queue.read(() => showMarketConfig(queue.view.config)),
    health: () => ({
      status: venue.status(),
      mode: markets.mode,
      version: venue.version,
      serverTime: queue.now,
      engineSeq: markets.seq,
    }),
  };
}
