/** Categories, topics, markets. */
export const MARKETS = /* GraphQL */ `
  fragment PageInfoFields on PageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  fragment CategoryFields on Category { name slug marketCount totalVolumeCents }
  fragment TopicFields on Topic { id name slug categorySlug marketCount }
  fragment MarketFields on Market {
    id slug question status yesPriceBps noPriceBps spreadBps volumeCents resolutionDate description
    category { ...CategoryFields }
    topics { ...TopicFields }
    bestBidBps bestAskBps midpointBps lastTradePriceBps tickSizeBps minOrderShares lotShares feeRateBps
    acceptingOrders blockchainStep eventId createdAt updatedAt
  }
  fragment MarketPage on MarketConnection {
    edges { cursor node { ...MarketFields } }
    pageInfo { ...PageInfoFields }
    totalCount
  }

  query Categories { categories { ...CategoryFields } }
  query Category($slug: String!) { category(slug: $slug) { ...CategoryFields } }
  query Topics($categorySlug: String, $search: String) {
    topics(categorySlug: $categorySlug, search: $search) { ...TopicFields }
  }
  query Topic($slug: String!) { topic(slug: $slug) { ...TopicFields } }
  query Markets($input: MarketsInput) { markets(input: $input) { ...MarketPage } }
  query Market($id: ID, $slug: String) { market(id: $id, slug: $slug) { ...MarketFields } }
  query CreatedMarkets($first: Int, $after: Cursor) { createdMarkets(first: $first, after: $after) { ...MarketPage } }

  subscription MarketStatusChanged($marketIds: [ID!]) {
    marketStatusChanged(marketIds: $marketIds) {
      market { ...MarketFields }
      previousStatus status blockchainStep reason created at
    }
  }
`;
