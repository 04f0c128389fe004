/** The interface of a stream, and readers of common arguments. */
import type { EpochMs, MarketId, MarketNo } from '../../domain/index.ts';
import type { ExchangeEvent, ExchangeView } from '../../exchange/index.ts';
import { invalidArgument, type Raw, readMarketId, readSafeUint, unauthorized } from '../../protocol/index.ts';
import { type Arguments, isGiven } from '../graphql/context.ts';
import type { BookUpdate } from './book/book-projection.ts';
import type { Subscription } from './subscription.ts';

export interface Feed {
  /**
   * Adds the subscriber, sets its `leave`, then sends the first messages. Sets no `leave` if no given market exists.
   * @throws WireFault for invalid arguments
   */
  open(subscription: Subscription): void;
  /** Called for each durable command. The exchange may be some commands ahead. @param books the changed books */
  onCommitted?(events: readonly ExchangeEvent[], at: EpochMs, books: readonly BookUpdate[]): void;
  /** Called after the last command of a batch. @param wrongBooks markets whose book did not match its events */
  onBatchEnd?(wrongBooks: readonly number[]): void;
}

/** Returns the number of the subscriber's account. @throws WireFault UNAUTHORIZED without an account */
export function requireAccount({ viewer }: Subscription, view: ExchangeView): number {
  const account = viewer === undefined ? 0 : view.accountOf(viewer.account);
  if (account === 0) throw unauthorized();
  return account;
}

/** Reads `marketId`. Returns undefined for an unknown market; `{}` without an id. @throws WireFault if invalid */
export function readMarketScope(
  { plan }: Subscription,
  view: ExchangeView,
): { readonly market?: MarketNo } | undefined {
  const { marketId }: { readonly marketId?: Raw<'ID'> | null } = plan.args;
  if (!isGiven(marketId)) return {};
  const market = view.marketById(readMarketId(marketId))?.number;
  return market === undefined ? undefined : { market };
}

/** Reads a list of markets without duplicates; undefined for all. @throws WireFault for an empty list */
export function readMarketList(args: Arguments): readonly MarketId[] | undefined {
  const { marketIds }: { readonly marketIds?: readonly Raw<'ID'>[] | null } = args;
  if (!isGiven(marketIds)) return undefined;
  if (marketIds.length === 0) throw invalidArgument('marketIds: expected at least one market');
  return [...new Set(marketIds.map(readMarketId))];
}

export function readAfterSeq(args: Arguments): number | undefined {
  const { afterSeq }: { readonly afterSeq?: Raw<'UintString'> | null } = args;
  return isGiven(afterSeq) ? readSafeUint('afterSeq', afterSeq) : undefined;
}
