/** Orders and fills, safety, new markets, wallets, and the events of subscriptions. */
export const TRADING_SDL = `# ======== Orders ========

"Time in force of an order. GTC: until cancelled. GTD: until its expiration. FOK: all at once or not at all. FAK: as much as possible at once; the rest is cancelled."
enum TimeInForce { GTC GTD FOK FAK }
"State of an accepted order; the last three are final."
enum OrderStatus { LIVE PARTIALLY_FILLED FILLED CANCELLED EXPIRED }
"Why an order ended before it was filled."
enum CancelReason {
  USER REPLACED SELF_TRADE HEARTBEAT_LAPSED ORDER_GROUP_LIMIT KEY_REVOKED MARKET_NOT_OPEN MARKET_HALTED TICK_CHANGED EXPIRED FAK_REMAINDER ADMIN
}
"Which order is cancelled when a taker meets an order of the same account. The taker's choice applies."
enum SelfTradePrevention { CANCEL_TAKER CANCEL_MAKER CANCEL_BOTH }
"Role of the account's order in a fill."
enum LiquidityRole { MAKER TAKER }
"Reason of a refusal. The values are in the order of the checks; the answer names the first check that fails. A refusal changes nothing."
enum RejectReason {
  RATE_LIMITED
  "not 65 bytes, v not 27 or 28, high s, or recovers to another address than \`signer\`" BAD_SIGNATURE
  "maker is not the caller, or signer is neither maker nor its delegate" SIGNER_NOT_ALLOWED
  NOT_FOUND
  "an id is in use, or the current state does not allow the request" CONFLICT
  GEO_BLOCKED EMAIL_NOT_VERIFIED VENUE_MODE MARKET_NOT_OPEN MARKET_HALTED ALREADY_FINAL
  "incompatible fields, such as post-only with FOK" INVALID_ORDER
  INVALID_TICK INVALID_LOT
  "expiration or deadline has passed" EXPIRED_PARAMS
  "timestampMs too far from server time" STALE_TIMESTAMP
  STALE_EPOCH
  "the credential's dead-man's switch has fired: heartbeat or disarmHeartbeat first" HEARTBEAT_LAPSED
  GROUP_TRIPPED
  "the market's feeRateBps is above the signed maxFeeBps" FEE_ABOVE_MAX
  BELOW_MIN ABOVE_MAX EXPOSURE_LIMIT INSUFFICIENT_BALANCE INSUFFICIENT_SHARES POST_ONLY_WOULD_CROSS FOK_NOT_FILLABLE
}
"Unit of the numbers in a Rejection."
enum LimitUnit { BPS MICRO_USD MICRO_SHARES MILLISECONDS COUNT }
"A typed refusal with the numbers compared."
type Rejection {
  reason: RejectReason!
  "for people; do not parse it" message: String!
  "name of the refused argument" field: String
  limit: IntString value: IntString unit: LimitUnit
  "only with RATE_LIMITED and VENUE_MODE" retryAfterMs: Int
}
"An accepted order."
type Order {
  "the order hash" id: ID!
  "EIP-712 digest of the signed message" orderHash: Hex!
  clientOrderId: String marketId: ID! outcome: BetOutcome! side: OrderSide! priceBps: Int!
  "the signed size minus reductions" shares: Float!
  filledShares: Float! remainingShares: Float!
  "rounded to the nearest" averageFillPriceBps: Int
  timeInForce: TimeInForce! postOnly: Boolean! expiresAt: Time status: OrderStatus! cancelReason: CancelReason groupId: ID
  "BUY: reserved cash, rounded up; SELL: 0" reservedCents: Int!
  "paid so far, rounded up" feeCents: Int!
  "shares ahead of the order at its price; null unless the order rests" queueAheadShares: Float
  "seq of its last event" seq: UintString!
  createdAt: Time! updatedAt: Time!
}
"An order in a list."
type OrderEdge { cursor: Cursor! node: Order! }
"A page of orders, newest first."
type OrderConnection { edges: [OrderEdge!]! pageInfo: PageInfo! totalCount: Int! }
"Filter and page of \`orders\`."
input OrdersInput { marketId: ID statuses: [OrderStatus!] clientOrderIds: [String!] groupId: ID since: Time first: Int after: Cursor }
"An order, if there is one, with its fills."
type OrderLookup { found: Boolean! order: Order fills: [Fill!]! }
"One side of a trade, as its owner sees it."
type Fill {
  id: ID!
  "the same for both sides" tradeId: ID!
  orderId: ID! clientOrderId: String marketId: ID! outcome: BetOutcome! side: OrderSide!
  "in terms of \`outcome\`" priceBps: Int!
  shares: Float!
  "without the fee; rounded up for a BUY, down for a SELL" amountCents: Int!
  amountMicros: UintString! feeMicros: UintString! role: LiquidityRole! matchType: MatchType!
  "seq of its FILLED event" seq: UintString!
  "the venue reversed the trade; positions, cash and fees no longer include the fill" reversed: Boolean!
  executedAt: Time!
}
"A fill in a list."
type FillEdge { cursor: Cursor! node: Fill! }
"A page of fills: newest first, with \`afterSeq\` oldest first."
type FillConnection { edges: [FillEdge!]! pageInfo: PageInfo! totalCount: Int! }
"Filter and page of \`fills\`; \`afterSeq\` returns all fills after that event that were not reversed, without a gap."
input FillsInput { marketId: ID orderId: ID afterSeq: UintString since: Time first: Int after: Cursor }
"Kind of the message that signingParams prepares."
enum SigningKind { ORDER REPLACE WITHDRAWAL }
"An order before it is signed; the server adds maker, epoch, timestamp and, if missing, signer and salt."
input OrderIntent {
  marketId: ID! outcome: BetOutcome! side: OrderSide! priceBps: Int!
  "micro-shares" shares: UintString!
  timeInForce: TimeInForce! postOnly: Boolean = false
  "GTD only" expiresAt: Time
  "default: the market's feeRateBps" maxFeeBps: Int
  "default: the account" signer: Hex
  "default: 256 random bits from the server" salt: UintString
}
"A withdrawal before it is signed."
input WithdrawalIntent { walletId: ID! toAddress: Hex! amountCents: Int! }
"ORDER needs \`order\`, REPLACE \`order\` and \`replacesOrderHash\`, WITHDRAWAL \`withdrawal\`."
input SigningParamsInput { kind: SigningKind! order: OrderIntent replacesOrderHash: Hex withdrawal: WithdrawalIntent }
"Step 1 of 3: the message to compare with your intent and then sign. Nothing is stored."
type SigningParams {
  kind: SigningKind! typedData: TypedData!
  "EIP-712 digest: the future order hash" digest: Hex!
  "BUY: price * shares, rounded up; SELL: 0; withdrawal: the amount" costCents: Int!
  "costCents plus the highest possible fee; SELL: the fee alone; withdrawal: the amount" worstCaseCents: Int!
  "the order's price in YES terms" normalizedPriceBps: Int
  "the signed size in shares" normalizedShares: Float
  "when the timestamp leaves the clock window" expiresAt: Time!
}
"The exact EIP-712 message that was signed."
input SignedOrder {
  salt: UintString! maker: Hex! signer: Hex! marketId: ID! outcome: BetOutcome! side: OrderSide! priceBps: Int!
  "micro-shares" shares: UintString!
  timeInForce: TimeInForce! postOnly: Boolean!
  "milliseconds since the epoch; 0 unless GTD" expiration: UintString!
  timestampMs: UintString! epoch: UintString! maxFeeBps: Int!
  "hash of the replaced order, or 32 zero bytes" replaces: Hex!
  "65 bytes r, s, v" signature: Hex!
}
"A signed order and its unsigned fields."
input PlaceOrderInput {
  order: SignedOrder!
  "unique per account, at most 64 characters" clientOrderId: String
  groupId: ID selfTradePrevention: SelfTradePrevention = CANCEL_TAKER
}
"At most \`maxBatchOrders\`, processed in order, each with its own result."
input PlaceOrdersInput { orders: [PlaceOrderInput!]! }
"Cancels and places of one market, all or nothing; GTC and GTD only."
input ReplaceOrdersInput {
  marketId: ID! cancelOrderIds: [ID!]
  "all of the account's orders in the market instead of a list" cancelAllInMarket: Boolean = false
  place: [PlaceOrderInput!]!
  "refuse (CONFLICT) if an order to be cancelled has filled after this seq" ifNoFillSince: UintString
}
"Result of placing one order."
type PlaceOrderPayload {
  accepted: Boolean!
  "the same signed bytes were placed before: \`order\` is that order" duplicate: Boolean!
  "null when refused" order: Order
  "fills of this order so far" fills: [Fill!]!
  rejection: Rejection
  "sequence number of the last included event" seq: UintString!
}
"Results in the order of the input."
type PlaceOrdersPayload { results: [PlaceOrderPayload!]! seq: UintString! }
"Result of cancelling or reducing one order."
type CancelResult {
  orderId: ID!
  "false: refused, or reduced and still open" cancelled: Boolean!
  "after the call; null when not found" remainingShares: Float
  filledShares: Float rejection: Rejection
}
"Results in the order of the input."
type CancelPayload { results: [CancelResult!]! seq: UintString! }
"Result of cancelAllOrders."
type CancelAllPayload {
  cancelledIds: [ID!]!
  "orders signed with an older epoch are refused" newEpoch: UintString!
  seq: UintString!
}
"Result of an atomic replacement. If it is not committed, nothing has changed, and the entries have the reasons."
type ReplaceOrdersPayload { committed: Boolean! cancelled: [CancelResult!]! placed: [PlaceOrderPayload!]! rejection: Rejection seq: UintString! }

# ======== Safety ========

"A set of orders that is cancelled when too much fills within a window."
type OrderGroup {
  id: ID! label: String!
  "trips when more than this fills within the window" maxFilledShares: Float!
  windowSeconds: Int! filledInWindow: Float!
  "refuses orders until reset" tripped: Boolean!
}
"Safety state of the account; heartbeat fields are those of the calling credential."
type TradingSafety {
  heartbeatArmed: Boolean! heartbeatTimeoutMs: Int heartbeatDeadline: Time
  orderEpoch: UintString! openOrderCount: Int! groups: [OrderGroup!]! mode: VenueMode!
}
"A new order group."
input CreateOrderGroupInput { label: String! maxFilledShares: Float! windowSeconds: Int! }
"Given fields change; \`reset\` empties the window and allows orders again."
input UpdateOrderGroupInput { id: ID! maxFilledShares: Float windowSeconds: Int reset: Boolean = false }
"Result of the heartbeat mutations."
type HeartbeatPayload {
  armed: Boolean!
  "time at which the credential's orders are cancelled; null when not armed" deadline: Time
  serverTime: Time!
}
"A group after a change."
type OrderGroupPayload { group: OrderGroup! }
"Result of deleteOrderGroup."
type DeletePayload { deletedId: ID! }

# ======== Market creation ========

"A new market."
input CreateMarketInput {
  "UUID chosen by the client: the market's id, which the initial order signs; the same input returns the same market" id: ID!
  "at most maxQuestionLength code points" question: String!
  description: String categorySlug: String! topicSlugs: [String!] resolutionDate: Time!
  "how the market will be decided" rules: String!
  "first order of the book when the market opens: BUY, GTC or GTD, at most maxInitialBetCents" initialOrder: PlaceOrderInput
}
"Result of createMarket."
type CreateMarketPayload { market: Market initialOrder: Order duplicate: Boolean! rejection: Rejection }
"Result of cancelMarket."
type MarketPayload { market: Market rejection: Rejection }
"Result of disputeResolution."
type DisputePayload { resolution: Resolution rejection: Rejection }

# ======== Wallets ========

"State of a wallet."
enum WalletStatus { PROVISIONING ACTIVE DISABLED }
"A wallet of the account on one chain."
type Wallet {
  "UUID" id: ID!
  address: Hex! chainId: Int! status: WalletStatus! isDefault: Boolean! depositAddress: Hex createdAt: Time!
}
"State of a withdrawal; FAILED returns the money."
enum WithdrawalStatus { PENDING BROADCAST CONFIRMED FAILED }
"A withdrawal."
type Withdrawal {
  id: ID! walletId: ID! toAddress: Hex! amountCents: Int! feeCents: Int! status: WithdrawalStatus! transactionHash: Hex createdAt: Time! updatedAt: Time!
}
"A withdrawal in a list."
type WithdrawalEdge { cursor: Cursor! node: Withdrawal! }
"A page of withdrawals, newest first."
type WithdrawalConnection { edges: [WithdrawalEdge!]! pageInfo: PageInfo! totalCount: Int! }
"The signed EIP-712 Withdrawal."
input ExecuteWithdrawalInput {
  walletId: ID! toAddress: Hex! amountCents: Int!
  "random, single use" nonce: UintString!
  "milliseconds since the epoch" deadline: UintString!
  signature: Hex!
  "the same id and message return the same withdrawal" clientWithdrawalId: String!
}
"Result of executeWithdrawal."
type WithdrawalPayload { withdrawal: Withdrawal duplicate: Boolean! rejection: Rejection }
"Result of provisionWallet."
type WalletPayload { wallet: Wallet! }

# ======== Events ========

"SNAPSHOT: the whole view. DELTA: its changes."
enum BookEventKind { SNAPSHOT DELTA }
"The best \`depth\` levels a side, in YES terms: a snapshot, then deltas."
type OrderBookEvent {
  kind: BookEventKind! marketId: ID! seq: UintString!
  "seq of the previous event; equal to seq in a snapshot and in an idle frame" prevSeq: UintString!
  "snapshot: best first; delta: levels whose shares or count changed, 0 removes" bids: [PriceLevel!]!
  asks: [PriceLevel!]!
  "checksum of the view after this event" checksum: Hex!
  at: Time!
}
"Quotes and top of book of one market."
type PriceUpdate {
  marketId: ID! yesPriceBps: Int! noPriceBps: Int! spreadBps: Int! bestBidBps: Int bestAskBps: Int midpointBps: Int lastTradePriceBps: Int
  seq: UintString! at: Time!
}
"A market was created, changed its state, or was halted or resumed (status unchanged)."
type MarketStatusEvent {
  market: Market!
  "null for a new market" previousStatus: MarketStatus
  status: MarketStatus! blockchainStep: BlockchainStep reason: String! created: Boolean! at: Time!
}
"A step of a resolution."
type ResolutionEvent {
  resolution: Resolution!
  "when the step is a vote" vote: ModelVote
  step: TransparencyStep!
}
"Mode and configuration of the venue after a change."
type VenueStatusEvent { mode: VenueMode! bettingConfig: BettingConfig! marketConfig: MarketConfig! message: String nextRestartAt: Time at: Time! }
"Kind of an event of the account's orders."
enum OrderEventKind {
  "no event up to \`seq\` is missing; sent after the resumed events at the start, then after each 5 s of silence" SYNC
  ACCEPTED FILLED CANCELLED EXPIRED REDUCED
  "the venue reversed the trade of \`fill\`: shares, cash and fee are as before it, and the order does not reopen" REVERSED
  "\`afterSeq\` is too old to resume: reconcile by queries, the stream continues from \`seq\`" GAP
}
"One event of the account's ordered stream."
type OrderEvent {
  kind: OrderEventKind! seq: UintString!
  "seq of the previous event in this stream, 0 for none" prevSeq: UintString!
  "the order after the event" order: Order
  "only for FILLED and REVERSED" fill: Fill
  cancelReason: CancelReason at: Time!
}

`;
