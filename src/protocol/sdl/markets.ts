/** Scalars and pages of the whole API; markets, prices, resolution, configuration. */
export const MARKETS_SDL = `# The venue's API: 33 queries, 30 mutations, 9 subscriptions.
# ...Bps: integer basis points of the $1 payout. ...Cents: integer USD cents; amounts that an account has or receives are
# rounded down, amounts that it pays or risks up. Shares: Float in answers, round(shares * 1e6) is exact. ...Micros: exact
# micro-USD. See docs/spec/venue.md#units. Nullable root fields: queries and subscriptions with arguments; all mutations but
# createSession and refreshSession.

# ======== Scalars ========

"ISO 8601 in UTC, ending in Z. The fraction of a second is optional: parse it, never match a pattern."
scalar Time
"Opaque position in a list, for \`after\` and \`before\`. Pass it unchanged, with the same sort."
scalar Cursor
"Unsigned decimal integer of at most 256 bits as a string, without sign or leading zeros."
scalar UintString
"Signed decimal integer as a string."
scalar IntString
"0x and hex digits; lower case in answers, either case in arguments."
scalar Hex
"EIP-712 message as JSON {domain, types, primaryType, message}. \`types\` includes EIP712Domain; integers in \`message\` are decimal strings."
scalar TypedData

# ======== Enums ========

"State of a market. Handle every value. Transitions are in docs/spec/venue.md#market-states."
enum MarketStatus {
  "open for trading" OPEN
  "closed for trading, being decided" PENDING_RESOLUTION
  "decided, in its dispute window; the payout is not known yet" RESOLVED
  "final: YES pays $1" RESOLVED_YES
  "final: NO pays $1" RESOLVED_NO
  "final: both pay $0.50" RESOLVED_UNCERTAIN
  "without a decision; will be retried or cancelled" RESOLUTION_FAILED
  "final: void, net payments are refunded" CANCELLED
  "waits for the step named in \`blockchainStep\`" PENDING_BLOCKCHAIN
}
"An outcome of a market. CANCELLED occurs only in answers: a vote for voiding, a void market's result, a refund position."
enum BetOutcome { YES NO CANCELLED }
"Order of \`markets\`; equal values are ordered by id, in the same direction."
enum MarketSort { CREATED_AT_DESC CREATED_AT_ASC VOLUME_DESC VOLUME_ASC RESOLUTION_DATE_ASC RESOLUTION_DATE_DESC }
"Buy or sell shares of the named outcome."
enum OrderSide { BUY SELL }
"Decision on a market. There is no value for UNCERTAIN: \`outcome\` is null and both payouts are 5000."
enum ResolutionOutcome { RESOLVED_YES RESOLVED_NO CANCELLED }

# ======== Paging ========

"Position of a page in its list; both flags are exact in both directions."
type PageInfo {
  hasNextPage: Boolean! hasPreviousPage: Boolean!
  "null on an empty page" startCursor: Cursor
  "null on an empty page" endCursor: Cursor
}

# ======== Markets ========

"A category; active ones are listed by \`categories\`."
type Category {
  name: String!
  "URL-safe, unique" slug: String!
  "markets of the category, in any state" marketCount: Int!
  totalVolumeCents: Int!
}
"A topic within a category."
type Topic {
  id: ID! name: String! slug: String! categorySlug: String!
  "markets on the topic, in any state" marketCount: Int!
}
"A YES/NO question and its market."
type Market {
  "UUID" id: ID!
  "unique, readable" slug: String!
  question: String! status: MarketStatus!
  "retail quote for YES, spread included; not derivable from noPriceBps. Once final: the payout" yesPriceBps: Int!
  "retail quote for NO, spread included. Once final: the payout" noPriceBps: Int!
  "yesPriceBps + noPriceBps - 10000: the market's spread after rounding and clamping" spreadBps: Int!
  "volume of takers: price times shares of their outcome, before fees" volumeCents: Int!
  resolutionDate: Time! description: String category: Category topics: [Topic!]!
  "best bid in YES terms" bestBidBps: Int
  "best ask in YES terms" bestAskBps: Int
  "floor of the mean of bid and ask; null unless both exist" midpointBps: Int
  "last trade in YES terms" lastTradePriceBps: Int
  "divides 10000; prices are multiples in [tick, 10000 - tick]" tickSizeBps: Int!
  "smallest BUY" minOrderShares: Float!
  "order sizes are multiples of this lot" lotShares: Float!
  "taker fee: rate * p * (1 - p) per share" feeRateBps: Int!
  "OPEN, not halted, and the venue accepts orders" acceptingOrders: Boolean!
  "only while PENDING_BLOCKCHAIN" blockchainStep: BlockchainStep
  "equal for markets of one event, a hint for risk" eventId: ID
  createdAt: Time! updatedAt: Time!
}
"Steps that PENDING_BLOCKCHAIN waits for."
enum BlockchainStep { DEPLOY REPORT_PAYOUT }
"A market in a list."
type MarketEdge { cursor: Cursor! node: Market! }
"A page of markets."
type MarketConnection {
  edges: [MarketEdge!]! pageInfo: PageInfo!
  "all markets that match the filter" totalCount: Int!
}
"All given conditions must hold."
input MarketFilter {
  status: MarketStatus categorySlug: String topicSlug: String
  "part of the question, any case" search: String
  createdAfter: Time resolvesBefore: Time minVolumeCents: Int
  "at most 100" ids: [ID!]
}
"\`first\` with \`after\`, or \`last\` with \`before\`; default first 20, at most 100, sort CREATED_AT_DESC."
input MarketsInput { first: Int after: Cursor last: Int before: Cursor filter: MarketFilter sort: MarketSort }

# ======== Prices ========

"One price level."
type PriceLevel {
  priceBps: Int!
  "0 in a delta removes the level" shares: Float!
  orderCount: Int!
}
"The best levels of one market; every price is in terms of \`outcome\`."
type OrderBook {
  marketId: ID! outcome: BetOutcome!
  "last change of this book: the \`seq\` of its delta" seq: UintString!
  "CRC-32 of the ten best levels a side, see docs/spec/venue.md#book-checksum" checksum: Hex!
  "best first" bids: [PriceLevel!]!
  "best first" asks: [PriceLevel!]!
  bestBidBps: Int bestAskBps: Int
  "the midpoint of the other outcome is 10000 minus this" midpointBps: Int
  lastTradePriceBps: Int tickSizeBps: Int! asOf: Time!
}
"Kind of a match: shares change hands, a pair is minted (two buys), a pair is merged (two sells)."
enum MatchType { NORMAL MINT MERGE }
"An execution, seen from the taker's side."
type Trade {
  id: ID! marketId: ID!
  "the taker's" outcome: BetOutcome!
  "the taker's" side: OrderSide!
  "in terms of \`outcome\`" priceBps: Int!
  "the same price in YES terms: the market's last trade price from now on" lastTradePriceBps: Int!
  shares: Float!
  "priceBps * shares, rounded down" amountCents: Int!
  matchType: MatchType! seq: UintString! executedAt: Time!
}
"A trade in a list."
type TradeEdge { cursor: Cursor! node: Trade! }
"A page of trades."
type TradeConnection { edges: [TradeEdge!]! pageInfo: PageInfo! totalCount: Int! }
"Length of a bucket of \`priceHistory\`; RAW is one point for each change."
enum PriceInterval { RAW ONE_MINUTE FIVE_MINUTES ONE_HOUR SIX_HOURS ONE_DAY }
"Quotes and book at the end of a bucket; buckets in which nothing changed are left out."
type PricePoint {
  "start of the bucket" at: Time!
  yesPriceBps: Int! noPriceBps: Int! midpointBps: Int bestBidBps: Int bestAskBps: Int lastTradePriceBps: Int
  "traded within the bucket" volumeCents: Int!
}
"Current limits of one order."
type BetLimits {
  marketId: ID! minBetCents: Int!
  "largest BUY now: maxBetPerMarketCents, or the caller's remaining exposure if that is less" maxBetCents: Int!
  "largest order in shares; with credentials and side SELL: the available shares" maxShares: Float!
  maxExposurePerMarketCents: Int!
  "null without credentials" remainingExposureCents: Int
  minOrderShares: Float! tickSizeBps: Int!
}
"What a taker order of this size would cost or bring now; nothing is placed."
type BetQuote {
  marketId: ID! outcome: BetOutcome! side: OrderSide!
  "the retail quote of this outcome" quotedPriceBps: Int!
  "null when nothing would fill; rounded up for a BUY, down for a SELL" averagePriceBps: Int
  "null when nothing would fill" worstPriceBps: Int
  "shares that would fill" shares: Float!
  "BUY: cost, rounded up; SELL: proceeds, rounded down; without the fee" amountCents: Int!
  feeCents: Int!
  "the whole size would fill" fillable: Boolean!
  "OrderBook.seq of the book that the quote was computed from" bookSeq: UintString!
  asOf: Time!
}

# ======== Resolution ========

"How a market was decided; fields are null until known."
type Resolution {
  marketId: ID! status: MarketStatus!
  "null while undecided and when UNCERTAIN" outcome: ResolutionOutcome
  "paid for one YES share; null when CANCELLED" yesPayoutBps: Int
  "paid for one NO share; null when CANCELLED" noPayoutBps: Int
  decidedAt: Time finalAt: Time disputeWindowEndsAt: Time rationale: String
}
"One model's vote in one round."
type ModelVote {
  id: ID! model: String!
  "null: cannot be decided; CANCELLED: the question is invalid" vote: BetOutcome
  confidenceBps: Int rationale: String! sources: [String!]!
  "from 1, one more after each upheld dispute or retry" round: Int!
  votedAt: Time!
}
"A link of the hash chain; digest rule in docs/spec/venue.md#resolution-and-transparency."
type TransparencyStep {
  at: Time! actor: String!
  "null in the first step" fromStatus: MarketStatus
  toStatus: MarketStatus! note: String!
  "canonical JSON of the step's record (vote, decision, new date); {} if empty" data: String!
  digest: Hex!
  "the record's questionHash in the first step" previousDigest: Hex!
}
"How the decision came about, as a hash chain that anyone can recompute."
type TransparencyRecord {
  marketId: ID! question: String!
  "sha256 over marketId, question, quorum and rules: the root of the chain" questionHash: Hex!
  rules: String!
  "equal votes needed in a round" quorum: Int!
  steps: [TransparencyStep!]!
  "digest of the last step" headDigest: Hex!
  transactionHashes: [Hex!]!
}

# ======== Configuration and health ========

"Limits and settings of betting. Read them at run time; \`venueStatusChanged\` announces changes."
type BettingConfig {
  minBetCents: Int!
  "largest initial order of createMarket" maxInitialBetCents: Int!
  "cents" betPresets: [Int!]!
  "global spread of the retail quotes" spreadBps: Int!
  "maximum orders placed in one batch" maxBatchOrders: Int!
  "maximum cancels in one batch" maxBatchCancels: Int!
  minHeartbeatMs: Int! maxHeartbeatMs: Int!
  "largest |timestampMs - server time| of a signed order" maxClockSkewMs: Int!
  "default of new markets" feeRateBps: Int!
}
"Limits and settings of markets."
type MarketConfig {
  "Unicode code points" maxQuestionLength: Int!
  "worst-case loss of an account in one market" maxExposurePerMarketCents: Int!
  "cost of one BUY" maxBetPerMarketCents: Int!
  "default of new markets" tickSizeBps: Int!
  minOrderShares: Float! lotShares: Float! disputeWindowSeconds: Int!
}
"Whether the caller may trade from its location."
type GeoCheck {
  allowed: Boolean!
  "may only sell, cancel, merge, claim and withdraw" closeOnly: Boolean!
  countryCode: String reason: String
}
"State of the service."
enum HealthStatus { OK DEGRADED DOWN }
"Requests that the venue accepts now."
enum VenueMode {
  "everything" NORMAL
  "new orders must be post-only" POST_ONLY
  "no new orders" CANCEL_ONLY
  "reads, logins and heartbeats only" HALTED
}
"Service health; use \`serverTime\` to measure clock skew."
type Health {
  status: HealthStatus! mode: VenueMode! version: String! serverTime: Time!
  "number of the engine's last event" engineSeq: UintString!
}

`;
