/** Cash into pairs and back, and what final markets owe. */
import { column, counted, isFinal, type MicroUsd, type Outcome } from '../../../domain/index.ts';
import type { ExchangeCommand, ExchangeEvent, HoldingView, Restriction } from '../../../exchange/index.ts';
import { centsDown, centsUp, type Raw, readMarketId, readSafeUint } from '../../../protocol/index.ts';
import type { OperationContext } from '../../graphql/index.ts';
import { type Refused, showRejection } from '../../rejection.ts';
import { askedBy, type Caller, callerOf } from './caller.ts';
import type { RootsOf, Shown } from './models.ts';
import { EngineAnswers } from './place-result.ts';
import type { TradingPorts } from './ports.ts';
import { dueOf, positionAt, positionsOf, showPosition } from './show-position.ts';

/** The names of the fields made here. */
type Names = 'splitPosition' | 'mergePosition' | 'claimPosition' | 'claimAllPositions';
type Change = Shown<'PositionChangePayload'>;
type Claimed = Shown<'ClaimPayload'>;

/** Splits, merges and claims. */
export function conversionResolvers(ports: TradingPorts): RootsOf<'Mutation', Names> {
  return {
    splitPosition: (args, context) => convert('split', args, context, ports),
    mergePosition: (args, context) => convert('merge', args, context, ports),
    claimPosition: ({ marketId }, context) => claim(marketId, context, ports),
    claimAllPositions: (_, context) => claim(undefined, context, ports),
  };
}

function convert(
  type: 'split' | 'merge',
  args: { readonly marketId: Raw<'ID'>; readonly sets: Raw<'UintString'> },
  context: OperationContext,
  ports: TradingPorts,
): Change | Promise<Change> {
  const caller = callerOf(context, ports);
  const id = readMarketId(args.marketId);
  const shares = column.shares(readSafeUint('sets', args.sets));
  const { queue, ids, callers } = ports;
  let market = counted.market(-1);
  let before: Refused | undefined;
  return queue.run({
    command: () => {
      market = ids.market(id) ?? market;
      before = market < 0 ? undefined : restrictionRefusal(type, callers.restrictionOf(context));
      return before === undefined ? { type, ...askedBy(caller, ports), market, shares } : undefined;
    },
    answer: (events) => {
      const refusal = before ?? new EngineAnswers(events).refusalOf(0);
      const { seq } = queue.view;
      if (refusal !== undefined) {
        return { yes: null, no: null, amountCents: 0, amountMicros: 0, rejection: showRejection(refusal), seq };
      }
      // A pair is a dollar: a micro-USD a micro-share.
      const amount = column.usd(shares);
      return {
        yes: positionNow(caller, market, 'YES', ports),
        no: positionNow(caller, market, 'NO', ports),
        amountCents: type === 'split' ? centsUp(amount) : centsDown(amount),
        amountMicros: amount,
        rejection: null,
        seq,
      };
    },
  });
}

/** Splitting is new business; merging is kept from whoever may not even close what he has. */
function restrictionRefusal(type: 'split' | 'merge', restriction: Restriction | undefined): Refused | undefined {
  if (restriction === undefined || (type === 'merge' && restriction !== 'GEO_BLOCKED')) return undefined;
  return { reason: restriction === 'EMAIL_NOT_VERIFIED' ? restriction : 'GEO_BLOCKED' };
}

function positionNow(
  { account }: Caller,
  market: number,
  outcome: Outcome,
  { queue, archive, showMarket }: TradingPorts,
): Shown<'Position'> {
  const { view } = queue;
  const record = view.market(market);
  const holding = view.holding(account, market);
  if (record === undefined || holding === undefined) {
    throw new RangeError(`Invariant: account ${account} converted in market ${market} and holds nothing there`);
  }
  const position = positionAt(record, holding, outcome, archive.holding(account, market));
  return showPosition(position, { view, showMarket });
}

function claim(
  marketId: Raw<'ID'> | undefined,
  context: OperationContext,
  ports: TradingPorts,
): Claimed | Promise<Claimed> {
  const caller = callerOf(context, ports);
  const id = marketId === undefined ? undefined : readMarketId(marketId);
  const { queue, ids } = ports;
  return queue.run({
    command: (): ExchangeCommand => {
      const market = id === undefined ? undefined : (ids.market(id) ?? counted.market(-1));
      return { type: 'claim', ...askedBy(caller, ports), market };
    },
    answer: (events) => {
      const refusal = new EngineAnswers(events).refusalOf(0);
      const paid = claimsOf(events);
      const total = paid.reduce((sum, { amount }) => sum + amount, 0);
      return {
        claims: paid.flatMap(({ market }) => claimedIn(market, caller, ports)),
        totalPayoutCents: centsDown(column.usd(total)),
        totalPayoutMicros: total,
        rejection: refusal === undefined ? null : showRejection(refusal),
        seq: queue.view.seq,
      };
    },
  });
}

function claimsOf(events: readonly ExchangeEvent[]): readonly { readonly market: number; readonly amount: MicroUsd }[] {
  return events.flatMap((told) =>
    told.type === 'happened' && told.event.type === 'claimed'
      ? [{ market: told.event.market, amount: told.event.paid }]
      : [],
  );
}

/** The positions that were paid for, as they stand after it. */
function claimedIn(
  market: number,
  { account }: Caller,
  { queue, archive, showMarket }: TradingPorts,
): readonly Shown<'Position'>[] {
  const { view } = queue;
  const record = view.market(market);
  const holding: HoldingView | undefined = view.holding(account, market);
  if (record === undefined || holding === undefined || !isFinal(record.status)) {
    throw new RangeError(`Invariant: account ${account} claimed in market ${market}, which owed nothing`);
  }
  return positionsOf(record, holding, archive.holding(account, market))
    .filter((position) => dueOf(position) > 0)
    .map((position) => showPosition(position, { view, showMarket }));
}
