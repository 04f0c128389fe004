/**
 * The models of the GraphQL schema's objects: plain values with all fields, created while the exchange's state is
 * durable. The compiler rejects a presenter that omits a field of the schema.
 */
import type { ArgsOf, ObjectName, PlainModels, ResultOf, RootFields } from '../../protocol/index.ts';
import type { OperationContext } from '../graphql/context.ts';
import type { MarketKeys, marketFields } from './market-fields.ts';

/** An immutable snapshot of a market, without the fields that are read on request. */
export interface MarketModel
  extends Omit<PlainModels<ServerModels>['Market'], keyof ReturnType<typeof marketFields>>,
    MarketKeys {}

/** Models by the object's name in the schema. */
export interface ServerModels extends Omit<PlainModels<ServerModels>, 'Market'> {
  readonly Market: MarketModel;
}

export type Model<Name extends ObjectName> = ServerModels[Name];

export type RootResolvers<Root extends 'Query' | 'Mutation', Names extends keyof RootFields<ServerModels>[Root]> = {
  readonly [F in Names]: (
    args: ArgsOf<RootFields<ServerModels>[Root][F]>,
    context: OperationContext,
  ) => ResultOf<RootFields<ServerModels>[Root][F]> | Promise<ResultOf<RootFields<ServerModels>[Root][F]>>;
};
