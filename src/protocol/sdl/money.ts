/** Cash, ledger, positions, claims. */
export const MONEY_SDL = `# ======== Money and positions ========

"Cash of the account. Each Cents field is rounded separately, so sums of cents may differ; Micros are exact."
type Balance {
  "rounded down" availableCents: Int!
  "held for open BUY orders, rounded up" reservedCents: Int!
  "rounded down" totalCents: Int!
  "payouts and refunds not claimed yet, rounded down" claimableCents: Int!
  availableMicros: UintString! reservedMicros: UintString!
  "sequence number of the last included event" seq: UintString!
  asOf: Time!
}
"Cause of a movement of cash."
enum LedgerKind { DEPOSIT WITHDRAWAL TRADE FEE SPLIT MERGE CLAIM REFUND REBATE ADJUSTMENT }
"One movement of cash."
type LedgerEntry {
  id: ID! kind: LedgerKind!
  "signed; positive for cash received" amountMicros: IntString!
  "absolute amount, rounded down" amountCents: Int!
  "1 for cash received, -1 for cash paid" direction: Int!
  marketId: ID orderId: ID fillId: ID at: Time!
}
"A ledger entry in a list."
type LedgerEdge { cursor: Cursor! node: LedgerEntry! }
"A page of the ledger, newest first."
type LedgerConnection { edges: [LedgerEdge!]! pageInfo: PageInfo! totalCount: Int! }
"Filter and page of \`ledger\`."
input LedgerInput { kinds: [LedgerKind!] marketId: ID since: Time first: Int after: Cursor }
"Shares of one outcome. In a CANCELLED market, a single entry with outcome CANCELLED shows the refund."
type Position {
  id: ID! marketId: ID! market: Market! outcome: BetOutcome! shares: Float!
  "in open SELL orders" reservedShares: Float!
  "cost per share, rounded to the nearest" averagePriceBps: Int!
  "cost of the shares held, rounded up" amountCents: Int!
  "cost of the shares held, exact" amountMicros: UintString!
  "shares * currentOddsBps, rounded down" valueCents: Int!
  "reference price of this outcome (docs/spec/venue.md#quoted-prices), not the retail quote; in a final market, the payout"
  currentOddsBps: Int!
  "payout if this outcome wins, rounded down; in a final market, the actual payout" totalPayoutCents: Int!
  "after fees" realizedPnlMicros: IntString!
  "the winning outcome, or CANCELLED; null before the end and when UNCERTAIN" result: BetOutcome
  "whether a payout above 0 of a final market is not claimed yet" claimable: Boolean!
  "sequence number of the last included event" seq: UintString!
  updatedAt: Time!
}
"A position in a list."
type PositionEdge { cursor: Cursor! node: Position! }
"A page of positions, last changed first."
type PositionConnection { edges: [PositionEdge!]! pageInfo: PageInfo! totalCount: Int! }
"Filter and page of \`positions\`; \`openOnly\` omits positions without shares, claimed ones and lost ones."
input PositionsInput { marketId: ID outcome: BetOutcome openOnly: Boolean = true first: Int after: Cursor }
"Totals of the account."
type Portfolio {
  "sum of available and reserved cash" cashCents: Int!
  positionsValueCents: Int! claimableCents: Int! openOrderReserveCents: Int!
  "sum of the markets' exposures (docs/spec/venue.md#limits), rounded up" worstCaseLossCents: Int!
  realizedPnlMicros: IntString! unrealizedPnlMicros: IntString! feesPaidMicros: UintString! asOf: Time!
}
"Result of split and merge."
type PositionChangePayload {
  yes: Position no: Position
  "cash paid (split) or received (merge)" amountCents: Int!
  amountMicros: UintString! rejection: Rejection seq: UintString!
}
"Claimed positions. If nothing was claimable, the list is empty and there is no refusal."
type ClaimPayload { claims: [Position!]! totalPayoutCents: Int! totalPayoutMicros: UintString! rejection: Rejection seq: UintString! }

`;
