/** Logins, keys, rate buckets; cash, ledger, positions, claims. */
export const ACCOUNTS_SDL = `# ======== Account and keys ========

"A permission of a credential. Sessions have all."
enum ApiScope {
  "protected queries and subscriptions" READ
  "orders, heartbeats, order groups, split, merge, claim" TRADE
  "wallets, withdrawals" WITHDRAW
  "create, cancel and dispute markets" CREATE_MARKET
}
"A login nonce and the message to sign."
type AuthChallenge {
  "single use" nonce: Hex!
  "Login message" typedData: TypedData!
  expiresAt: Time!
}
"A key for bots; the secret is shown once, at creation."
type ApiKey {
  id: ID! label: String! scopes: [ApiScope!]!
  "address that may sign orders for the account while the key is valid" delegateAddress: Hex
  "empty: any address" ipAllowList: [String!]!
  lastUsedAt: Time expiresAt: Time createdAt: Time!
}
"A token bucket of the calling credential."
type RateBucket {
  "read, order or cancel" name: String!
  capacity: Int! refillPerSecond: Float! remaining: Float!
}
"The calling account."
type Account {
  id: ID! address: Hex! email: String emailVerified: Boolean!
  "of the calling credential" scopes: [ApiScope!]!
  apiKeys: [ApiKey!]!
  "the \`epoch\` of new signed orders; an order with another epoch is refused" orderEpoch: UintString!
  rateBuckets: [RateBucket!]! createdAt: Time!
}
"The signed login; nonce, issuedAt and expiresAt as in the challenge (milliseconds)."
input CreateSessionInput { address: Hex! nonce: Hex! issuedAt: UintString! expiresAt: UintString! signature: Hex! }
"The account's signed permission for another address to sign its orders (EIP-712 Delegate)."
input DelegateGrant {
  address: Hex!
  "random, single use" nonce: UintString!
  "milliseconds since the epoch" expiresAt: UintString!
  signature: Hex!
}
"A new key. It cannot have more scopes than the credential that creates it."
input CreateApiKeyInput { label: String! scopes: [ApiScope!]! expiresAt: Time ipAllowList: [String!] delegate: DelegateGrant }
"Tokens of a login."
type SessionPayload {
  accessToken: String!
  "valid once; each refresh returns a new one" refreshToken: String!
  "Bearer" tokenType: String!
  "expiry of the access token" expiresAt: Time!
  account: Account!
}
"Result of revokeSession."
type RevokeSessionPayload { revoked: Boolean! }
"A new key and its secret."
type CreateApiKeyPayload {
  apiKey: ApiKey!
  "pmk_<id>_<secret>, shown this once" secret: String!
}
"Result of revokeApiKey."
type RevokeApiKeyPayload { revokedId: ID! }
"Result of the e-mail mutations."
type EmailPayload { email: String! verified: Boolean! expiresAt: Time }

# ======== Money and positions ========

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
  "true while a final market's payout above 0 is not claimed" claimable: Boolean!
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
