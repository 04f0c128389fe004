/** One of the nine streams. */
import type { EpochMs, MarketId } from '../../domain/index.ts';
import type { ExchangeEvent, ExchangeView } from '../../exchange/index.ts';
import { invalidArgument, type Raw, readMarketId, unauthorized } from '../../protocol/index.ts';
import type { Arguments } from '../graphql/context.ts';
import type { Subscription } from './subscription.ts';

/** What became of a subscription: what ends it, or undefined where nothing is there to be told of. */
export type Opened = (() => void) | undefined;

/** Takes subscribers in and tells them what happens. */
export interface Feed {
  /**
   * Sends what the stream opens with; from then on the subscriber is told.
   * @throws WireFault for arguments that cannot be taken
   */
  open(subscription: Subscription): Opened;
  /** What a command told; the engine may be further. */
  onCommitted?(events: readonly ExchangeEvent[], at: EpochMs): void;
  /** All of the turn was told: the engine stands exactly there. */
  onTurnEnd?(): void;
}

/** Reads arguments, seen more exactly than the map of them: the schema has tested them. @throws WireFault */
export type ArgumentReader<Result> = { read(args: Arguments): Result }['read'];

/** Number of the subscriber's account. @throws WireFault UNAUTHORIZED without one */
export function accountOf({ viewer }: Subscription, view: ExchangeView): number {
  const account = viewer === undefined ? 0 : view.accountOf(viewer.account);
  if (account === 0) throw unauthorized();
  return account;
}

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
