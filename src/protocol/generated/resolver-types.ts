/** What resolvers are given and give, by type and field. Made by `npm run codegen`: do not edit. */
import type { EpochMs } from '../../domain/index.ts';
import type { Field, Raw, ResultOf } from '../field.ts';
import type { ApiScope, BetOutcome, BlockchainStep, BookEventKind, CancelReason, HealthStatus, LedgerKind, LimitUnit, LiquidityRole, MarketStatus, MatchType, OrderEventKind, OrderSide, OrderStatus, PriceInterval, RawCreateApiKeyInput, RawCreateMarketInput, RawCreateOrderGroupInput, RawCreateSessionInput, RawExecuteWithdrawalInput, RawFillsInput, RawLedgerInput, RawMarketsInput, RawOrdersInput, RawPlaceOrderInput, RawPlaceOrdersInput, RawPositionsInput, RawReplaceOrdersInput, RawSigningParamsInput, RawUpdateOrderGroupInput, RejectReason, ResolutionOutcome, SigningKind, TimeInForce, VenueMode, WalletStatus, WithdrawalStatus } from './schema-types.ts';

/** Arguments and result of each field; `M` says what stands for the objects. */
export interface ResolverFields<M extends Models> {
  readonly PageInfo: {
    readonly hasNextPage: Field<NoArgs, boolean>; readonly hasPreviousPage: Field<NoArgs, boolean>;
    readonly startCursor: Field<NoArgs, string | null>; readonly endCursor: Field<NoArgs, string | null>;
  };
  readonly Category: {
    readonly name: Field<NoArgs, string>; readonly slug: Field<NoArgs, string>;
    readonly marketCount: Field<NoArgs, number>; readonly totalVolumeCents: Field<NoArgs, number>;
  };
  readonly Topic: {
    readonly id: Field<NoArgs, string>; readonly name: Field<NoArgs, string>; readonly slug: Field<NoArgs, string>;
    readonly categorySlug: Field<NoArgs, string>; readonly marketCount: Field<NoArgs, number>;
  };
  readonly Market: {
    readonly id: Field<NoArgs, string>; readonly slug: Field<NoArgs, string>; readonly question: Field<NoArgs, string>;
    readonly status: Field<NoArgs, MarketStatus>; readonly yesPriceBps: Field<NoArgs, number>;
    readonly noPriceBps: Field<NoArgs, number>; readonly spreadBps: Field<NoArgs, number>;
    readonly volumeCents: Field<NoArgs, number>; readonly resolutionDate: Field<NoArgs, EpochMs>;
    readonly description: Field<NoArgs, string | null>; readonly category: Field<NoArgs, M['Category'] | null>;
    readonly topics: Field<NoArgs, ReadonlyArray<M['Topic']>>; readonly bestBidBps: Field<NoArgs, number | null>;
    readonly bestAskBps: Field<NoArgs, number | null>; readonly midpointBps: Field<NoArgs, number | null>;
    readonly lastTradePriceBps: Field<NoArgs, number | null>; readonly tickSizeBps: Field<NoArgs, number>;
    readonly minOrderShares: Field<NoArgs, number>; readonly lotShares: Field<NoArgs, number>;
    readonly feeRateBps: Field<NoArgs, number>; readonly acceptingOrders: Field<NoArgs, boolean>;
    readonly blockchainStep: Field<NoArgs, BlockchainStep | null>; readonly eventId: Field<NoArgs, string | null>;
    readonly createdAt: Field<NoArgs, EpochMs>; readonly updatedAt: Field<NoArgs, EpochMs>;
  };
  readonly MarketEdge: {
    readonly cursor: Field<NoArgs, string>; readonly node: Field<NoArgs, M['Market']>;
  };
  readonly MarketConnection: {
    readonly edges: Field<NoArgs, ReadonlyArray<M['MarketEdge']>>; readonly pageInfo: Field<NoArgs, M['PageInfo']>;
    readonly totalCount: Field<NoArgs, number>;
  };
  readonly PriceLevel: {
    readonly priceBps: Field<NoArgs, number>; readonly shares: Field<NoArgs, number>;
    readonly orderCount: Field<NoArgs, number>;
  };
  readonly OrderBook: {
    readonly marketId: Field<NoArgs, string>; readonly outcome: Field<NoArgs, BetOutcome>;
    readonly seq: Field<NoArgs, number | bigint>; readonly checksum: Field<NoArgs, string>;
    readonly bids: Field<NoArgs, ReadonlyArray<M['PriceLevel']>>;
    readonly asks: Field<NoArgs, ReadonlyArray<M['PriceLevel']>>; readonly bestBidBps: Field<NoArgs, number | null>;
    readonly bestAskBps: Field<NoArgs, number | null>; readonly midpointBps: Field<NoArgs, number | null>;
    readonly lastTradePriceBps: Field<NoArgs, number | null>; readonly tickSizeBps: Field<NoArgs, number>;
    readonly asOf: Field<NoArgs, EpochMs>;
  };
  readonly Trade: {
    readonly id: Field<NoArgs, string>; readonly marketId: Field<NoArgs, string>;
    readonly outcome: Field<NoArgs, BetOutcome>; readonly side: Field<NoArgs, OrderSide>;
    readonly priceBps: Field<NoArgs, number>; readonly lastTradePriceBps: Field<NoArgs, number>;
    readonly shares: Field<NoArgs, number>; readonly amountCents: Field<NoArgs, number>;
    readonly matchType: Field<NoArgs, MatchType>; readonly seq: Field<NoArgs, number | bigint>;
    readonly executedAt: Field<NoArgs, EpochMs>;
  };
  readonly TradeEdge: {
    readonly cursor: Field<NoArgs, string>; readonly node: Field<NoArgs, M['Trade']>;
  };
  readonly TradeConnection: {
    readonly edges: Field<NoArgs, ReadonlyArray<M['TradeEdge']>>; readonly pageInfo: Field<NoArgs, M['PageInfo']>;
    readonly totalCount: Field<NoArgs, number>;
  };
  readonly PricePoint: {
    readonly at: Field<NoArgs, EpochMs>; readonly yesPriceBps: Field<NoArgs, number>;
    readonly noPriceBps: Field<NoArgs, number>; readonly midpointBps: Field<NoArgs, number | null>;
    readonly bestBidBps: Field<NoArgs, number | null>; readonly bestAskBps: Field<NoArgs, number | null>;
    readonly lastTradePriceBps: Field<NoArgs, number | null>; readonly volumeCents: Field<NoArgs, number>;
  };
  readonly BetLimits: {
    readonly marketId: Field<NoArgs, string>; readonly minBetCents: Field<NoArgs, number>;
    readonly maxBetCents: Field<NoArgs, number>; readonly maxShares: Field<NoArgs, number>;
    readonly maxExposurePerMarketCents: Field<NoArgs, number>;
    readonly remainingExposureCents: Field<NoArgs, number | null>; readonly minOrderShares: Field<NoArgs, number>;
    readonly tickSizeBps: Field<NoArgs, number>;
  };
  readonly BetQuote: {
    readonly marketId: Field<NoArgs, string>; readonly outcome: Field<NoArgs, BetOutcome>;
    readonly side: Field<NoArgs, OrderSide>; readonly quotedPriceBps: Field<NoArgs, number>;
    readonly averagePriceBps: Field<NoArgs, number | null>; readonly worstPriceBps: Field<NoArgs, number | null>;
    readonly shares: Field<NoArgs, number>; readonly amountCents: Field<NoArgs, number>;
    readonly feeCents: Field<NoArgs, number>; readonly fillable: Field<NoArgs, boolean>;
    readonly bookSeq: Field<NoArgs, number | bigint>; readonly asOf: Field<NoArgs, EpochMs>;
  };
  readonly Resolution: {
    readonly marketId: Field<NoArgs, string>; readonly status: Field<NoArgs, MarketStatus>;
    readonly outcome: Field<NoArgs, ResolutionOutcome | null>; readonly yesPayoutBps: Field<NoArgs, number | null>;
    readonly noPayoutBps: Field<NoArgs, number | null>; readonly decidedAt: Field<NoArgs, EpochMs | null>;
    readonly finalAt: Field<NoArgs, EpochMs | null>; readonly disputeWindowEndsAt: Field<NoArgs, EpochMs | null>;
    readonly rationale: Field<NoArgs, string | null>;
  };
  readonly ModelVote: {
    readonly id: Field<NoArgs, string>; readonly model: Field<NoArgs, string>;
    readonly vote: Field<NoArgs, BetOutcome | null>; readonly confidenceBps: Field<NoArgs, number | null>;
    readonly rationale: Field<NoArgs, string>; readonly sources: Field<NoArgs, ReadonlyArray<string>>;
    readonly round: Field<NoArgs, number>; readonly votedAt: Field<NoArgs, EpochMs>;
  };
  readonly TransparencyStep: {
    readonly at: Field<NoArgs, EpochMs>; readonly actor: Field<NoArgs, string>;
    readonly fromStatus: Field<NoArgs, MarketStatus | null>; readonly toStatus: Field<NoArgs, MarketStatus>;
    readonly note: Field<NoArgs, string>; readonly data: Field<NoArgs, string>; readonly digest: Field<NoArgs, string>;
    readonly previousDigest: Field<NoArgs, string>;
  };
  readonly TransparencyRecord: {
    readonly marketId: Field<NoArgs, string>; readonly question: Field<NoArgs, string>;
    readonly questionHash: Field<NoArgs, string>; readonly rules: Field<NoArgs, string>;
    readonly quorum: Field<NoArgs, number>; readonly steps: Field<NoArgs, ReadonlyArray<M['TransparencyStep']>>;
    readonly headDigest: Field<NoArgs, string>; readonly transactionHashes: Field<NoArgs, ReadonlyArray<string>>;
  };
  readonly BettingConfig: {
    readonly minBetCents: Field<NoArgs, number>; readonly maxInitialBetCents: Field<NoArgs, number>;
    readonly betPresets: Field<NoArgs, ReadonlyArray<number>>; readonly spreadBps: Field<NoArgs, number>;
    readonly maxBatchOrders: Field<NoArgs, number>; readonly maxBatchCancels: Field<NoArgs, number>;
    readonly minHeartbeatMs: Field<NoArgs, number>; readonly maxHeartbeatMs: Field<NoArgs, number>;
    readonly maxClockSkewMs: Field<NoArgs, number>; readonly feeRateBps: Field<NoArgs, number>;
  };
  readonly MarketConfig: {
    readonly maxQuestionLength: Field<NoArgs, number>; readonly maxExposurePerMarketCents: Field<NoArgs, number>;
    readonly maxBetPerMarketCents: Field<NoArgs, number>; readonly tickSizeBps: Field<NoArgs, number>;
    readonly minOrderShares: Field<NoArgs, number>; readonly lotShares: Field<NoArgs, number>;
    readonly disputeWindowSeconds: Field<NoArgs, number>;
  };
  readonly GeoCheck: {
    readonly allowed: Field<NoArgs, boolean>; readonly closeOnly: Field<NoArgs, boolean>;
    readonly countryCode: Field<NoArgs, string | null>; readonly reason: Field<NoArgs, string | null>;
  };
  readonly Health: {
    readonly status: Field<NoArgs, HealthStatus>; readonly mode: Field<NoArgs, VenueMode>;
    readonly version: Field<NoArgs, string>; readonly serverTime: Field<NoArgs, EpochMs>;
    readonly engineSeq: Field<NoArgs, number | bigint>;
  };
  readonly AuthChallenge: {
    readonly nonce: Field<NoArgs, string>; readonly typedData: Field<NoArgs, object>;
    readonly expiresAt: Field<NoArgs, EpochMs>;
  };
  readonly ApiKey: {
    readonly id: Field<NoArgs, string>; readonly label: Field<NoArgs, string>;
    readonly scopes: Field<NoArgs, ReadonlyArray<ApiScope>>; readonly delegateAddress: Field<NoArgs, string | null>;
    readonly ipAllowList: Field<NoArgs, ReadonlyArray<string>>; readonly lastUsedAt: Field<NoArgs, EpochMs | null>;
    readonly expiresAt: Field<NoArgs, EpochMs | null>; readonly createdAt: Field<NoArgs, EpochMs>;
  };
  readonly RateBucket: {
    readonly name: Field<NoArgs, string>; readonly capacity: Field<NoArgs, number>;
    readonly refillPerSecond: Field<NoArgs, number>; readonly remaining: Field<NoArgs, number>;
  };
  readonly Account: {
    readonly id: Field<NoArgs, string>; readonly address: Field<NoArgs, string>;
    readonly email: Field<NoArgs, string | null>; readonly emailVerified: Field<NoArgs, boolean>;
    readonly scopes: Field<NoArgs, ReadonlyArray<ApiScope>>;
    readonly apiKeys: Field<NoArgs, ReadonlyArray<M['ApiKey']>>; readonly orderEpoch: Field<NoArgs, number | bigint>;
    readonly rateBuckets: Field<NoArgs, ReadonlyArray<M['RateBucket']>>; readonly createdAt: Field<NoArgs, EpochMs>;
  };
  readonly SessionPayload: {
    readonly accessToken: Field<NoArgs, string>; readonly refreshToken: Field<NoArgs, string>;
    readonly tokenType: Field<NoArgs, string>; readonly expiresAt: Field<NoArgs, EpochMs>;
    readonly account: Field<NoArgs, M['Account']>;
  };
  readonly RevokeSessionPayload: {
    readonly revoked: Field<NoArgs, boolean>;
  };
  readonly CreateApiKeyPayload: {
    readonly apiKey: Field<NoArgs, M['ApiKey']>; readonly secret: Field<NoArgs, string>;
  };
  readonly RevokeApiKeyPayload: {
    readonly revokedId: Field<NoArgs, string>;
  };
  readonly EmailPayload: {
    readonly email: Field<NoArgs, string>; readonly verified: Field<NoArgs, boolean>;
    readonly expiresAt: Field<NoArgs, EpochMs | null>;
  };
  readonly Balance: {
    readonly availableCents: Field<NoArgs, number>; readonly reservedCents: Field<NoArgs, number>;
    readonly totalCents: Field<NoArgs, number>; readonly claimableCents: Field<NoArgs, number>;
    readonly availableMicros: Field<NoArgs, number | bigint>; readonly reservedMicros: Field<NoArgs, number | bigint>;
    readonly seq: Field<NoArgs, number | bigint>; readonly asOf: Field<NoArgs, EpochMs>;
  };
  readonly LedgerEntry: {
    readonly id: Field<NoArgs, string>; readonly kind: Field<NoArgs, LedgerKind>;
    readonly amountMicros: Field<NoArgs, number | bigint>; readonly amountCents: Field<NoArgs, number>;
    readonly direction: Field<NoArgs, number>; readonly marketId: Field<NoArgs, string | null>;
    readonly orderId: Field<NoArgs, string | null>; readonly fillId: Field<NoArgs, string | null>;
    readonly at: Field<NoArgs, EpochMs>;
  };
  readonly LedgerEdge: {
    readonly cursor: Field<NoArgs, string>; readonly node: Field<NoArgs, M['LedgerEntry']>;
  };
  readonly LedgerConnection: {
    readonly edges: Field<NoArgs, ReadonlyArray<M['LedgerEdge']>>; readonly pageInfo: Field<NoArgs, M['PageInfo']>;
    readonly totalCount: Field<NoArgs, number>;
  };
  readonly Position: {
    readonly id: Field<NoArgs, string>; readonly marketId: Field<NoArgs, string>;
    readonly market: Field<NoArgs, M['Market']>; readonly outcome: Field<NoArgs, BetOutcome>;
    readonly shares: Field<NoArgs, number>; readonly reservedShares: Field<NoArgs, number>;
    readonly averagePriceBps: Field<NoArgs, number>; readonly amountCents: Field<NoArgs, number>;
    readonly amountMicros: Field<NoArgs, number | bigint>; readonly valueCents: Field<NoArgs, number>;
    readonly currentOddsBps: Field<NoArgs, number>; readonly totalPayoutCents: Field<NoArgs, number>;
    readonly realizedPnlMicros: Field<NoArgs, number | bigint>; readonly result: Field<NoArgs, BetOutcome | null>;
    readonly claimable: Field<NoArgs, boolean>; readonly seq: Field<NoArgs, number | bigint>;
    readonly updatedAt: Field<NoArgs, EpochMs>;
  };
  readonly PositionEdge: {
    readonly cursor: Field<NoArgs, string>; readonly node: Field<NoArgs, M['Position']>;
  };
  readonly PositionConnection: {
    readonly edges: Field<NoArgs, ReadonlyArray<M['PositionEdge']>>; readonly pageInfo: Field<NoArgs, M['PageInfo']>;
    readonly totalCount: Field<NoArgs, number>;
  };
  readonly Portfolio: {
    readonly cashCents: Field<NoArgs, number>; readonly positionsValueCents: Field<NoArgs, number>;
    readonly claimableCents: Field<NoArgs, number>; readonly openOrderReserveCents: Field<NoArgs, number>;
    readonly worstCaseLossCents: Field<NoArgs, number>; readonly realizedPnlMicros: Field<NoArgs, number | bigint>;
    readonly unrealizedPnlMicros: Field<NoArgs, number | bigint>;
    readonly feesPaidMicros: Field<NoArgs, number | bigint>; readonly asOf: Field<NoArgs, EpochMs>;
  };
  readonly PositionChangePayload: {
    readonly yes: Field<NoArgs, M['Position'] | null>; readonly no: Field<NoArgs, M['Position'] | null>;
    readonly amountCents: Field<NoArgs, number>; readonly amountMicros: Field<NoArgs, number | bigint>;
    readonly rejection: Field<NoArgs, M['Rejection'] | null>; readonly seq: Field<NoArgs, number | bigint>;
  };
  readonly ClaimPayload: {
    readonly claims: Field<NoArgs, ReadonlyArray<M['Position']>>; readonly totalPayoutCents: Field<NoArgs, number>;
    readonly totalPayoutMicros: Field<NoArgs, number | bigint>;
    readonly rejection: Field<NoArgs, M['Rejection'] | null>; readonly seq: Field<NoArgs, number | bigint>;
  };
  readonly Rejection: {
    readonly reason: Field<NoArgs, RejectReason>; readonly message: Field<NoArgs, string>;
    readonly field: Field<NoArgs, string | null>; readonly limit: Field<NoArgs, number | bigint | null>;
    readonly value: Field<NoArgs, number | bigint | null>; readonly unit: Field<NoArgs, LimitUnit | null>;
    readonly retryAfterMs: Field<NoArgs, number | null>;
  };
  readonly Order: {
    readonly id: Field<NoArgs, string>; readonly orderHash: Field<NoArgs, string>;
    readonly clientOrderId: Field<NoArgs, string | null>; readonly marketId: Field<NoArgs, string>;
    readonly outcome: Field<NoArgs, BetOutcome>; readonly side: Field<NoArgs, OrderSide>;
    readonly priceBps: Field<NoArgs, number>; readonly shares: Field<NoArgs, number>;
    readonly filledShares: Field<NoArgs, number>; readonly remainingShares: Field<NoArgs, number>;
    readonly averageFillPriceBps: Field<NoArgs, number | null>; readonly timeInForce: Field<NoArgs, TimeInForce>;
    readonly postOnly: Field<NoArgs, boolean>; readonly expiresAt: Field<NoArgs, EpochMs | null>;
    readonly status: Field<NoArgs, OrderStatus>; readonly cancelReason: Field<NoArgs, CancelReason | null>;
    readonly groupId: Field<NoArgs, string | null>; readonly reservedCents: Field<NoArgs, number>;
    readonly feeCents: Field<NoArgs, number>; readonly queueAheadShares: Field<NoArgs, number | null>;
    readonly seq: Field<NoArgs, number | bigint>; readonly createdAt: Field<NoArgs, EpochMs>;
    readonly updatedAt: Field<NoArgs, EpochMs>;
  };
  readonly OrderEdge: {
    readonly cursor: Field<NoArgs, string>; readonly node: Field<NoArgs, M['Order']>;
  };
  readonly OrderConnection: {
    readonly edges: Field<NoArgs, ReadonlyArray<M['OrderEdge']>>; readonly pageInfo: Field<NoArgs, M['PageInfo']>;
    readonly totalCount: Field<NoArgs, number>;
  };
  readonly OrderLookup: {
    readonly found: Field<NoArgs, boolean>; readonly order: Field<NoArgs, M['Order'] | null>;
    readonly fills: Field<NoArgs, ReadonlyArray<M['Fill']>>;
  };
  readonly Fill: {
    readonly id: Field<NoArgs, string>; readonly tradeId: Field<NoArgs, string>;
    readonly orderId: Field<NoArgs, string>; readonly clientOrderId: Field<NoArgs, string | null>;
    readonly marketId: Field<NoArgs, string>; readonly outcome: Field<NoArgs, BetOutcome>;
    readonly side: Field<NoArgs, OrderSide>; readonly priceBps: Field<NoArgs, number>;
    readonly shares: Field<NoArgs, number>; readonly amountCents: Field<NoArgs, number>;
    readonly amountMicros: Field<NoArgs, number | bigint>; readonly feeMicros: Field<NoArgs, number | bigint>;
    readonly role: Field<NoArgs, LiquidityRole>; readonly matchType: Field<NoArgs, MatchType>;
    readonly seq: Field<NoArgs, number | bigint>; readonly reversed: Field<NoArgs, boolean>;
    readonly executedAt: Field<NoArgs, EpochMs>;
  };
  readonly FillEdge: {
    readonly cursor: Field<NoArgs, string>; readonly node: Field<NoArgs, M['Fill']>;
  };
  readonly FillConnection: {
    readonly edges: Field<NoArgs, ReadonlyArray<M['FillEdge']>>; readonly pageInfo: Field<NoArgs, M['PageInfo']>;
    readonly totalCount: Field<NoArgs, number>;
  };
  readonly SigningParams: {
    readonly kind: Field<NoArgs, SigningKind>; readonly typedData: Field<NoArgs, object>;
    readonly digest: Field<NoArgs, string>; readonly costCents: Field<NoArgs, number>;
    readonly worstCaseCents: Field<NoArgs, number>; readonly normalizedPriceBps: Field<NoArgs, number | null>;
    readonly normalizedShares: Field<NoArgs, number | null>; readonly expiresAt: Field<NoArgs, EpochMs>;
  };
  readonly PlaceOrderPayload: {
    readonly accepted: Field<NoArgs, boolean>; readonly duplicate: Field<NoArgs, boolean>;
    readonly order: Field<NoArgs, M['Order'] | null>; readonly fills: Field<NoArgs, ReadonlyArray<M['Fill']>>;
    readonly rejection: Field<NoArgs, M['Rejection'] | null>; readonly seq: Field<NoArgs, number | bigint>;
  };
  readonly PlaceOrdersPayload: {
    readonly results: Field<NoArgs, ReadonlyArray<M['PlaceOrderPayload']>>;
    readonly seq: Field<NoArgs, number | bigint>;
  };
  readonly CancelResult: {
    readonly orderId: Field<NoArgs, string>; readonly cancelled: Field<NoArgs, boolean>;
    readonly remainingShares: Field<NoArgs, number | null>; readonly filledShares: Field<NoArgs, number | null>;
    readonly rejection: Field<NoArgs, M['Rejection'] | null>;
  };
  readonly CancelPayload: {
    readonly results: Field<NoArgs, ReadonlyArray<M['CancelResult']>>; readonly seq: Field<NoArgs, number | bigint>;
  };
  readonly CancelAllPayload: {
    readonly cancelledIds: Field<NoArgs, ReadonlyArray<string>>; readonly newEpoch: Field<NoArgs, number | bigint>;
    readonly seq: Field<NoArgs, number | bigint>;
  };
  readonly ReplaceOrdersPayload: {
    readonly committed: Field<NoArgs, boolean>; readonly cancelled: Field<NoArgs, ReadonlyArray<M['CancelResult']>>;
    readonly placed: Field<NoArgs, ReadonlyArray<M['PlaceOrderPayload']>>;
    readonly rejection: Field<NoArgs, M['Rejection'] | null>; readonly seq: Field<NoArgs, number | bigint>;
  };
  readonly OrderGroup: {
    readonly id: Field<NoArgs, string>; readonly label: Field<NoArgs, string>;
    readonly maxFilledShares: Field<NoArgs, number>; readonly windowSeconds: Field<NoArgs, number>;
    readonly filledInWindow: Field<NoArgs, number>; readonly tripped: Field<NoArgs, boolean>;
  };
  readonly TradingSafety: {
    readonly heartbeatArmed: Field<NoArgs, boolean>; readonly heartbeatTimeoutMs: Field<NoArgs, number | null>;
    readonly heartbeatDeadline: Field<NoArgs, EpochMs | null>; readonly orderEpoch: Field<NoArgs, number | bigint>;
    readonly openOrderCount: Field<NoArgs, number>; readonly groups: Field<NoArgs, ReadonlyArray<M['OrderGroup']>>;
    readonly mode: Field<NoArgs, VenueMode>;
  };
  readonly HeartbeatPayload: {
    readonly armed: Field<NoArgs, boolean>; readonly deadline: Field<NoArgs, EpochMs | null>;
    readonly serverTime: Field<NoArgs, EpochMs>;
  };
  readonly OrderGroupPayload: {
    readonly group: Field<NoArgs, M['OrderGroup']>;
  };
  readonly DeletePayload: {
    readonly deletedId: Field<NoArgs, string>;
  };
  readonly CreateMarketPayload: {
    readonly market: Field<NoArgs, M['Market'] | null>; readonly initialOrder: Field<NoArgs, M['Order'] | null>;
    readonly duplicate: Field<NoArgs, boolean>; readonly rejection: Field<NoArgs, M['Rejection'] | null>;
  };
  readonly MarketPayload: {
    readonly market: Field<NoArgs, M['Market'] | null>; readonly rejection: Field<NoArgs, M['Rejection'] | null>;
  };
  readonly DisputePayload: {
    readonly resolution: Field<NoArgs, M['Resolution'] | null>;
    readonly rejection: Field<NoArgs, M['Rejection'] | null>;
  };
  readonly Wallet: {
    readonly id: Field<NoArgs, string>; readonly address: Field<NoArgs, string>;
    readonly chainId: Field<NoArgs, number>; readonly status: Field<NoArgs, WalletStatus>;
    readonly isDefault: Field<NoArgs, boolean>; readonly depositAddress: Field<NoArgs, string | null>;
    readonly createdAt: Field<NoArgs, EpochMs>;
  };
  readonly Withdrawal: {
    readonly id: Field<NoArgs, string>; readonly walletId: Field<NoArgs, string>;
    readonly toAddress: Field<NoArgs, string>; readonly amountCents: Field<NoArgs, number>;
    readonly feeCents: Field<NoArgs, number>; readonly status: Field<NoArgs, WithdrawalStatus>;
    readonly transactionHash: Field<NoArgs, string | null>; readonly createdAt: Field<NoArgs, EpochMs>;
    readonly updatedAt: Field<NoArgs, EpochMs>;
  };
  readonly WithdrawalEdge: {
    readonly cursor: Field<NoArgs, string>; readonly node: Field<NoArgs, M['Withdrawal']>;
  };
  readonly WithdrawalConnection: {
    readonly edges: Field<NoArgs, ReadonlyArray<M['WithdrawalEdge']>>; readonly pageInfo: Field<NoArgs, M['PageInfo']>;
    readonly totalCount: Field<NoArgs, number>;
  };
  readonly WithdrawalPayload: {
    readonly withdrawal: Field<NoArgs, M['Withdrawal'] | null>; readonly duplicate: Field<NoArgs, boolean>;
    readonly rejection: Field<NoArgs, M['Rejection'] | null>;
  };
  readonly WalletPayload: {
    readonly wallet: Field<NoArgs, M['Wallet']>;
  };
  readonly OrderBookEvent: {
    readonly kind: Field<NoArgs, BookEventKind>; readonly marketId: Field<NoArgs, string>;
    readonly seq: Field<NoArgs, number | bigint>; readonly prevSeq: Field<NoArgs, number | bigint>;
    readonly bids: Field<NoArgs, ReadonlyArray<M['PriceLevel']>>;
    readonly asks: Field<NoArgs, ReadonlyArray<M['PriceLevel']>>; readonly checksum: Field<NoArgs, string>;
    readonly at: Field<NoArgs, EpochMs>;
  };
  readonly PriceUpdate: {
    readonly marketId: Field<NoArgs, string>; readonly yesPriceBps: Field<NoArgs, number>;
    readonly noPriceBps: Field<NoArgs, number>; readonly spreadBps: Field<NoArgs, number>;
    readonly bestBidBps: Field<NoArgs, number | null>; readonly bestAskBps: Field<NoArgs, number | null>;
    readonly midpointBps: Field<NoArgs, number | null>; readonly lastTradePriceBps: Field<NoArgs, number | null>;
    readonly seq: Field<NoArgs, number | bigint>; readonly at: Field<NoArgs, EpochMs>;
  };
  readonly MarketStatusEvent: {
    readonly market: Field<NoArgs, M['Market']>; readonly previousStatus: Field<NoArgs, MarketStatus | null>;
    readonly status: Field<NoArgs, MarketStatus>; readonly blockchainStep: Field<NoArgs, BlockchainStep | null>;
    readonly reason: Field<NoArgs, string>; readonly created: Field<NoArgs, boolean>;
    readonly at: Field<NoArgs, EpochMs>;
  };
  readonly ResolutionEvent: {
    readonly resolution: Field<NoArgs, M['Resolution']>; readonly vote: Field<NoArgs, M['ModelVote'] | null>;
    readonly step: Field<NoArgs, M['TransparencyStep']>;
  };
  readonly VenueStatusEvent: {
    readonly mode: Field<NoArgs, VenueMode>; readonly bettingConfig: Field<NoArgs, M['BettingConfig']>;
    readonly marketConfig: Field<NoArgs, M['MarketConfig']>; readonly message: Field<NoArgs, string | null>;
    readonly nextRestartAt: Field<NoArgs, EpochMs | null>; readonly at: Field<NoArgs, EpochMs>;
  };
  readonly OrderEvent: {
    readonly kind: Field<NoArgs, OrderEventKind>; readonly seq: Field<NoArgs, number | bigint>;
    readonly prevSeq: Field<NoArgs, number | bigint>; readonly order: Field<NoArgs, M['Order'] | null>;
    readonly fill: Field<NoArgs, M['Fill'] | null>; readonly cancelReason: Field<NoArgs, CancelReason | null>;
    readonly at: Field<NoArgs, EpochMs>;
  };
  readonly Query: {
    readonly categories: Field<NoArgs, ReadonlyArray<M['Category']>>;
    readonly category: Field<{ readonly slug: string }, M['Category'] | null>;
    readonly topics: Field<{ readonly categorySlug?: string | null | undefined; readonly search?: string | null | undefined }, ReadonlyArray<M['Topic']> | null>;
    readonly topic: Field<{ readonly slug: string }, M['Topic'] | null>;
    readonly markets: Field<{ readonly input?: RawMarketsInput | null | undefined }, M['MarketConnection'] | null>;
    readonly market: Field<{ readonly id?: Raw<'ID'> | null | undefined; readonly slug?: string | null | undefined }, M['Market'] | null>;
    readonly orderBook: Field<{ readonly marketId: Raw<'ID'>; readonly outcome: BetOutcome | null; readonly depth: number | null }, M['OrderBook'] | null>;
    readonly trades: Field<{ readonly marketId: Raw<'ID'>; readonly first?: number | null | undefined; readonly after?: Raw<'Cursor'> | null | undefined; readonly last?: number | null | undefined; readonly before?: Raw<'Cursor'> | null | undefined }, M['TradeConnection'] | null>;
    readonly priceHistory: Field<{ readonly marketId: Raw<'ID'>; readonly since?: Raw<'Time'> | null | undefined; readonly until?: Raw<'Time'> | null | undefined; readonly interval: PriceInterval | null }, ReadonlyArray<M['PricePoint']> | null>;
    readonly betLimits: Field<{ readonly marketId: Raw<'ID'>; readonly outcome?: BetOutcome | null | undefined; readonly side?: OrderSide | null | undefined }, M['BetLimits'] | null>;
    readonly betQuote: Field<{ readonly marketId: Raw<'ID'>; readonly outcome: BetOutcome; readonly side: OrderSide; readonly amountCents?: number | null | undefined; readonly shares?: number | null | undefined }, M['BetQuote'] | null>;
    readonly resolutionOutcome: Field<{ readonly marketId: Raw<'ID'> }, M['Resolution'] | null>;
    readonly modelVotes: Field<{ readonly marketId: Raw<'ID'> }, ReadonlyArray<M['ModelVote']> | null>;
    readonly transparencyRecord: Field<{ readonly marketId: Raw<'ID'> }, M['TransparencyRecord'] | null>;
    readonly bettingConfig: Field<NoArgs, M['BettingConfig']>; readonly marketConfig: Field<NoArgs, M['MarketConfig']>;
    readonly geoCheck: Field<NoArgs, M['GeoCheck']>; readonly health: Field<NoArgs, M['Health']>;
    readonly authChallenge: Field<{ readonly address: Raw<'Hex'> }, M['AuthChallenge'] | null>;
    readonly me: Field<NoArgs, M['Account']>; readonly balance: Field<NoArgs, M['Balance']>;
    readonly ledger: Field<{ readonly input?: RawLedgerInput | null | undefined }, M['LedgerConnection'] | null>;
    readonly positions: Field<{ readonly input?: RawPositionsInput | null | undefined }, M['PositionConnection'] | null>;
    readonly claimablePositions: Field<NoArgs, ReadonlyArray<M['Position']>>;
    readonly portfolio: Field<NoArgs, M['Portfolio']>;
    readonly orders: Field<{ readonly input?: RawOrdersInput | null | undefined }, M['OrderConnection'] | null>;
    readonly order: Field<{ readonly id?: Raw<'ID'> | null | undefined; readonly orderHash?: Raw<'Hex'> | null | undefined; readonly clientOrderId?: string | null | undefined }, M['OrderLookup'] | null>;
    readonly fills: Field<{ readonly input?: RawFillsInput | null | undefined }, M['FillConnection'] | null>;
    readonly signingParams: Field<{ readonly input: RawSigningParamsInput }, M['SigningParams'] | null>;
    readonly wallets: Field<NoArgs, ReadonlyArray<M['Wallet']>>;
    readonly withdrawals: Field<{ readonly first?: number | null | undefined; readonly after?: Raw<'Cursor'> | null | undefined }, M['WithdrawalConnection'] | null>;
    readonly createdMarkets: Field<{ readonly first?: number | null | undefined; readonly after?: Raw<'Cursor'> | null | undefined }, M['MarketConnection'] | null>;
    readonly tradingSafety: Field<NoArgs, M['TradingSafety']>;
  };
  readonly Mutation: {
    readonly createSession: Field<{ readonly input: RawCreateSessionInput }, M['SessionPayload']>;
    readonly refreshSession: Field<{ readonly refreshToken: string }, M['SessionPayload']>;
    readonly revokeSession: Field<NoArgs, M['RevokeSessionPayload'] | null>;
    readonly createApiKey: Field<{ readonly input: RawCreateApiKeyInput }, M['CreateApiKeyPayload'] | null>;
    readonly revokeApiKey: Field<{ readonly id: Raw<'ID'> }, M['RevokeApiKeyPayload'] | null>;
    readonly requestEmailVerification: Field<{ readonly email: string }, M['EmailPayload'] | null>;
    readonly verifyEmail: Field<{ readonly email: string; readonly code: string }, M['EmailPayload'] | null>;
    readonly placeOrder: Field<{ readonly input: RawPlaceOrderInput }, M['PlaceOrderPayload'] | null>;
    readonly placeOrders: Field<{ readonly input: RawPlaceOrdersInput }, M['PlaceOrdersPayload'] | null>;
    readonly cancelOrder: Field<{ readonly id?: Raw<'ID'> | null | undefined; readonly orderHash?: Raw<'Hex'> | null | undefined; readonly clientOrderId?: string | null | undefined }, M['CancelPayload'] | null>;
    readonly cancelOrders: Field<{ readonly ids: ReadonlyArray<Raw<'ID'>> }, M['CancelPayload'] | null>;
    readonly cancelMarketOrders: Field<{ readonly marketId: Raw<'ID'>; readonly outcome?: BetOutcome | null | undefined; readonly side?: OrderSide | null | undefined }, M['CancelPayload'] | null>;
    readonly cancelAllOrders: Field<NoArgs, M['CancelAllPayload'] | null>;
    readonly replaceOrder: Field<{ readonly id: Raw<'ID'>; readonly input: RawPlaceOrderInput; readonly ifNoFillSince?: Raw<'UintString'> | null | undefined }, M['ReplaceOrdersPayload'] | null>;
    readonly replaceOrders: Field<{ readonly input: RawReplaceOrdersInput }, M['ReplaceOrdersPayload'] | null>;
    readonly reduceOrder: Field<{ readonly id: Raw<'ID'>; readonly byShares: Raw<'UintString'> }, M['CancelPayload'] | null>;
    readonly heartbeat: Field<{ readonly timeoutMs: number }, M['HeartbeatPayload'] | null>;
    readonly disarmHeartbeat: Field<NoArgs, M['HeartbeatPayload'] | null>;
    readonly createOrderGroup: Field<{ readonly input: RawCreateOrderGroupInput }, M['OrderGroupPayload'] | null>;
    readonly updateOrderGroup: Field<{ readonly input: RawUpdateOrderGroupInput }, M['OrderGroupPayload'] | null>;
    readonly deleteOrderGroup: Field<{ readonly id: Raw<'ID'> }, M['DeletePayload'] | null>;
    readonly splitPosition: Field<{ readonly marketId: Raw<'ID'>; readonly sets: Raw<'UintString'> }, M['PositionChangePayload'] | null>;
    readonly mergePosition: Field<{ readonly marketId: Raw<'ID'>; readonly sets: Raw<'UintString'> }, M['PositionChangePayload'] | null>;
    readonly claimPosition: Field<{ readonly marketId: Raw<'ID'> }, M['ClaimPayload'] | null>;
    readonly claimAllPositions: Field<NoArgs, M['ClaimPayload'] | null>;
    readonly createMarket: Field<{ readonly input: RawCreateMarketInput }, M['CreateMarketPayload'] | null>;
    readonly cancelMarket: Field<{ readonly marketId: Raw<'ID'> }, M['MarketPayload'] | null>;
    readonly disputeResolution: Field<{ readonly marketId: Raw<'ID'>; readonly reason: string }, M['DisputePayload'] | null>;
    readonly provisionWallet: Field<{ readonly chainId: number }, M['WalletPayload'] | null>;
    readonly executeWithdrawal: Field<{ readonly input: RawExecuteWithdrawalInput }, M['WithdrawalPayload'] | null>;
  };
  readonly Subscription: {
    readonly orderBookUpdated: Field<{ readonly marketId: Raw<'ID'>; readonly depth: number | null; readonly afterSeq?: Raw<'UintString'> | null | undefined }, M['OrderBookEvent'] | null>;
    readonly tradeExecuted: Field<{ readonly marketId: Raw<'ID'> }, M['Trade'] | null>;
    readonly priceUpdated: Field<{ readonly marketIds: ReadonlyArray<Raw<'ID'>> }, M['PriceUpdate'] | null>;
    readonly marketStatusChanged: Field<{ readonly marketIds?: ReadonlyArray<Raw<'ID'>> | null | undefined }, M['MarketStatusEvent'] | null>;
    readonly resolutionUpdated: Field<{ readonly marketId: Raw<'ID'> }, M['ResolutionEvent'] | null>;
    readonly venueStatusChanged: Field<NoArgs, M['VenueStatusEvent']>;
    readonly orderEvents: Field<{ readonly marketId?: Raw<'ID'> | null | undefined; readonly afterSeq?: Raw<'UintString'> | null | undefined }, M['OrderEvent'] | null>;
    readonly positionUpdated: Field<{ readonly marketId?: Raw<'ID'> | null | undefined }, M['Position'] | null>;
    readonly balanceUpdated: Field<NoArgs, M['Balance']>;
  };
}

/** The arguments of a field that has none. */
export type NoArgs = Readonly<Record<string, never>>;

/** The objects of the contract but for its three roots. */
export type ObjectName =
    | 'PageInfo' | 'Category' | 'Topic' | 'Market' | 'MarketEdge' | 'MarketConnection' | 'PriceLevel' | 'OrderBook'
    | 'Trade' | 'TradeEdge' | 'TradeConnection' | 'PricePoint' | 'BetLimits' | 'BetQuote' | 'Resolution' | 'ModelVote'
    | 'TransparencyStep' | 'TransparencyRecord' | 'BettingConfig' | 'MarketConfig' | 'GeoCheck' | 'Health'
    | 'AuthChallenge' | 'ApiKey' | 'RateBucket' | 'Account' | 'SessionPayload' | 'RevokeSessionPayload'
    | 'CreateApiKeyPayload' | 'RevokeApiKeyPayload' | 'EmailPayload' | 'Balance' | 'LedgerEntry' | 'LedgerEdge'
    | 'LedgerConnection' | 'Position' | 'PositionEdge' | 'PositionConnection' | 'Portfolio' | 'PositionChangePayload'
    | 'ClaimPayload' | 'Rejection' | 'Order' | 'OrderEdge' | 'OrderConnection' | 'OrderLookup' | 'Fill' | 'FillEdge'
    | 'FillConnection' | 'SigningParams' | 'PlaceOrderPayload' | 'PlaceOrdersPayload' | 'CancelResult' | 'CancelPayload'
    | 'CancelAllPayload' | 'ReplaceOrdersPayload' | 'OrderGroup' | 'TradingSafety' | 'HeartbeatPayload'
    | 'OrderGroupPayload' | 'DeletePayload' | 'CreateMarketPayload' | 'MarketPayload' | 'DisputePayload' | 'Wallet'
    | 'Withdrawal' | 'WithdrawalEdge' | 'WithdrawalConnection' | 'WithdrawalPayload' | 'WalletPayload'
    | 'OrderBookEvent' | 'PriceUpdate' | 'MarketStatusEvent' | 'ResolutionEvent' | 'VenueStatusEvent' | 'OrderEvent';

/** What stands for each object inside a server. */
export type Models = Readonly<Record<ObjectName, unknown>>;

/** An object with every field ready to be read. */
export type Answer<M extends Models, Name extends ObjectName> = {
  readonly [F in keyof ResolverFields<M>[Name]]: ResultOf<ResolverFields<M>[Name][F]>;
};

/** Objects as plain answers with every field ready: what a server replaces one by one. */
export type PlainModels<M extends Models> = { readonly [Name in ObjectName]: Answer<M, Name> };
