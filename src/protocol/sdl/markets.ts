/** Categories, topics, markets and how they are listed. */
export const MARKETS_SDL = `# ======== Markets ========

"A category; active ones are listed by \`categories\`."
type Category {
  name: String!
  "URL-safe, unique" slug: String!
  "markets in it, in any state" marketCount: Int!
  totalVolumeCents: Int!
}
"A topic within a category."
type Topic {
  id: ID! name: String! slug: String! categorySlug: String!
  "markets on it, in any state" marketCount: Int!
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
  "sizes are multiples of it" lotShares: Float!
  "taker fee at rate * p * (1 - p)" feeRateBps: Int!
  "OPEN, not halted, and the venue accepts orders" acceptingOrders: Boolean!
  "only while PENDING_BLOCKCHAIN" blockchainStep: BlockchainStep
  "markets of one event, a hint for risk" eventId: ID
  createdAt: Time! updatedAt: Time!
}
"Steps that PENDING_BLOCKCHAIN waits for."
enum BlockchainStep { DEPLOY REPORT_PAYOUT }
"A market in a list."
type MarketEdge { cursor: Cursor! node: Market! }
"A page of markets."
type MarketConnection {
  edges: [MarketEdge!]! pageInfo: PageInfo!
  "all that match the filter" totalCount: Int!
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

`;
