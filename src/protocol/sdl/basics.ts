/** Scalars, enums and pages, which all other parts use. The folder `codec/` turns values of scalars into numbers. */
export const BASICS_SDL = `# The venue's API: 33 queries, 30 mutations, 9 subscriptions.
# ...Bps: integer basis points of the $1 payout. ...Cents: integer USD cents; amounts that an account has or receives are
# rounded down, amounts that it pays or risks up. Shares: Float in answers, round(shares * 1e6) is exact. ...Micros: exact
# micro-USD. See docs/spec/venue.md#units. Nullable root fields: queries and subscriptions with arguments; all mutations but
# createSession and refreshSession.

# ======== Scalars ========

"ISO 8601 in UTC, ending in Z. The fraction of a second is optional: parse it, never match a pattern."
scalar Time
"Opaque position in a list, for \`after\` and \`before\`. Pass it unchanged, with the same sort."
scalar Cursor
"Unsigned decimal integer of at most 256 bits as a string, without sign or leading zeros."
scalar UintString
"Signed decimal integer as a string."
scalar IntString
"0x and hex digits; lower case in answers, either case in arguments."
scalar Hex
"EIP-712 message as JSON {domain, types, primaryType, message}. \`types\` includes EIP712Domain; integers in \`message\` are decimal strings."
scalar TypedData

# ======== Enums ========

"State of a market. Handle every value. Transitions are in docs/spec/venue.md#market-states."
enum MarketStatus {
  "open for trading" OPEN
  "closed for trading, being decided" PENDING_RESOLUTION
  "decided, in its dispute window; the payout is not known yet" RESOLVED
  "final: YES pays $1" RESOLVED_YES
  "final: NO pays $1" RESOLVED_NO
  "final: both pay $0.50" RESOLVED_UNCERTAIN
  "without a decision; will be retried or cancelled" RESOLUTION_FAILED
  "final: void, net payments are refunded" CANCELLED
  "waits for the step named in \`blockchainStep\`" PENDING_BLOCKCHAIN
}
"A side of a market. CANCELLED occurs only in answers: a vote for voiding, a void market's result, a refund position."
enum BetOutcome { YES NO CANCELLED }
"Order of \`markets\`; equal values are ordered by id, in the same direction."
enum MarketSort { CREATED_AT_DESC CREATED_AT_ASC VOLUME_DESC VOLUME_ASC RESOLUTION_DATE_ASC RESOLUTION_DATE_DESC }
"Buy or sell shares of the named outcome."
enum OrderSide { BUY SELL }
"Decision on a market. There is no value for UNCERTAIN: \`outcome\` is null and both payouts are 5000."
enum ResolutionOutcome { RESOLVED_YES RESOLVED_NO CANCELLED }

# ======== Paging ========

"Position of a page in its list; both flags are exact in both directions."
type PageInfo {
  hasNextPage: Boolean! hasPreviousPage: Boolean!
  "null on an empty page" startCursor: Cursor
  "null on an empty page" endCursor: Cursor
}

`;
