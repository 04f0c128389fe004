import type { RootsOf } from './models.ts';
import type { PublicPorts } from './ports.ts';
import { ofMarket } from './price-queries.ts';
import { showResolution, showTransparency, showVote } from './show-resolution.ts';

type Names = 'resolutionOutcome' | 'modelVotes' | 'transparencyRecord';

/** How markets were decided; each null for a market that nobody knows. */
export function resolutionQueries(ports: PublicPorts): RootsOf<'Query', Names> {
  return {
    resolutionOutcome: ({ marketId }) => ofMarket(ports, marketId, showResolution),
    modelVotes: ({ marketId }) => ofMarket(ports, marketId, ({ votes }) => votes.map(showVote)),
    transparencyRecord: ({ marketId }) => ofMarket(ports, marketId, showTransparency),
  };
}
