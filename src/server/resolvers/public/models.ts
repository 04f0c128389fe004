/** What stands for the objects of the contract here: plain answers, ready as they are durable together. */
import type { Answer, ArgsOf, ObjectName, PlainModels, ResolverFields, ResultOf } from '../../../protocol/index.ts';
import type { OperationContext } from '../../graphql/index.ts';

/** A market as it was at one moment; it never changes. Category and topics are found when they are asked for. */
export interface ShownMarket extends Omit<Answer<PublicModels, 'Market'>, 'category' | 'topics'> {
  readonly categorySlug: string;
  readonly topicSlugs: readonly string[];
}

/** Objects by name. */
export interface PublicModels extends Omit<PlainModels<PublicModels>, 'Market'> {
  readonly Market: ShownMarket;
}

/** An object, ready. */
export type Shown<Name extends ObjectName> = PublicModels[Name];

/** Resolvers of some fields of a root. */
export type RootsOf<Root extends 'Query' | 'Mutation', Names extends keyof ResolverFields<PublicModels>[Root]> = {
  readonly [F in Names]: (
    args: ArgsOf<ResolverFields<PublicModels>[Root][F]>,
    context: OperationContext,
  ) => ResultOf<ResolverFields<PublicModels>[Root][F]> | Promise<ResultOf<ResolverFields<PublicModels>[Root][F]>>;
};
