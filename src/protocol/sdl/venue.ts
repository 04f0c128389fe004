/** Current limits, modes and health of the venue. */
export const VENUE_SDL = `# ======== Configuration and health ========

"Limits and settings of betting. Read them at run time; \`venueStatusChanged\` announces changes."
type BettingConfig {
  minBetCents: Int!
  "largest initial order of createMarket" maxInitialBetCents: Int!
  "cents" betPresets: [Int!]!
  "global spread of the retail quotes" spreadBps: Int!
  "places in one batch" maxBatchOrders: Int!
  "cancels in one batch" maxBatchCancels: Int!
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
