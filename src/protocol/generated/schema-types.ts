/** Types of the contract, as JSON has them. Made by `npm run codegen`: do not edit. */
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** ISO 8601 in UTC, ending in Z. The fraction of a second may be missing: parse it, never match a pattern. */
  Time: { input: string; output: string; }
  /** Opaque position in a list, for `after` and `before`. Hand it back unchanged, under the same sort. */
  Cursor: { input: string; output: string; }
  /** Unsigned decimal integer of at most 256 bits as a string, without sign or leading zeros. */
  UintString: { input: string; output: string; }
  /** Signed decimal integer as a string. */
  IntString: { input: string; output: string; }
  /** 0x and hex digits; lower case in answers, either case in arguments. */
  Hex: { input: string; output: string; }
  /** EIP-712 message as JSON {domain, types, primaryType, message}. `types` includes EIP712Domain; integers in `message` are decimal strings. */
  TypedData: { input: Readonly<Record<string, unknown>>; output: Readonly<Record<string, unknown>>; }
};

/** State of a market. Every value needs handling; transitions are in docs/spec/venue.md#market-states. */
export type MarketStatus =
  /** trades */
  | 'OPEN'
  /** closed for trading, being decided */
  | 'PENDING_RESOLUTION'
  /** decided, dispute window runs, payout not known yet */
  | 'RESOLVED'
  /** final: YES pays $1 */
  | 'RESOLVED_YES'
  /** final: NO pays $1 */
  | 'RESOLVED_NO'
  /** final: both pay $0.50 */
  | 'RESOLVED_UNCERTAIN'
  /** no decision came about; will be retried or cancelled */
  | 'RESOLUTION_FAILED'
  /** final: void, net payments are refunded */
  | 'CANCELLED'
  /** waits for the step named in `blockchainStep` */
  | 'PENDING_BLOCKCHAIN';

/** A side of a market. CANCELLED stands only in answers: a vote for voiding, a void market's result, a refund position. */
export type BetOutcome =
  | 'YES'
  | 'NO'
  | 'CANCELLED';

/** Order of `markets`; equal values are ordered by id, in the same direction. */
export type MarketSort =
  | 'CREATED_AT_DESC'
  | 'CREATED_AT_ASC'
  | 'VOLUME_DESC'
  | 'VOLUME_ASC'
  | 'RESOLUTION_DATE_ASC'
  | 'RESOLUTION_DATE_DESC';

/** Buy or sell shares of the named outcome. */
export type OrderSide =
  | 'BUY'
  | 'SELL';

/** What was decided. There is no value for UNCERTAIN: `outcome` is null and both payouts are 5000. */
export type ResolutionOutcome =
  | 'RESOLVED_YES'
  | 'RESOLVED_NO'
  | 'CANCELLED';

/** Steps that PENDING_BLOCKCHAIN waits for. */
export type BlockchainStep =
  | 'DEPLOY'
  | 'REPORT_PAYOUT';

/** All members given must hold. */
export type MarketFilter = {
  readonly status?: InputMaybe<MarketStatus>;
  readonly categorySlug?: InputMaybe<Scalars['String']['input']>;
  readonly topicSlug?: InputMaybe<Scalars['String']['input']>;
  /** part of the question, any case */
  readonly search?: InputMaybe<Scalars['String']['input']>;
  readonly createdAfter?: InputMaybe<Scalars['Time']['input']>;
  readonly resolvesBefore?: InputMaybe<Scalars['Time']['input']>;
  readonly minVolumeCents?: InputMaybe<Scalars['Int']['input']>;
  /** at most 100 */
  readonly ids?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/** `first` with `after`, or `last` with `before`; default first 20, most 100, sort CREATED_AT_DESC. */
export type MarketsInput = {
  readonly first?: InputMaybe<Scalars['Int']['input']>;
  readonly after?: InputMaybe<Scalars['Cursor']['input']>;
  readonly last?: InputMaybe<Scalars['Int']['input']>;
  readonly before?: InputMaybe<Scalars['Cursor']['input']>;
  readonly filter?: InputMaybe<MarketFilter>;
  readonly sort?: InputMaybe<MarketSort>;
};

/** Which kinds of order met: shares change hands, a pair is minted (two buys), a pair is merged (two sells). */
export type MatchType =
  | 'NORMAL'
  | 'MINT'
  | 'MERGE';

/** Length of a bucket of `priceHistory`; RAW is one point for each change. */
export type PriceInterval =
  | 'RAW'
  | 'ONE_MINUTE'
  | 'FIVE_MINUTES'
  | 'ONE_HOUR'
  | 'SIX_HOURS'
  | 'ONE_DAY';

/** State of the service. */
export type HealthStatus =
  | 'OK'
  | 'DEGRADED'
  | 'DOWN';

/** What the venue takes at present. */
export type VenueMode =
  /** everything */
  | 'NORMAL'
  /** new orders must be post-only */
  | 'POST_ONLY'
  /** no new orders */
  | 'CANCEL_ONLY'
  /** reads, logins and heartbeats only */
  | 'HALTED';

/** What a credential may do; sessions have all. */
export type ApiScope =
  /** protected queries and subscriptions */
  | 'READ'
  /** orders, safety, split, merge, claim */
  | 'TRADE'
  /** wallets, withdrawals */
  | 'WITHDRAW'
  /** create, cancel and dispute markets */
  | 'CREATE_MARKET';

/** The signed login; nonce, issuedAt and expiresAt as in the challenge (milliseconds). */
export type CreateSessionInput = {
  readonly address: Scalars['Hex']['input'];
  readonly nonce: Scalars['Hex']['input'];
  readonly issuedAt: Scalars['UintString']['input'];
  readonly expiresAt: Scalars['UintString']['input'];
  readonly signature: Scalars['Hex']['input'];
};

/** The account's signed permission for another address to sign its orders (EIP-712 Delegate). */
export type DelegateGrant = {
  readonly address: Scalars['Hex']['input'];
  /** random, single use */
  readonly nonce: Scalars['UintString']['input'];
  /** milliseconds since the epoch */
  readonly expiresAt: Scalars['UintString']['input'];
  readonly signature: Scalars['Hex']['input'];
};

/** A new key; it may not outrank the credential that makes it. */
export type CreateApiKeyInput = {
  readonly label: Scalars['String']['input'];
  readonly scopes: ReadonlyArray<ApiScope>;
  readonly expiresAt?: InputMaybe<Scalars['Time']['input']>;
  readonly ipAllowList?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly delegate?: InputMaybe<DelegateGrant>;
};

/** Why cash moved. */
export type LedgerKind =
  | 'DEPOSIT'
  | 'WITHDRAWAL'
  | 'TRADE'
  | 'FEE'
  | 'SPLIT'
  | 'MERGE'
  | 'CLAIM'
  | 'REFUND'
  | 'REBATE'
  | 'ADJUSTMENT';

/** Filter and page of `ledger`. */
export type LedgerInput = {
  readonly kinds?: InputMaybe<ReadonlyArray<LedgerKind>>;
  readonly marketId?: InputMaybe<Scalars['ID']['input']>;
  readonly since?: InputMaybe<Scalars['Time']['input']>;
  readonly first?: InputMaybe<Scalars['Int']['input']>;
  readonly after?: InputMaybe<Scalars['Cursor']['input']>;
};

/** Filter and page of `positions`; `openOnly` leaves out those without shares and those claimed or lost. */
export type PositionsInput = {
  readonly marketId?: InputMaybe<Scalars['ID']['input']>;
  readonly outcome?: InputMaybe<BetOutcome>;
  readonly openOnly?: InputMaybe<Scalars['Boolean']['input']>;
  readonly first?: InputMaybe<Scalars['Int']['input']>;
  readonly after?: InputMaybe<Scalars['Cursor']['input']>;
};

/** How long an order stands: until cancelled, until its expiration, all at once or not at all, what fills now and no more. */
export type TimeInForce =
  | 'GTC'
  | 'GTD'
  | 'FOK'
  | 'FAK';

/** State of an accepted order; the last three are final. */
export type OrderStatus =
  | 'LIVE'
  | 'PARTIALLY_FILLED'
  | 'FILLED'
  | 'CANCELLED'
  | 'EXPIRED';

/** Why an order ended before it was filled. */
export type CancelReason =
  | 'USER'
  | 'REPLACED'
  | 'SELF_TRADE'
  | 'HEARTBEAT_LAPSED'
  | 'ORDER_GROUP_LIMIT'
  | 'KEY_REVOKED'
  | 'MARKET_NOT_OPEN'
  | 'MARKET_HALTED'
  | 'TICK_CHANGED'
  | 'EXPIRED'
  | 'FAK_REMAINDER'
  | 'ADMIN';

/** Whose order goes when a taker meets an order of the same account; the taker's choice counts. */
export type SelfTradePrevention =
  | 'CANCEL_TAKER'
  | 'CANCEL_MAKER'
  | 'CANCEL_BOTH';

/** Side of the fill that the reader was on. */
export type LiquidityRole =
  | 'MAKER'
  | 'TAKER';

/** Why something was refused. The values stand in the order of the checks; the answer names the first check that fails. A refusal changes nothing. */
export type RejectReason =
  | 'RATE_LIMITED'
  /** not 65 bytes, v not 27 or 28, high s, or recovers to another address than `signer` */
  | 'BAD_SIGNATURE'
  /** maker is not the caller, or signer is neither maker nor its delegate */
  | 'SIGNER_NOT_ALLOWED'
  | 'NOT_FOUND'
  /** an id is taken, or the present state does not allow it */
  | 'CONFLICT'
  | 'GEO_BLOCKED'
  | 'EMAIL_NOT_VERIFIED'
  | 'VENUE_MODE'
  | 'MARKET_NOT_OPEN'
  | 'MARKET_HALTED'
  | 'ALREADY_FINAL'
  /** fields that do not go together, such as post-only with FOK */
  | 'INVALID_ORDER'
  | 'INVALID_TICK'
  | 'INVALID_LOT'
  /** expiration or deadline has passed */
  | 'EXPIRED_PARAMS'
  /** timestampMs too far from server time */
  | 'STALE_TIMESTAMP'
  | 'STALE_EPOCH'
  /** the credential's dead-man's switch has fired: heartbeat or disarmHeartbeat first */
  | 'HEARTBEAT_LAPSED'
  | 'GROUP_TRIPPED'
  /** the market's feeRateBps is above the signed maxFeeBps */
  | 'FEE_ABOVE_MAX'
  | 'BELOW_MIN'
  | 'ABOVE_MAX'
  | 'EXPOSURE_LIMIT'
  | 'INSUFFICIENT_BALANCE'
  | 'INSUFFICIENT_SHARES'
  | 'POST_ONLY_WOULD_CROSS'
  | 'FOK_NOT_FILLABLE';

/** Unit of the numbers in a Rejection. */
export type LimitUnit =
  | 'BPS'
  | 'MICRO_USD'
  | 'MICRO_SHARES'
  | 'MILLISECONDS'
  | 'COUNT';

/** Filter and page of `orders`. */
export type OrdersInput = {
  readonly marketId?: InputMaybe<Scalars['ID']['input']>;
  readonly statuses?: InputMaybe<ReadonlyArray<OrderStatus>>;
  readonly clientOrderIds?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly groupId?: InputMaybe<Scalars['ID']['input']>;
  readonly since?: InputMaybe<Scalars['Time']['input']>;
  readonly first?: InputMaybe<Scalars['Int']['input']>;
  readonly after?: InputMaybe<Scalars['Cursor']['input']>;
};

/** Filter and page of `fills`; `afterSeq` gives all fills after that event that were not taken back, without a gap. */
export type FillsInput = {
  readonly marketId?: InputMaybe<Scalars['ID']['input']>;
  readonly orderId?: InputMaybe<Scalars['ID']['input']>;
  readonly afterSeq?: InputMaybe<Scalars['UintString']['input']>;
  readonly since?: InputMaybe<Scalars['Time']['input']>;
  readonly first?: InputMaybe<Scalars['Int']['input']>;
  readonly after?: InputMaybe<Scalars['Cursor']['input']>;
};

/** What signingParams is to prepare. */
export type SigningKind =
  | 'ORDER'
  | 'REPLACE'
  | 'WITHDRAWAL';

/** An order before it is signed; the server adds maker, epoch, timestamp and, where missing, signer and salt. */
export type OrderIntent = {
  readonly marketId: Scalars['ID']['input'];
  readonly outcome: BetOutcome;
  readonly side: OrderSide;
  readonly priceBps: Scalars['Int']['input'];
  /** micro-shares */
  readonly shares: Scalars['UintString']['input'];
  readonly timeInForce: TimeInForce;
  readonly postOnly?: InputMaybe<Scalars['Boolean']['input']>;
  /** GTD only */
  readonly expiresAt?: InputMaybe<Scalars['Time']['input']>;
  /** default: the market's feeRateBps */
  readonly maxFeeBps?: InputMaybe<Scalars['Int']['input']>;
  /** default: the account */
  readonly signer?: InputMaybe<Scalars['Hex']['input']>;
  /** default: 256 random bits of the server */
  readonly salt?: InputMaybe<Scalars['UintString']['input']>;
};

/** A withdrawal before it is signed. */
export type WithdrawalIntent = {
  readonly walletId: Scalars['ID']['input'];
  readonly toAddress: Scalars['Hex']['input'];
  readonly amountCents: Scalars['Int']['input'];
};

/** ORDER needs `order`, REPLACE `order` and `replacesOrderHash`, WITHDRAWAL `withdrawal`. */
export type SigningParamsInput = {
  readonly kind: SigningKind;
  readonly order?: InputMaybe<OrderIntent>;
  readonly replacesOrderHash?: InputMaybe<Scalars['Hex']['input']>;
  readonly withdrawal?: InputMaybe<WithdrawalIntent>;
};

/** The exact EIP-712 message that was signed. */
export type SignedOrder = {
  readonly salt: Scalars['UintString']['input'];
  readonly maker: Scalars['Hex']['input'];
  readonly signer: Scalars['Hex']['input'];
  readonly marketId: Scalars['ID']['input'];
  readonly outcome: BetOutcome;
  readonly side: OrderSide;
  readonly priceBps: Scalars['Int']['input'];
  /** micro-shares */
  readonly shares: Scalars['UintString']['input'];
  readonly timeInForce: TimeInForce;
  readonly postOnly: Scalars['Boolean']['input'];
  /** milliseconds since the epoch; 0 unless GTD */
  readonly expiration: Scalars['UintString']['input'];
  readonly timestampMs: Scalars['UintString']['input'];
  readonly epoch: Scalars['UintString']['input'];
  readonly maxFeeBps: Scalars['Int']['input'];
  /** hash of the replaced order, or 32 zero bytes */
  readonly replaces: Scalars['Hex']['input'];
  /** 65 bytes r, s, v */
  readonly signature: Scalars['Hex']['input'];
};

/** A signed order and what is not signed. */
export type PlaceOrderInput = {
  readonly order: SignedOrder;
  /** unique per account, at most 64 characters */
  readonly clientOrderId?: InputMaybe<Scalars['String']['input']>;
  readonly groupId?: InputMaybe<Scalars['ID']['input']>;
  readonly selfTradePrevention?: InputMaybe<SelfTradePrevention>;
};

/** At most `maxBatchOrders`, taken in order, each with its own result. */
export type PlaceOrdersInput = {
  readonly orders: ReadonlyArray<PlaceOrderInput>;
};

/** Cancels and places of one market, all or nothing; GTC and GTD only. */
export type ReplaceOrdersInput = {
  readonly marketId: Scalars['ID']['input'];
  readonly cancelOrderIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** all of the account's orders in the market instead of a list */
  readonly cancelAllInMarket?: InputMaybe<Scalars['Boolean']['input']>;
  readonly place: ReadonlyArray<PlaceOrderInput>;
  /** refuse (CONFLICT) if an order to be cancelled has filled after this seq */
  readonly ifNoFillSince?: InputMaybe<Scalars['UintString']['input']>;
};

/** A new order group. */
export type CreateOrderGroupInput = {
  readonly label: Scalars['String']['input'];
  readonly maxFilledShares: Scalars['Float']['input'];
  readonly windowSeconds: Scalars['Int']['input'];
};

/** What is given changes; `reset` empties the window and lets orders in again. */
export type UpdateOrderGroupInput = {
  readonly id: Scalars['ID']['input'];
  readonly maxFilledShares?: InputMaybe<Scalars['Float']['input']>;
  readonly windowSeconds?: InputMaybe<Scalars['Int']['input']>;
  readonly reset?: InputMaybe<Scalars['Boolean']['input']>;
};

/** A new market. */
export type CreateMarketInput = {
  /** UUID chosen by the client: the market's id, and what the initial order signs; the same input again gives the same market */
  readonly id: Scalars['ID']['input'];
  /** at most maxQuestionLength code points */
  readonly question: Scalars['String']['input'];
  readonly description?: InputMaybe<Scalars['String']['input']>;
  readonly categorySlug: Scalars['String']['input'];
  readonly topicSlugs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly resolutionDate: Scalars['Time']['input'];
  /** how it will be decided */
  readonly rules: Scalars['String']['input'];
  /** first order of the book when the market opens: BUY, GTC or GTD, at most maxInitialBetCents */
  readonly initialOrder?: InputMaybe<PlaceOrderInput>;
};

/** State of a wallet. */
export type WalletStatus =
  | 'PROVISIONING'
  | 'ACTIVE'
  | 'DISABLED';

/** State of a withdrawal; FAILED gives the money back. */
export type WithdrawalStatus =
  | 'PENDING'
  | 'BROADCAST'
  | 'CONFIRMED'
  | 'FAILED';

/** The signed EIP-712 Withdrawal. */
export type ExecuteWithdrawalInput = {
  readonly walletId: Scalars['ID']['input'];
  readonly toAddress: Scalars['Hex']['input'];
  readonly amountCents: Scalars['Int']['input'];
  /** random, single use */
  readonly nonce: Scalars['UintString']['input'];
  /** milliseconds since the epoch */
  readonly deadline: Scalars['UintString']['input'];
  readonly signature: Scalars['Hex']['input'];
  /** the same id and message again give the same withdrawal */
  readonly clientWithdrawalId: Scalars['String']['input'];
};

/** A whole view, or what changed in it. */
export type BookEventKind =
  | 'SNAPSHOT'
  | 'DELTA';

/** What happened to an account's orders. */
export type OrderEventKind =
  /** nothing is missing up to `seq`: after the resumed events at the start, then after each 5 s of silence */
  | 'SYNC'
  | 'ACCEPTED'
  | 'FILLED'
  | 'CANCELLED'
  | 'EXPIRED'
  | 'REDUCED'
  /** the venue took the trade of `fill` back: shares, cash and fee are as before it, and the order does not come back */
  | 'REVERSED'
  /** `afterSeq` is too old to resume: reconcile by queries, the stream goes on from `seq` */
  | 'GAP';
/** Values by enum. */
export const ENUM_VALUES = {
  BetOutcome: ['YES', 'NO', 'CANCELLED'],
  BookEventKind: ['SNAPSHOT', 'DELTA'],
  LiquidityRole: ['MAKER', 'TAKER'],
  MarketStatus: ['OPEN', 'PENDING_RESOLUTION', 'RESOLVED', 'RESOLVED_YES', 'RESOLVED_NO', 'RESOLVED_UNCERTAIN', 'RESOLUTION_FAILED', 'CANCELLED', 'PENDING_BLOCKCHAIN'],
  OrderEventKind: ['SYNC', 'ACCEPTED', 'FILLED', 'CANCELLED', 'EXPIRED', 'REDUCED', 'REVERSED', 'GAP'],
  OrderSide: ['BUY', 'SELL'],
  OrderStatus: ['LIVE', 'PARTIALLY_FILLED', 'FILLED', 'CANCELLED', 'EXPIRED'],
  RejectReason: ['RATE_LIMITED', 'BAD_SIGNATURE', 'SIGNER_NOT_ALLOWED', 'NOT_FOUND', 'CONFLICT', 'GEO_BLOCKED', 'EMAIL_NOT_VERIFIED', 'VENUE_MODE', 'MARKET_NOT_OPEN', 'MARKET_HALTED', 'ALREADY_FINAL', 'INVALID_ORDER', 'INVALID_TICK', 'INVALID_LOT', 'EXPIRED_PARAMS', 'STALE_TIMESTAMP', 'STALE_EPOCH', 'HEARTBEAT_LAPSED', 'GROUP_TRIPPED', 'FEE_ABOVE_MAX', 'BELOW_MIN', 'ABOVE_MAX', 'EXPOSURE_LIMIT', 'INSUFFICIENT_BALANCE', 'INSUFFICIENT_SHARES', 'POST_ONLY_WOULD_CROSS', 'FOK_NOT_FILLABLE'],
  VenueMode: ['NORMAL', 'POST_ONLY', 'CANCEL_ONLY', 'HALTED'],
} as const;
