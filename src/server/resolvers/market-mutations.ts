/** Mutations by which creators void markets and holders dispute decisions. */
import { counted, type MarketNo } from '../../domain/index.ts';
import type { AccountCommand, ExchangeCommand } from '../../exchange/index.ts';
import { type Raw, readMarketId } from '../../protocol/index.ts';
import type { OperationContext } from '../graphql/context.ts';
import type { Model, RootResolvers } from '../presenters/models.ts';
import { presentResolution } from '../presenters/resolution-presenter.ts';
import { presentRejection, type Rejection } from '../rejection.ts';
import { callerFields, callerOf } from './caller.ts';
import type { ResolverDeps } from './deps.ts';

/** A number that no market has: the exchange refuses it as NOT_FOUND. */
const UNKNOWN = -1;

export function marketMutations(deps: ResolverDeps): RootResolvers<'Mutation', 'cancelMarket' | 'disputeResolution'> {
  const { queue, marketViews } = deps;
  return {
    cancelMarket: ({ marketId }, context) =>
      change<Model<'MarketPayload'>>(marketId, context, deps, {
        command: (fields, market) => ({ type: 'voidByCreator', ...fields, market }),
        done: (market) => ({ market: marketViews.market(market), rejection: null }),
        refused: (rejection) => ({ market: null, rejection }),
      }),
    disputeResolution: ({ marketId, reason }, context) =>
      change<Model<'DisputePayload'>>(marketId, context, deps, {
        command: (fields, market) => ({ type: 'dispute', ...fields, market, reason }),
        done: (market) => {
          const record = queue.view.market(market);
          return { resolution: record === undefined ? null : presentResolution(record), rejection: null };
        },
        refused: (rejection) => ({ resolution: null, rejection }),
      }),
  };
}

interface Change<Payload> {
  readonly command: (fields: AccountCommand, market: MarketNo) => ExchangeCommand;
  readonly done: (market: MarketNo) => Payload;
  readonly refused: (rejection: Rejection) => Payload;
}

function change<Payload>(
  marketId: Raw<'ID'>,
  context: OperationContext,
  deps: ResolverDeps,
  { command, done, refused }: Change<Payload>,
): Payload | Promise<Payload> {
  const { queue, ids } = deps;
  const caller = callerOf(context, deps);
  const id = readMarketId(marketId);
  let market = counted.market(UNKNOWN);
  return queue.run({
    command: () => {
      market = ids.market(id) ?? market;
      return command(callerFields(caller, deps), market);
    },
    answer: (events) => {
      const refusal = events.find((event) => event.type === 'refused')?.refusal;
      return refusal === undefined ? done(market) : refused(presentRejection(refusal));
    },
  });
}
