/** New markets, voiding, disputes. */
export const MARKET_CREATION_SDL = `# ======== Market creation ========

"A new market."
input CreateMarketInput {
  "UUID chosen by the client: the market's id, which the initial order signs; the same input returns the same market" id: ID!
  "at most maxQuestionLength code points" question: String!
  description: String categorySlug: String! topicSlugs: [String!] resolutionDate: Time!
  "how it will be decided" rules: String!
  "first order of the book when the market opens: BUY, GTC or GTD, at most maxInitialBetCents" initialOrder: PlaceOrderInput
}
"Result of createMarket."
type CreateMarketPayload { market: Market initialOrder: Order duplicate: Boolean! rejection: Rejection }
"Result of cancelMarket."
type MarketPayload { market: Market rejection: Rejection }
"Result of disputeResolution."
type DisputePayload { resolution: Resolution rejection: Rejection }

`;
