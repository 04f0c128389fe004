export { Access } from './access.ts';
export { type AccessResolvers, accessResolvers } from './access-resolvers.ts';
export { Buckets, type Caller, requestQuota, type ShownBucket } from './buckets.ts';
export { Credentials, type Shown } from './credentials.ts';
export { networkOf } from './ip-list.ts';
export { fileOutbox, logOutbox } from './outboxes.ts';
export type {
  AccessPorts,
  Mail,
  NewWallet,
  Outbox,
  Payout,
  PayoutChain,
  PayoutNews,
} from './ports.ts';
export {
  ACCESS_DEFAULTS,
  type AccessSettings,
  accessSettings,
  BUCKET_NAMES,
  type BucketName,
  type BucketSize,
  type GeoRule,
  type GeoSettings,
  type GivenAccessSettings,
  type RestrictedAct,
} from './settings.ts';
export {
  failing,
  PAYOUT_DEFAULTS,
  type PayoutSettings,
  SimulatedPayouts,
  type SimulatedPayoutsOptions,
} from './simulated-payouts.ts';
export { authorizationOf } from './token-text.ts';
export type { WithdrawalSigningParams } from './withdrawal-message.ts';
