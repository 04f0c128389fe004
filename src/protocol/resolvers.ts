/**
 * What a server has to say for each field, checked by the compiler: who gives a field of the wrong type, or forgets one
 * that its own object does not carry, does not compile.
 *
 * A server says in `M` what stands for each object, most simply by
 * `interface ServerModels extends Omit<PlainModels<ServerModels>, 'Market'> { readonly Market: MarketRow }`.
 */
import type { GraphQLResolveInfo } from 'graphql';
import type { ArgsOf, ResultOf } from './field.ts';
import type { Models, ObjectName, ResolverFields } from './generated/resolver-types.ts';

/** What answers one field. */
export type Resolver<Parent, F, Context> = (
  parent: Parent,
  args: ArgsOf<F>,
  context: Context,
  info: GraphQLResolveInfo,
) => ResultOf<F> | PromiseLike<ResultOf<F>>;

/** What answers the queries, or the mutations: all of them. */
export type RootResolvers<M extends Models, Root extends 'Query' | 'Mutation', Context> = {
  readonly [F in keyof ResolverFields<M>[Root]]: Resolver<unknown, ResolverFields<M>[Root][F], Context>;
};

/** Where the news of a subscription come from. */
export type SubscriptionSources<M extends Models, Context> = {
  readonly [F in keyof ResolverFields<M>['Subscription']]: (
    args: ArgsOf<ResolverFields<M>['Subscription'][F]>,
    context: Context,
  ) => AsyncIterable<ResultOf<ResolverFields<M>['Subscription'][F]>>;
};

/** What answers the fields of an object: it has to for those that are not there to be read, and may for the others. */
export type ObjectResolvers<M extends Models, Name extends ObjectName, Context> = {
  readonly [F in Unready<M, Name>]: Resolver<M[Name], ResolverFields<M>[Name][F], Context>;
} & {
  readonly [F in keyof ResolverFields<M>[Name]]?: Resolver<M[Name], ResolverFields<M>[Name][F], Context>;
};

/** Everything that a server has to say but for its subscriptions. */
export type Resolvers<M extends Models, Context> = {
  readonly Query: RootResolvers<M, 'Query', Context>;
  readonly Mutation: RootResolvers<M, 'Mutation', Context>;
} & { readonly [Name in Incomplete<M>]: ObjectResolvers<M, Name, Context> } & {
  readonly [Name in ObjectName]?: ObjectResolvers<M, Name, Context>;
};

/** Fields that the object itself does not carry, or not as they are to be given. */
type Unready<M extends Models, Name extends ObjectName> = {
  [F in keyof ResolverFields<M>[Name]]: M[Name] extends { readonly [Key in F]: ResultOf<ResolverFields<M>[Name][F]> }
    ? never
    : F;
}[keyof ResolverFields<M>[Name]];

type Incomplete<M extends Models> = {
  [Name in ObjectName]: [Unready<M, Name>] extends [never] ? never : Name;
}[ObjectName];
