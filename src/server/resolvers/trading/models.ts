/** What stands for the objects of the contract here: plain answers with every field ready, as they are durable together. */
import type { ArgsOf, ObjectName, PlainModels, ResolverFields, ResultOf } from '../../../protocol/index.ts';
import type { OperationContext } from '../../graphql/index.ts';

/** Objects by name; a market is whatever the public resolvers make of one. */
export interface TradingModels extends Omit<PlainModels<TradingModels>, 'Market'> {
  readonly Market: object;
}

/** An object, ready. */
export type Shown<Name extends ObjectName> = TradingModels[Name];

/** Resolvers of some fields of a root. */
export type RootsOf<Root extends 'Query' | 'Mutation', Names extends keyof ResolverFields<TradingModels>[Root]> = {
  readonly [F in Names]: (
    args: ArgsOf<ResolverFields<TradingModels>[Root][F]>,
    context: OperationContext,
  ) => ResultOf<ResolverFields<TradingModels>[Root][F]> | Promise<ResultOf<ResolverFields<TradingModels>[Root][F]>>;
};
