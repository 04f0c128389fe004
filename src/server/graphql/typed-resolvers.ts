/**
 * Resolvers as the compiler holds them against the contract: a wrong type, a forgotten field or one that its object does
 * not carry does not compile. What passes is a `ResolverMap`.
 */
import type {
  ArgsOf,
  Models,
  ObjectName,
  ResolverFields,
  ResultOf,
  UnreadyField,
  UnreadyObject,
} from '../../protocol/index.ts';
import type { OperationContext } from './context.ts';

/** Answers one query or mutation. */
export type RootResolverOf<F> = (args: ArgsOf<F>, context: OperationContext) => ResultOf<F> | PromiseLike<ResultOf<F>>;

/** All fields of a root type. @typeParam M what stands for each object of the contract inside the server */
export type RootResolversOf<M extends Models, Root extends 'Query' | 'Mutation'> = {
  readonly [F in keyof ResolverFields<M>[Root]]: RootResolverOf<ResolverFields<M>[Root][F]>;
};

/** Fields of an object that are not there to be read. */
export type ObjectResolversOf<M extends Models, Name extends ObjectName> = {
  readonly [F in UnreadyField<M, Name>]: (
    source: M[Name],
    context: OperationContext,
  ) => ResultOf<ResolverFields<M>[Name][F]>;
};

/** Everything a server has to say but for its subscriptions. */
export interface TypedResolvers<M extends Models> {
  readonly Query: RootResolversOf<M, 'Query'>;
  readonly Mutation: RootResolversOf<M, 'Mutation'>;
  readonly objects: { readonly [Name in UnreadyObject<M>]: ObjectResolversOf<M, Name> };
}
