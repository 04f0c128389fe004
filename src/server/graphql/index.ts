export type { Answer, Data, Reply } from './answer.ts';
export { requestFailed } from './answer.ts';
export type { OperationContext, Viewer } from './context.ts';
export { CACHE_BOUNDS, type CacheBounds } from './document-cache.ts';
export { problemOf, type ReadBucket } from './gate.ts';
export { LIMITS, type Limits } from './limits.ts';
export { type Log, logged } from './log.ts';
export { COMPILE, type CompileRule } from './projection.ts';
export type { Arguments, FieldResolver, ResolverMap, RootResolver } from './resolver-map.ts';
export {
  type GraphqlRequest,
  GraphqlService,
  type ReadRequest,
  type ServiceOptions,
  type SubscriptionPlan,
} from './service.ts';
export type { Tally } from './tallies.ts';
export type { ObjectResolversOf, RootResolverOf, RootResolversOf, TypedResolvers } from './typed-resolvers.ts';
