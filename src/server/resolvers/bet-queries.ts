/**
 * Queries of an order's limits, and of a quote for an order. Cents are rounded **up** for minimums, costs and fees, and
 * **down** for maximums, remaining amounts and proceeds.
 */
import type { Outcome } from '../../domain/index.ts';
import { type BetCaller, type BetSize, betLimits, betQuote } from '../../exchange/index.ts';
import {
  badArgument,
  centsDown,
  centsUp,
  parseArgument,
  readCents,
  readOutcome,
  readShares,
  requireExactlyOne,
  sharesFloat,
} from '../../protocol/index.ts';
import { isGiven, type OperationContext } from '../graphql/context.ts';
import { requireBook, requireQuotes } from '../presenters/market-presenter.ts';
import type { Model, RootResolvers } from '../presenters/models.ts';
import type { ResolverDeps } from './deps.ts';
import { readMarket } from './price-queries.ts';

/** Both fields are null for an unknown market. */
export function betQueries(deps: ResolverDeps): RootResolvers<'Query', 'betLimits' | 'betQuote'> {
  const { queue } = deps;
  const { view } = queue;
  return {
    betLimits: ({ marketId, outcome, side }, context) => {
      const requested = isGiven(outcome) ? readOutcome('outcome', outcome) : undefined;
      return readMarket(deps, marketId, (record): Model<'BetLimits'> => {
        const caller = getBetCaller(record.number, requested, context, deps);
        const limits = betLimits(view.config, record, { caller, side: side ?? undefined });
        const { remainingExposure } = limits;
        return {
          marketId: record.id,
          minBetCents: centsUp(limits.minBet),
          maxBetCents: centsDown(limits.maxBet),
          maxShares: sharesFloat(limits.maxShares),
          maxExposurePerMarketCents: centsDown(limits.maxExposure),
          remainingExposureCents: remainingExposure === undefined ? null : centsDown(remainingExposure),
          minOrderShares: sharesFloat(limits.minOrderShares),
          tickSizeBps: record.tickBps,
        };
      });
    },
    betQuote: ({ marketId, outcome: rawOutcome, side, amountCents, shares }) => {
      const outcome = readOutcome('outcome', rawOutcome);
      const size = readSize(amountCents, shares);
      return readMarket(deps, marketId, (record): Model<'BetQuote'> => {
        const { feeRateBps } = record;
        const quote = parseArgument(() => betQuote(requireBook(record, view), { outcome, side, size, feeRateBps }));
        const retailQuotes = requireQuotes(record, view);
        return {
          marketId: record.id,
          outcome,
          side,
          quotedPriceBps: outcome === 'YES' ? retailQuotes.yes : retailQuotes.no,
          averagePriceBps: quote.averagePrice ?? null,
          worstPriceBps: quote.worstPrice ?? null,
          shares: sharesFloat(quote.shares),
          amountCents: side === 'BUY' ? centsUp(quote.amount) : centsDown(quote.amount),
          feeCents: centsUp(quote.fee),
          fillable: quote.fillable,
          bookSeq: record.bookSeq,
          asOf: queue.now,
        };
      });
    },
  };
}

/** Returns the caller's exposure and sellable shares, or undefined without the scope READ. */
function getBetCaller(
  market: number,
  outcome: Outcome | undefined,
  { viewer }: OperationContext,
  { queue: { view }, ids }: ResolverDeps,
): BetCaller | undefined {
  if (viewer === undefined || !viewer.scopes.includes('READ')) return undefined;
  const account = ids.accountNo(viewer.account);
  const holding = account === undefined ? undefined : view.holding(account, market);
  if (holding === undefined) return { exposure: 0, available: 0 };
  const free = {
    YES: holding.yes.shares - holding.yes.reservedShares,
    NO: holding.no.shares - holding.no.reservedShares,
  };
  // Without an outcome, the larger amount applies.
  return { exposure: holding.exposure, available: outcome === undefined ? Math.max(free.YES, free.NO) : free[outcome] };
}

function readSize(amountCents: number | null | undefined, shares: number | null | undefined): BetSize {
  requireExactlyOne({ amountCents, shares });
  if (isGiven(shares)) {
    const size = readShares('shares', shares);
    if (size === 0) throw badArgument('shares', shares, 'more than 0');
    return { shares: size };
  }
  const amount = readCents('amountCents', amountCents ?? 0);
  if (amount === 0) throw badArgument('amountCents', amountCents, 'more than 0');
  return { amount };
}
