/** What the venue allows at present. */
export const VENUE = /* GraphQL */ `
  fragment BettingConfigFields on BettingConfig {
    minBetCents maxInitialBetCents betPresets spreadBps maxBatchOrders maxBatchCancels minHeartbeatMs maxHeartbeatMs
    maxClockSkewMs feeRateBps
  }
  fragment MarketConfigFields on MarketConfig {
    maxQuestionLength maxExposurePerMarketCents maxBetPerMarketCents tickSizeBps minOrderShares lotShares
    disputeWindowSeconds
  }

  query BettingConfig { bettingConfig { ...BettingConfigFields } }
  query MarketConfig { marketConfig { ...MarketConfigFields } }
  query GeoCheck { geoCheck { allowed closeOnly countryCode reason } }
  query Health { health { status mode version serverTime engineSeq } }

  subscription VenueStatusChanged {
    venueStatusChanged {
      mode
      bettingConfig { ...BettingConfigFields }
      marketConfig { ...MarketConfigFields }
      message nextRestartAt at
    }
  }
`;
