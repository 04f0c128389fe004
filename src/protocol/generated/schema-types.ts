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

/** Where a page lies; both flags are exact in both directions. */
export type PageInfo = {
  readonly hasNextPage: Scalars['Boolean']['output'];
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** null on an empty page */
  readonly startCursor: Maybe<Scalars['Cursor']['output']>;
  /** null on an empty page */
  readonly endCursor: Maybe<Scalars['Cursor']['output']>;
};

/** A category; active ones are listed by `categories`. */
export type Category = {
  readonly name: Scalars['String']['output'];
  /** URL-safe, unique */
  readonly slug: Scalars['String']['output'];
  /** markets in it, in any state */
  readonly marketCount: Scalars['Int']['output'];
  readonly totalVolumeCents: Scalars['Int']['output'];
};

/** A topic within a category. */
export type Topic = {
  readonly id: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
  readonly slug: Scalars['String']['output'];
  readonly categorySlug: Scalars['String']['output'];
  /** markets on it, in any state */
  readonly marketCount: Scalars['Int']['output'];
};

/** A YES/NO question and its market. */
export type Market = {
  /** UUID */
  readonly id: Scalars['ID']['output'];
  /** unique, readable */
  readonly slug: Scalars['String']['output'];
  readonly question: Scalars['String']['output'];
  readonly status: MarketStatus;
  /** retail quote for YES, spread included; not derivable from noPriceBps. Once final: the payout */
  readonly yesPriceBps: Scalars['Int']['output'];
  /** retail quote for NO, spread included. Once final: the payout */
  readonly noPriceBps: Scalars['Int']['output'];
  /** yesPriceBps + noPriceBps - 10000: the spread in force here after rounding and clamping */
  readonly spreadBps: Scalars['Int']['output'];
  /** what takers traded, price times shares of their outcome, before fees */
  readonly volumeCents: Scalars['Int']['output'];
  readonly resolutionDate: Scalars['Time']['output'];
  readonly description: Maybe<Scalars['String']['output']>;
  readonly category: Maybe<Category>;
  readonly topics: ReadonlyArray<Topic>;
  /** best bid in YES terms */
  readonly bestBidBps: Maybe<Scalars['Int']['output']>;
  /** best ask in YES terms */
  readonly bestAskBps: Maybe<Scalars['Int']['output']>;
  /** floor of the mean of bid and ask; null unless both stand */
  readonly midpointBps: Maybe<Scalars['Int']['output']>;
  /** last trade in YES terms */
  readonly lastTradePriceBps: Maybe<Scalars['Int']['output']>;
  /** divides 10000; prices are multiples in [tick, 10000 - tick] */
  readonly tickSizeBps: Scalars['Int']['output'];
  /** smallest BUY */
  readonly minOrderShares: Scalars['Float']['output'];
  /** sizes are multiples of it */
  readonly lotShares: Scalars['Float']['output'];
  /** taker fee at rate * p * (1 - p) */
  readonly feeRateBps: Scalars['Int']['output'];
  /** OPEN, not halted, and the venue takes orders */
  readonly acceptingOrders: Scalars['Boolean']['output'];
  /** only while PENDING_BLOCKCHAIN */
  readonly blockchainStep: Maybe<BlockchainStep>;
  /** markets of one event, a hint for risk */
  readonly eventId: Maybe<Scalars['ID']['output']>;
  readonly createdAt: Scalars['Time']['output'];
  readonly updatedAt: Scalars['Time']['output'];
};

/** Steps that PENDING_BLOCKCHAIN waits for. */
export type BlockchainStep =
  | 'DEPLOY'
  | 'REPORT_PAYOUT';

/** A market in a list. */
export type MarketEdge = {
  readonly cursor: Scalars['Cursor']['output'];
  readonly node: Market;
};

/** A page of markets. */
export type MarketConnection = {
  readonly edges: ReadonlyArray<MarketEdge>;
  readonly pageInfo: PageInfo;
  /** all that match the filter */
  readonly totalCount: Scalars['Int']['output'];
};

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

/** One price level. */
export type PriceLevel = {
  readonly priceBps: Scalars['Int']['output'];
  /** 0 in a delta removes the level */
  readonly shares: Scalars['Float']['output'];
  readonly orderCount: Scalars['Int']['output'];
};

/** The best levels of one market; every price is in terms of `outcome`. */
export type OrderBook = {
  readonly marketId: Scalars['ID']['output'];
  readonly outcome: BetOutcome;
  /** last change of this book: the `seq` of its delta */
  readonly seq: Scalars['UintString']['output'];
  /** CRC-32 of the ten best levels a side, see docs/spec/venue.md#book-checksum */
  readonly checksum: Scalars['Hex']['output'];
  /** best first */
  readonly bids: ReadonlyArray<PriceLevel>;
  /** best first */
  readonly asks: ReadonlyArray<PriceLevel>;
  readonly bestBidBps: Maybe<Scalars['Int']['output']>;
  readonly bestAskBps: Maybe<Scalars['Int']['output']>;
  /** 10000 minus it is the midpoint of the other outcome */
  readonly midpointBps: Maybe<Scalars['Int']['output']>;
  readonly lastTradePriceBps: Maybe<Scalars['Int']['output']>;
  readonly tickSizeBps: Scalars['Int']['output'];
  readonly asOf: Scalars['Time']['output'];
};

/** Which kinds of order met: shares change hands, a pair is minted (two buys), a pair is merged (two sells). */
export type MatchType =
  | 'NORMAL'
  | 'MINT'
  | 'MERGE';

/** An execution, told from the taker's side. */
export type Trade = {
  readonly id: Scalars['ID']['output'];
  readonly marketId: Scalars['ID']['output'];
  /** the taker's */
  readonly outcome: BetOutcome;
  /** the taker's */
  readonly side: OrderSide;
  /** in terms of `outcome` */
  readonly priceBps: Scalars['Int']['output'];
  /** the same price in YES terms: the market's last trade price from now on */
  readonly lastTradePriceBps: Scalars['Int']['output'];
  readonly shares: Scalars['Float']['output'];
  /** priceBps * shares, down */
  readonly amountCents: Scalars['Int']['output'];
  readonly matchType: MatchType;
  readonly seq: Scalars['UintString']['output'];
  readonly executedAt: Scalars['Time']['output'];
};

/** A trade in a list. */
export type TradeEdge = {
  readonly cursor: Scalars['Cursor']['output'];
  readonly node: Trade;
};

/** A page of trades. */
export type TradeConnection = {
  readonly edges: ReadonlyArray<TradeEdge>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

/** Length of a bucket of `priceHistory`; RAW is one point for each change. */
export type PriceInterval =
  | 'RAW'
  | 'ONE_MINUTE'
  | 'FIVE_MINUTES'
  | 'ONE_HOUR'
  | 'SIX_HOURS'
  | 'ONE_DAY';

/** Quotes and book at the end of a bucket; buckets in which nothing changed are left out. */
export type PricePoint = {
  /** start of the bucket */
  readonly at: Scalars['Time']['output'];
  readonly yesPriceBps: Scalars['Int']['output'];
  readonly noPriceBps: Scalars['Int']['output'];
  readonly midpointBps: Maybe<Scalars['Int']['output']>;
  readonly bestBidBps: Maybe<Scalars['Int']['output']>;
  readonly bestAskBps: Maybe<Scalars['Int']['output']>;
  readonly lastTradePriceBps: Maybe<Scalars['Int']['output']>;
  /** traded within the bucket */
  readonly volumeCents: Scalars['Int']['output'];
};

/** What one order may be now. */
export type BetLimits = {
  readonly marketId: Scalars['ID']['output'];
  readonly minBetCents: Scalars['Int']['output'];
  /** largest BUY now: maxBetPerMarketCents, or the caller's remaining exposure where that is less */
  readonly maxBetCents: Scalars['Int']['output'];
  /** most shares in one order; with credentials and side SELL: what is available */
  readonly maxShares: Scalars['Float']['output'];
  readonly maxExposurePerMarketCents: Scalars['Int']['output'];
  /** null without credentials */
  readonly remainingExposureCents: Maybe<Scalars['Int']['output']>;
  readonly minOrderShares: Scalars['Float']['output'];
  readonly tickSizeBps: Scalars['Int']['output'];
};

/** What a taker order of this size would cost or bring now; nothing is placed. */
export type BetQuote = {
  readonly marketId: Scalars['ID']['output'];
  readonly outcome: BetOutcome;
  readonly side: OrderSide;
  /** the retail quote of this outcome */
  readonly quotedPriceBps: Scalars['Int']['output'];
  /** null when nothing would fill; BUY up, SELL down */
  readonly averagePriceBps: Maybe<Scalars['Int']['output']>;
  /** null when nothing would fill */
  readonly worstPriceBps: Maybe<Scalars['Int']['output']>;
  /** what would fill */
  readonly shares: Scalars['Float']['output'];
  /** BUY: cost, up; SELL: proceeds, down; without the fee */
  readonly amountCents: Scalars['Int']['output'];
  readonly feeCents: Scalars['Int']['output'];
  /** the whole size would fill */
  readonly fillable: Scalars['Boolean']['output'];
  /** OrderBook.seq it was computed on */
  readonly bookSeq: Scalars['UintString']['output'];
  readonly asOf: Scalars['Time']['output'];
};

/** How a market was decided; fields are null until known. */
export type Resolution = {
  readonly marketId: Scalars['ID']['output'];
  readonly status: MarketStatus;
  /** null while undecided and when UNCERTAIN */
  readonly outcome: Maybe<ResolutionOutcome>;
  /** paid for one YES share; null when CANCELLED */
  readonly yesPayoutBps: Maybe<Scalars['Int']['output']>;
  /** paid for one NO share; null when CANCELLED */
  readonly noPayoutBps: Maybe<Scalars['Int']['output']>;
  readonly decidedAt: Maybe<Scalars['Time']['output']>;
  readonly finalAt: Maybe<Scalars['Time']['output']>;
  readonly disputeWindowEndsAt: Maybe<Scalars['Time']['output']>;
  readonly rationale: Maybe<Scalars['String']['output']>;
};

/** One model's vote in one round. */
export type ModelVote = {
  readonly id: Scalars['ID']['output'];
  readonly model: Scalars['String']['output'];
  /** null: cannot be decided; CANCELLED: the question is invalid */
  readonly vote: Maybe<BetOutcome>;
  readonly confidenceBps: Maybe<Scalars['Int']['output']>;
  readonly rationale: Scalars['String']['output'];
  readonly sources: ReadonlyArray<Scalars['String']['output']>;
  /** from 1, one more after each upheld dispute or retry */
  readonly round: Scalars['Int']['output'];
  readonly votedAt: Scalars['Time']['output'];
};

/** A link of the hash chain; digest rule in docs/spec/venue.md#resolution-and-transparency. */
export type TransparencyStep = {
  readonly at: Scalars['Time']['output'];
  readonly actor: Scalars['String']['output'];
  /** null in the first step */
  readonly fromStatus: Maybe<MarketStatus>;
  readonly toStatus: MarketStatus;
  readonly note: Scalars['String']['output'];
  /** canonical JSON of what the step records (vote, decision, new date), {} for nothing */
  readonly data: Scalars['String']['output'];
  readonly digest: Scalars['Hex']['output'];
  /** the record's questionHash in the first step */
  readonly previousDigest: Scalars['Hex']['output'];
};

/** How the decision came about, as a hash chain that anyone can recompute. */
export type TransparencyRecord = {
  readonly marketId: Scalars['ID']['output'];
  readonly question: Scalars['String']['output'];
  /** sha256 over marketId, question, quorum and rules: the root of the chain */
  readonly questionHash: Scalars['Hex']['output'];
  readonly rules: Scalars['String']['output'];
  /** equal votes needed in a round */
  readonly quorum: Scalars['Int']['output'];
  readonly steps: ReadonlyArray<TransparencyStep>;
  /** digest of the last step */
  readonly headDigest: Scalars['Hex']['output'];
  readonly transactionHashes: ReadonlyArray<Scalars['Hex']['output']>;
};

/** Limits and settings of betting; read them at run time, `venueStatusChanged` tells changes. */
export type BettingConfig = {
  readonly minBetCents: Scalars['Int']['output'];
  /** largest initial order of createMarket */
  readonly maxInitialBetCents: Scalars['Int']['output'];
  /** cents */
  readonly betPresets: ReadonlyArray<Scalars['Int']['output']>;
  /** global spread of the retail quotes */
  readonly spreadBps: Scalars['Int']['output'];
  /** places in one batch */
  readonly maxBatchOrders: Scalars['Int']['output'];
  /** cancels in one batch */
  readonly maxBatchCancels: Scalars['Int']['output'];
  readonly minHeartbeatMs: Scalars['Int']['output'];
  readonly maxHeartbeatMs: Scalars['Int']['output'];
  /** greatest |timestampMs - server time| of a signed order */
  readonly maxClockSkewMs: Scalars['Int']['output'];
  /** default of new markets */
  readonly feeRateBps: Scalars['Int']['output'];
};

/** Limits and settings of markets. */
export type MarketConfig = {
  /** Unicode code points */
  readonly maxQuestionLength: Scalars['Int']['output'];
  /** worst-case loss of an account in one market */
  readonly maxExposurePerMarketCents: Scalars['Int']['output'];
  /** cost of one BUY */
  readonly maxBetPerMarketCents: Scalars['Int']['output'];
  /** default of new markets */
  readonly tickSizeBps: Scalars['Int']['output'];
  readonly minOrderShares: Scalars['Float']['output'];
  readonly lotShares: Scalars['Float']['output'];
  readonly disputeWindowSeconds: Scalars['Int']['output'];
};

/** Whether the caller may trade from where it is. */
export type GeoCheck = {
  readonly allowed: Scalars['Boolean']['output'];
  /** may only sell, cancel, merge, claim and withdraw */
  readonly closeOnly: Scalars['Boolean']['output'];
  readonly countryCode: Maybe<Scalars['String']['output']>;
  readonly reason: Maybe<Scalars['String']['output']>;
};

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

/** Service health; `serverTime` serves to measure clock skew. */
export type Health = {
  readonly status: HealthStatus;
  readonly mode: VenueMode;
  readonly version: Scalars['String']['output'];
  readonly serverTime: Scalars['Time']['output'];
  /** number of the engine's last event */
  readonly engineSeq: Scalars['UintString']['output'];
};

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

/** A login nonce and the message to sign. */
export type AuthChallenge = {
  /** single use */
  readonly nonce: Scalars['Hex']['output'];
  /** Login message */
  readonly typedData: Scalars['TypedData']['output'];
  readonly expiresAt: Scalars['Time']['output'];
};

/** A key for bots; the secret is shown once, at creation. */
export type ApiKey = {
  readonly id: Scalars['ID']['output'];
  readonly label: Scalars['String']['output'];
  readonly scopes: ReadonlyArray<ApiScope>;
  /** address that may sign orders for the account while the key lives */
  readonly delegateAddress: Maybe<Scalars['Hex']['output']>;
  /** empty: any address */
  readonly ipAllowList: ReadonlyArray<Scalars['String']['output']>;
  readonly lastUsedAt: Maybe<Scalars['Time']['output']>;
  readonly expiresAt: Maybe<Scalars['Time']['output']>;
  readonly createdAt: Scalars['Time']['output'];
};

/** A token bucket of the calling credential. */
export type RateBucket = {
  /** read, order or cancel */
  readonly name: Scalars['String']['output'];
  readonly capacity: Scalars['Int']['output'];
  readonly refillPerSecond: Scalars['Float']['output'];
  readonly remaining: Scalars['Float']['output'];
};

/** The calling account. */
export type Account = {
  readonly id: Scalars['ID']['output'];
  readonly address: Scalars['Hex']['output'];
  readonly email: Maybe<Scalars['String']['output']>;
  readonly emailVerified: Scalars['Boolean']['output'];
  /** of the calling credential */
  readonly scopes: ReadonlyArray<ApiScope>;
  readonly apiKeys: ReadonlyArray<ApiKey>;
  /** the `epoch` that new orders must sign */
  readonly orderEpoch: Scalars['UintString']['output'];
  readonly rateBuckets: ReadonlyArray<RateBucket>;
  readonly createdAt: Scalars['Time']['output'];
};

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

/** Tokens of a login. */
export type SessionPayload = {
  readonly accessToken: Scalars['String']['output'];
  /** valid once; each refresh gives a new one */
  readonly refreshToken: Scalars['String']['output'];
  /** Bearer */
  readonly tokenType: Scalars['String']['output'];
  /** of the access token */
  readonly expiresAt: Scalars['Time']['output'];
  readonly account: Account;
};

/** Result of revokeSession. */
export type RevokeSessionPayload = {
  readonly revoked: Scalars['Boolean']['output'];
};

/** A new key and its secret. */
export type CreateApiKeyPayload = {
  readonly apiKey: ApiKey;
  /** pmk_<id>_<secret>, shown this once */
  readonly secret: Scalars['String']['output'];
};

/** Result of revokeApiKey. */
export type RevokeApiKeyPayload = {
  readonly revokedId: Scalars['ID']['output'];
};

/** Result of the e-mail mutations. */
export type EmailPayload = {
  readonly email: Scalars['String']['output'];
  readonly verified: Scalars['Boolean']['output'];
  readonly expiresAt: Maybe<Scalars['Time']['output']>;
};

/** Cash of the account. Cents are rounded one by one and need not add up; Micros do. */
export type Balance = {
  /** down */
  readonly availableCents: Scalars['Int']['output'];
  /** held for open BUY orders, up */
  readonly reservedCents: Scalars['Int']['output'];
  /** down */
  readonly totalCents: Scalars['Int']['output'];
  /** payouts and refunds to claim, down */
  readonly claimableCents: Scalars['Int']['output'];
  readonly availableMicros: Scalars['UintString']['output'];
  readonly reservedMicros: Scalars['UintString']['output'];
  /** includes every event up to this */
  readonly seq: Scalars['UintString']['output'];
  readonly asOf: Scalars['Time']['output'];
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

/** One movement of cash. */
export type LedgerEntry = {
  readonly id: Scalars['ID']['output'];
  readonly kind: LedgerKind;
  /** signed: positive came in */
  readonly amountMicros: Scalars['IntString']['output'];
  /** size without sign, down */
  readonly amountCents: Scalars['Int']['output'];
  /** 1 came in, -1 went out */
  readonly direction: Scalars['Int']['output'];
  readonly marketId: Maybe<Scalars['ID']['output']>;
  readonly orderId: Maybe<Scalars['ID']['output']>;
  readonly fillId: Maybe<Scalars['ID']['output']>;
  readonly at: Scalars['Time']['output'];
};

/** A ledger entry in a list. */
export type LedgerEdge = {
  readonly cursor: Scalars['Cursor']['output'];
  readonly node: LedgerEntry;
};

/** A page of the ledger, newest first. */
export type LedgerConnection = {
  readonly edges: ReadonlyArray<LedgerEdge>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

/** Filter and page of `ledger`. */
export type LedgerInput = {
  readonly kinds?: InputMaybe<ReadonlyArray<LedgerKind>>;
  readonly marketId?: InputMaybe<Scalars['ID']['input']>;
  readonly since?: InputMaybe<Scalars['Time']['input']>;
  readonly first?: InputMaybe<Scalars['Int']['input']>;
  readonly after?: InputMaybe<Scalars['Cursor']['input']>;
};

/** Shares of one outcome; in a CANCELLED market one entry with outcome CANCELLED stands for the refund. */
export type Position = {
  readonly id: Scalars['ID']['output'];
  readonly marketId: Scalars['ID']['output'];
  readonly market: Market;
  readonly outcome: BetOutcome;
  readonly shares: Scalars['Float']['output'];
  /** in open SELL orders */
  readonly reservedShares: Scalars['Float']['output'];
  /** cost per share, nearest */
  readonly averagePriceBps: Scalars['Int']['output'];
  /** cost of the shares held, up */
  readonly amountCents: Scalars['Int']['output'];
  /** the same, exact */
  readonly amountMicros: Scalars['UintString']['output'];
  /** shares * currentOddsBps, down */
  readonly valueCents: Scalars['Int']['output'];
  /** reference price of this outcome (docs/spec/venue.md#quoted-prices), not the retail quote; once final: the payout */
  readonly currentOddsBps: Scalars['Int']['output'];
  /** what is paid if this outcome wins, down; once final: what is paid */
  readonly totalPayoutCents: Scalars['Int']['output'];
  /** after fees */
  readonly realizedPnlMicros: Scalars['IntString']['output'];
  /** YES or NO won, or CANCELLED; null before and when UNCERTAIN */
  readonly result: Maybe<BetOutcome>;
  /** final, pays more than 0, not claimed */
  readonly claimable: Scalars['Boolean']['output'];
  /** includes every event up to this */
  readonly seq: Scalars['UintString']['output'];
  readonly updatedAt: Scalars['Time']['output'];
};

/** A position in a list. */
export type PositionEdge = {
  readonly cursor: Scalars['Cursor']['output'];
  readonly node: Position;
};

/** A page of positions, last changed first. */
export type PositionConnection = {
  readonly edges: ReadonlyArray<PositionEdge>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

/** Filter and page of `positions`; `openOnly` leaves out those without shares and those claimed or lost. */
export type PositionsInput = {
  readonly marketId?: InputMaybe<Scalars['ID']['input']>;
  readonly outcome?: InputMaybe<BetOutcome>;
  readonly openOnly?: InputMaybe<Scalars['Boolean']['input']>;
  readonly first?: InputMaybe<Scalars['Int']['input']>;
  readonly after?: InputMaybe<Scalars['Cursor']['input']>;
};

/** Totals of the account. */
export type Portfolio = {
  /** available and reserved */
  readonly cashCents: Scalars['Int']['output'];
  readonly positionsValueCents: Scalars['Int']['output'];
  readonly claimableCents: Scalars['Int']['output'];
  readonly openOrderReserveCents: Scalars['Int']['output'];
  /** sum of the markets' exposures (docs/spec/venue.md#limits), up */
  readonly worstCaseLossCents: Scalars['Int']['output'];
  readonly realizedPnlMicros: Scalars['IntString']['output'];
  readonly unrealizedPnlMicros: Scalars['IntString']['output'];
  readonly feesPaidMicros: Scalars['UintString']['output'];
  readonly asOf: Scalars['Time']['output'];
};

/** Result of split and merge. */
export type PositionChangePayload = {
  readonly yes: Maybe<Position>;
  readonly no: Maybe<Position>;
  /** cash paid (split) or received (merge) */
  readonly amountCents: Scalars['Int']['output'];
  readonly amountMicros: Scalars['UintString']['output'];
  readonly rejection: Maybe<Rejection>;
  readonly seq: Scalars['UintString']['output'];
};

/** What was claimed; nothing to claim is an empty list, not a refusal. */
export type ClaimPayload = {
  readonly claims: ReadonlyArray<Position>;
  readonly totalPayoutCents: Scalars['Int']['output'];
  readonly totalPayoutMicros: Scalars['UintString']['output'];
  readonly rejection: Maybe<Rejection>;
  readonly seq: Scalars['UintString']['output'];
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

/** Why something was refused. The values stand in the order of testing; the first that fails is told. A refusal changes nothing. */
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

/** A typed refusal with the numbers compared. */
export type Rejection = {
  readonly reason: RejectReason;
  /** for people, never to be parsed */
  readonly message: Scalars['String']['output'];
  /** argument it is about */
  readonly field: Maybe<Scalars['String']['output']>;
  readonly limit: Maybe<Scalars['IntString']['output']>;
  readonly value: Maybe<Scalars['IntString']['output']>;
  readonly unit: Maybe<LimitUnit>;
  /** only with RATE_LIMITED and VENUE_MODE */
  readonly retryAfterMs: Maybe<Scalars['Int']['output']>;
};

/** An accepted order. */
export type Order = {
  /** the order hash */
  readonly id: Scalars['ID']['output'];
  /** EIP-712 digest of the signed message */
  readonly orderHash: Scalars['Hex']['output'];
  readonly clientOrderId: Maybe<Scalars['String']['output']>;
  readonly marketId: Scalars['ID']['output'];
  readonly outcome: BetOutcome;
  readonly side: OrderSide;
  readonly priceBps: Scalars['Int']['output'];
  /** as signed, less what reduceOrder took */
  readonly shares: Scalars['Float']['output'];
  readonly filledShares: Scalars['Float']['output'];
  readonly remainingShares: Scalars['Float']['output'];
  /** nearest */
  readonly averageFillPriceBps: Maybe<Scalars['Int']['output']>;
  readonly timeInForce: TimeInForce;
  readonly postOnly: Scalars['Boolean']['output'];
  readonly expiresAt: Maybe<Scalars['Time']['output']>;
  readonly status: OrderStatus;
  readonly cancelReason: Maybe<CancelReason>;
  readonly groupId: Maybe<Scalars['ID']['output']>;
  /** BUY: cash held, up; SELL: 0 */
  readonly reservedCents: Scalars['Int']['output'];
  /** paid so far, up */
  readonly feeCents: Scalars['Int']['output'];
  /** shares before it at its price; null unless it rests */
  readonly queueAheadShares: Maybe<Scalars['Float']['output']>;
  /** its last change */
  readonly seq: Scalars['UintString']['output'];
  readonly createdAt: Scalars['Time']['output'];
  readonly updatedAt: Scalars['Time']['output'];
};

/** An order in a list. */
export type OrderEdge = {
  readonly cursor: Scalars['Cursor']['output'];
  readonly node: Order;
};

/** A page of orders, newest first. */
export type OrderConnection = {
  readonly edges: ReadonlyArray<OrderEdge>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

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

/** An order, if there is one, with its fills. */
export type OrderLookup = {
  readonly found: Scalars['Boolean']['output'];
  readonly order: Maybe<Order>;
  readonly fills: ReadonlyArray<Fill>;
};

/** One side of a trade, as its owner sees it. */
export type Fill = {
  readonly id: Scalars['ID']['output'];
  /** both sides carry it */
  readonly tradeId: Scalars['ID']['output'];
  readonly orderId: Scalars['ID']['output'];
  readonly clientOrderId: Maybe<Scalars['String']['output']>;
  readonly marketId: Scalars['ID']['output'];
  readonly outcome: BetOutcome;
  readonly side: OrderSide;
  /** in terms of `outcome` */
  readonly priceBps: Scalars['Int']['output'];
  readonly shares: Scalars['Float']['output'];
  /** BUY up, SELL down, without the fee */
  readonly amountCents: Scalars['Int']['output'];
  readonly amountMicros: Scalars['UintString']['output'];
  readonly feeMicros: Scalars['UintString']['output'];
  readonly role: LiquidityRole;
  readonly matchType: MatchType;
  /** of its FILLED event */
  readonly seq: Scalars['UintString']['output'];
  readonly executedAt: Scalars['Time']['output'];
};

/** A fill in a list. */
export type FillEdge = {
  readonly cursor: Scalars['Cursor']['output'];
  readonly node: Fill;
};

/** A page of fills: newest first, with `afterSeq` oldest first. */
export type FillConnection = {
  readonly edges: ReadonlyArray<FillEdge>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

/** Filter and page of `fills`; `afterSeq` gives all fills after that event, without a gap. */
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

/** An order as wished; the server adds maker, epoch, timestamp and, where missing, signer and salt. */
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

/** A withdrawal as wished. */
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

/** Step 1 of 3: what to compare with one's own intent, and sign. Nothing is stored. */
export type SigningParams = {
  readonly kind: SigningKind;
  readonly typedData: Scalars['TypedData']['output'];
  /** EIP-712 digest: the future order hash */
  readonly digest: Scalars['Hex']['output'];
  /** BUY: price * shares, up; SELL: 0; withdrawal: the amount */
  readonly costCents: Scalars['Int']['output'];
  /** costCents and the highest fee */
  readonly worstCaseCents: Scalars['Int']['output'];
  /** where it would stand on the YES ladder */
  readonly normalizedPriceBps: Maybe<Scalars['Int']['output']>;
  /** the signed size in shares */
  readonly normalizedShares: Maybe<Scalars['Float']['output']>;
  /** when the timestamp leaves the clock window */
  readonly expiresAt: Scalars['Time']['output'];
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

/** Result of placing one order. */
export type PlaceOrderPayload = {
  readonly accepted: Scalars['Boolean']['output'];
  /** these signed bytes were known: `order` is the first one */
  readonly duplicate: Scalars['Boolean']['output'];
  /** null when refused */
  readonly order: Maybe<Order>;
  /** of this order so far */
  readonly fills: ReadonlyArray<Fill>;
  readonly rejection: Maybe<Rejection>;
  /** includes every event up to this */
  readonly seq: Scalars['UintString']['output'];
};

/** Results in the order of the input. */
export type PlaceOrdersPayload = {
  readonly results: ReadonlyArray<PlaceOrderPayload>;
  readonly seq: Scalars['UintString']['output'];
};

/** Result of cancelling or reducing one order. */
export type CancelResult = {
  readonly orderId: Scalars['ID']['output'];
  /** false: refused, or reduced and still open */
  readonly cancelled: Scalars['Boolean']['output'];
  /** after the call; null when not found */
  readonly remainingShares: Maybe<Scalars['Float']['output']>;
  readonly filledShares: Maybe<Scalars['Float']['output']>;
  readonly rejection: Maybe<Rejection>;
};

/** Results in the order of the input. */
export type CancelPayload = {
  readonly results: ReadonlyArray<CancelResult>;
  readonly seq: Scalars['UintString']['output'];
};

/** Result of cancelAllOrders. */
export type CancelAllPayload = {
  readonly cancelledIds: ReadonlyArray<Scalars['ID']['output']>;
  /** orders signed with an older epoch are refused */
  readonly newEpoch: Scalars['UintString']['output'];
  readonly seq: Scalars['UintString']['output'];
};

/** Result of an atomic replacement; when not committed nothing has changed and the entries tell why. */
export type ReplaceOrdersPayload = {
  readonly committed: Scalars['Boolean']['output'];
  readonly cancelled: ReadonlyArray<CancelResult>;
  readonly placed: ReadonlyArray<PlaceOrderPayload>;
  readonly rejection: Maybe<Rejection>;
  readonly seq: Scalars['UintString']['output'];
};

/** A set of orders that is cancelled when too much fills within a window. */
export type OrderGroup = {
  readonly id: Scalars['ID']['output'];
  readonly label: Scalars['String']['output'];
  /** trips when more than this fills within the window */
  readonly maxFilledShares: Scalars['Float']['output'];
  readonly windowSeconds: Scalars['Int']['output'];
  readonly filledInWindow: Scalars['Float']['output'];
  /** refuses orders until reset */
  readonly tripped: Scalars['Boolean']['output'];
};

/** What guards the account; heartbeat fields are of the calling credential. */
export type TradingSafety = {
  readonly heartbeatArmed: Scalars['Boolean']['output'];
  readonly heartbeatTimeoutMs: Maybe<Scalars['Int']['output']>;
  readonly heartbeatDeadline: Maybe<Scalars['Time']['output']>;
  readonly orderEpoch: Scalars['UintString']['output'];
  readonly openOrderCount: Scalars['Int']['output'];
  readonly groups: ReadonlyArray<OrderGroup>;
  readonly mode: VenueMode;
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

/** Result of the heartbeat mutations. */
export type HeartbeatPayload = {
  readonly armed: Scalars['Boolean']['output'];
  /** orders of the credential are cancelled then; null when not armed */
  readonly deadline: Maybe<Scalars['Time']['output']>;
  readonly serverTime: Scalars['Time']['output'];
};

/** A group after a change. */
export type OrderGroupPayload = {
  readonly group: OrderGroup;
};

/** Result of deleteOrderGroup. */
export type DeletePayload = {
  readonly deletedId: Scalars['ID']['output'];
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

/** Result of createMarket. */
export type CreateMarketPayload = {
  readonly market: Maybe<Market>;
  readonly initialOrder: Maybe<Order>;
  readonly duplicate: Scalars['Boolean']['output'];
  readonly rejection: Maybe<Rejection>;
};

/** Result of cancelMarket. */
export type MarketPayload = {
  readonly market: Maybe<Market>;
  readonly rejection: Maybe<Rejection>;
};

/** Result of disputeResolution. */
export type DisputePayload = {
  readonly resolution: Maybe<Resolution>;
  readonly rejection: Maybe<Rejection>;
};

/** State of a wallet. */
export type WalletStatus =
  | 'PROVISIONING'
  | 'ACTIVE'
  | 'DISABLED';

/** A wallet of the account on one chain. */
export type Wallet = {
  /** UUID */
  readonly id: Scalars['ID']['output'];
  readonly address: Scalars['Hex']['output'];
  readonly chainId: Scalars['Int']['output'];
  readonly status: WalletStatus;
  readonly isDefault: Scalars['Boolean']['output'];
  readonly depositAddress: Maybe<Scalars['Hex']['output']>;
  readonly createdAt: Scalars['Time']['output'];
};

/** State of a withdrawal; FAILED gives the money back. */
export type WithdrawalStatus =
  | 'PENDING'
  | 'BROADCAST'
  | 'CONFIRMED'
  | 'FAILED';

/** A withdrawal. */
export type Withdrawal = {
  readonly id: Scalars['ID']['output'];
  readonly walletId: Scalars['ID']['output'];
  readonly toAddress: Scalars['Hex']['output'];
  readonly amountCents: Scalars['Int']['output'];
  readonly feeCents: Scalars['Int']['output'];
  readonly status: WithdrawalStatus;
  readonly transactionHash: Maybe<Scalars['Hex']['output']>;
  readonly createdAt: Scalars['Time']['output'];
  readonly updatedAt: Scalars['Time']['output'];
};

/** A withdrawal in a list. */
export type WithdrawalEdge = {
  readonly cursor: Scalars['Cursor']['output'];
  readonly node: Withdrawal;
};

/** A page of withdrawals, newest first. */
export type WithdrawalConnection = {
  readonly edges: ReadonlyArray<WithdrawalEdge>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

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

/** Result of executeWithdrawal. */
export type WithdrawalPayload = {
  readonly withdrawal: Maybe<Withdrawal>;
  readonly duplicate: Scalars['Boolean']['output'];
  readonly rejection: Maybe<Rejection>;
};

/** Result of provisionWallet. */
export type WalletPayload = {
  readonly wallet: Wallet;
};

/** A whole view, or what changed in it. */
export type BookEventKind =
  | 'SNAPSHOT'
  | 'DELTA';

/** The best `depth` levels a side, in YES terms: a snapshot, then deltas. */
export type OrderBookEvent = {
  readonly kind: BookEventKind;
  readonly marketId: Scalars['ID']['output'];
  readonly seq: Scalars['UintString']['output'];
  /** seq of the event before; equal to seq in a snapshot and in an idle frame */
  readonly prevSeq: Scalars['UintString']['output'];
  /** snapshot: best first; delta: levels whose shares or count changed, 0 removes */
  readonly bids: ReadonlyArray<PriceLevel>;
  readonly asks: ReadonlyArray<PriceLevel>;
  /** of the view after this event */
  readonly checksum: Scalars['Hex']['output'];
  readonly at: Scalars['Time']['output'];
};

/** Quotes and top of book of one market. */
export type PriceUpdate = {
  readonly marketId: Scalars['ID']['output'];
  readonly yesPriceBps: Scalars['Int']['output'];
  readonly noPriceBps: Scalars['Int']['output'];
  readonly spreadBps: Scalars['Int']['output'];
  readonly bestBidBps: Maybe<Scalars['Int']['output']>;
  readonly bestAskBps: Maybe<Scalars['Int']['output']>;
  readonly midpointBps: Maybe<Scalars['Int']['output']>;
  readonly lastTradePriceBps: Maybe<Scalars['Int']['output']>;
  readonly seq: Scalars['UintString']['output'];
  readonly at: Scalars['Time']['output'];
};

/** A market was created, changed its state, or was halted or let go on (status unchanged). */
export type MarketStatusEvent = {
  readonly market: Market;
  /** null when created */
  readonly previousStatus: Maybe<MarketStatus>;
  readonly status: MarketStatus;
  readonly blockchainStep: Maybe<BlockchainStep>;
  readonly reason: Scalars['String']['output'];
  readonly created: Scalars['Boolean']['output'];
  readonly at: Scalars['Time']['output'];
};

/** A step of a resolution. */
export type ResolutionEvent = {
  readonly resolution: Resolution;
  /** when the step is a vote */
  readonly vote: Maybe<ModelVote>;
  readonly step: TransparencyStep;
};

/** Mode and configuration of the venue after a change. */
export type VenueStatusEvent = {
  readonly mode: VenueMode;
  readonly bettingConfig: BettingConfig;
  readonly marketConfig: MarketConfig;
  readonly message: Maybe<Scalars['String']['output']>;
  readonly nextRestartAt: Maybe<Scalars['Time']['output']>;
  readonly at: Scalars['Time']['output'];
};

/** What happened to an account's orders. */
export type OrderEventKind =
  /** nothing is missing up to `seq`: after the resumed events at the start, then after each 5 s of silence */
  | 'SYNC'
  | 'ACCEPTED'
  | 'FILLED'
  | 'CANCELLED'
  | 'EXPIRED'
  | 'REDUCED'
  /** `afterSeq` is too old to resume: reconcile by queries, the stream goes on from `seq` */
  | 'GAP';

/** One event of the account's ordered stream. */
export type OrderEvent = {
  readonly kind: OrderEventKind;
  readonly seq: Scalars['UintString']['output'];
  /** seq of the event before in this stream, 0 for none */
  readonly prevSeq: Scalars['UintString']['output'];
  /** after the event */
  readonly order: Maybe<Order>;
  /** with FILLED */
  readonly fill: Maybe<Fill>;
  readonly cancelReason: Maybe<CancelReason>;
  readonly at: Scalars['Time']['output'];
};

/** Reads. Public up to `authChallenge`, protected after it. */
export type Query = {
  /** Active categories, by name. */
  readonly categories: ReadonlyArray<Category>;
  /** One category, also an inactive one; null when unknown. */
  readonly category: Maybe<Category>;
  /** Topics by name. */
  readonly topics: Maybe<ReadonlyArray<Topic>>;
  /** One topic; null when unknown. */
  readonly topic: Maybe<Topic>;
  /** Markets: filter, sort, page. */
  readonly markets: Maybe<MarketConnection>;
  /** One market by exactly one of id and slug; null when unknown. */
  readonly market: Maybe<Market>;
  /** Best levels of a market's book, in terms of `outcome`; depth 1 to 500. */
  readonly orderBook: Maybe<OrderBook>;
  /** Executed trades, newest first; paged like `markets`. */
  readonly trades: Maybe<TradeConnection>;
  /** Quotes and prices over time, oldest first; at most the latest 2,000 points between since and until. */
  readonly priceHistory: Maybe<ReadonlyArray<PricePoint>>;
  /** Smallest and largest order now; the caller's own with credentials. */
  readonly betLimits: Maybe<BetLimits>;
  /** Dry run of a taker order; exactly one of amountCents (without the fee) and shares. */
  readonly betQuote: Maybe<BetQuote>;
  /** Decided outcome, payouts and windows. */
  readonly resolutionOutcome: Maybe<Resolution>;
  /** Votes of the models, oldest first. */
  readonly modelVotes: Maybe<ReadonlyArray<ModelVote>>;
  /** The steps of the decision as a hash chain. */
  readonly transparencyRecord: Maybe<TransparencyRecord>;
  /** Bet limits, presets and the global spread. */
  readonly bettingConfig: BettingConfig;
  /** Question length, exposure, tick and lot. */
  readonly marketConfig: MarketConfig;
  /** Whether the caller may trade from where it is. */
  readonly geoCheck: GeoCheck;
  /** State, mode, server time and engine sequence. */
  readonly health: Health;
  /** Step 1 of a login: the message to sign, good for five minutes. */
  readonly authChallenge: Maybe<AuthChallenge>;
  /** The calling account, its keys, epoch and rate buckets. */
  readonly me: Account;
  /** Cash: available, reserved, claimable. */
  readonly balance: Balance;
  /** Every movement of cash, newest first. */
  readonly ledger: Maybe<LedgerConnection>;
  /** Holdings. */
  readonly positions: Maybe<PositionConnection>;
  /** Final positions and refunds that are not claimed yet. */
  readonly claimablePositions: ReadonlyArray<Position>;
  /** Totals, profit and loss, worst case. */
  readonly portfolio: Portfolio;
  /** Own orders. */
  readonly orders: Maybe<OrderConnection>;
  /** One own order by exactly one key; the hash is known before sending, so it settles a lost answer. */
  readonly order: Maybe<OrderLookup>;
  /** Own executions; `afterSeq` reads them without a gap. */
  readonly fills: Maybe<FillConnection>;
  /** Step 1 of 3 of a signed order or withdrawal. */
  readonly signingParams: Maybe<SigningParams>;
  /** Own wallets with their deposit addresses. */
  readonly wallets: ReadonlyArray<Wallet>;
  /** Own withdrawals, newest first. */
  readonly withdrawals: Maybe<WithdrawalConnection>;
  /** Markets the account created, newest first. */
  readonly createdMarkets: Maybe<MarketConnection>;
  /** Heartbeat, order groups, epoch and venue mode. */
  readonly tradingSafety: TradingSafety;
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryCategoryArgs = {
  slug: Scalars['String']['input'];
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryTopicsArgs = {
  categorySlug: InputMaybe<Scalars['String']['input']>;
  search: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryTopicArgs = {
  slug: Scalars['String']['input'];
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryMarketsArgs = {
  input: InputMaybe<MarketsInput>;
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryMarketArgs = {
  id: InputMaybe<Scalars['ID']['input']>;
  slug: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryOrderBookArgs = {
  marketId: Scalars['ID']['input'];
  outcome?: InputMaybe<BetOutcome>;
  depth?: InputMaybe<Scalars['Int']['input']>;
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryTradesArgs = {
  marketId: Scalars['ID']['input'];
  first: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['Cursor']['input']>;
  last: InputMaybe<Scalars['Int']['input']>;
  before: InputMaybe<Scalars['Cursor']['input']>;
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryPriceHistoryArgs = {
  marketId: Scalars['ID']['input'];
  since: InputMaybe<Scalars['Time']['input']>;
  until: InputMaybe<Scalars['Time']['input']>;
  interval?: InputMaybe<PriceInterval>;
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryBetLimitsArgs = {
  marketId: Scalars['ID']['input'];
  outcome: InputMaybe<BetOutcome>;
  side: InputMaybe<OrderSide>;
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryBetQuoteArgs = {
  marketId: Scalars['ID']['input'];
  outcome: BetOutcome;
  side: OrderSide;
  amountCents: InputMaybe<Scalars['Int']['input']>;
  shares: InputMaybe<Scalars['Float']['input']>;
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryResolutionOutcomeArgs = {
  marketId: Scalars['ID']['input'];
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryModelVotesArgs = {
  marketId: Scalars['ID']['input'];
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryTransparencyRecordArgs = {
  marketId: Scalars['ID']['input'];
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryAuthChallengeArgs = {
  address: Scalars['Hex']['input'];
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryLedgerArgs = {
  input: InputMaybe<LedgerInput>;
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryPositionsArgs = {
  input: InputMaybe<PositionsInput>;
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryOrdersArgs = {
  input: InputMaybe<OrdersInput>;
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryOrderArgs = {
  id: InputMaybe<Scalars['ID']['input']>;
  orderHash: InputMaybe<Scalars['Hex']['input']>;
  clientOrderId: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryFillsArgs = {
  input: InputMaybe<FillsInput>;
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QuerySigningParamsArgs = {
  input: SigningParamsInput;
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryWithdrawalsArgs = {
  first: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['Cursor']['input']>;
};


/** Reads. Public up to `authChallenge`, protected after it. */
export type QueryCreatedMarketsArgs = {
  first: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['Cursor']['input']>;
};

/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type Mutation = {
  /** Log in with a signed challenge; the first time opens the account. */
  readonly createSession: SessionPayload;
  /** New tokens for a refresh token; a token used twice ends the session. */
  readonly refreshSession: SessionPayload;
  /** Log out; orders stay. */
  readonly revokeSession: Maybe<RevokeSessionPayload>;
  /** Make a key for a bot; sessions only. */
  readonly createApiKey: Maybe<CreateApiKeyPayload>;
  /** End a key and cancel the orders placed with it; sessions only. */
  readonly revokeApiKey: Maybe<RevokeApiKeyPayload>;
  /** Send a code to an address; sessions only. */
  readonly requestEmailVerification: Maybe<EmailPayload>;
  /** Confirm the address with the code; sessions only. */
  readonly verifyEmail: Maybe<EmailPayload>;
  /** Step 3 of 3: place a signed order; the same signed bytes again return the same order. */
  readonly placeOrder: Maybe<PlaceOrderPayload>;
  /** Place up to maxBatchOrders, each with its own result. */
  readonly placeOrders: Maybe<PlaceOrdersPayload>;
  /** Cancel one order by exactly one key. */
  readonly cancelOrder: Maybe<CancelPayload>;
  /** Cancel up to maxBatchCancels, each with its own result. */
  readonly cancelOrders: Maybe<CancelPayload>;
  /** Cancel the account's orders in one market. */
  readonly cancelMarketOrders: Maybe<CancelPayload>;
  /** Cancel all of the account's orders and raise its epoch, so that signed orders in flight are refused. */
  readonly cancelAllOrders: Maybe<CancelAllPayload>;
  /** Cancel `id` and place its successor, both or neither; the new order signs `replaces`. */
  readonly replaceOrder: Maybe<ReplaceOrdersPayload>;
  /** Replace a set of quotes in one market, all or nothing. */
  readonly replaceOrders: Maybe<ReplaceOrdersPayload>;
  /** Shrink an order by micro-shares; it keeps its place in the queue. */
  readonly reduceOrder: Maybe<CancelPayload>;
  /** Arm or renew the credential's dead-man's switch: unless renewed in time, its orders are cancelled. */
  readonly heartbeat: Maybe<HeartbeatPayload>;
  /** Stand the switch down. */
  readonly disarmHeartbeat: Maybe<HeartbeatPayload>;
  /** Make a group with a rolling fill limit. */
  readonly createOrderGroup: Maybe<OrderGroupPayload>;
  /** Change or reset a group. */
  readonly updateOrderGroup: Maybe<OrderGroupPayload>;
  /** Remove a group; its orders stay. */
  readonly deleteOrderGroup: Maybe<DeletePayload>;
  /** Turn $1 into one YES and one NO; `sets` in micro-shares. */
  readonly splitPosition: Maybe<PositionChangePayload>;
  /** Turn one YES and one NO back into $1; `sets` in micro-shares. */
  readonly mergePosition: Maybe<PositionChangePayload>;
  /** Collect payout or refund of a final market, once. */
  readonly claimPosition: Maybe<ClaimPayload>;
  /** Collect everything claimable. */
  readonly claimAllPositions: Maybe<ClaimPayload>;
  /** Create a market, with an initial order if wished. */
  readonly createMarket: Maybe<CreateMarketPayload>;
  /** Void an own market before its first trade. */
  readonly cancelMarket: Maybe<MarketPayload>;
  /** Dispute a decision within its window, by an account that holds shares there. */
  readonly disputeResolution: Maybe<DisputePayload>;
  /** Make a wallet on a chain; one for each chain, the same again when it exists. */
  readonly provisionWallet: Maybe<WalletPayload>;
  /** Pay out with the account's signature. */
  readonly executeWithdrawal: Maybe<WithdrawalPayload>;
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationCreateSessionArgs = {
  input: CreateSessionInput;
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationRefreshSessionArgs = {
  refreshToken: Scalars['String']['input'];
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationCreateApiKeyArgs = {
  input: CreateApiKeyInput;
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationRevokeApiKeyArgs = {
  id: Scalars['ID']['input'];
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationRequestEmailVerificationArgs = {
  email: Scalars['String']['input'];
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationVerifyEmailArgs = {
  email: Scalars['String']['input'];
  code: Scalars['String']['input'];
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationPlaceOrderArgs = {
  input: PlaceOrderInput;
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationPlaceOrdersArgs = {
  input: PlaceOrdersInput;
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationCancelOrderArgs = {
  id: InputMaybe<Scalars['ID']['input']>;
  orderHash: InputMaybe<Scalars['Hex']['input']>;
  clientOrderId: InputMaybe<Scalars['String']['input']>;
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationCancelOrdersArgs = {
  ids: ReadonlyArray<Scalars['ID']['input']>;
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationCancelMarketOrdersArgs = {
  marketId: Scalars['ID']['input'];
  outcome: InputMaybe<BetOutcome>;
  side: InputMaybe<OrderSide>;
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationReplaceOrderArgs = {
  id: Scalars['ID']['input'];
  input: PlaceOrderInput;
  ifNoFillSince: InputMaybe<Scalars['UintString']['input']>;
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationReplaceOrdersArgs = {
  input: ReplaceOrdersInput;
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationReduceOrderArgs = {
  id: Scalars['ID']['input'];
  byShares: Scalars['UintString']['input'];
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationHeartbeatArgs = {
  timeoutMs: Scalars['Int']['input'];
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationCreateOrderGroupArgs = {
  input: CreateOrderGroupInput;
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationUpdateOrderGroupArgs = {
  input: UpdateOrderGroupInput;
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationDeleteOrderGroupArgs = {
  id: Scalars['ID']['input'];
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationSplitPositionArgs = {
  marketId: Scalars['ID']['input'];
  sets: Scalars['UintString']['input'];
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationMergePositionArgs = {
  marketId: Scalars['ID']['input'];
  sets: Scalars['UintString']['input'];
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationClaimPositionArgs = {
  marketId: Scalars['ID']['input'];
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationCreateMarketArgs = {
  input: CreateMarketInput;
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationCancelMarketArgs = {
  marketId: Scalars['ID']['input'];
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationDisputeResolutionArgs = {
  marketId: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationProvisionWalletArgs = {
  chainId: Scalars['Int']['input'];
};


/** Changes. All need authentication; createSession and refreshSession carry theirs in the argument. */
export type MutationExecuteWithdrawalArgs = {
  input: ExecuteWithdrawalInput;
};

/** News over graphql-transport-ws. The last three are protected. */
export type Subscription = {
  /** A book: snapshot, then deltas; `afterSeq` resumes. */
  readonly orderBookUpdated: Maybe<OrderBookEvent>;
  /** Each trade of a market. */
  readonly tradeExecuted: Maybe<Trade>;
  /** Quotes and top of book: present values first, then changes; at most 200 markets. */
  readonly priceUpdated: Maybe<PriceUpdate>;
  /** Changes of state, halts and new markets; null means all markets. */
  readonly marketStatusChanged: Maybe<MarketStatusEvent>;
  /** Votes and steps of a resolution. */
  readonly resolutionUpdated: Maybe<ResolutionEvent>;
  /** Mode and configuration: present values first, then changes. */
  readonly venueStatusChanged: VenueStatusEvent;
  /** The account's orders and fills in one ordered stream; `afterSeq` resumes. */
  readonly orderEvents: Maybe<OrderEvent>;
  /** Positions: present ones first, then each change. */
  readonly positionUpdated: Maybe<Position>;
  /** Cash: present value first, then each change. */
  readonly balanceUpdated: Balance;
};


/** News over graphql-transport-ws. The last three are protected. */
export type SubscriptionOrderBookUpdatedArgs = {
  marketId: Scalars['ID']['input'];
  depth?: InputMaybe<Scalars['Int']['input']>;
  afterSeq: InputMaybe<Scalars['UintString']['input']>;
};


/** News over graphql-transport-ws. The last three are protected. */
export type SubscriptionTradeExecutedArgs = {
  marketId: Scalars['ID']['input'];
};


/** News over graphql-transport-ws. The last three are protected. */
export type SubscriptionPriceUpdatedArgs = {
  marketIds: ReadonlyArray<Scalars['ID']['input']>;
};


/** News over graphql-transport-ws. The last three are protected. */
export type SubscriptionMarketStatusChangedArgs = {
  marketIds: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};


/** News over graphql-transport-ws. The last three are protected. */
export type SubscriptionResolutionUpdatedArgs = {
  marketId: Scalars['ID']['input'];
};


/** News over graphql-transport-ws. The last three are protected. */
export type SubscriptionOrderEventsArgs = {
  marketId: InputMaybe<Scalars['ID']['input']>;
  afterSeq: InputMaybe<Scalars['UintString']['input']>;
};


/** News over graphql-transport-ws. The last three are protected. */
export type SubscriptionPositionUpdatedArgs = {
  marketId: InputMaybe<Scalars['ID']['input']>;
};
/** Values by enum. */
export const ENUM_VALUES = {
  BetOutcome: ['YES', 'NO', 'CANCELLED'],
  BookEventKind: ['SNAPSHOT', 'DELTA'],
  LiquidityRole: ['MAKER', 'TAKER'],
  MarketStatus: ['OPEN', 'PENDING_RESOLUTION', 'RESOLVED', 'RESOLVED_YES', 'RESOLVED_NO', 'RESOLVED_UNCERTAIN', 'RESOLUTION_FAILED', 'CANCELLED', 'PENDING_BLOCKCHAIN'],
  OrderEventKind: ['SYNC', 'ACCEPTED', 'FILLED', 'CANCELLED', 'EXPIRED', 'REDUCED', 'GAP'],
  OrderSide: ['BUY', 'SELL'],
  OrderStatus: ['LIVE', 'PARTIALLY_FILLED', 'FILLED', 'CANCELLED', 'EXPIRED'],
  RejectReason: ['RATE_LIMITED', 'BAD_SIGNATURE', 'SIGNER_NOT_ALLOWED', 'NOT_FOUND', 'CONFLICT', 'GEO_BLOCKED', 'EMAIL_NOT_VERIFIED', 'VENUE_MODE', 'MARKET_NOT_OPEN', 'MARKET_HALTED', 'ALREADY_FINAL', 'INVALID_ORDER', 'INVALID_TICK', 'INVALID_LOT', 'EXPIRED_PARAMS', 'STALE_TIMESTAMP', 'STALE_EPOCH', 'HEARTBEAT_LAPSED', 'GROUP_TRIPPED', 'FEE_ABOVE_MAX', 'BELOW_MIN', 'ABOVE_MAX', 'EXPOSURE_LIMIT', 'INSUFFICIENT_BALANCE', 'INSUFFICIENT_SHARES', 'POST_ONLY_WOULD_CROSS', 'FOK_NOT_FILLABLE'],
  VenueMode: ['NORMAL', 'POST_ONLY', 'CANCEL_ONLY', 'HALTED'],
} as const;
