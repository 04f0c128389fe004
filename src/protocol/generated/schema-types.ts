/** Types of the contract, as JSON has them. Made by `npm run codegen`: do not edit. */
import type { JsonOf, Raw } from '../field.ts';

/** As it arrives. All members given must hold. */
export interface RawMarketFilter {
  readonly status?: MarketStatus | null | undefined;
  readonly categorySlug?: string | null | undefined;
  readonly topicSlug?: string | null | undefined;
  readonly search?: string | null | undefined;
  readonly createdAfter?: Raw<'Time'> | null | undefined;
  readonly resolvesBefore?: Raw<'Time'> | null | undefined;
  readonly minVolumeCents?: number | null | undefined;
  readonly ids?: ReadonlyArray<Raw<'ID'>> | null | undefined;
}

/** As it arrives. `first` with `after`, or `last` with `before`; default first 20, most 100, sort CREATED_AT_DESC. */
export interface RawMarketsInput {
  readonly first?: number | null | undefined;
  readonly after?: Raw<'Cursor'> | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: Raw<'Cursor'> | null | undefined;
  readonly filter?: RawMarketFilter | null | undefined;
  readonly sort?: MarketSort | null | undefined;
}

/** As it arrives. The signed login; nonce, issuedAt and expiresAt as in the challenge (milliseconds). */
export interface RawCreateSessionInput {
  readonly address: Raw<'Hex'>;
  readonly nonce: Raw<'Hex'>;
  readonly issuedAt: Raw<'UintString'>;
  readonly expiresAt: Raw<'UintString'>;
  readonly signature: Raw<'Hex'>;
}

/** As it arrives. The account's signed permission for another address to sign its orders (EIP-712 Delegate). */
export interface RawDelegateGrant {
  readonly address: Raw<'Hex'>;
  readonly nonce: Raw<'UintString'>;
  readonly expiresAt: Raw<'UintString'>;
  readonly signature: Raw<'Hex'>;
}

/** As it arrives. A new key; it may not outrank the credential that makes it. */
export interface RawCreateApiKeyInput {
  readonly label: string;
  readonly scopes: ReadonlyArray<ApiScope>;
  readonly expiresAt?: Raw<'Time'> | null | undefined;
  readonly ipAllowList?: ReadonlyArray<string> | null | undefined;
  readonly delegate?: RawDelegateGrant | null | undefined;
}

/** As it arrives. Filter and page of `ledger`. */
export interface RawLedgerInput {
  readonly kinds?: ReadonlyArray<LedgerKind> | null | undefined;
  readonly marketId?: Raw<'ID'> | null | undefined;
  readonly since?: Raw<'Time'> | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: Raw<'Cursor'> | null | undefined;
}

/** As it arrives. Filter and page of `positions`; `openOnly` leaves out those without shares and those claimed or lost. */
export interface RawPositionsInput {
  readonly marketId?: Raw<'ID'> | null | undefined;
  readonly outcome?: BetOutcome | null | undefined;
  readonly openOnly: boolean | null;
  readonly first?: number | null | undefined;
  readonly after?: Raw<'Cursor'> | null | undefined;
}

/** As it arrives. Filter and page of `orders`. */
export interface RawOrdersInput {
  readonly marketId?: Raw<'ID'> | null | undefined;
  readonly statuses?: ReadonlyArray<OrderStatus> | null | undefined;
  readonly clientOrderIds?: ReadonlyArray<string> | null | undefined;
  readonly groupId?: Raw<'ID'> | null | undefined;
  readonly since?: Raw<'Time'> | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: Raw<'Cursor'> | null | undefined;
}

/** As it arrives. Filter and page of `fills`; `afterSeq` gives all fills after that event that were not taken back, without a gap. */
export interface RawFillsInput {
  readonly marketId?: Raw<'ID'> | null | undefined;
  readonly orderId?: Raw<'ID'> | null | undefined;
  readonly afterSeq?: Raw<'UintString'> | null | undefined;
  readonly since?: Raw<'Time'> | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: Raw<'Cursor'> | null | undefined;
}

/** As it arrives. An order before it is signed; the server adds maker, epoch, timestamp and, if missing, signer and salt. */
export interface RawOrderIntent {
  readonly marketId: Raw<'ID'>;
  readonly outcome: BetOutcome;
  readonly side: OrderSide;
  readonly priceBps: number;
  readonly shares: Raw<'UintString'>;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean | null;
  readonly expiresAt?: Raw<'Time'> | null | undefined;
  readonly maxFeeBps?: number | null | undefined;
  readonly signer?: Raw<'Hex'> | null | undefined;
  readonly salt?: Raw<'UintString'> | null | undefined;
}

/** As it arrives. A withdrawal before it is signed. */
export interface RawWithdrawalIntent {
  readonly walletId: Raw<'ID'>;
  readonly toAddress: Raw<'Hex'>;
  readonly amountCents: number;
}

/** As it arrives. ORDER needs `order`, REPLACE `order` and `replacesOrderHash`, WITHDRAWAL `withdrawal`. */
export interface RawSigningParamsInput {
  readonly kind: SigningKind;
  readonly order?: RawOrderIntent | null | undefined;
  readonly replacesOrderHash?: Raw<'Hex'> | null | undefined;
  readonly withdrawal?: RawWithdrawalIntent | null | undefined;
}

/** As it arrives. The exact EIP-712 message that was signed. */
export interface RawSignedOrder {
  readonly salt: Raw<'UintString'>;
  readonly maker: Raw<'Hex'>;
  readonly signer: Raw<'Hex'>;
  readonly marketId: Raw<'ID'>;
  readonly outcome: BetOutcome;
  readonly side: OrderSide;
  readonly priceBps: number;
  readonly shares: Raw<'UintString'>;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly expiration: Raw<'UintString'>;
  readonly timestampMs: Raw<'UintString'>;
  readonly epoch: Raw<'UintString'>;
  readonly maxFeeBps: number;
  readonly replaces: Raw<'Hex'>;
  readonly signature: Raw<'Hex'>;
}

/** As it arrives. A signed order and its unsigned fields. */
export interface RawPlaceOrderInput {
  readonly order: RawSignedOrder;
  readonly clientOrderId?: string | null | undefined;
  readonly groupId?: Raw<'ID'> | null | undefined;
  readonly selfTradePrevention: SelfTradePrevention | null;
}

/** As it arrives. At most `maxBatchOrders`, taken in order, each with its own result. */
export interface RawPlaceOrdersInput {
  readonly orders: ReadonlyArray<RawPlaceOrderInput>;
}

/** As it arrives. Cancels and places of one market, all or nothing; GTC and GTD only. */
export interface RawReplaceOrdersInput {
  readonly marketId: Raw<'ID'>;
  readonly cancelOrderIds?: ReadonlyArray<Raw<'ID'>> | null | undefined;
  readonly cancelAllInMarket: boolean | null;
  readonly place: ReadonlyArray<RawPlaceOrderInput>;
  readonly ifNoFillSince?: Raw<'UintString'> | null | undefined;
}

/** As it arrives. A new order group. */
export interface RawCreateOrderGroupInput {
  readonly label: string;
  readonly maxFilledShares: number;
  readonly windowSeconds: number;
}

/** As it arrives. What is given changes; `reset` empties the window and lets orders in again. */
export interface RawUpdateOrderGroupInput {
  readonly id: Raw<'ID'>;
  readonly maxFilledShares?: number | null | undefined;
  readonly windowSeconds?: number | null | undefined;
  readonly reset: boolean | null;
}

/** As it arrives. A new market. */
export interface RawCreateMarketInput {
  readonly id: Raw<'ID'>;
  readonly question: string;
  readonly description?: string | null | undefined;
  readonly categorySlug: string;
  readonly topicSlugs?: ReadonlyArray<string> | null | undefined;
  readonly resolutionDate: Raw<'Time'>;
  readonly rules: string;
  readonly initialOrder?: RawPlaceOrderInput | null | undefined;
}

/** As it arrives. The signed EIP-712 Withdrawal. */
export interface RawExecuteWithdrawalInput {
  readonly walletId: Raw<'ID'>;
  readonly toAddress: Raw<'Hex'>;
  readonly amountCents: number;
  readonly nonce: Raw<'UintString'>;
  readonly deadline: Raw<'UintString'>;
  readonly signature: Raw<'Hex'>;
  readonly clientWithdrawalId: string;
}

export type MarketFilter = JsonOf<RawMarketFilter>;
export type MarketsInput = JsonOf<RawMarketsInput>;
export type CreateSessionInput = JsonOf<RawCreateSessionInput>;
export type DelegateGrant = JsonOf<RawDelegateGrant>;
export type CreateApiKeyInput = JsonOf<RawCreateApiKeyInput>;
export type LedgerInput = JsonOf<RawLedgerInput>;
export type PositionsInput = JsonOf<RawPositionsInput>;
export type OrdersInput = JsonOf<RawOrdersInput>;
export type FillsInput = JsonOf<RawFillsInput>;
export type OrderIntent = JsonOf<RawOrderIntent>;
export type WithdrawalIntent = JsonOf<RawWithdrawalIntent>;
export type SigningParamsInput = JsonOf<RawSigningParamsInput>;
export type SignedOrder = JsonOf<RawSignedOrder>;
export type PlaceOrderInput = JsonOf<RawPlaceOrderInput>;
export type PlaceOrdersInput = JsonOf<RawPlaceOrdersInput>;
export type ReplaceOrdersInput = JsonOf<RawReplaceOrdersInput>;
export type CreateOrderGroupInput = JsonOf<RawCreateOrderGroupInput>;
export type UpdateOrderGroupInput = JsonOf<RawUpdateOrderGroupInput>;
export type CreateMarketInput = JsonOf<RawCreateMarketInput>;
export type ExecuteWithdrawalInput = JsonOf<RawExecuteWithdrawalInput>;

/** State of a market. Every value needs handling; transitions are in docs/spec/venue.md#market-states. */
export type MarketStatus = 'OPEN' | 'PENDING_RESOLUTION' | 'RESOLVED' | 'RESOLVED_YES' | 'RESOLVED_NO' | 'RESOLVED_UNCERTAIN' | 'RESOLUTION_FAILED' | 'CANCELLED' | 'PENDING_BLOCKCHAIN';
/** A side of a market. CANCELLED stands only in answers: a vote for voiding, a void market's result, a refund position. */
export type BetOutcome = 'YES' | 'NO' | 'CANCELLED';
/** Order of `markets`; equal values are ordered by id, in the same direction. */
export type MarketSort = 'CREATED_AT_DESC' | 'CREATED_AT_ASC' | 'VOLUME_DESC' | 'VOLUME_ASC' | 'RESOLUTION_DATE_ASC' | 'RESOLUTION_DATE_DESC';
/** Buy or sell shares of the named outcome. */
export type OrderSide = 'BUY' | 'SELL';
/** What was decided. There is no value for UNCERTAIN: `outcome` is null and both payouts are 5000. */
export type ResolutionOutcome = 'RESOLVED_YES' | 'RESOLVED_NO' | 'CANCELLED';
/** Steps that PENDING_BLOCKCHAIN waits for. */
export type BlockchainStep = 'DEPLOY' | 'REPORT_PAYOUT';
/** Which kinds of order met: shares change hands, a pair is minted (two buys), a pair is merged (two sells). */
export type MatchType = 'NORMAL' | 'MINT' | 'MERGE';
/** Length of a bucket of `priceHistory`; RAW is one point for each change. */
export type PriceInterval = 'RAW' | 'ONE_MINUTE' | 'FIVE_MINUTES' | 'ONE_HOUR' | 'SIX_HOURS' | 'ONE_DAY';
/** State of the service. */
export type HealthStatus = 'OK' | 'DEGRADED' | 'DOWN';
/** What the venue takes at present. */
export type VenueMode = 'NORMAL' | 'POST_ONLY' | 'CANCEL_ONLY' | 'HALTED';
/** What a credential may do; sessions have all. */
export type ApiScope = 'READ' | 'TRADE' | 'WITHDRAW' | 'CREATE_MARKET';
/** Why cash moved. */
export type LedgerKind = 'DEPOSIT' | 'WITHDRAWAL' | 'TRADE' | 'FEE' | 'SPLIT' | 'MERGE' | 'CLAIM' | 'REFUND' | 'REBATE' | 'ADJUSTMENT';
/** Time in force of an order: until cancelled, until its expiration, all at once or not at all, as much as fills at once. */
export type TimeInForce = 'GTC' | 'GTD' | 'FOK' | 'FAK';
/** State of an accepted order; the last three are final. */
export type OrderStatus = 'LIVE' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELLED' | 'EXPIRED';
/** Why an order ended before it was filled. */
export type CancelReason = 'USER' | 'REPLACED' | 'SELF_TRADE' | 'HEARTBEAT_LAPSED' | 'ORDER_GROUP_LIMIT' | 'KEY_REVOKED' | 'MARKET_NOT_OPEN' | 'MARKET_HALTED' | 'TICK_CHANGED' | 'EXPIRED' | 'FAK_REMAINDER' | 'ADMIN';
/** Whose order goes when a taker meets an order of the same account; the taker's choice counts. */
export type SelfTradePrevention = 'CANCEL_TAKER' | 'CANCEL_MAKER' | 'CANCEL_BOTH';
/** Side of the fill that the reader was on. */
export type LiquidityRole = 'MAKER' | 'TAKER';
/** Why something was refused. The values stand in the order of the checks; the answer names the first check that fails. A refusal changes nothing. */
export type RejectReason = 'RATE_LIMITED' | 'BAD_SIGNATURE' | 'SIGNER_NOT_ALLOWED' | 'NOT_FOUND' | 'CONFLICT' | 'GEO_BLOCKED' | 'EMAIL_NOT_VERIFIED' | 'VENUE_MODE' | 'MARKET_NOT_OPEN' | 'MARKET_HALTED' | 'ALREADY_FINAL' | 'INVALID_ORDER' | 'INVALID_TICK' | 'INVALID_LOT' | 'EXPIRED_PARAMS' | 'STALE_TIMESTAMP' | 'STALE_EPOCH' | 'HEARTBEAT_LAPSED' | 'GROUP_TRIPPED' | 'FEE_ABOVE_MAX' | 'BELOW_MIN' | 'ABOVE_MAX' | 'EXPOSURE_LIMIT' | 'INSUFFICIENT_BALANCE' | 'INSUFFICIENT_SHARES' | 'POST_ONLY_WOULD_CROSS' | 'FOK_NOT_FILLABLE';
/** Unit of the numbers in a Rejection. */
export type LimitUnit = 'BPS' | 'MICRO_USD' | 'MICRO_SHARES' | 'MILLISECONDS' | 'COUNT';
/** What signingParams is to prepare. */
export type SigningKind = 'ORDER' | 'REPLACE' | 'WITHDRAWAL';
/** State of a wallet. */
export type WalletStatus = 'PROVISIONING' | 'ACTIVE' | 'DISABLED';
/** State of a withdrawal; FAILED gives the money back. */
export type WithdrawalStatus = 'PENDING' | 'BROADCAST' | 'CONFIRMED' | 'FAILED';
/** A whole view, or its changes. */
export type BookEventKind = 'SNAPSHOT' | 'DELTA';
/** What happened to an account's orders. */
export type OrderEventKind = 'SYNC' | 'ACCEPTED' | 'FILLED' | 'CANCELLED' | 'EXPIRED' | 'REDUCED' | 'REVERSED' | 'GAP';

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
