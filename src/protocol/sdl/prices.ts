/** Books, trades, price history, limits and quotes of one bet. */
export const PRICES_SDL = `# ======== Prices ========

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
  "OrderBook.seq of the book that it was computed from" bookSeq: UintString!
  asOf: Time!
}

`;
