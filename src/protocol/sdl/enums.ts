/** The five enums of the specification, verbatim. */
export const ENUMS_SDL = `# ======== Enums ========

"State of a market. Every value needs handling; transitions are in docs/spec/venue.md#market-states."
enum MarketStatus {
  "trades" OPEN
  "closed for trading, being decided" PENDING_RESOLUTION
  "decided, dispute window runs, payout not known yet" RESOLVED
  "final: YES pays $1" RESOLVED_YES
  "final: NO pays $1" RESOLVED_NO
  "final: both pay $0.50" RESOLVED_UNCERTAIN
  "no decision came about; will be retried or cancelled" RESOLUTION_FAILED
  "final: void, net payments are refunded" CANCELLED
  "waits for the step named in \`blockchainStep\`" PENDING_BLOCKCHAIN
}
"A side of a market. CANCELLED stands only in answers: a vote for voiding, a void market's result, a refund position."
enum BetOutcome { YES NO CANCELLED }
"Order of \`markets\`; equal values are ordered by id, in the same direction."
enum MarketSort { CREATED_AT_DESC CREATED_AT_ASC VOLUME_DESC VOLUME_ASC RESOLUTION_DATE_ASC RESOLUTION_DATE_DESC }
"Buy or sell shares of the named outcome."
enum OrderSide { BUY SELL }
"What was decided. There is no value for UNCERTAIN: \`outcome\` is null and both payouts are 5000."
enum ResolutionOutcome { RESOLVED_YES RESOLVED_NO CANCELLED }

`;
