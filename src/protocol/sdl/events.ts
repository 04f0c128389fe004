/** Events of subscriptions. */
export const EVENTS_SDL = `# ======== Events ========

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
