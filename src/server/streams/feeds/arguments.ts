/** Arguments that several streams have. */
import type { MarketId } from '../../../domain/index.ts';
import { invalidArgument, type Raw, readMarketId } from '../../../protocol/index.ts';
import type { ArgumentReader } from '../feed.ts';

/** One market. */
export const marketArgument: ArgumentReader<MarketId> = ({ marketId }: { readonly marketId: Raw<'ID'> }) =>
  readMarketId(marketId);

/** One market, or undefined for all. */
export const marketOrAll: ArgumentReader<MarketId | undefined> = ({
  marketId,
}: {
  readonly marketId?: Raw<'ID'> | null;
}) => (marketId === undefined || marketId === null ? undefined : readMarketId(marketId));

/** A list of markets, each once; undefined for all. An empty one would be silent for ever. */
export const marketList: ArgumentReader<readonly MarketId[] | undefined> = ({
  marketIds,
}: {
  readonly marketIds?: readonly Raw<'ID'>[] | null;
}) => {
  if (marketIds === undefined || marketIds === null) return undefined;
  if (marketIds.length === 0) throw invalidArgument('marketIds: expected at least one market');
  return [...new Set(marketIds.map(readMarketId))];
};
