/** Queries of the caller's balance, ledger, positions and portfolio. */
import type { LedgerFilter, LedgerRow } from '../../exchange/index.ts';
import {
  type RawLedgerInput,
  type RawPositionsInput,
  readMarketId,
  readOutcome,
  readTime,
} from '../../protocol/index.ts';
import { isGiven } from '../graphql/context.ts';
import { compareSortKeys } from '../paging/cursors.ts';
import { createConnection, readPage, sortedPage } from '../paging/pages.ts';
import type { RootResolvers } from '../presenters/models.ts';
import { presentBalance, presentLedgerEntry, presentPortfolio } from '../presenters/money-presenter.ts';
import {
  type HeldPosition,
  isClaimable,
  isOpenPosition,
  listPositions,
  positionId,
  presentPosition,
} from '../presenters/position-presenter.ts';
import { requireCaller, UNKNOWN_NUMBER } from './caller.ts';
import type { ResolverDeps } from './deps.ts';

type Names = 'balance' | 'ledger' | 'positions' | 'claimablePositions' | 'portfolio';

export function moneyQueries(deps: ResolverDeps): RootResolvers<'Query', Names> {
  const { queue, archive, ids, cursors, marketViews } = deps;
  const presenterDeps = { view: queue.view, marketViews };
  return {
    balance: (_, context) => {
      const { account } = requireCaller(context, deps);
      return queue.read((view) => presentBalance(account, view, queue.now));
    },
    portfolio: (_, context) => {
      const { account } = requireCaller(context, deps);
      return queue.read((view) => presentPortfolio(account, view, queue.now));
    },
    ledger: ({ input }, context) => {
      const { account } = requireCaller(context, deps);
      const getSortKey = ({ at, id }: LedgerRow) => ({ value: at, id });
      const list = { list: `ledger of ${account}`, sort: 'AT_DESC', getSortKey };
      const page = readPage(input ?? {}, (cursor) => Number(cursors.open(list, cursor).id));
      const getFilter = readLedgerFilter(input ?? {}, deps);
      return queue.read(() => {
        const rows = archive.ledger(account, getFilter(), page);
        return createConnection(cursors, list, rows, (row) => presentLedgerEntry(row, ids));
      });
    },
    positions: ({ input }, context) => {
      const { account } = requireCaller(context, deps);
      const list = { list: `positions of ${account}`, sort: 'UPDATED_AT_DESC', getSortKey };
      const page = readPage(input ?? {}, (cursor) => cursors.open(list, cursor));
      const matches = readPositionFilter(input);
      return queue.read(() => {
        const held = listAccountPositions(account, deps).filter(matches);
        held.sort((a, b) => compareSortKeys(getSortKey(a), getSortKey(b), 'descending'));
        const rows = sortedPage(held, page, (row, sortKey) => compareSortKeys(getSortKey(row), sortKey, 'descending'));
        return createConnection(cursors, list, rows, (position) => presentPosition(position, presenterDeps));
      });
    },
    claimablePositions: (_, context) => {
      const { account } = requireCaller(context, deps);
      return queue.read(() => {
        const claimable = listAccountPositions(account, deps).filter(isClaimable);
        return claimable.map((position) => presentPosition(position, presenterDeps));
      });
    },
  };
}

/** Returns all positions of an account, in the order of its holdings. */
function listAccountPositions(account: number, { queue, archive }: ResolverDeps): HeldPosition[] {
  const { view } = queue;
  const rows = new Map(archive.holdingsOf(account).map((row) => [row.market, row]));
  return view.holdingsOf(account).flatMap((holding) => {
    const market = view.market(holding.market);
    return market === undefined ? [] : listPositions(market, holding, rows.get(holding.market));
  });
}

function getSortKey(position: HeldPosition): { readonly value: number; readonly id: string } {
  return { value: position.changedAt, id: positionId(position) };
}

function readLedgerFilter({ kinds, marketId, since }: RawLedgerInput, { ids }: ResolverDeps): () => LedgerFilter {
  const id = isGiven(marketId) ? readMarketId(marketId) : undefined;
  const filter = { kinds: kinds ?? undefined, since: isGiven(since) ? readTime('since', since) : undefined };
  return () => ({ ...filter, market: id === undefined ? undefined : (ids.marketNo(id) ?? UNKNOWN_NUMBER) });
}

function readPositionFilter(input: RawPositionsInput | null | undefined): (position: HeldPosition) => boolean {
  const id = isGiven(input?.marketId) ? readMarketId(input.marketId) : undefined;
  const outcome = isGiven(input?.outcome) ? readOutcome('outcome', input.outcome) : undefined;
  const isOpenOnly = input?.openOnly ?? true;
  return (position) =>
    (id === undefined || position.market.id === id) &&
    (outcome === undefined || position.outcome === outcome) &&
    (!isOpenOnly || isOpenPosition(position));
}
