/** Mutations that split cash into pairs, merge pairs, and claim payouts of final markets. */
import { isFinal, unchecked } from '../../domain/index.ts';
import type { ExchangeCommand, Restriction } from '../../exchange/index.ts';
import { centsDown, centsUp, type Raw, readMarketId, readSafeUint } from '../../protocol/index.ts';
import type { OperationContext } from '../graphql/context.ts';
import type { Model, RootResolvers } from '../presenters/models.ts';
import {
  getPosition,
  type HeldPosition,
  listPositions,
  positionPayout,
  presentPosition,
} from '../presenters/position-presenter.ts';
import { type ApiRefusal, presentRejection } from '../rejection.ts';
import { type Caller, callerFields, requireCaller, UNKNOWN_NUMBER } from './caller.ts';
import type { ResolverDeps } from './deps.ts';
import { CommandResults } from './place-request.ts';

type Names = 'splitPosition' | 'mergePosition' | 'claimPosition' | 'claimAllPositions';

export function conversionResolvers(deps: ResolverDeps): RootResolvers<'Mutation', Names> {
  return {
    splitPosition: (args, context) => convert('split', args, context, deps),
    mergePosition: (args, context) => convert('merge', args, context, deps),
    claimPosition: ({ marketId }, context) => claim(marketId, context, deps),
    claimAllPositions: (_, context) => claim(undefined, context, deps),
  };
}

function convert(
  type: 'split' | 'merge',
  args: { readonly marketId: Raw<'ID'>; readonly sets: Raw<'UintString'> },
  context: OperationContext,
  deps: ResolverDeps,
) {
  const caller = requireCaller(context, deps);
  const id = readMarketId(args.marketId);
  const shares = unchecked.shares(readSafeUint('sets', args.sets));
  const { queue, ids, access } = deps;
  let market = unchecked.market(UNKNOWN_NUMBER);
  let earlyRefusal: ApiRefusal | undefined;
  return queue.run({
    command: () => {
      market = ids.marketNo(id) ?? market;
      earlyRefusal = market < 0 ? undefined : restrictionRefusal(type, access.getRestriction(context));
      return earlyRefusal === undefined ? { type, ...callerFields(caller, deps), market, shares } : undefined;
    },
    answer: (events): Model<'PositionChangePayload'> => {
      const refusal = earlyRefusal ?? new CommandResults(events).getRefusal(0);
      const { seq } = queue.view;
      if (refusal !== undefined) {
        return { yes: null, no: null, amountCents: 0, amountMicros: 0, rejection: presentRejection(refusal), seq };
      }
      // A pair costs one dollar, so a micro-share costs one micro-USD.
      const amount = unchecked.usd(shares);
      const { record, holding, row, present } = requireHolding(market, caller, deps);
      return {
        yes: present(getPosition(record, holding, 'YES', row)),
        no: present(getPosition(record, holding, 'NO', row)),
        amountCents: type === 'split' ? centsUp(amount) : centsDown(amount),
        amountMicros: amount,
        rejection: null,
        seq,
      };
    },
  });
}

/** Every restriction forbids a split. Only GEO_BLOCKED forbids a merge, which closes a position. */
function restrictionRefusal(type: 'split' | 'merge', restriction: Restriction | undefined): ApiRefusal | undefined {
  if (restriction === undefined || (type === 'merge' && restriction !== 'GEO_BLOCKED')) return undefined;
  return { reason: restriction === 'EMAIL_NOT_VERIFIED' ? restriction : 'GEO_BLOCKED' };
}

function requireHolding(market: number, { account }: Caller, { queue: { view }, archive, marketViews }: ResolverDeps) {
  const record = view.market(market);
  const holding = view.holding(account, market);
  if (record === undefined || holding === undefined)
    throw new RangeError(`Invariant: account ${account} has no holding in market ${market}`);
  const present = (position: HeldPosition): Model<'Position'> => presentPosition(position, { view, marketViews });
  return { record, holding, row: archive.holding(account, market), present };
}

function claim(marketId: Raw<'ID'> | undefined, context: OperationContext, deps: ResolverDeps) {
  const caller = requireCaller(context, deps);
  const id = marketId === undefined ? undefined : readMarketId(marketId);
  const { queue, ids } = deps;
  return queue.run({
    command: (): ExchangeCommand => {
      const market = id === undefined ? undefined : (ids.marketNo(id) ?? unchecked.market(UNKNOWN_NUMBER));
      return { type: 'claim', ...callerFields(caller, deps), market };
    },
    answer: (events): Model<'ClaimPayload'> => {
      const refusal = new CommandResults(events).getRefusal(0);
      const claims = events.flatMap((entry) =>
        entry.type === 'rareEvent' && entry.event.type === 'claimed' ? [entry.event] : [],
      );
      const total = claims.reduce((sum, { paid }) => sum + paid, 0);
      return {
        claims: claims.flatMap(({ market }) => presentClaimedPositions(market, caller, deps)),
        totalPayoutCents: centsDown(unchecked.usd(total)),
        totalPayoutMicros: total,
        rejection: refusal === undefined ? null : presentRejection(refusal),
        seq: queue.view.seq,
      };
    },
  });
}

function presentClaimedPositions(market: number, caller: Caller, deps: ResolverDeps): readonly Model<'Position'>[] {
  const { record, holding, row, present } = requireHolding(market, caller, deps);
  if (!isFinal(record.status)) throw new RangeError(`Invariant: market ${market} was claimed before its end`);
  return listPositions(record, holding, row)
    .filter((position) => positionPayout(position) > 0)
    .map(present);
}
