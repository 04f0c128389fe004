/** Books, trades, price history, limits and quotes of one bet. */
export const PRICES = /* GraphQL */ `
  fragment LevelFields on PriceLevel { priceBps shares orderCount }
  fragment TradeFields on Trade {
    id marketId outcome side priceBps lastTradePriceBps shares amountCents matchType seq executedAt
  }

  query OrderBook($marketId: ID!, $outcome: BetOutcome, $depth: Int) {
    orderBook(marketId: $marketId, outcome: $outcome, depth: $depth) {
      marketId outcome seq checksum
      bids { ...LevelFields }
      asks { ...LevelFields }
      bestBidBps bestAskBps midpointBps lastTradePriceBps tickSizeBps asOf
    }
  }
  query Trades($marketId: ID!, $first: Int, $after: Cursor, $last: Int, $before: Cursor) {
    trades(marketId: $marketId, first: $first, after: $after, last: $last, before: $before) {
      edges { cursor node { ...TradeFields } }
      pageInfo { ...PageInfoFields }
      totalCount
    }
  }
  query PriceHistory($marketId: ID!, $since: Time, $until: Time, $interval: PriceInterval) {
    priceHistory(marketId: $marketId, since: $since, until: $until, interval: $interval) {
      at yesPriceBps noPriceBps midpointBps bestBidBps bestAskBps lastTradePriceBps volumeCents
    }
  }
  query BetLimits($marketId: ID!, $outcome: BetOutcome, $side: OrderSide) {
    betLimits(marketId: $marketId, outcome: $outcome, side: $side) {
      marketId minBetCents maxBetCents maxShares maxExposurePerMarketCents remainingExposureCents minOrderShares
      tickSizeBps
    }
  }
  query BetQuote($marketId: ID!, $outcome: BetOutcome!, $side: OrderSide!, $amountCents: Int, $shares: Float) {
    betQuote(marketId: $marketId, outcome: $outcome, side: $side, amountCents: $amountCents, shares: $shares) {
      marketId outcome side quotedPriceBps averagePriceBps worstPriceBps shares amountCents feeCents fillable bookSeq asOf
    }
  }

  subscription OrderBookUpdated($marketId: ID!, $depth: Int, $afterSeq: UintString) {
    orderBookUpdated(marketId: $marketId, depth: $depth, afterSeq: $afterSeq) {
      kind marketId seq prevSeq
      bids { ...LevelFields }
      asks { ...LevelFields }
      checksum at
    }
  }
  subscription TradeExecuted($marketId: ID!) { tradeExecuted(marketId: $marketId) { ...TradeFields } }
  subscription PriceUpdated($marketIds: [ID!]!) {
    priceUpdated(marketIds: $marketIds) {
      marketId yesPriceBps noPriceBps spreadBps bestBidBps bestAskBps midpointBps lastTradePriceBps seq at
    }
  }
`;
