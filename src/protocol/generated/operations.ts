/** A document for every operation, with the types of its variables and answers. Made by `npm run codegen`: do not edit. */
import type { Operation } from '../operation.ts';
import type { Selection } from '../selection.ts';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type * as Types from './schema-types.ts';

export type PageInfoFieldsFragment = { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null };

export type CategoryFieldsFragment = { readonly name: string, readonly slug: string, readonly marketCount: number, readonly totalVolumeCents: number };

export type TopicFieldsFragment = { readonly id: string, readonly name: string, readonly slug: string, readonly categorySlug: string, readonly marketCount: number };

export type MarketFieldsFragment = { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly yesPriceBps: number, readonly noPriceBps: number, readonly spreadBps: number, readonly volumeCents: number, readonly resolutionDate: string, readonly description: string | null, readonly bestBidBps: number | null, readonly bestAskBps: number | null, readonly midpointBps: number | null, readonly lastTradePriceBps: number | null, readonly tickSizeBps: number, readonly minOrderShares: number, readonly lotShares: number, readonly feeRateBps: number, readonly acceptingOrders: boolean, readonly blockchainStep: Types.BlockchainStep | null, readonly eventId: string | null, readonly createdAt: string, readonly updatedAt: string, readonly category: { readonly name: string, readonly slug: string, readonly marketCount: number, readonly totalVolumeCents: number } | null, readonly topics: ReadonlyArray<{ readonly id: string, readonly name: string, readonly slug: string, readonly categorySlug: string, readonly marketCount: number }> };

export type MarketPageFragment = { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly yesPriceBps: number, readonly noPriceBps: number, readonly spreadBps: number, readonly volumeCents: number, readonly resolutionDate: string, readonly description: string | null, readonly bestBidBps: number | null, readonly bestAskBps: number | null, readonly midpointBps: number | null, readonly lastTradePriceBps: number | null, readonly tickSizeBps: number, readonly minOrderShares: number, readonly lotShares: number, readonly feeRateBps: number, readonly acceptingOrders: boolean, readonly blockchainStep: Types.BlockchainStep | null, readonly eventId: string | null, readonly createdAt: string, readonly updatedAt: string, readonly category: { readonly name: string, readonly slug: string, readonly marketCount: number, readonly totalVolumeCents: number } | null, readonly topics: ReadonlyArray<{ readonly id: string, readonly name: string, readonly slug: string, readonly categorySlug: string, readonly marketCount: number }> } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } };

export type CategoriesQueryVariables = Exact<{ [key: string]: never; }>;


export type CategoriesQuery = { readonly categories: ReadonlyArray<{ readonly name: string, readonly slug: string, readonly marketCount: number, readonly totalVolumeCents: number }> };

export type CategoryQueryVariables = Exact<{
  slug: string;
}>;


export type CategoryQuery = { readonly category: { readonly name: string, readonly slug: string, readonly marketCount: number, readonly totalVolumeCents: number } | null };

export type TopicsQueryVariables = Exact<{
  categorySlug?: string | null | undefined;
  search?: string | null | undefined;
}>;


export type TopicsQuery = { readonly topics: ReadonlyArray<{ readonly id: string, readonly name: string, readonly slug: string, readonly categorySlug: string, readonly marketCount: number }> | null };

export type TopicQueryVariables = Exact<{
  slug: string;
}>;


export type TopicQuery = { readonly topic: { readonly id: string, readonly name: string, readonly slug: string, readonly categorySlug: string, readonly marketCount: number } | null };

export type MarketsQueryVariables = Exact<{
  input?: Types.MarketsInput | null | undefined;
}>;


export type MarketsQuery = { readonly markets: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly yesPriceBps: number, readonly noPriceBps: number, readonly spreadBps: number, readonly volumeCents: number, readonly resolutionDate: string, readonly description: string | null, readonly bestBidBps: number | null, readonly bestAskBps: number | null, readonly midpointBps: number | null, readonly lastTradePriceBps: number | null, readonly tickSizeBps: number, readonly minOrderShares: number, readonly lotShares: number, readonly feeRateBps: number, readonly acceptingOrders: boolean, readonly blockchainStep: Types.BlockchainStep | null, readonly eventId: string | null, readonly createdAt: string, readonly updatedAt: string, readonly category: { readonly name: string, readonly slug: string, readonly marketCount: number, readonly totalVolumeCents: number } | null, readonly topics: ReadonlyArray<{ readonly id: string, readonly name: string, readonly slug: string, readonly categorySlug: string, readonly marketCount: number }> } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } | null };

export type MarketQueryVariables = Exact<{
  id?: string | null | undefined;
  slug?: string | null | undefined;
}>;


export type MarketQuery = { readonly market: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly yesPriceBps: number, readonly noPriceBps: number, readonly spreadBps: number, readonly volumeCents: number, readonly resolutionDate: string, readonly description: string | null, readonly bestBidBps: number | null, readonly bestAskBps: number | null, readonly midpointBps: number | null, readonly lastTradePriceBps: number | null, readonly tickSizeBps: number, readonly minOrderShares: number, readonly lotShares: number, readonly feeRateBps: number, readonly acceptingOrders: boolean, readonly blockchainStep: Types.BlockchainStep | null, readonly eventId: string | null, readonly createdAt: string, readonly updatedAt: string, readonly category: { readonly name: string, readonly slug: string, readonly marketCount: number, readonly totalVolumeCents: number } | null, readonly topics: ReadonlyArray<{ readonly id: string, readonly name: string, readonly slug: string, readonly categorySlug: string, readonly marketCount: number }> } | null };

export type CreatedMarketsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type CreatedMarketsQuery = { readonly createdMarkets: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly yesPriceBps: number, readonly noPriceBps: number, readonly spreadBps: number, readonly volumeCents: number, readonly resolutionDate: string, readonly description: string | null, readonly bestBidBps: number | null, readonly bestAskBps: number | null, readonly midpointBps: number | null, readonly lastTradePriceBps: number | null, readonly tickSizeBps: number, readonly minOrderShares: number, readonly lotShares: number, readonly feeRateBps: number, readonly acceptingOrders: boolean, readonly blockchainStep: Types.BlockchainStep | null, readonly eventId: string | null, readonly createdAt: string, readonly updatedAt: string, readonly category: { readonly name: string, readonly slug: string, readonly marketCount: number, readonly totalVolumeCents: number } | null, readonly topics: ReadonlyArray<{ readonly id: string, readonly name: string, readonly slug: string, readonly categorySlug: string, readonly marketCount: number }> } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } | null };

export type MarketStatusChangedSubscriptionVariables = Exact<{
  marketIds?: ReadonlyArray<string> | string | null | undefined;
}>;


export type MarketStatusChangedSubscription = { readonly marketStatusChanged: { readonly previousStatus: Types.MarketStatus | null, readonly status: Types.MarketStatus, readonly blockchainStep: Types.BlockchainStep | null, readonly reason: string, readonly created: boolean, readonly at: string, readonly market: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly yesPriceBps: number, readonly noPriceBps: number, readonly spreadBps: number, readonly volumeCents: number, readonly resolutionDate: string, readonly description: string | null, readonly bestBidBps: number | null, readonly bestAskBps: number | null, readonly midpointBps: number | null, readonly lastTradePriceBps: number | null, readonly tickSizeBps: number, readonly minOrderShares: number, readonly lotShares: number, readonly feeRateBps: number, readonly acceptingOrders: boolean, readonly blockchainStep: Types.BlockchainStep | null, readonly eventId: string | null, readonly createdAt: string, readonly updatedAt: string, readonly category: { readonly name: string, readonly slug: string, readonly marketCount: number, readonly totalVolumeCents: number } | null, readonly topics: ReadonlyArray<{ readonly id: string, readonly name: string, readonly slug: string, readonly categorySlug: string, readonly marketCount: number }> } } | null };

export type LevelFieldsFragment = { readonly priceBps: number, readonly shares: number, readonly orderCount: number };

export type TradeFieldsFragment = { readonly id: string, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly lastTradePriceBps: number, readonly shares: number, readonly amountCents: number, readonly matchType: Types.MatchType, readonly seq: string, readonly executedAt: string };

export type OrderBookQueryVariables = Exact<{
  marketId: string;
  outcome?: Types.BetOutcome | null | undefined;
  depth?: number | null | undefined;
}>;


export type OrderBookQuery = { readonly orderBook: { readonly marketId: string, readonly outcome: Types.BetOutcome, readonly seq: string, readonly checksum: string, readonly bestBidBps: number | null, readonly bestAskBps: number | null, readonly midpointBps: number | null, readonly lastTradePriceBps: number | null, readonly tickSizeBps: number, readonly asOf: string, readonly bids: ReadonlyArray<{ readonly priceBps: number, readonly shares: number, readonly orderCount: number }>, readonly asks: ReadonlyArray<{ readonly priceBps: number, readonly shares: number, readonly orderCount: number }> } | null };

export type TradesQueryVariables = Exact<{
  marketId: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type TradesQuery = { readonly trades: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly lastTradePriceBps: number, readonly shares: number, readonly amountCents: number, readonly matchType: Types.MatchType, readonly seq: string, readonly executedAt: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } | null };

export type PriceHistoryQueryVariables = Exact<{
  marketId: string;
  since?: string | null | undefined;
  until?: string | null | undefined;
  interval?: Types.PriceInterval | null | undefined;
}>;


export type PriceHistoryQuery = { readonly priceHistory: ReadonlyArray<{ readonly at: string, readonly yesPriceBps: number, readonly noPriceBps: number, readonly midpointBps: number | null, readonly bestBidBps: number | null, readonly bestAskBps: number | null, readonly lastTradePriceBps: number | null, readonly volumeCents: number }> | null };

export type BetLimitsQueryVariables = Exact<{
  marketId: string;
  outcome?: Types.BetOutcome | null | undefined;
  side?: Types.OrderSide | null | undefined;
}>;


export type BetLimitsQuery = { readonly betLimits: { readonly marketId: string, readonly minBetCents: number, readonly maxBetCents: number, readonly maxShares: number, readonly maxExposurePerMarketCents: number, readonly remainingExposureCents: number | null, readonly minOrderShares: number, readonly tickSizeBps: number } | null };

export type BetQuoteQueryVariables = Exact<{
  marketId: string;
  outcome: Types.BetOutcome;
  side: Types.OrderSide;
  amountCents?: number | null | undefined;
  shares?: number | null | undefined;
}>;


export type BetQuoteQuery = { readonly betQuote: { readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly quotedPriceBps: number, readonly averagePriceBps: number | null, readonly worstPriceBps: number | null, readonly shares: number, readonly amountCents: number, readonly feeCents: number, readonly fillable: boolean, readonly bookSeq: string, readonly asOf: string } | null };

export type OrderBookUpdatedSubscriptionVariables = Exact<{
  marketId: string;
  depth?: number | null | undefined;
  afterSeq?: string | null | undefined;
}>;


export type OrderBookUpdatedSubscription = { readonly orderBookUpdated: { readonly kind: Types.BookEventKind, readonly marketId: string, readonly seq: string, readonly prevSeq: string, readonly checksum: string, readonly at: string, readonly bids: ReadonlyArray<{ readonly priceBps: number, readonly shares: number, readonly orderCount: number }>, readonly asks: ReadonlyArray<{ readonly priceBps: number, readonly shares: number, readonly orderCount: number }> } | null };

export type TradeExecutedSubscriptionVariables = Exact<{
  marketId: string;
}>;


export type TradeExecutedSubscription = { readonly tradeExecuted: { readonly id: string, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly lastTradePriceBps: number, readonly shares: number, readonly amountCents: number, readonly matchType: Types.MatchType, readonly seq: string, readonly executedAt: string } | null };

export type PriceUpdatedSubscriptionVariables = Exact<{
  marketIds: ReadonlyArray<string> | string;
}>;


export type PriceUpdatedSubscription = { readonly priceUpdated: { readonly marketId: string, readonly yesPriceBps: number, readonly noPriceBps: number, readonly spreadBps: number, readonly bestBidBps: number | null, readonly bestAskBps: number | null, readonly midpointBps: number | null, readonly lastTradePriceBps: number | null, readonly seq: string, readonly at: string } | null };

export type ResolutionFieldsFragment = { readonly marketId: string, readonly status: Types.MarketStatus, readonly outcome: Types.ResolutionOutcome | null, readonly yesPayoutBps: number | null, readonly noPayoutBps: number | null, readonly decidedAt: string | null, readonly finalAt: string | null, readonly disputeWindowEndsAt: string | null, readonly rationale: string | null };

export type VoteFieldsFragment = { readonly id: string, readonly model: string, readonly vote: Types.BetOutcome | null, readonly confidenceBps: number | null, readonly rationale: string, readonly sources: ReadonlyArray<string>, readonly round: number, readonly votedAt: string };

export type StepFieldsFragment = { readonly at: string, readonly actor: string, readonly fromStatus: Types.MarketStatus | null, readonly toStatus: Types.MarketStatus, readonly note: string, readonly data: string, readonly digest: string, readonly previousDigest: string };

export type ResolutionOutcomeQueryVariables = Exact<{
  marketId: string;
}>;


export type ResolutionOutcomeQuery = { readonly resolutionOutcome: { readonly marketId: string, readonly status: Types.MarketStatus, readonly outcome: Types.ResolutionOutcome | null, readonly yesPayoutBps: number | null, readonly noPayoutBps: number | null, readonly decidedAt: string | null, readonly finalAt: string | null, readonly disputeWindowEndsAt: string | null, readonly rationale: string | null } | null };

export type ModelVotesQueryVariables = Exact<{
  marketId: string;
}>;


export type ModelVotesQuery = { readonly modelVotes: ReadonlyArray<{ readonly id: string, readonly model: string, readonly vote: Types.BetOutcome | null, readonly confidenceBps: number | null, readonly rationale: string, readonly sources: ReadonlyArray<string>, readonly round: number, readonly votedAt: string }> | null };

export type TransparencyRecordQueryVariables = Exact<{
  marketId: string;
}>;


export type TransparencyRecordQuery = { readonly transparencyRecord: { readonly marketId: string, readonly question: string, readonly questionHash: string, readonly rules: string, readonly quorum: number, readonly headDigest: string, readonly transactionHashes: ReadonlyArray<string>, readonly steps: ReadonlyArray<{ readonly at: string, readonly actor: string, readonly fromStatus: Types.MarketStatus | null, readonly toStatus: Types.MarketStatus, readonly note: string, readonly data: string, readonly digest: string, readonly previousDigest: string }> } | null };

export type DisputeResolutionMutationVariables = Exact<{
  marketId: string;
  reason: string;
}>;


export type DisputeResolutionMutation = { readonly disputeResolution: { readonly resolution: { readonly marketId: string, readonly status: Types.MarketStatus, readonly outcome: Types.ResolutionOutcome | null, readonly yesPayoutBps: number | null, readonly noPayoutBps: number | null, readonly decidedAt: string | null, readonly finalAt: string | null, readonly disputeWindowEndsAt: string | null, readonly rationale: string | null } | null, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null } | null };

export type ResolutionUpdatedSubscriptionVariables = Exact<{
  marketId: string;
}>;


export type ResolutionUpdatedSubscription = { readonly resolutionUpdated: { readonly resolution: { readonly marketId: string, readonly status: Types.MarketStatus, readonly outcome: Types.ResolutionOutcome | null, readonly yesPayoutBps: number | null, readonly noPayoutBps: number | null, readonly decidedAt: string | null, readonly finalAt: string | null, readonly disputeWindowEndsAt: string | null, readonly rationale: string | null }, readonly vote: { readonly id: string, readonly model: string, readonly vote: Types.BetOutcome | null, readonly confidenceBps: number | null, readonly rationale: string, readonly sources: ReadonlyArray<string>, readonly round: number, readonly votedAt: string } | null, readonly step: { readonly at: string, readonly actor: string, readonly fromStatus: Types.MarketStatus | null, readonly toStatus: Types.MarketStatus, readonly note: string, readonly data: string, readonly digest: string, readonly previousDigest: string } } | null };

export type BettingConfigFieldsFragment = { readonly minBetCents: number, readonly maxInitialBetCents: number, readonly betPresets: ReadonlyArray<number>, readonly spreadBps: number, readonly maxBatchOrders: number, readonly maxBatchCancels: number, readonly minHeartbeatMs: number, readonly maxHeartbeatMs: number, readonly maxClockSkewMs: number, readonly feeRateBps: number };

export type MarketConfigFieldsFragment = { readonly maxQuestionLength: number, readonly maxExposurePerMarketCents: number, readonly maxBetPerMarketCents: number, readonly tickSizeBps: number, readonly minOrderShares: number, readonly lotShares: number, readonly disputeWindowSeconds: number };

export type BettingConfigQueryVariables = Exact<{ [key: string]: never; }>;


export type BettingConfigQuery = { readonly bettingConfig: { readonly minBetCents: number, readonly maxInitialBetCents: number, readonly betPresets: ReadonlyArray<number>, readonly spreadBps: number, readonly maxBatchOrders: number, readonly maxBatchCancels: number, readonly minHeartbeatMs: number, readonly maxHeartbeatMs: number, readonly maxClockSkewMs: number, readonly feeRateBps: number } };

export type MarketConfigQueryVariables = Exact<{ [key: string]: never; }>;


export type MarketConfigQuery = { readonly marketConfig: { readonly maxQuestionLength: number, readonly maxExposurePerMarketCents: number, readonly maxBetPerMarketCents: number, readonly tickSizeBps: number, readonly minOrderShares: number, readonly lotShares: number, readonly disputeWindowSeconds: number } };

export type GeoCheckQueryVariables = Exact<{ [key: string]: never; }>;


export type GeoCheckQuery = { readonly geoCheck: { readonly allowed: boolean, readonly closeOnly: boolean, readonly countryCode: string | null, readonly reason: string | null } };

export type HealthQueryVariables = Exact<{ [key: string]: never; }>;


export type HealthQuery = { readonly health: { readonly status: Types.HealthStatus, readonly mode: Types.VenueMode, readonly version: string, readonly serverTime: string, readonly engineSeq: string } };

export type VenueStatusChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type VenueStatusChangedSubscription = { readonly venueStatusChanged: { readonly mode: Types.VenueMode, readonly message: string | null, readonly nextRestartAt: string | null, readonly at: string, readonly bettingConfig: { readonly minBetCents: number, readonly maxInitialBetCents: number, readonly betPresets: ReadonlyArray<number>, readonly spreadBps: number, readonly maxBatchOrders: number, readonly maxBatchCancels: number, readonly minHeartbeatMs: number, readonly maxHeartbeatMs: number, readonly maxClockSkewMs: number, readonly feeRateBps: number }, readonly marketConfig: { readonly maxQuestionLength: number, readonly maxExposurePerMarketCents: number, readonly maxBetPerMarketCents: number, readonly tickSizeBps: number, readonly minOrderShares: number, readonly lotShares: number, readonly disputeWindowSeconds: number } } };

export type ApiKeyFieldsFragment = { readonly id: string, readonly label: string, readonly scopes: ReadonlyArray<Types.ApiScope>, readonly delegateAddress: string | null, readonly ipAllowList: ReadonlyArray<string>, readonly lastUsedAt: string | null, readonly expiresAt: string | null, readonly createdAt: string };

export type AccountFieldsFragment = { readonly id: string, readonly address: string, readonly email: string | null, readonly emailVerified: boolean, readonly scopes: ReadonlyArray<Types.ApiScope>, readonly orderEpoch: string, readonly createdAt: string, readonly apiKeys: ReadonlyArray<{ readonly id: string, readonly label: string, readonly scopes: ReadonlyArray<Types.ApiScope>, readonly delegateAddress: string | null, readonly ipAllowList: ReadonlyArray<string>, readonly lastUsedAt: string | null, readonly expiresAt: string | null, readonly createdAt: string }>, readonly rateBuckets: ReadonlyArray<{ readonly name: string, readonly capacity: number, readonly refillPerSecond: number, readonly remaining: number }> };

export type SessionFieldsFragment = { readonly accessToken: string, readonly refreshToken: string, readonly tokenType: string, readonly expiresAt: string, readonly account: { readonly id: string, readonly address: string, readonly email: string | null, readonly emailVerified: boolean, readonly scopes: ReadonlyArray<Types.ApiScope>, readonly orderEpoch: string, readonly createdAt: string, readonly apiKeys: ReadonlyArray<{ readonly id: string, readonly label: string, readonly scopes: ReadonlyArray<Types.ApiScope>, readonly delegateAddress: string | null, readonly ipAllowList: ReadonlyArray<string>, readonly lastUsedAt: string | null, readonly expiresAt: string | null, readonly createdAt: string }>, readonly rateBuckets: ReadonlyArray<{ readonly name: string, readonly capacity: number, readonly refillPerSecond: number, readonly remaining: number }> } };

export type EmailFieldsFragment = { readonly email: string, readonly verified: boolean, readonly expiresAt: string | null };

export type AuthChallengeQueryVariables = Exact<{
  address: string;
}>;


export type AuthChallengeQuery = { readonly authChallenge: { readonly nonce: string, readonly typedData: Readonly<Record<string, unknown>>, readonly expiresAt: string } | null };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { readonly me: { readonly id: string, readonly address: string, readonly email: string | null, readonly emailVerified: boolean, readonly scopes: ReadonlyArray<Types.ApiScope>, readonly orderEpoch: string, readonly createdAt: string, readonly apiKeys: ReadonlyArray<{ readonly id: string, readonly label: string, readonly scopes: ReadonlyArray<Types.ApiScope>, readonly delegateAddress: string | null, readonly ipAllowList: ReadonlyArray<string>, readonly lastUsedAt: string | null, readonly expiresAt: string | null, readonly createdAt: string }>, readonly rateBuckets: ReadonlyArray<{ readonly name: string, readonly capacity: number, readonly refillPerSecond: number, readonly remaining: number }> } };

export type CreateSessionMutationVariables = Exact<{
  input: Types.CreateSessionInput;
}>;


export type CreateSessionMutation = { readonly createSession: { readonly accessToken: string, readonly refreshToken: string, readonly tokenType: string, readonly expiresAt: string, readonly account: { readonly id: string, readonly address: string, readonly email: string | null, readonly emailVerified: boolean, readonly scopes: ReadonlyArray<Types.ApiScope>, readonly orderEpoch: string, readonly createdAt: string, readonly apiKeys: ReadonlyArray<{ readonly id: string, readonly label: string, readonly scopes: ReadonlyArray<Types.ApiScope>, readonly delegateAddress: string | null, readonly ipAllowList: ReadonlyArray<string>, readonly lastUsedAt: string | null, readonly expiresAt: string | null, readonly createdAt: string }>, readonly rateBuckets: ReadonlyArray<{ readonly name: string, readonly capacity: number, readonly refillPerSecond: number, readonly remaining: number }> } } };

export type RefreshSessionMutationVariables = Exact<{
  refreshToken: string;
}>;


export type RefreshSessionMutation = { readonly refreshSession: { readonly accessToken: string, readonly refreshToken: string, readonly tokenType: string, readonly expiresAt: string, readonly account: { readonly id: string, readonly address: string, readonly email: string | null, readonly emailVerified: boolean, readonly scopes: ReadonlyArray<Types.ApiScope>, readonly orderEpoch: string, readonly createdAt: string, readonly apiKeys: ReadonlyArray<{ readonly id: string, readonly label: string, readonly scopes: ReadonlyArray<Types.ApiScope>, readonly delegateAddress: string | null, readonly ipAllowList: ReadonlyArray<string>, readonly lastUsedAt: string | null, readonly expiresAt: string | null, readonly createdAt: string }>, readonly rateBuckets: ReadonlyArray<{ readonly name: string, readonly capacity: number, readonly refillPerSecond: number, readonly remaining: number }> } } };

export type RevokeSessionMutationVariables = Exact<{ [key: string]: never; }>;


export type RevokeSessionMutation = { readonly revokeSession: { readonly revoked: boolean } | null };

export type CreateApiKeyMutationVariables = Exact<{
  input: Types.CreateApiKeyInput;
}>;


export type CreateApiKeyMutation = { readonly createApiKey: { readonly secret: string, readonly apiKey: { readonly id: string, readonly label: string, readonly scopes: ReadonlyArray<Types.ApiScope>, readonly delegateAddress: string | null, readonly ipAllowList: ReadonlyArray<string>, readonly lastUsedAt: string | null, readonly expiresAt: string | null, readonly createdAt: string } } | null };

export type RevokeApiKeyMutationVariables = Exact<{
  id: string;
}>;


export type RevokeApiKeyMutation = { readonly revokeApiKey: { readonly revokedId: string } | null };

export type RequestEmailVerificationMutationVariables = Exact<{
  email: string;
}>;


export type RequestEmailVerificationMutation = { readonly requestEmailVerification: { readonly email: string, readonly verified: boolean, readonly expiresAt: string | null } | null };

export type VerifyEmailMutationVariables = Exact<{
  email: string;
  code: string;
}>;


export type VerifyEmailMutation = { readonly verifyEmail: { readonly email: string, readonly verified: boolean, readonly expiresAt: string | null } | null };

export type BalanceFieldsFragment = { readonly availableCents: number, readonly reservedCents: number, readonly totalCents: number, readonly claimableCents: number, readonly availableMicros: string, readonly reservedMicros: string, readonly seq: string, readonly asOf: string };

export type PositionFieldsFragment = { readonly id: string, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly shares: number, readonly reservedShares: number, readonly averagePriceBps: number, readonly amountCents: number, readonly amountMicros: string, readonly valueCents: number, readonly currentOddsBps: number, readonly totalPayoutCents: number, readonly realizedPnlMicros: string, readonly result: Types.BetOutcome | null, readonly claimable: boolean, readonly seq: string, readonly updatedAt: string, readonly market: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly acceptingOrders: boolean } };

export type PositionChangeFieldsFragment = { readonly amountCents: number, readonly amountMicros: string, readonly seq: string, readonly yes: { readonly id: string, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly shares: number, readonly reservedShares: number, readonly averagePriceBps: number, readonly amountCents: number, readonly amountMicros: string, readonly valueCents: number, readonly currentOddsBps: number, readonly totalPayoutCents: number, readonly realizedPnlMicros: string, readonly result: Types.BetOutcome | null, readonly claimable: boolean, readonly seq: string, readonly updatedAt: string, readonly market: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly acceptingOrders: boolean } } | null, readonly no: { readonly id: string, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly shares: number, readonly reservedShares: number, readonly averagePriceBps: number, readonly amountCents: number, readonly amountMicros: string, readonly valueCents: number, readonly currentOddsBps: number, readonly totalPayoutCents: number, readonly realizedPnlMicros: string, readonly result: Types.BetOutcome | null, readonly claimable: boolean, readonly seq: string, readonly updatedAt: string, readonly market: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly acceptingOrders: boolean } } | null, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null };

export type ClaimFieldsFragment = { readonly totalPayoutCents: number, readonly totalPayoutMicros: string, readonly seq: string, readonly claims: ReadonlyArray<{ readonly id: string, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly shares: number, readonly reservedShares: number, readonly averagePriceBps: number, readonly amountCents: number, readonly amountMicros: string, readonly valueCents: number, readonly currentOddsBps: number, readonly totalPayoutCents: number, readonly realizedPnlMicros: string, readonly result: Types.BetOutcome | null, readonly claimable: boolean, readonly seq: string, readonly updatedAt: string, readonly market: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly acceptingOrders: boolean } }>, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null };

export type BalanceQueryVariables = Exact<{ [key: string]: never; }>;


export type BalanceQuery = { readonly balance: { readonly availableCents: number, readonly reservedCents: number, readonly totalCents: number, readonly claimableCents: number, readonly availableMicros: string, readonly reservedMicros: string, readonly seq: string, readonly asOf: string } };

export type LedgerQueryVariables = Exact<{
  input?: Types.LedgerInput | null | undefined;
}>;


export type LedgerQuery = { readonly ledger: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly kind: Types.LedgerKind, readonly amountMicros: string, readonly amountCents: number, readonly direction: number, readonly marketId: string | null, readonly orderId: string | null, readonly fillId: string | null, readonly at: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } | null };

export type PositionsQueryVariables = Exact<{
  input?: Types.PositionsInput | null | undefined;
}>;


export type PositionsQuery = { readonly positions: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly shares: number, readonly reservedShares: number, readonly averagePriceBps: number, readonly amountCents: number, readonly amountMicros: string, readonly valueCents: number, readonly currentOddsBps: number, readonly totalPayoutCents: number, readonly realizedPnlMicros: string, readonly result: Types.BetOutcome | null, readonly claimable: boolean, readonly seq: string, readonly updatedAt: string, readonly market: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly acceptingOrders: boolean } } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } | null };

export type ClaimablePositionsQueryVariables = Exact<{ [key: string]: never; }>;


export type ClaimablePositionsQuery = { readonly claimablePositions: ReadonlyArray<{ readonly id: string, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly shares: number, readonly reservedShares: number, readonly averagePriceBps: number, readonly amountCents: number, readonly amountMicros: string, readonly valueCents: number, readonly currentOddsBps: number, readonly totalPayoutCents: number, readonly realizedPnlMicros: string, readonly result: Types.BetOutcome | null, readonly claimable: boolean, readonly seq: string, readonly updatedAt: string, readonly market: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly acceptingOrders: boolean } }> };

export type PortfolioQueryVariables = Exact<{ [key: string]: never; }>;


export type PortfolioQuery = { readonly portfolio: { readonly cashCents: number, readonly positionsValueCents: number, readonly claimableCents: number, readonly openOrderReserveCents: number, readonly worstCaseLossCents: number, readonly realizedPnlMicros: string, readonly unrealizedPnlMicros: string, readonly feesPaidMicros: string, readonly asOf: string } };

export type SplitPositionMutationVariables = Exact<{
  marketId: string;
  sets: string;
}>;


export type SplitPositionMutation = { readonly splitPosition: { readonly amountCents: number, readonly amountMicros: string, readonly seq: string, readonly yes: { readonly id: string, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly shares: number, readonly reservedShares: number, readonly averagePriceBps: number, readonly amountCents: number, readonly amountMicros: string, readonly valueCents: number, readonly currentOddsBps: number, readonly totalPayoutCents: number, readonly realizedPnlMicros: string, readonly result: Types.BetOutcome | null, readonly claimable: boolean, readonly seq: string, readonly updatedAt: string, readonly market: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly acceptingOrders: boolean } } | null, readonly no: { readonly id: string, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly shares: number, readonly reservedShares: number, readonly averagePriceBps: number, readonly amountCents: number, readonly amountMicros: string, readonly valueCents: number, readonly currentOddsBps: number, readonly totalPayoutCents: number, readonly realizedPnlMicros: string, readonly result: Types.BetOutcome | null, readonly claimable: boolean, readonly seq: string, readonly updatedAt: string, readonly market: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly acceptingOrders: boolean } } | null, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null } | null };

export type MergePositionMutationVariables = Exact<{
  marketId: string;
  sets: string;
}>;


export type MergePositionMutation = { readonly mergePosition: { readonly amountCents: number, readonly amountMicros: string, readonly seq: string, readonly yes: { readonly id: string, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly shares: number, readonly reservedShares: number, readonly averagePriceBps: number, readonly amountCents: number, readonly amountMicros: string, readonly valueCents: number, readonly currentOddsBps: number, readonly totalPayoutCents: number, readonly realizedPnlMicros: string, readonly result: Types.BetOutcome | null, readonly claimable: boolean, readonly seq: string, readonly updatedAt: string, readonly market: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly acceptingOrders: boolean } } | null, readonly no: { readonly id: string, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly shares: number, readonly reservedShares: number, readonly averagePriceBps: number, readonly amountCents: number, readonly amountMicros: string, readonly valueCents: number, readonly currentOddsBps: number, readonly totalPayoutCents: number, readonly realizedPnlMicros: string, readonly result: Types.BetOutcome | null, readonly claimable: boolean, readonly seq: string, readonly updatedAt: string, readonly market: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly acceptingOrders: boolean } } | null, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null } | null };

export type ClaimPositionMutationVariables = Exact<{
  marketId: string;
}>;


export type ClaimPositionMutation = { readonly claimPosition: { readonly totalPayoutCents: number, readonly totalPayoutMicros: string, readonly seq: string, readonly claims: ReadonlyArray<{ readonly id: string, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly shares: number, readonly reservedShares: number, readonly averagePriceBps: number, readonly amountCents: number, readonly amountMicros: string, readonly valueCents: number, readonly currentOddsBps: number, readonly totalPayoutCents: number, readonly realizedPnlMicros: string, readonly result: Types.BetOutcome | null, readonly claimable: boolean, readonly seq: string, readonly updatedAt: string, readonly market: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly acceptingOrders: boolean } }>, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null } | null };

export type ClaimAllPositionsMutationVariables = Exact<{ [key: string]: never; }>;


export type ClaimAllPositionsMutation = { readonly claimAllPositions: { readonly totalPayoutCents: number, readonly totalPayoutMicros: string, readonly seq: string, readonly claims: ReadonlyArray<{ readonly id: string, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly shares: number, readonly reservedShares: number, readonly averagePriceBps: number, readonly amountCents: number, readonly amountMicros: string, readonly valueCents: number, readonly currentOddsBps: number, readonly totalPayoutCents: number, readonly realizedPnlMicros: string, readonly result: Types.BetOutcome | null, readonly claimable: boolean, readonly seq: string, readonly updatedAt: string, readonly market: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly acceptingOrders: boolean } }>, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null } | null };

export type PositionUpdatedSubscriptionVariables = Exact<{
  marketId?: string | null | undefined;
}>;


export type PositionUpdatedSubscription = { readonly positionUpdated: { readonly id: string, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly shares: number, readonly reservedShares: number, readonly averagePriceBps: number, readonly amountCents: number, readonly amountMicros: string, readonly valueCents: number, readonly currentOddsBps: number, readonly totalPayoutCents: number, readonly realizedPnlMicros: string, readonly result: Types.BetOutcome | null, readonly claimable: boolean, readonly seq: string, readonly updatedAt: string, readonly market: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly acceptingOrders: boolean } } | null };

export type BalanceUpdatedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type BalanceUpdatedSubscription = { readonly balanceUpdated: { readonly availableCents: number, readonly reservedCents: number, readonly totalCents: number, readonly claimableCents: number, readonly availableMicros: string, readonly reservedMicros: string, readonly seq: string, readonly asOf: string } };

export type RejectionFieldsFragment = { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null };

export type OrderFieldsFragment = { readonly id: string, readonly orderHash: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly filledShares: number, readonly remainingShares: number, readonly averageFillPriceBps: number | null, readonly timeInForce: Types.TimeInForce, readonly postOnly: boolean, readonly expiresAt: string | null, readonly status: Types.OrderStatus, readonly cancelReason: Types.CancelReason | null, readonly groupId: string | null, readonly reservedCents: number, readonly feeCents: number, readonly queueAheadShares: number | null, readonly seq: string, readonly createdAt: string, readonly updatedAt: string };

export type FillFieldsFragment = { readonly id: string, readonly tradeId: string, readonly orderId: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly amountCents: number, readonly amountMicros: string, readonly feeMicros: string, readonly role: Types.LiquidityRole, readonly matchType: Types.MatchType, readonly seq: string, readonly executedAt: string };

export type PlaceFieldsFragment = { readonly accepted: boolean, readonly duplicate: boolean, readonly seq: string, readonly order: { readonly id: string, readonly orderHash: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly filledShares: number, readonly remainingShares: number, readonly averageFillPriceBps: number | null, readonly timeInForce: Types.TimeInForce, readonly postOnly: boolean, readonly expiresAt: string | null, readonly status: Types.OrderStatus, readonly cancelReason: Types.CancelReason | null, readonly groupId: string | null, readonly reservedCents: number, readonly feeCents: number, readonly queueAheadShares: number | null, readonly seq: string, readonly createdAt: string, readonly updatedAt: string } | null, readonly fills: ReadonlyArray<{ readonly id: string, readonly tradeId: string, readonly orderId: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly amountCents: number, readonly amountMicros: string, readonly feeMicros: string, readonly role: Types.LiquidityRole, readonly matchType: Types.MatchType, readonly seq: string, readonly executedAt: string }>, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null };

export type CancelResultFieldsFragment = { readonly orderId: string, readonly cancelled: boolean, readonly remainingShares: number | null, readonly filledShares: number | null, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null };

export type CancelFieldsFragment = { readonly seq: string, readonly results: ReadonlyArray<{ readonly orderId: string, readonly cancelled: boolean, readonly remainingShares: number | null, readonly filledShares: number | null, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null }> };

export type ReplaceFieldsFragment = { readonly committed: boolean, readonly seq: string, readonly cancelled: ReadonlyArray<{ readonly orderId: string, readonly cancelled: boolean, readonly remainingShares: number | null, readonly filledShares: number | null, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null }>, readonly placed: ReadonlyArray<{ readonly accepted: boolean, readonly duplicate: boolean, readonly seq: string, readonly order: { readonly id: string, readonly orderHash: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly filledShares: number, readonly remainingShares: number, readonly averageFillPriceBps: number | null, readonly timeInForce: Types.TimeInForce, readonly postOnly: boolean, readonly expiresAt: string | null, readonly status: Types.OrderStatus, readonly cancelReason: Types.CancelReason | null, readonly groupId: string | null, readonly reservedCents: number, readonly feeCents: number, readonly queueAheadShares: number | null, readonly seq: string, readonly createdAt: string, readonly updatedAt: string } | null, readonly fills: ReadonlyArray<{ readonly id: string, readonly tradeId: string, readonly orderId: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly amountCents: number, readonly amountMicros: string, readonly feeMicros: string, readonly role: Types.LiquidityRole, readonly matchType: Types.MatchType, readonly seq: string, readonly executedAt: string }>, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null }>, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null };

export type OrdersQueryVariables = Exact<{
  input?: Types.OrdersInput | null | undefined;
}>;


export type OrdersQuery = { readonly orders: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly orderHash: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly filledShares: number, readonly remainingShares: number, readonly averageFillPriceBps: number | null, readonly timeInForce: Types.TimeInForce, readonly postOnly: boolean, readonly expiresAt: string | null, readonly status: Types.OrderStatus, readonly cancelReason: Types.CancelReason | null, readonly groupId: string | null, readonly reservedCents: number, readonly feeCents: number, readonly queueAheadShares: number | null, readonly seq: string, readonly createdAt: string, readonly updatedAt: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } | null };

export type OrderQueryVariables = Exact<{
  id?: string | null | undefined;
  orderHash?: string | null | undefined;
  clientOrderId?: string | null | undefined;
}>;


export type OrderQuery = { readonly order: { readonly found: boolean, readonly order: { readonly id: string, readonly orderHash: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly filledShares: number, readonly remainingShares: number, readonly averageFillPriceBps: number | null, readonly timeInForce: Types.TimeInForce, readonly postOnly: boolean, readonly expiresAt: string | null, readonly status: Types.OrderStatus, readonly cancelReason: Types.CancelReason | null, readonly groupId: string | null, readonly reservedCents: number, readonly feeCents: number, readonly queueAheadShares: number | null, readonly seq: string, readonly createdAt: string, readonly updatedAt: string } | null, readonly fills: ReadonlyArray<{ readonly id: string, readonly tradeId: string, readonly orderId: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly amountCents: number, readonly amountMicros: string, readonly feeMicros: string, readonly role: Types.LiquidityRole, readonly matchType: Types.MatchType, readonly seq: string, readonly executedAt: string }> } | null };

export type FillsQueryVariables = Exact<{
  input?: Types.FillsInput | null | undefined;
}>;


export type FillsQuery = { readonly fills: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly tradeId: string, readonly orderId: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly amountCents: number, readonly amountMicros: string, readonly feeMicros: string, readonly role: Types.LiquidityRole, readonly matchType: Types.MatchType, readonly seq: string, readonly executedAt: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } | null };

export type SigningParamsQueryVariables = Exact<{
  input: Types.SigningParamsInput;
}>;


export type SigningParamsQuery = { readonly signingParams: { readonly kind: Types.SigningKind, readonly typedData: Readonly<Record<string, unknown>>, readonly digest: string, readonly costCents: number, readonly worstCaseCents: number, readonly normalizedPriceBps: number | null, readonly normalizedShares: number | null, readonly expiresAt: string } | null };

export type PlaceOrderMutationVariables = Exact<{
  input: Types.PlaceOrderInput;
}>;


export type PlaceOrderMutation = { readonly placeOrder: { readonly accepted: boolean, readonly duplicate: boolean, readonly seq: string, readonly order: { readonly id: string, readonly orderHash: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly filledShares: number, readonly remainingShares: number, readonly averageFillPriceBps: number | null, readonly timeInForce: Types.TimeInForce, readonly postOnly: boolean, readonly expiresAt: string | null, readonly status: Types.OrderStatus, readonly cancelReason: Types.CancelReason | null, readonly groupId: string | null, readonly reservedCents: number, readonly feeCents: number, readonly queueAheadShares: number | null, readonly seq: string, readonly createdAt: string, readonly updatedAt: string } | null, readonly fills: ReadonlyArray<{ readonly id: string, readonly tradeId: string, readonly orderId: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly amountCents: number, readonly amountMicros: string, readonly feeMicros: string, readonly role: Types.LiquidityRole, readonly matchType: Types.MatchType, readonly seq: string, readonly executedAt: string }>, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null } | null };

export type PlaceOrdersMutationVariables = Exact<{
  input: Types.PlaceOrdersInput;
}>;


export type PlaceOrdersMutation = { readonly placeOrders: { readonly seq: string, readonly results: ReadonlyArray<{ readonly accepted: boolean, readonly duplicate: boolean, readonly seq: string, readonly order: { readonly id: string, readonly orderHash: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly filledShares: number, readonly remainingShares: number, readonly averageFillPriceBps: number | null, readonly timeInForce: Types.TimeInForce, readonly postOnly: boolean, readonly expiresAt: string | null, readonly status: Types.OrderStatus, readonly cancelReason: Types.CancelReason | null, readonly groupId: string | null, readonly reservedCents: number, readonly feeCents: number, readonly queueAheadShares: number | null, readonly seq: string, readonly createdAt: string, readonly updatedAt: string } | null, readonly fills: ReadonlyArray<{ readonly id: string, readonly tradeId: string, readonly orderId: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly amountCents: number, readonly amountMicros: string, readonly feeMicros: string, readonly role: Types.LiquidityRole, readonly matchType: Types.MatchType, readonly seq: string, readonly executedAt: string }>, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null }> } | null };

export type CancelOrderMutationVariables = Exact<{
  id?: string | null | undefined;
  orderHash?: string | null | undefined;
  clientOrderId?: string | null | undefined;
}>;


export type CancelOrderMutation = { readonly cancelOrder: { readonly seq: string, readonly results: ReadonlyArray<{ readonly orderId: string, readonly cancelled: boolean, readonly remainingShares: number | null, readonly filledShares: number | null, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null }> } | null };

export type CancelOrdersMutationVariables = Exact<{
  ids: ReadonlyArray<string> | string;
}>;


export type CancelOrdersMutation = { readonly cancelOrders: { readonly seq: string, readonly results: ReadonlyArray<{ readonly orderId: string, readonly cancelled: boolean, readonly remainingShares: number | null, readonly filledShares: number | null, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null }> } | null };

export type CancelMarketOrdersMutationVariables = Exact<{
  marketId: string;
  outcome?: Types.BetOutcome | null | undefined;
  side?: Types.OrderSide | null | undefined;
}>;


export type CancelMarketOrdersMutation = { readonly cancelMarketOrders: { readonly seq: string, readonly results: ReadonlyArray<{ readonly orderId: string, readonly cancelled: boolean, readonly remainingShares: number | null, readonly filledShares: number | null, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null }> } | null };

export type CancelAllOrdersMutationVariables = Exact<{ [key: string]: never; }>;


export type CancelAllOrdersMutation = { readonly cancelAllOrders: { readonly cancelledIds: ReadonlyArray<string>, readonly newEpoch: string, readonly seq: string } | null };

export type ReplaceOrderMutationVariables = Exact<{
  id: string;
  input: Types.PlaceOrderInput;
  ifNoFillSince?: string | null | undefined;
}>;


export type ReplaceOrderMutation = { readonly replaceOrder: { readonly committed: boolean, readonly seq: string, readonly cancelled: ReadonlyArray<{ readonly orderId: string, readonly cancelled: boolean, readonly remainingShares: number | null, readonly filledShares: number | null, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null }>, readonly placed: ReadonlyArray<{ readonly accepted: boolean, readonly duplicate: boolean, readonly seq: string, readonly order: { readonly id: string, readonly orderHash: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly filledShares: number, readonly remainingShares: number, readonly averageFillPriceBps: number | null, readonly timeInForce: Types.TimeInForce, readonly postOnly: boolean, readonly expiresAt: string | null, readonly status: Types.OrderStatus, readonly cancelReason: Types.CancelReason | null, readonly groupId: string | null, readonly reservedCents: number, readonly feeCents: number, readonly queueAheadShares: number | null, readonly seq: string, readonly createdAt: string, readonly updatedAt: string } | null, readonly fills: ReadonlyArray<{ readonly id: string, readonly tradeId: string, readonly orderId: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly amountCents: number, readonly amountMicros: string, readonly feeMicros: string, readonly role: Types.LiquidityRole, readonly matchType: Types.MatchType, readonly seq: string, readonly executedAt: string }>, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null }>, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null } | null };

export type ReplaceOrdersMutationVariables = Exact<{
  input: Types.ReplaceOrdersInput;
}>;


export type ReplaceOrdersMutation = { readonly replaceOrders: { readonly committed: boolean, readonly seq: string, readonly cancelled: ReadonlyArray<{ readonly orderId: string, readonly cancelled: boolean, readonly remainingShares: number | null, readonly filledShares: number | null, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null }>, readonly placed: ReadonlyArray<{ readonly accepted: boolean, readonly duplicate: boolean, readonly seq: string, readonly order: { readonly id: string, readonly orderHash: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly filledShares: number, readonly remainingShares: number, readonly averageFillPriceBps: number | null, readonly timeInForce: Types.TimeInForce, readonly postOnly: boolean, readonly expiresAt: string | null, readonly status: Types.OrderStatus, readonly cancelReason: Types.CancelReason | null, readonly groupId: string | null, readonly reservedCents: number, readonly feeCents: number, readonly queueAheadShares: number | null, readonly seq: string, readonly createdAt: string, readonly updatedAt: string } | null, readonly fills: ReadonlyArray<{ readonly id: string, readonly tradeId: string, readonly orderId: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly amountCents: number, readonly amountMicros: string, readonly feeMicros: string, readonly role: Types.LiquidityRole, readonly matchType: Types.MatchType, readonly seq: string, readonly executedAt: string }>, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null }>, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null } | null };

export type ReduceOrderMutationVariables = Exact<{
  id: string;
  byShares: string;
}>;


export type ReduceOrderMutation = { readonly reduceOrder: { readonly seq: string, readonly results: ReadonlyArray<{ readonly orderId: string, readonly cancelled: boolean, readonly remainingShares: number | null, readonly filledShares: number | null, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null }> } | null };

export type OrderEventsSubscriptionVariables = Exact<{
  marketId?: string | null | undefined;
  afterSeq?: string | null | undefined;
}>;


export type OrderEventsSubscription = { readonly orderEvents: { readonly kind: Types.OrderEventKind, readonly seq: string, readonly prevSeq: string, readonly cancelReason: Types.CancelReason | null, readonly at: string, readonly order: { readonly id: string, readonly orderHash: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly filledShares: number, readonly remainingShares: number, readonly averageFillPriceBps: number | null, readonly timeInForce: Types.TimeInForce, readonly postOnly: boolean, readonly expiresAt: string | null, readonly status: Types.OrderStatus, readonly cancelReason: Types.CancelReason | null, readonly groupId: string | null, readonly reservedCents: number, readonly feeCents: number, readonly queueAheadShares: number | null, readonly seq: string, readonly createdAt: string, readonly updatedAt: string } | null, readonly fill: { readonly id: string, readonly tradeId: string, readonly orderId: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly amountCents: number, readonly amountMicros: string, readonly feeMicros: string, readonly role: Types.LiquidityRole, readonly matchType: Types.MatchType, readonly seq: string, readonly executedAt: string } | null } | null };

export type GroupFieldsFragment = { readonly id: string, readonly label: string, readonly maxFilledShares: number, readonly windowSeconds: number, readonly filledInWindow: number, readonly tripped: boolean };

export type HeartbeatFieldsFragment = { readonly armed: boolean, readonly deadline: string | null, readonly serverTime: string };

export type TradingSafetyQueryVariables = Exact<{ [key: string]: never; }>;


export type TradingSafetyQuery = { readonly tradingSafety: { readonly heartbeatArmed: boolean, readonly heartbeatTimeoutMs: number | null, readonly heartbeatDeadline: string | null, readonly orderEpoch: string, readonly openOrderCount: number, readonly mode: Types.VenueMode, readonly groups: ReadonlyArray<{ readonly id: string, readonly label: string, readonly maxFilledShares: number, readonly windowSeconds: number, readonly filledInWindow: number, readonly tripped: boolean }> } };

export type HeartbeatMutationVariables = Exact<{
  timeoutMs: number;
}>;


export type HeartbeatMutation = { readonly heartbeat: { readonly armed: boolean, readonly deadline: string | null, readonly serverTime: string } | null };

export type DisarmHeartbeatMutationVariables = Exact<{ [key: string]: never; }>;


export type DisarmHeartbeatMutation = { readonly disarmHeartbeat: { readonly armed: boolean, readonly deadline: string | null, readonly serverTime: string } | null };

export type CreateOrderGroupMutationVariables = Exact<{
  input: Types.CreateOrderGroupInput;
}>;


export type CreateOrderGroupMutation = { readonly createOrderGroup: { readonly group: { readonly id: string, readonly label: string, readonly maxFilledShares: number, readonly windowSeconds: number, readonly filledInWindow: number, readonly tripped: boolean } } | null };

export type UpdateOrderGroupMutationVariables = Exact<{
  input: Types.UpdateOrderGroupInput;
}>;


export type UpdateOrderGroupMutation = { readonly updateOrderGroup: { readonly group: { readonly id: string, readonly label: string, readonly maxFilledShares: number, readonly windowSeconds: number, readonly filledInWindow: number, readonly tripped: boolean } } | null };

export type DeleteOrderGroupMutationVariables = Exact<{
  id: string;
}>;


export type DeleteOrderGroupMutation = { readonly deleteOrderGroup: { readonly deletedId: string } | null };

export type WalletFieldsFragment = { readonly id: string, readonly address: string, readonly chainId: number, readonly status: Types.WalletStatus, readonly isDefault: boolean, readonly depositAddress: string | null, readonly createdAt: string };

export type WithdrawalFieldsFragment = { readonly id: string, readonly walletId: string, readonly toAddress: string, readonly amountCents: number, readonly feeCents: number, readonly status: Types.WithdrawalStatus, readonly transactionHash: string | null, readonly createdAt: string, readonly updatedAt: string };

export type WalletsQueryVariables = Exact<{ [key: string]: never; }>;


export type WalletsQuery = { readonly wallets: ReadonlyArray<{ readonly id: string, readonly address: string, readonly chainId: number, readonly status: Types.WalletStatus, readonly isDefault: boolean, readonly depositAddress: string | null, readonly createdAt: string }> };

export type WithdrawalsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type WithdrawalsQuery = { readonly withdrawals: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly walletId: string, readonly toAddress: string, readonly amountCents: number, readonly feeCents: number, readonly status: Types.WithdrawalStatus, readonly transactionHash: string | null, readonly createdAt: string, readonly updatedAt: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } | null };

export type CreateMarketMutationVariables = Exact<{
  input: Types.CreateMarketInput;
}>;


export type CreateMarketMutation = { readonly createMarket: { readonly duplicate: boolean, readonly market: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly yesPriceBps: number, readonly noPriceBps: number, readonly spreadBps: number, readonly volumeCents: number, readonly resolutionDate: string, readonly description: string | null, readonly bestBidBps: number | null, readonly bestAskBps: number | null, readonly midpointBps: number | null, readonly lastTradePriceBps: number | null, readonly tickSizeBps: number, readonly minOrderShares: number, readonly lotShares: number, readonly feeRateBps: number, readonly acceptingOrders: boolean, readonly blockchainStep: Types.BlockchainStep | null, readonly eventId: string | null, readonly createdAt: string, readonly updatedAt: string, readonly category: { readonly name: string, readonly slug: string, readonly marketCount: number, readonly totalVolumeCents: number } | null, readonly topics: ReadonlyArray<{ readonly id: string, readonly name: string, readonly slug: string, readonly categorySlug: string, readonly marketCount: number }> } | null, readonly initialOrder: { readonly id: string, readonly orderHash: string, readonly clientOrderId: string | null, readonly marketId: string, readonly outcome: Types.BetOutcome, readonly side: Types.OrderSide, readonly priceBps: number, readonly shares: number, readonly filledShares: number, readonly remainingShares: number, readonly averageFillPriceBps: number | null, readonly timeInForce: Types.TimeInForce, readonly postOnly: boolean, readonly expiresAt: string | null, readonly status: Types.OrderStatus, readonly cancelReason: Types.CancelReason | null, readonly groupId: string | null, readonly reservedCents: number, readonly feeCents: number, readonly queueAheadShares: number | null, readonly seq: string, readonly createdAt: string, readonly updatedAt: string } | null, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null } | null };

export type CancelMarketMutationVariables = Exact<{
  marketId: string;
}>;


export type CancelMarketMutation = { readonly cancelMarket: { readonly market: { readonly id: string, readonly slug: string, readonly question: string, readonly status: Types.MarketStatus, readonly yesPriceBps: number, readonly noPriceBps: number, readonly spreadBps: number, readonly volumeCents: number, readonly resolutionDate: string, readonly description: string | null, readonly bestBidBps: number | null, readonly bestAskBps: number | null, readonly midpointBps: number | null, readonly lastTradePriceBps: number | null, readonly tickSizeBps: number, readonly minOrderShares: number, readonly lotShares: number, readonly feeRateBps: number, readonly acceptingOrders: boolean, readonly blockchainStep: Types.BlockchainStep | null, readonly eventId: string | null, readonly createdAt: string, readonly updatedAt: string, readonly category: { readonly name: string, readonly slug: string, readonly marketCount: number, readonly totalVolumeCents: number } | null, readonly topics: ReadonlyArray<{ readonly id: string, readonly name: string, readonly slug: string, readonly categorySlug: string, readonly marketCount: number }> } | null, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null } | null };

export type ProvisionWalletMutationVariables = Exact<{
  chainId: number;
}>;


export type ProvisionWalletMutation = { readonly provisionWallet: { readonly wallet: { readonly id: string, readonly address: string, readonly chainId: number, readonly status: Types.WalletStatus, readonly isDefault: boolean, readonly depositAddress: string | null, readonly createdAt: string } } | null };

export type ExecuteWithdrawalMutationVariables = Exact<{
  input: Types.ExecuteWithdrawalInput;
}>;


export type ExecuteWithdrawalMutation = { readonly executeWithdrawal: { readonly duplicate: boolean, readonly withdrawal: { readonly id: string, readonly walletId: string, readonly toAddress: string, readonly amountCents: number, readonly feeCents: number, readonly status: Types.WithdrawalStatus, readonly transactionHash: string | null, readonly createdAt: string, readonly updatedAt: string } | null, readonly rejection: { readonly reason: Types.RejectReason, readonly message: string, readonly field: string | null, readonly limit: string | null, readonly value: string | null, readonly unit: Types.LimitUnit | null, readonly retryAfterMs: number | null } | null } | null };
const PageInfoFields: Selection = { hasNextPage: 'boolean', hasPreviousPage: 'boolean', startCursor: 'cursor?', endCursor: 'cursor?' };
const CategoryFields: Selection = { name: 'text', slug: 'text', marketCount: 'count', totalVolumeCents: 'cents' };
const TopicFields: Selection = { id: 'id', name: 'text', slug: 'text', categorySlug: 'text', marketCount: 'count' };
const MarketFields: Selection = { id: 'uuid', slug: 'text', question: 'text', status: 'MarketStatus', yesPriceBps: 'bps', noPriceBps: 'bps', spreadBps: 'bps', volumeCents: 'cents', resolutionDate: 'time', description: 'text?', category: { fields: CategoryFields, wrap: '?' }, topics: { fields: TopicFields, wrap: '[]' }, bestBidBps: 'bps?', bestAskBps: 'bps?', midpointBps: 'bps?', lastTradePriceBps: 'bps?', tickSizeBps: 'tick', minOrderShares: 'shares', lotShares: 'shares', feeRateBps: 'fee', acceptingOrders: 'boolean', blockchainStep: 'word?', eventId: 'id?', createdAt: 'time', updatedAt: 'time' };
const MarketPage: Selection = { edges: { fields: { cursor: 'cursor', node: { fields: MarketFields, wrap: '' } }, wrap: '[]' }, pageInfo: { fields: PageInfoFields, wrap: '' }, totalCount: 'count' };
const LevelFields: Selection = { priceBps: 'price', shares: 'shares', orderCount: 'count' };
const TradeFields: Selection = { id: 'id', marketId: 'uuid', outcome: 'BetOutcome', side: 'OrderSide', priceBps: 'price', lastTradePriceBps: 'bps', shares: 'shares', amountCents: 'cents', matchType: 'word', seq: 'seq', executedAt: 'time' };
const ResolutionFields: Selection = { marketId: 'uuid', status: 'MarketStatus', outcome: 'word?', yesPayoutBps: 'bps?', noPayoutBps: 'bps?', decidedAt: 'time?', finalAt: 'time?', disputeWindowEndsAt: 'time?', rationale: 'text?' };
const VoteFields: Selection = { id: 'id', model: 'text', vote: 'BetOutcome?', confidenceBps: 'bps?', rationale: 'text', sources: 'text[]', round: 'count', votedAt: 'time' };
const StepFields: Selection = { at: 'time', actor: 'text', fromStatus: 'MarketStatus?', toStatus: 'MarketStatus', note: 'text', data: 'text', digest: 'hex', previousDigest: 'hex' };
const BettingConfigFields: Selection = { minBetCents: 'cents', maxInitialBetCents: 'cents', betPresets: 'cents[]', spreadBps: 'bps', maxBatchOrders: 'positive', maxBatchCancels: 'positive', minHeartbeatMs: 'positiveMs', maxHeartbeatMs: 'positiveMs', maxClockSkewMs: 'ms', feeRateBps: 'fee' };
const MarketConfigFields: Selection = { maxQuestionLength: 'count', maxExposurePerMarketCents: 'cents', maxBetPerMarketCents: 'cents', tickSizeBps: 'tick', minOrderShares: 'shares', lotShares: 'shares', disputeWindowSeconds: 'count' };
const ApiKeyFields: Selection = { id: 'id', label: 'text', scopes: 'word[]', delegateAddress: 'hex?', ipAllowList: 'text[]', lastUsedAt: 'time?', expiresAt: 'time?', createdAt: 'time' };
const AccountFields: Selection = { id: 'id', address: 'hex', email: 'text?', emailVerified: 'boolean', scopes: 'word[]', apiKeys: { fields: ApiKeyFields, wrap: '[]' }, orderEpoch: 'seq', rateBuckets: { fields: { name: 'text', capacity: 'positive', refillPerSecond: 'rate', remaining: 'amount' }, wrap: '[]' }, createdAt: 'time' };
const SessionFields: Selection = { accessToken: 'token', refreshToken: 'token', tokenType: 'text', expiresAt: 'time', account: { fields: AccountFields, wrap: '' } };
const EmailFields: Selection = { email: 'text', verified: 'boolean', expiresAt: 'time?' };
const BalanceFields: Selection = { availableCents: 'cents', reservedCents: 'cents', totalCents: 'cents', claimableCents: 'cents', availableMicros: 'micros', reservedMicros: 'micros', seq: 'seq', asOf: 'time' };
const PositionFields: Selection = { id: 'id', marketId: 'uuid', market: { fields: { id: 'uuid', slug: 'text', question: 'text', status: 'MarketStatus', acceptingOrders: 'boolean' }, wrap: '' }, outcome: 'BetOutcome', shares: 'shares', reservedShares: 'shares', averagePriceBps: 'bps', amountCents: 'cents', amountMicros: 'micros', valueCents: 'cents', currentOddsBps: 'bps', totalPayoutCents: 'cents', realizedPnlMicros: 'signedMicros', result: 'BetOutcome?', claimable: 'boolean', seq: 'seq', updatedAt: 'time' };
const RejectionFields: Selection = { reason: 'RejectReason', message: 'text', field: 'text?', limit: 'integer?', value: 'integer?', unit: 'word?', retryAfterMs: 'ms?' };
const PositionChangeFields: Selection = { yes: { fields: PositionFields, wrap: '?' }, no: { fields: PositionFields, wrap: '?' }, amountCents: 'cents', amountMicros: 'micros', rejection: { fields: RejectionFields, wrap: '?' }, seq: 'seq' };
const ClaimFields: Selection = { claims: { fields: PositionFields, wrap: '[]' }, totalPayoutCents: 'cents', totalPayoutMicros: 'micros', rejection: { fields: RejectionFields, wrap: '?' }, seq: 'seq' };
const OrderFields: Selection = { id: 'id', orderHash: 'hash', clientOrderId: 'text?', marketId: 'uuid', outcome: 'BetOutcome', side: 'OrderSide', priceBps: 'price', shares: 'shares', filledShares: 'shares', remainingShares: 'shares', averageFillPriceBps: 'bps?', timeInForce: 'word', postOnly: 'boolean', expiresAt: 'time?', status: 'OrderStatus', cancelReason: 'word?', groupId: 'id?', reservedCents: 'cents', feeCents: 'cents', queueAheadShares: 'shares?', seq: 'seq', createdAt: 'time', updatedAt: 'time' };
const FillFields: Selection = { id: 'id', tradeId: 'id', orderId: 'id', clientOrderId: 'text?', marketId: 'uuid', outcome: 'BetOutcome', side: 'OrderSide', priceBps: 'price', shares: 'shares', amountCents: 'cents', amountMicros: 'micros', feeMicros: 'micros', role: 'LiquidityRole', matchType: 'word', seq: 'seq', executedAt: 'time' };
const PlaceFields: Selection = { accepted: 'boolean', duplicate: 'boolean', order: { fields: OrderFields, wrap: '?' }, fills: { fields: FillFields, wrap: '[]' }, rejection: { fields: RejectionFields, wrap: '?' }, seq: 'seq' };
const CancelResultFields: Selection = { orderId: 'id', cancelled: 'boolean', remainingShares: 'shares?', filledShares: 'shares?', rejection: { fields: RejectionFields, wrap: '?' } };
const CancelFields: Selection = { results: { fields: CancelResultFields, wrap: '[]' }, seq: 'seq' };
const ReplaceFields: Selection = { committed: 'boolean', cancelled: { fields: CancelResultFields, wrap: '[]' }, placed: { fields: PlaceFields, wrap: '[]' }, rejection: { fields: RejectionFields, wrap: '?' }, seq: 'seq' };
const GroupFields: Selection = { id: 'id', label: 'text', maxFilledShares: 'amount', windowSeconds: 'count', filledInWindow: 'amount', tripped: 'boolean' };
const HeartbeatFields: Selection = { armed: 'boolean', deadline: 'time?', serverTime: 'time' };
const WalletFields: Selection = { id: 'id', address: 'hex', chainId: 'count', status: 'word', isDefault: 'boolean', depositAddress: 'hex?', createdAt: 'time' };
const WithdrawalFields: Selection = { id: 'id', walletId: 'id', toAddress: 'hex', amountCents: 'cents', feeCents: 'cents', status: 'word', transactionHash: 'hex?', createdAt: 'time', updatedAt: 'time' };

/** All operations by their root fields. */
export interface Operations {
  readonly categories: Operation<CategoriesQuery, CategoriesQueryVariables>;
  readonly category: Operation<CategoryQuery, CategoryQueryVariables>;
  readonly topics: Operation<TopicsQuery, TopicsQueryVariables>;
  readonly topic: Operation<TopicQuery, TopicQueryVariables>;
  readonly markets: Operation<MarketsQuery, MarketsQueryVariables>;
  readonly market: Operation<MarketQuery, MarketQueryVariables>;
  readonly createdMarkets: Operation<CreatedMarketsQuery, CreatedMarketsQueryVariables>;
  readonly marketStatusChanged: Operation<MarketStatusChangedSubscription, MarketStatusChangedSubscriptionVariables>;
  readonly orderBook: Operation<OrderBookQuery, OrderBookQueryVariables>;
  readonly trades: Operation<TradesQuery, TradesQueryVariables>;
  readonly priceHistory: Operation<PriceHistoryQuery, PriceHistoryQueryVariables>;
  readonly betLimits: Operation<BetLimitsQuery, BetLimitsQueryVariables>;
  readonly betQuote: Operation<BetQuoteQuery, BetQuoteQueryVariables>;
  readonly orderBookUpdated: Operation<OrderBookUpdatedSubscription, OrderBookUpdatedSubscriptionVariables>;
  readonly tradeExecuted: Operation<TradeExecutedSubscription, TradeExecutedSubscriptionVariables>;
  readonly priceUpdated: Operation<PriceUpdatedSubscription, PriceUpdatedSubscriptionVariables>;
  readonly resolutionOutcome: Operation<ResolutionOutcomeQuery, ResolutionOutcomeQueryVariables>;
  readonly modelVotes: Operation<ModelVotesQuery, ModelVotesQueryVariables>;
  readonly transparencyRecord: Operation<TransparencyRecordQuery, TransparencyRecordQueryVariables>;
  readonly disputeResolution: Operation<DisputeResolutionMutation, DisputeResolutionMutationVariables>;
  readonly resolutionUpdated: Operation<ResolutionUpdatedSubscription, ResolutionUpdatedSubscriptionVariables>;
  readonly bettingConfig: Operation<BettingConfigQuery, BettingConfigQueryVariables>;
  readonly marketConfig: Operation<MarketConfigQuery, MarketConfigQueryVariables>;
  readonly geoCheck: Operation<GeoCheckQuery, GeoCheckQueryVariables>;
  readonly health: Operation<HealthQuery, HealthQueryVariables>;
  readonly venueStatusChanged: Operation<VenueStatusChangedSubscription, VenueStatusChangedSubscriptionVariables>;
  readonly authChallenge: Operation<AuthChallengeQuery, AuthChallengeQueryVariables>;
  readonly me: Operation<MeQuery, MeQueryVariables>;
  readonly createSession: Operation<CreateSessionMutation, CreateSessionMutationVariables>;
  readonly refreshSession: Operation<RefreshSessionMutation, RefreshSessionMutationVariables>;
  readonly revokeSession: Operation<RevokeSessionMutation, RevokeSessionMutationVariables>;
  readonly createApiKey: Operation<CreateApiKeyMutation, CreateApiKeyMutationVariables>;
  readonly revokeApiKey: Operation<RevokeApiKeyMutation, RevokeApiKeyMutationVariables>;
  readonly requestEmailVerification: Operation<RequestEmailVerificationMutation, RequestEmailVerificationMutationVariables>;
  readonly verifyEmail: Operation<VerifyEmailMutation, VerifyEmailMutationVariables>;
  readonly balance: Operation<BalanceQuery, BalanceQueryVariables>;
  readonly ledger: Operation<LedgerQuery, LedgerQueryVariables>;
  readonly positions: Operation<PositionsQuery, PositionsQueryVariables>;
  readonly claimablePositions: Operation<ClaimablePositionsQuery, ClaimablePositionsQueryVariables>;
  readonly portfolio: Operation<PortfolioQuery, PortfolioQueryVariables>;
  readonly splitPosition: Operation<SplitPositionMutation, SplitPositionMutationVariables>;
  readonly mergePosition: Operation<MergePositionMutation, MergePositionMutationVariables>;
  readonly claimPosition: Operation<ClaimPositionMutation, ClaimPositionMutationVariables>;
  readonly claimAllPositions: Operation<ClaimAllPositionsMutation, ClaimAllPositionsMutationVariables>;
  readonly positionUpdated: Operation<PositionUpdatedSubscription, PositionUpdatedSubscriptionVariables>;
  readonly balanceUpdated: Operation<BalanceUpdatedSubscription, BalanceUpdatedSubscriptionVariables>;
  readonly orders: Operation<OrdersQuery, OrdersQueryVariables>;
  readonly order: Operation<OrderQuery, OrderQueryVariables>;
  readonly fills: Operation<FillsQuery, FillsQueryVariables>;
  readonly signingParams: Operation<SigningParamsQuery, SigningParamsQueryVariables>;
  readonly placeOrder: Operation<PlaceOrderMutation, PlaceOrderMutationVariables>;
  readonly placeOrders: Operation<PlaceOrdersMutation, PlaceOrdersMutationVariables>;
  readonly cancelOrder: Operation<CancelOrderMutation, CancelOrderMutationVariables>;
  readonly cancelOrders: Operation<CancelOrdersMutation, CancelOrdersMutationVariables>;
  readonly cancelMarketOrders: Operation<CancelMarketOrdersMutation, CancelMarketOrdersMutationVariables>;
  readonly cancelAllOrders: Operation<CancelAllOrdersMutation, CancelAllOrdersMutationVariables>;
  readonly replaceOrder: Operation<ReplaceOrderMutation, ReplaceOrderMutationVariables>;
  readonly replaceOrders: Operation<ReplaceOrdersMutation, ReplaceOrdersMutationVariables>;
  readonly reduceOrder: Operation<ReduceOrderMutation, ReduceOrderMutationVariables>;
  readonly orderEvents: Operation<OrderEventsSubscription, OrderEventsSubscriptionVariables>;
  readonly tradingSafety: Operation<TradingSafetyQuery, TradingSafetyQueryVariables>;
  readonly heartbeat: Operation<HeartbeatMutation, HeartbeatMutationVariables>;
  readonly disarmHeartbeat: Operation<DisarmHeartbeatMutation, DisarmHeartbeatMutationVariables>;
  readonly createOrderGroup: Operation<CreateOrderGroupMutation, CreateOrderGroupMutationVariables>;
  readonly updateOrderGroup: Operation<UpdateOrderGroupMutation, UpdateOrderGroupMutationVariables>;
  readonly deleteOrderGroup: Operation<DeleteOrderGroupMutation, DeleteOrderGroupMutationVariables>;
  readonly wallets: Operation<WalletsQuery, WalletsQueryVariables>;
  readonly withdrawals: Operation<WithdrawalsQuery, WithdrawalsQueryVariables>;
  readonly createMarket: Operation<CreateMarketMutation, CreateMarketMutationVariables>;
  readonly cancelMarket: Operation<CancelMarketMutation, CancelMarketMutationVariables>;
  readonly provisionWallet: Operation<ProvisionWalletMutation, ProvisionWalletMutationVariables>;
  readonly executeWithdrawal: Operation<ExecuteWithdrawalMutation, ExecuteWithdrawalMutationVariables>;
}

/** All operations by their root fields. */
export const OPERATIONS: Operations = {
  categories: {
    kind: 'query', name: 'Categories', field: 'categories',
    text: "query Categories{categories{...CategoryFields}}fragment CategoryFields on Category{name slug marketCount totalVolumeCents}",
    answer: { categories: { fields: CategoryFields, wrap: '[]' } },
  },
  category: {
    kind: 'query', name: 'Category', field: 'category',
    text: "query Category($slug:String!){category(slug:$slug){...CategoryFields}}fragment CategoryFields on Category{name slug marketCount totalVolumeCents}",
    answer: { category: { fields: CategoryFields, wrap: '?' } },
  },
  topics: {
    kind: 'query', name: 'Topics', field: 'topics',
    text: "query Topics($categorySlug:String$search:String){topics(categorySlug:$categorySlug search:$search){...TopicFields}}fragment TopicFields on Topic{id name slug categorySlug marketCount}",
    answer: { topics: { fields: TopicFields, wrap: '[]?' } },
  },
  topic: {
    kind: 'query', name: 'Topic', field: 'topic',
    text: "query Topic($slug:String!){topic(slug:$slug){...TopicFields}}fragment TopicFields on Topic{id name slug categorySlug marketCount}",
    answer: { topic: { fields: TopicFields, wrap: '?' } },
  },
  markets: {
    kind: 'query', name: 'Markets', field: 'markets',
    text: "query Markets($input:MarketsInput){markets(input:$input){...MarketPage}}fragment MarketPage on MarketConnection{edges{cursor node{...MarketFields}}pageInfo{...PageInfoFields}totalCount}fragment MarketFields on Market{id slug question status yesPriceBps noPriceBps spreadBps volumeCents resolutionDate description category{...CategoryFields}topics{...TopicFields}bestBidBps bestAskBps midpointBps lastTradePriceBps tickSizeBps minOrderShares lotShares feeRateBps acceptingOrders blockchainStep eventId createdAt updatedAt}fragment CategoryFields on Category{name slug marketCount totalVolumeCents}fragment TopicFields on Topic{id name slug categorySlug marketCount}fragment PageInfoFields on PageInfo{hasNextPage hasPreviousPage startCursor endCursor}",
    answer: { markets: { fields: MarketPage, wrap: '?' } },
  },
  market: {
    kind: 'query', name: 'Market', field: 'market',
    text: "query Market($id:ID$slug:String){market(id:$id slug:$slug){...MarketFields}}fragment MarketFields on Market{id slug question status yesPriceBps noPriceBps spreadBps volumeCents resolutionDate description category{...CategoryFields}topics{...TopicFields}bestBidBps bestAskBps midpointBps lastTradePriceBps tickSizeBps minOrderShares lotShares feeRateBps acceptingOrders blockchainStep eventId createdAt updatedAt}fragment CategoryFields on Category{name slug marketCount totalVolumeCents}fragment TopicFields on Topic{id name slug categorySlug marketCount}",
    answer: { market: { fields: MarketFields, wrap: '?' } },
  },
  createdMarkets: {
    kind: 'query', name: 'CreatedMarkets', field: 'createdMarkets',
    text: "query CreatedMarkets($first:Int$after:Cursor){createdMarkets(first:$first after:$after){...MarketPage}}fragment MarketPage on MarketConnection{edges{cursor node{...MarketFields}}pageInfo{...PageInfoFields}totalCount}fragment MarketFields on Market{id slug question status yesPriceBps noPriceBps spreadBps volumeCents resolutionDate description category{...CategoryFields}topics{...TopicFields}bestBidBps bestAskBps midpointBps lastTradePriceBps tickSizeBps minOrderShares lotShares feeRateBps acceptingOrders blockchainStep eventId createdAt updatedAt}fragment CategoryFields on Category{name slug marketCount totalVolumeCents}fragment TopicFields on Topic{id name slug categorySlug marketCount}fragment PageInfoFields on PageInfo{hasNextPage hasPreviousPage startCursor endCursor}",
    answer: { createdMarkets: { fields: MarketPage, wrap: '?' } },
  },
  marketStatusChanged: {
    kind: 'subscription', name: 'MarketStatusChanged', field: 'marketStatusChanged',
    text: "subscription MarketStatusChanged($marketIds:[ID!]){marketStatusChanged(marketIds:$marketIds){market{...MarketFields}previousStatus status blockchainStep reason created at}}fragment MarketFields on Market{id slug question status yesPriceBps noPriceBps spreadBps volumeCents resolutionDate description category{...CategoryFields}topics{...TopicFields}bestBidBps bestAskBps midpointBps lastTradePriceBps tickSizeBps minOrderShares lotShares feeRateBps acceptingOrders blockchainStep eventId createdAt updatedAt}fragment CategoryFields on Category{name slug marketCount totalVolumeCents}fragment TopicFields on Topic{id name slug categorySlug marketCount}",
    answer: { marketStatusChanged: { fields: { market: { fields: MarketFields, wrap: '' }, previousStatus: 'MarketStatus?', status: 'MarketStatus', blockchainStep: 'word?', reason: 'text', created: 'boolean', at: 'time' }, wrap: '?' } },
  },
  orderBook: {
    kind: 'query', name: 'OrderBook', field: 'orderBook',
    text: "query OrderBook($marketId:ID!$outcome:BetOutcome$depth:Int){orderBook(marketId:$marketId outcome:$outcome depth:$depth){marketId outcome seq checksum bids{...LevelFields}asks{...LevelFields}bestBidBps bestAskBps midpointBps lastTradePriceBps tickSizeBps asOf}}fragment LevelFields on PriceLevel{priceBps shares orderCount}",
    answer: { orderBook: { fields: { marketId: 'uuid', outcome: 'BetOutcome', seq: 'seq', checksum: 'hex', bids: { fields: LevelFields, wrap: '[]' }, asks: { fields: LevelFields, wrap: '[]' }, bestBidBps: 'bps?', bestAskBps: 'bps?', midpointBps: 'bps?', lastTradePriceBps: 'bps?', tickSizeBps: 'tick', asOf: 'time' }, wrap: '?' } },
  },
  trades: {
    kind: 'query', name: 'Trades', field: 'trades',
    text: "query Trades($marketId:ID!$first:Int$after:Cursor$last:Int$before:Cursor){trades(marketId:$marketId first:$first after:$after last:$last before:$before){edges{cursor node{...TradeFields}}pageInfo{...PageInfoFields}totalCount}}fragment TradeFields on Trade{id marketId outcome side priceBps lastTradePriceBps shares amountCents matchType seq executedAt}fragment PageInfoFields on PageInfo{hasNextPage hasPreviousPage startCursor endCursor}",
    answer: { trades: { fields: { edges: { fields: { cursor: 'cursor', node: { fields: TradeFields, wrap: '' } }, wrap: '[]' }, pageInfo: { fields: PageInfoFields, wrap: '' }, totalCount: 'count' }, wrap: '?' } },
  },
  priceHistory: {
    kind: 'query', name: 'PriceHistory', field: 'priceHistory',
    text: "query PriceHistory($marketId:ID!$since:Time$until:Time$interval:PriceInterval){priceHistory(marketId:$marketId since:$since until:$until interval:$interval){at yesPriceBps noPriceBps midpointBps bestBidBps bestAskBps lastTradePriceBps volumeCents}}",
    answer: { priceHistory: { fields: { at: 'time', yesPriceBps: 'bps', noPriceBps: 'bps', midpointBps: 'bps?', bestBidBps: 'bps?', bestAskBps: 'bps?', lastTradePriceBps: 'bps?', volumeCents: 'cents' }, wrap: '[]?' } },
  },
  betLimits: {
    kind: 'query', name: 'BetLimits', field: 'betLimits',
    text: "query BetLimits($marketId:ID!$outcome:BetOutcome$side:OrderSide){betLimits(marketId:$marketId outcome:$outcome side:$side){marketId minBetCents maxBetCents maxShares maxExposurePerMarketCents remainingExposureCents minOrderShares tickSizeBps}}",
    answer: { betLimits: { fields: { marketId: 'uuid', minBetCents: 'cents', maxBetCents: 'cents', maxShares: 'amount', maxExposurePerMarketCents: 'cents', remainingExposureCents: 'cents?', minOrderShares: 'shares', tickSizeBps: 'tick' }, wrap: '?' } },
  },
  betQuote: {
    kind: 'query', name: 'BetQuote', field: 'betQuote',
    text: "query BetQuote($marketId:ID!$outcome:BetOutcome!$side:OrderSide!$amountCents:Int$shares:Float){betQuote(marketId:$marketId outcome:$outcome side:$side amountCents:$amountCents shares:$shares){marketId outcome side quotedPriceBps averagePriceBps worstPriceBps shares amountCents feeCents fillable bookSeq asOf}}",
    answer: { betQuote: { fields: { marketId: 'uuid', outcome: 'BetOutcome', side: 'OrderSide', quotedPriceBps: 'bps', averagePriceBps: 'bps?', worstPriceBps: 'bps?', shares: 'amount', amountCents: 'cents', feeCents: 'cents', fillable: 'boolean', bookSeq: 'seq', asOf: 'time' }, wrap: '?' } },
  },
  orderBookUpdated: {
    kind: 'subscription', name: 'OrderBookUpdated', field: 'orderBookUpdated',
    text: "subscription OrderBookUpdated($marketId:ID!$depth:Int$afterSeq:UintString){orderBookUpdated(marketId:$marketId depth:$depth afterSeq:$afterSeq){kind marketId seq prevSeq bids{...LevelFields}asks{...LevelFields}checksum at}}fragment LevelFields on PriceLevel{priceBps shares orderCount}",
    answer: { orderBookUpdated: { fields: { kind: 'BookEventKind', marketId: 'uuid', seq: 'seq', prevSeq: 'seq', bids: { fields: LevelFields, wrap: '[]' }, asks: { fields: LevelFields, wrap: '[]' }, checksum: 'hex', at: 'time' }, wrap: '?' } },
  },
  tradeExecuted: {
    kind: 'subscription', name: 'TradeExecuted', field: 'tradeExecuted',
    text: "subscription TradeExecuted($marketId:ID!){tradeExecuted(marketId:$marketId){...TradeFields}}fragment TradeFields on Trade{id marketId outcome side priceBps lastTradePriceBps shares amountCents matchType seq executedAt}",
    answer: { tradeExecuted: { fields: TradeFields, wrap: '?' } },
  },
  priceUpdated: {
    kind: 'subscription', name: 'PriceUpdated', field: 'priceUpdated',
    text: "subscription PriceUpdated($marketIds:[ID!]!){priceUpdated(marketIds:$marketIds){marketId yesPriceBps noPriceBps spreadBps bestBidBps bestAskBps midpointBps lastTradePriceBps seq at}}",
    answer: { priceUpdated: { fields: { marketId: 'uuid', yesPriceBps: 'bps', noPriceBps: 'bps', spreadBps: 'bps', bestBidBps: 'bps?', bestAskBps: 'bps?', midpointBps: 'bps?', lastTradePriceBps: 'bps?', seq: 'seq', at: 'time' }, wrap: '?' } },
  },
  resolutionOutcome: {
    kind: 'query', name: 'ResolutionOutcome', field: 'resolutionOutcome',
    text: "query ResolutionOutcome($marketId:ID!){resolutionOutcome(marketId:$marketId){...ResolutionFields}}fragment ResolutionFields on Resolution{marketId status outcome yesPayoutBps noPayoutBps decidedAt finalAt disputeWindowEndsAt rationale}",
    answer: { resolutionOutcome: { fields: ResolutionFields, wrap: '?' } },
  },
  modelVotes: {
    kind: 'query', name: 'ModelVotes', field: 'modelVotes',
    text: "query ModelVotes($marketId:ID!){modelVotes(marketId:$marketId){...VoteFields}}fragment VoteFields on ModelVote{id model vote confidenceBps rationale sources round votedAt}",
    answer: { modelVotes: { fields: VoteFields, wrap: '[]?' } },
  },
  transparencyRecord: {
    kind: 'query', name: 'TransparencyRecord', field: 'transparencyRecord',
    text: "query TransparencyRecord($marketId:ID!){transparencyRecord(marketId:$marketId){marketId question questionHash rules quorum steps{...StepFields}headDigest transactionHashes}}fragment StepFields on TransparencyStep{at actor fromStatus toStatus note data digest previousDigest}",
    answer: { transparencyRecord: { fields: { marketId: 'uuid', question: 'text', questionHash: 'hex', rules: 'text', quorum: 'count', steps: { fields: StepFields, wrap: '[]' }, headDigest: 'hex', transactionHashes: 'hex[]' }, wrap: '?' } },
  },
  disputeResolution: {
    kind: 'mutation', name: 'DisputeResolution', field: 'disputeResolution',
    text: "mutation DisputeResolution($marketId:ID!$reason:String!){disputeResolution(marketId:$marketId reason:$reason){resolution{...ResolutionFields}rejection{...RejectionFields}}}fragment ResolutionFields on Resolution{marketId status outcome yesPayoutBps noPayoutBps decidedAt finalAt disputeWindowEndsAt rationale}fragment RejectionFields on Rejection{reason message field limit value unit retryAfterMs}",
    answer: { disputeResolution: { fields: { resolution: { fields: ResolutionFields, wrap: '?' }, rejection: { fields: RejectionFields, wrap: '?' } }, wrap: '?' } },
  },
  resolutionUpdated: {
    kind: 'subscription', name: 'ResolutionUpdated', field: 'resolutionUpdated',
    text: "subscription ResolutionUpdated($marketId:ID!){resolutionUpdated(marketId:$marketId){resolution{...ResolutionFields}vote{...VoteFields}step{...StepFields}}}fragment ResolutionFields on Resolution{marketId status outcome yesPayoutBps noPayoutBps decidedAt finalAt disputeWindowEndsAt rationale}fragment VoteFields on ModelVote{id model vote confidenceBps rationale sources round votedAt}fragment StepFields on TransparencyStep{at actor fromStatus toStatus note data digest previousDigest}",
    answer: { resolutionUpdated: { fields: { resolution: { fields: ResolutionFields, wrap: '' }, vote: { fields: VoteFields, wrap: '?' }, step: { fields: StepFields, wrap: '' } }, wrap: '?' } },
  },
  bettingConfig: {
    kind: 'query', name: 'BettingConfig', field: 'bettingConfig',
    text: "query BettingConfig{bettingConfig{...BettingConfigFields}}fragment BettingConfigFields on BettingConfig{minBetCents maxInitialBetCents betPresets spreadBps maxBatchOrders maxBatchCancels minHeartbeatMs maxHeartbeatMs maxClockSkewMs feeRateBps}",
    answer: { bettingConfig: { fields: BettingConfigFields, wrap: '' } },
  },
  marketConfig: {
    kind: 'query', name: 'MarketConfig', field: 'marketConfig',
    text: "query MarketConfig{marketConfig{...MarketConfigFields}}fragment MarketConfigFields on MarketConfig{maxQuestionLength maxExposurePerMarketCents maxBetPerMarketCents tickSizeBps minOrderShares lotShares disputeWindowSeconds}",
    answer: { marketConfig: { fields: MarketConfigFields, wrap: '' } },
  },
  geoCheck: {
    kind: 'query', name: 'GeoCheck', field: 'geoCheck',
    text: "query GeoCheck{geoCheck{allowed closeOnly countryCode reason}}",
    answer: { geoCheck: { fields: { allowed: 'boolean', closeOnly: 'boolean', countryCode: 'text?', reason: 'text?' }, wrap: '' } },
  },
  health: {
    kind: 'query', name: 'Health', field: 'health',
    text: "query Health{health{status mode version serverTime engineSeq}}",
    answer: { health: { fields: { status: 'word', mode: 'VenueMode', version: 'text', serverTime: 'time', engineSeq: 'seq' }, wrap: '' } },
  },
  venueStatusChanged: {
    kind: 'subscription', name: 'VenueStatusChanged', field: 'venueStatusChanged',
    text: "subscription VenueStatusChanged{venueStatusChanged{mode bettingConfig{...BettingConfigFields}marketConfig{...MarketConfigFields}message nextRestartAt at}}fragment BettingConfigFields on BettingConfig{minBetCents maxInitialBetCents betPresets spreadBps maxBatchOrders maxBatchCancels minHeartbeatMs maxHeartbeatMs maxClockSkewMs feeRateBps}fragment MarketConfigFields on MarketConfig{maxQuestionLength maxExposurePerMarketCents maxBetPerMarketCents tickSizeBps minOrderShares lotShares disputeWindowSeconds}",
    answer: { venueStatusChanged: { fields: { mode: 'VenueMode', bettingConfig: { fields: BettingConfigFields, wrap: '' }, marketConfig: { fields: MarketConfigFields, wrap: '' }, message: 'text?', nextRestartAt: 'time?', at: 'time' }, wrap: '' } },
  },
  authChallenge: {
    kind: 'query', name: 'AuthChallenge', field: 'authChallenge',
    text: "query AuthChallenge($address:Hex!){authChallenge(address:$address){nonce typedData expiresAt}}",
    answer: { authChallenge: { fields: { nonce: 'hex', typedData: 'object', expiresAt: 'time' }, wrap: '?' } },
  },
  me: {
    kind: 'query', name: 'Me', field: 'me',
    text: "query Me{me{...AccountFields}}fragment AccountFields on Account{id address email emailVerified scopes apiKeys{...ApiKeyFields}orderEpoch rateBuckets{name capacity refillPerSecond remaining}createdAt}fragment ApiKeyFields on ApiKey{id label scopes delegateAddress ipAllowList lastUsedAt expiresAt createdAt}",
    answer: { me: { fields: AccountFields, wrap: '' } },
  },
  createSession: {
    kind: 'mutation', name: 'CreateSession', field: 'createSession',
    text: "mutation CreateSession($input:CreateSessionInput!){createSession(input:$input){...SessionFields}}fragment SessionFields on SessionPayload{accessToken refreshToken tokenType expiresAt account{...AccountFields}}fragment AccountFields on Account{id address email emailVerified scopes apiKeys{...ApiKeyFields}orderEpoch rateBuckets{name capacity refillPerSecond remaining}createdAt}fragment ApiKeyFields on ApiKey{id label scopes delegateAddress ipAllowList lastUsedAt expiresAt createdAt}",
    answer: { createSession: { fields: SessionFields, wrap: '' } },
  },
  refreshSession: {
    kind: 'mutation', name: 'RefreshSession', field: 'refreshSession',
    text: "mutation RefreshSession($refreshToken:String!){refreshSession(refreshToken:$refreshToken){...SessionFields}}fragment SessionFields on SessionPayload{accessToken refreshToken tokenType expiresAt account{...AccountFields}}fragment AccountFields on Account{id address email emailVerified scopes apiKeys{...ApiKeyFields}orderEpoch rateBuckets{name capacity refillPerSecond remaining}createdAt}fragment ApiKeyFields on ApiKey{id label scopes delegateAddress ipAllowList lastUsedAt expiresAt createdAt}",
    answer: { refreshSession: { fields: SessionFields, wrap: '' } },
  },
  revokeSession: {
    kind: 'mutation', name: 'RevokeSession', field: 'revokeSession',
    text: "mutation RevokeSession{revokeSession{revoked}}",
    answer: { revokeSession: { fields: { revoked: 'boolean' }, wrap: '?' } },
  },
  createApiKey: {
    kind: 'mutation', name: 'CreateApiKey', field: 'createApiKey',
    text: "mutation CreateApiKey($input:CreateApiKeyInput!){createApiKey(input:$input){apiKey{...ApiKeyFields}secret}}fragment ApiKeyFields on ApiKey{id label scopes delegateAddress ipAllowList lastUsedAt expiresAt createdAt}",
    answer: { createApiKey: { fields: { apiKey: { fields: ApiKeyFields, wrap: '' }, secret: 'token' }, wrap: '?' } },
  },
  revokeApiKey: {
    kind: 'mutation', name: 'RevokeApiKey', field: 'revokeApiKey',
    text: "mutation RevokeApiKey($id:ID!){revokeApiKey(id:$id){revokedId}}",
    answer: { revokeApiKey: { fields: { revokedId: 'id' }, wrap: '?' } },
  },
  requestEmailVerification: {
    kind: 'mutation', name: 'RequestEmailVerification', field: 'requestEmailVerification',
    text: "mutation RequestEmailVerification($email:String!){requestEmailVerification(email:$email){...EmailFields}}fragment EmailFields on EmailPayload{email verified expiresAt}",
    answer: { requestEmailVerification: { fields: EmailFields, wrap: '?' } },
  },
  verifyEmail: {
    kind: 'mutation', name: 'VerifyEmail', field: 'verifyEmail',
    text: "mutation VerifyEmail($email:String!$code:String!){verifyEmail(email:$email code:$code){...EmailFields}}fragment EmailFields on EmailPayload{email verified expiresAt}",
    answer: { verifyEmail: { fields: EmailFields, wrap: '?' } },
  },
  balance: {
    kind: 'query', name: 'Balance', field: 'balance',
    text: "query Balance{balance{...BalanceFields}}fragment BalanceFields on Balance{availableCents reservedCents totalCents claimableCents availableMicros reservedMicros seq asOf}",
    answer: { balance: { fields: BalanceFields, wrap: '' } },
  },
  ledger: {
    kind: 'query', name: 'Ledger', field: 'ledger',
    text: "query Ledger($input:LedgerInput){ledger(input:$input){edges{cursor node{id kind amountMicros amountCents direction marketId orderId fillId at}}pageInfo{...PageInfoFields}totalCount}}fragment PageInfoFields on PageInfo{hasNextPage hasPreviousPage startCursor endCursor}",
    answer: { ledger: { fields: { edges: { fields: { cursor: 'cursor', node: { fields: { id: 'id', kind: 'word', amountMicros: 'signedMicros', amountCents: 'cents', direction: 'int', marketId: 'uuid?', orderId: 'id?', fillId: 'id?', at: 'time' }, wrap: '' } }, wrap: '[]' }, pageInfo: { fields: PageInfoFields, wrap: '' }, totalCount: 'count' }, wrap: '?' } },
  },
  positions: {
    kind: 'query', name: 'Positions', field: 'positions',
    text: "query Positions($input:PositionsInput){positions(input:$input){edges{cursor node{...PositionFields}}pageInfo{...PageInfoFields}totalCount}}fragment PositionFields on Position{id marketId market{id slug question status acceptingOrders}outcome shares reservedShares averagePriceBps amountCents amountMicros valueCents currentOddsBps totalPayoutCents realizedPnlMicros result claimable seq updatedAt}fragment PageInfoFields on PageInfo{hasNextPage hasPreviousPage startCursor endCursor}",
    answer: { positions: { fields: { edges: { fields: { cursor: 'cursor', node: { fields: PositionFields, wrap: '' } }, wrap: '[]' }, pageInfo: { fields: PageInfoFields, wrap: '' }, totalCount: 'count' }, wrap: '?' } },
  },
  claimablePositions: {
    kind: 'query', name: 'ClaimablePositions', field: 'claimablePositions',
    text: "query ClaimablePositions{claimablePositions{...PositionFields}}fragment PositionFields on Position{id marketId market{id slug question status acceptingOrders}outcome shares reservedShares averagePriceBps amountCents amountMicros valueCents currentOddsBps totalPayoutCents realizedPnlMicros result claimable seq updatedAt}",
    answer: { claimablePositions: { fields: PositionFields, wrap: '[]' } },
  },
  portfolio: {
    kind: 'query', name: 'Portfolio', field: 'portfolio',
    text: "query Portfolio{portfolio{cashCents positionsValueCents claimableCents openOrderReserveCents worstCaseLossCents realizedPnlMicros unrealizedPnlMicros feesPaidMicros asOf}}",
    answer: { portfolio: { fields: { cashCents: 'cents', positionsValueCents: 'cents', claimableCents: 'cents', openOrderReserveCents: 'cents', worstCaseLossCents: 'cents', realizedPnlMicros: 'signedMicros', unrealizedPnlMicros: 'signedMicros', feesPaidMicros: 'micros', asOf: 'time' }, wrap: '' } },
  },
  splitPosition: {
    kind: 'mutation', name: 'SplitPosition', field: 'splitPosition',
    text: "mutation SplitPosition($marketId:ID!$sets:UintString!){splitPosition(marketId:$marketId sets:$sets){...PositionChangeFields}}fragment PositionChangeFields on PositionChangePayload{yes{...PositionFields}no{...PositionFields}amountCents amountMicros rejection{...RejectionFields}seq}fragment PositionFields on Position{id marketId market{id slug question status acceptingOrders}outcome shares reservedShares averagePriceBps amountCents amountMicros valueCents currentOddsBps totalPayoutCents realizedPnlMicros result claimable seq updatedAt}fragment RejectionFields on Rejection{reason message field limit value unit retryAfterMs}",
    answer: { splitPosition: { fields: PositionChangeFields, wrap: '?' } },
  },
  mergePosition: {
    kind: 'mutation', name: 'MergePosition', field: 'mergePosition',
    text: "mutation MergePosition($marketId:ID!$sets:UintString!){mergePosition(marketId:$marketId sets:$sets){...PositionChangeFields}}fragment PositionChangeFields on PositionChangePayload{yes{...PositionFields}no{...PositionFields}amountCents amountMicros rejection{...RejectionFields}seq}fragment PositionFields on Position{id marketId market{id slug question status acceptingOrders}outcome shares reservedShares averagePriceBps amountCents amountMicros valueCents currentOddsBps totalPayoutCents realizedPnlMicros result claimable seq updatedAt}fragment RejectionFields on Rejection{reason message field limit value unit retryAfterMs}",
    answer: { mergePosition: { fields: PositionChangeFields, wrap: '?' } },
  },
  claimPosition: {
    kind: 'mutation', name: 'ClaimPosition', field: 'claimPosition',
    text: "mutation ClaimPosition($marketId:ID!){claimPosition(marketId:$marketId){...ClaimFields}}fragment ClaimFields on ClaimPayload{claims{...PositionFields}totalPayoutCents totalPayoutMicros rejection{...RejectionFields}seq}fragment PositionFields on Position{id marketId market{id slug question status acceptingOrders}outcome shares reservedShares averagePriceBps amountCents amountMicros valueCents currentOddsBps totalPayoutCents realizedPnlMicros result claimable seq updatedAt}fragment RejectionFields on Rejection{reason message field limit value unit retryAfterMs}",
    answer: { claimPosition: { fields: ClaimFields, wrap: '?' } },
  },
  claimAllPositions: {
    kind: 'mutation', name: 'ClaimAllPositions', field: 'claimAllPositions',
    text: "mutation ClaimAllPositions{claimAllPositions{...ClaimFields}}fragment ClaimFields on ClaimPayload{claims{...PositionFields}totalPayoutCents totalPayoutMicros rejection{...RejectionFields}seq}fragment PositionFields on Position{id marketId market{id slug question status acceptingOrders}outcome shares reservedShares averagePriceBps amountCents amountMicros valueCents currentOddsBps totalPayoutCents realizedPnlMicros result claimable seq updatedAt}fragment RejectionFields on Rejection{reason message field limit value unit retryAfterMs}",
    answer: { claimAllPositions: { fields: ClaimFields, wrap: '?' } },
  },
  positionUpdated: {
    kind: 'subscription', name: 'PositionUpdated', field: 'positionUpdated',
    text: "subscription PositionUpdated($marketId:ID){positionUpdated(marketId:$marketId){...PositionFields}}fragment PositionFields on Position{id marketId market{id slug question status acceptingOrders}outcome shares reservedShares averagePriceBps amountCents amountMicros valueCents currentOddsBps totalPayoutCents realizedPnlMicros result claimable seq updatedAt}",
    answer: { positionUpdated: { fields: PositionFields, wrap: '?' } },
  },
  balanceUpdated: {
    kind: 'subscription', name: 'BalanceUpdated', field: 'balanceUpdated',
    text: "subscription BalanceUpdated{balanceUpdated{...BalanceFields}}fragment BalanceFields on Balance{availableCents reservedCents totalCents claimableCents availableMicros reservedMicros seq asOf}",
    answer: { balanceUpdated: { fields: BalanceFields, wrap: '' } },
  },
  orders: {
    kind: 'query', name: 'Orders', field: 'orders',
    text: "query Orders($input:OrdersInput){orders(input:$input){edges{cursor node{...OrderFields}}pageInfo{...PageInfoFields}totalCount}}fragment OrderFields on Order{id orderHash clientOrderId marketId outcome side priceBps shares filledShares remainingShares averageFillPriceBps timeInForce postOnly expiresAt status cancelReason groupId reservedCents feeCents queueAheadShares seq createdAt updatedAt}fragment PageInfoFields on PageInfo{hasNextPage hasPreviousPage startCursor endCursor}",
    answer: { orders: { fields: { edges: { fields: { cursor: 'cursor', node: { fields: OrderFields, wrap: '' } }, wrap: '[]' }, pageInfo: { fields: PageInfoFields, wrap: '' }, totalCount: 'count' }, wrap: '?' } },
  },
  order: {
    kind: 'query', name: 'Order', field: 'order',
    text: "query Order($id:ID$orderHash:Hex$clientOrderId:String){order(id:$id orderHash:$orderHash clientOrderId:$clientOrderId){found order{...OrderFields}fills{...FillFields}}}fragment OrderFields on Order{id orderHash clientOrderId marketId outcome side priceBps shares filledShares remainingShares averageFillPriceBps timeInForce postOnly expiresAt status cancelReason groupId reservedCents feeCents queueAheadShares seq createdAt updatedAt}fragment FillFields on Fill{id tradeId orderId clientOrderId marketId outcome side priceBps shares amountCents amountMicros feeMicros role matchType seq executedAt}",
    answer: { order: { fields: { found: 'boolean', order: { fields: OrderFields, wrap: '?' }, fills: { fields: FillFields, wrap: '[]' } }, wrap: '?' } },
  },
  fills: {
    kind: 'query', name: 'Fills', field: 'fills',
    text: "query Fills($input:FillsInput){fills(input:$input){edges{cursor node{...FillFields}}pageInfo{...PageInfoFields}totalCount}}fragment FillFields on Fill{id tradeId orderId clientOrderId marketId outcome side priceBps shares amountCents amountMicros feeMicros role matchType seq executedAt}fragment PageInfoFields on PageInfo{hasNextPage hasPreviousPage startCursor endCursor}",
    answer: { fills: { fields: { edges: { fields: { cursor: 'cursor', node: { fields: FillFields, wrap: '' } }, wrap: '[]' }, pageInfo: { fields: PageInfoFields, wrap: '' }, totalCount: 'count' }, wrap: '?' } },
  },
  signingParams: {
    kind: 'query', name: 'SigningParams', field: 'signingParams',
    text: "query SigningParams($input:SigningParamsInput!){signingParams(input:$input){kind typedData digest costCents worstCaseCents normalizedPriceBps normalizedShares expiresAt}}",
    answer: { signingParams: { fields: { kind: 'word', typedData: 'object', digest: 'hex', costCents: 'cents', worstCaseCents: 'cents', normalizedPriceBps: 'bps?', normalizedShares: 'amount?', expiresAt: 'time' }, wrap: '?' } },
  },
  placeOrder: {
    kind: 'mutation', name: 'PlaceOrder', field: 'placeOrder',
    text: "mutation PlaceOrder($input:PlaceOrderInput!){placeOrder(input:$input){...PlaceFields}}fragment PlaceFields on PlaceOrderPayload{accepted duplicate order{...OrderFields}fills{...FillFields}rejection{...RejectionFields}seq}fragment OrderFields on Order{id orderHash clientOrderId marketId outcome side priceBps shares filledShares remainingShares averageFillPriceBps timeInForce postOnly expiresAt status cancelReason groupId reservedCents feeCents queueAheadShares seq createdAt updatedAt}fragment FillFields on Fill{id tradeId orderId clientOrderId marketId outcome side priceBps shares amountCents amountMicros feeMicros role matchType seq executedAt}fragment RejectionFields on Rejection{reason message field limit value unit retryAfterMs}",
    answer: { placeOrder: { fields: PlaceFields, wrap: '?' } },
  },
  placeOrders: {
    kind: 'mutation', name: 'PlaceOrders', field: 'placeOrders',
    text: "mutation PlaceOrders($input:PlaceOrdersInput!){placeOrders(input:$input){results{...PlaceFields}seq}}fragment PlaceFields on PlaceOrderPayload{accepted duplicate order{...OrderFields}fills{...FillFields}rejection{...RejectionFields}seq}fragment OrderFields on Order{id orderHash clientOrderId marketId outcome side priceBps shares filledShares remainingShares averageFillPriceBps timeInForce postOnly expiresAt status cancelReason groupId reservedCents feeCents queueAheadShares seq createdAt updatedAt}fragment FillFields on Fill{id tradeId orderId clientOrderId marketId outcome side priceBps shares amountCents amountMicros feeMicros role matchType seq executedAt}fragment RejectionFields on Rejection{reason message field limit value unit retryAfterMs}",
    answer: { placeOrders: { fields: { results: { fields: PlaceFields, wrap: '[]' }, seq: 'seq' }, wrap: '?' } },
  },
  cancelOrder: {
    kind: 'mutation', name: 'CancelOrder', field: 'cancelOrder',
    text: "mutation CancelOrder($id:ID$orderHash:Hex$clientOrderId:String){cancelOrder(id:$id orderHash:$orderHash clientOrderId:$clientOrderId){...CancelFields}}fragment CancelFields on CancelPayload{results{...CancelResultFields}seq}fragment CancelResultFields on CancelResult{orderId cancelled remainingShares filledShares rejection{...RejectionFields}}fragment RejectionFields on Rejection{reason message field limit value unit retryAfterMs}",
    answer: { cancelOrder: { fields: CancelFields, wrap: '?' } },
  },
  cancelOrders: {
    kind: 'mutation', name: 'CancelOrders', field: 'cancelOrders',
    text: "mutation CancelOrders($ids:[ID!]!){cancelOrders(ids:$ids){...CancelFields}}fragment CancelFields on CancelPayload{results{...CancelResultFields}seq}fragment CancelResultFields on CancelResult{orderId cancelled remainingShares filledShares rejection{...RejectionFields}}fragment RejectionFields on Rejection{reason message field limit value unit retryAfterMs}",
    answer: { cancelOrders: { fields: CancelFields, wrap: '?' } },
  },
  cancelMarketOrders: {
    kind: 'mutation', name: 'CancelMarketOrders', field: 'cancelMarketOrders',
    text: "mutation CancelMarketOrders($marketId:ID!$outcome:BetOutcome$side:OrderSide){cancelMarketOrders(marketId:$marketId outcome:$outcome side:$side){...CancelFields}}fragment CancelFields on CancelPayload{results{...CancelResultFields}seq}fragment CancelResultFields on CancelResult{orderId cancelled remainingShares filledShares rejection{...RejectionFields}}fragment RejectionFields on Rejection{reason message field limit value unit retryAfterMs}",
    answer: { cancelMarketOrders: { fields: CancelFields, wrap: '?' } },
  },
  cancelAllOrders: {
    kind: 'mutation', name: 'CancelAllOrders', field: 'cancelAllOrders',
    text: "mutation CancelAllOrders{cancelAllOrders{cancelledIds newEpoch seq}}",
    answer: { cancelAllOrders: { fields: { cancelledIds: 'id[]', newEpoch: 'seq', seq: 'seq' }, wrap: '?' } },
  },
  replaceOrder: {
    kind: 'mutation', name: 'ReplaceOrder', field: 'replaceOrder',
    text: "mutation ReplaceOrder($id:ID!$input:PlaceOrderInput!$ifNoFillSince:UintString){replaceOrder(id:$id input:$input ifNoFillSince:$ifNoFillSince){...ReplaceFields}}fragment ReplaceFields on ReplaceOrdersPayload{committed cancelled{...CancelResultFields}placed{...PlaceFields}rejection{...RejectionFields}seq}fragment CancelResultFields on CancelResult{orderId cancelled remainingShares filledShares rejection{...RejectionFields}}fragment RejectionFields on Rejection{reason message field limit value unit retryAfterMs}fragment PlaceFields on PlaceOrderPayload{accepted duplicate order{...OrderFields}fills{...FillFields}rejection{...RejectionFields}seq}fragment OrderFields on Order{id orderHash clientOrderId marketId outcome side priceBps shares filledShares remainingShares averageFillPriceBps timeInForce postOnly expiresAt status cancelReason groupId reservedCents feeCents queueAheadShares seq createdAt updatedAt}fragment FillFields on Fill{id tradeId orderId clientOrderId marketId outcome side priceBps shares amountCents amountMicros feeMicros role matchType seq executedAt}",
    answer: { replaceOrder: { fields: ReplaceFields, wrap: '?' } },
  },
  replaceOrders: {
    kind: 'mutation', name: 'ReplaceOrders', field: 'replaceOrders',
    text: "mutation ReplaceOrders($input:ReplaceOrdersInput!){replaceOrders(input:$input){...ReplaceFields}}fragment ReplaceFields on ReplaceOrdersPayload{committed cancelled{...CancelResultFields}placed{...PlaceFields}rejection{...RejectionFields}seq}fragment CancelResultFields on CancelResult{orderId cancelled remainingShares filledShares rejection{...RejectionFields}}fragment RejectionFields on Rejection{reason message field limit value unit retryAfterMs}fragment PlaceFields on PlaceOrderPayload{accepted duplicate order{...OrderFields}fills{...FillFields}rejection{...RejectionFields}seq}fragment OrderFields on Order{id orderHash clientOrderId marketId outcome side priceBps shares filledShares remainingShares averageFillPriceBps timeInForce postOnly expiresAt status cancelReason groupId reservedCents feeCents queueAheadShares seq createdAt updatedAt}fragment FillFields on Fill{id tradeId orderId clientOrderId marketId outcome side priceBps shares amountCents amountMicros feeMicros role matchType seq executedAt}",
    answer: { replaceOrders: { fields: ReplaceFields, wrap: '?' } },
  },
  reduceOrder: {
    kind: 'mutation', name: 'ReduceOrder', field: 'reduceOrder',
    text: "mutation ReduceOrder($id:ID!$byShares:UintString!){reduceOrder(id:$id byShares:$byShares){...CancelFields}}fragment CancelFields on CancelPayload{results{...CancelResultFields}seq}fragment CancelResultFields on CancelResult{orderId cancelled remainingShares filledShares rejection{...RejectionFields}}fragment RejectionFields on Rejection{reason message field limit value unit retryAfterMs}",
    answer: { reduceOrder: { fields: CancelFields, wrap: '?' } },
  },
  orderEvents: {
    kind: 'subscription', name: 'OrderEvents', field: 'orderEvents',
    text: "subscription OrderEvents($marketId:ID$afterSeq:UintString){orderEvents(marketId:$marketId afterSeq:$afterSeq){kind seq prevSeq order{...OrderFields}fill{...FillFields}cancelReason at}}fragment OrderFields on Order{id orderHash clientOrderId marketId outcome side priceBps shares filledShares remainingShares averageFillPriceBps timeInForce postOnly expiresAt status cancelReason groupId reservedCents feeCents queueAheadShares seq createdAt updatedAt}fragment FillFields on Fill{id tradeId orderId clientOrderId marketId outcome side priceBps shares amountCents amountMicros feeMicros role matchType seq executedAt}",
    answer: { orderEvents: { fields: { kind: 'OrderEventKind', seq: 'seq', prevSeq: 'seq', order: { fields: OrderFields, wrap: '?' }, fill: { fields: FillFields, wrap: '?' }, cancelReason: 'word?', at: 'time' }, wrap: '?' } },
  },
  tradingSafety: {
    kind: 'query', name: 'TradingSafety', field: 'tradingSafety',
    text: "query TradingSafety{tradingSafety{heartbeatArmed heartbeatTimeoutMs heartbeatDeadline orderEpoch openOrderCount groups{...GroupFields}mode}}fragment GroupFields on OrderGroup{id label maxFilledShares windowSeconds filledInWindow tripped}",
    answer: { tradingSafety: { fields: { heartbeatArmed: 'boolean', heartbeatTimeoutMs: 'ms?', heartbeatDeadline: 'time?', orderEpoch: 'seq', openOrderCount: 'count', groups: { fields: GroupFields, wrap: '[]' }, mode: 'VenueMode' }, wrap: '' } },
  },
  heartbeat: {
    kind: 'mutation', name: 'Heartbeat', field: 'heartbeat',
    text: "mutation Heartbeat($timeoutMs:Int!){heartbeat(timeoutMs:$timeoutMs){...HeartbeatFields}}fragment HeartbeatFields on HeartbeatPayload{armed deadline serverTime}",
    answer: { heartbeat: { fields: HeartbeatFields, wrap: '?' } },
  },
  disarmHeartbeat: {
    kind: 'mutation', name: 'DisarmHeartbeat', field: 'disarmHeartbeat',
    text: "mutation DisarmHeartbeat{disarmHeartbeat{...HeartbeatFields}}fragment HeartbeatFields on HeartbeatPayload{armed deadline serverTime}",
    answer: { disarmHeartbeat: { fields: HeartbeatFields, wrap: '?' } },
  },
  createOrderGroup: {
    kind: 'mutation', name: 'CreateOrderGroup', field: 'createOrderGroup',
    text: "mutation CreateOrderGroup($input:CreateOrderGroupInput!){createOrderGroup(input:$input){group{...GroupFields}}}fragment GroupFields on OrderGroup{id label maxFilledShares windowSeconds filledInWindow tripped}",
    answer: { createOrderGroup: { fields: { group: { fields: GroupFields, wrap: '' } }, wrap: '?' } },
  },
  updateOrderGroup: {
    kind: 'mutation', name: 'UpdateOrderGroup', field: 'updateOrderGroup',
    text: "mutation UpdateOrderGroup($input:UpdateOrderGroupInput!){updateOrderGroup(input:$input){group{...GroupFields}}}fragment GroupFields on OrderGroup{id label maxFilledShares windowSeconds filledInWindow tripped}",
    answer: { updateOrderGroup: { fields: { group: { fields: GroupFields, wrap: '' } }, wrap: '?' } },
  },
  deleteOrderGroup: {
    kind: 'mutation', name: 'DeleteOrderGroup', field: 'deleteOrderGroup',
    text: "mutation DeleteOrderGroup($id:ID!){deleteOrderGroup(id:$id){deletedId}}",
    answer: { deleteOrderGroup: { fields: { deletedId: 'id' }, wrap: '?' } },
  },
  wallets: {
    kind: 'query', name: 'Wallets', field: 'wallets',
    text: "query Wallets{wallets{...WalletFields}}fragment WalletFields on Wallet{id address chainId status isDefault depositAddress createdAt}",
    answer: { wallets: { fields: WalletFields, wrap: '[]' } },
  },
  withdrawals: {
    kind: 'query', name: 'Withdrawals', field: 'withdrawals',
    text: "query Withdrawals($first:Int$after:Cursor){withdrawals(first:$first after:$after){edges{cursor node{...WithdrawalFields}}pageInfo{...PageInfoFields}totalCount}}fragment WithdrawalFields on Withdrawal{id walletId toAddress amountCents feeCents status transactionHash createdAt updatedAt}fragment PageInfoFields on PageInfo{hasNextPage hasPreviousPage startCursor endCursor}",
    answer: { withdrawals: { fields: { edges: { fields: { cursor: 'cursor', node: { fields: WithdrawalFields, wrap: '' } }, wrap: '[]' }, pageInfo: { fields: PageInfoFields, wrap: '' }, totalCount: 'count' }, wrap: '?' } },
  },
  createMarket: {
    kind: 'mutation', name: 'CreateMarket', field: 'createMarket',
    text: "mutation CreateMarket($input:CreateMarketInput!){createMarket(input:$input){market{...MarketFields}initialOrder{...OrderFields}duplicate rejection{...RejectionFields}}}fragment MarketFields on Market{id slug question status yesPriceBps noPriceBps spreadBps volumeCents resolutionDate description category{...CategoryFields}topics{...TopicFields}bestBidBps bestAskBps midpointBps lastTradePriceBps tickSizeBps minOrderShares lotShares feeRateBps acceptingOrders blockchainStep eventId createdAt updatedAt}fragment CategoryFields on Category{name slug marketCount totalVolumeCents}fragment TopicFields on Topic{id name slug categorySlug marketCount}fragment OrderFields on Order{id orderHash clientOrderId marketId outcome side priceBps shares filledShares remainingShares averageFillPriceBps timeInForce postOnly expiresAt status cancelReason groupId reservedCents feeCents queueAheadShares seq createdAt updatedAt}fragment RejectionFields on Rejection{reason message field limit value unit retryAfterMs}",
    answer: { createMarket: { fields: { market: { fields: MarketFields, wrap: '?' }, initialOrder: { fields: OrderFields, wrap: '?' }, duplicate: 'boolean', rejection: { fields: RejectionFields, wrap: '?' } }, wrap: '?' } },
  },
  cancelMarket: {
    kind: 'mutation', name: 'CancelMarket', field: 'cancelMarket',
    text: "mutation CancelMarket($marketId:ID!){cancelMarket(marketId:$marketId){market{...MarketFields}rejection{...RejectionFields}}}fragment MarketFields on Market{id slug question status yesPriceBps noPriceBps spreadBps volumeCents resolutionDate description category{...CategoryFields}topics{...TopicFields}bestBidBps bestAskBps midpointBps lastTradePriceBps tickSizeBps minOrderShares lotShares feeRateBps acceptingOrders blockchainStep eventId createdAt updatedAt}fragment CategoryFields on Category{name slug marketCount totalVolumeCents}fragment TopicFields on Topic{id name slug categorySlug marketCount}fragment RejectionFields on Rejection{reason message field limit value unit retryAfterMs}",
    answer: { cancelMarket: { fields: { market: { fields: MarketFields, wrap: '?' }, rejection: { fields: RejectionFields, wrap: '?' } }, wrap: '?' } },
  },
  provisionWallet: {
    kind: 'mutation', name: 'ProvisionWallet', field: 'provisionWallet',
    text: "mutation ProvisionWallet($chainId:Int!){provisionWallet(chainId:$chainId){wallet{...WalletFields}}}fragment WalletFields on Wallet{id address chainId status isDefault depositAddress createdAt}",
    answer: { provisionWallet: { fields: { wallet: { fields: WalletFields, wrap: '' } }, wrap: '?' } },
  },
  executeWithdrawal: {
    kind: 'mutation', name: 'ExecuteWithdrawal', field: 'executeWithdrawal',
    text: "mutation ExecuteWithdrawal($input:ExecuteWithdrawalInput!){executeWithdrawal(input:$input){withdrawal{...WithdrawalFields}duplicate rejection{...RejectionFields}}}fragment WithdrawalFields on Withdrawal{id walletId toAddress amountCents feeCents status transactionHash createdAt updatedAt}fragment RejectionFields on Rejection{reason message field limit value unit retryAfterMs}",
    answer: { executeWithdrawal: { fields: { withdrawal: { fields: WithdrawalFields, wrap: '?' }, duplicate: 'boolean', rejection: { fields: RejectionFields, wrap: '?' } }, wrap: '?' } },
  },
};
