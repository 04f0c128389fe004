export {
  type Answer,
  type Arguments,
  type Data,
  isGiven,
  type Log,
  logged,
  type OperationContext,
  type Reply,
  rateLimitedReply,
  requestFailed,
  type Viewer,
} from './context.ts';
export { CACHE_BOUNDS, type CacheBounds } from './documents.ts';
export { bodyPrice, problemOf, type QuotaBucket, type RequestQuota } from './gate.ts';
export { LIMITS, type Limits } from './limits.ts';
export type { FieldCounts } from './operation.ts';
export { COMPILE, type CompileRule } from './projection.ts';
export { type GraphqlRequest, type Opened, type ReadRequest, type SubscriptionPlan, unreadable } from './request.ts';
export type {
  FieldResolver,
  ObjectResolversOf,
  ResolverMap,
  RootResolver,
  RootResolverOf,
  RootResolversOf,
  TypedResolvers,
} from './resolvers.ts';
export { GraphqlService, type ServiceOptions } from './service.ts';
