/** Resolution of a market: outcome, votes, the hash chain of steps. */
export const RESOLUTION_SDL = `# ======== Resolution ========

"How a market was decided; fields are null until known."
type Resolution {
  marketId: ID! status: MarketStatus!
  "null while undecided and when UNCERTAIN" outcome: ResolutionOutcome
  "paid for one YES share; null when CANCELLED" yesPayoutBps: Int
  "paid for one NO share; null when CANCELLED" noPayoutBps: Int
  decidedAt: Time finalAt: Time disputeWindowEndsAt: Time rationale: String
}
"One model's vote in one round."
type ModelVote {
  id: ID! model: String!
  "null: cannot be decided; CANCELLED: the question is invalid" vote: BetOutcome
  confidenceBps: Int rationale: String! sources: [String!]!
  "from 1, one more after each upheld dispute or retry" round: Int!
  votedAt: Time!
}
"A link of the hash chain; digest rule in docs/spec/venue.md#resolution-and-transparency."
type TransparencyStep {
  at: Time! actor: String!
  "null in the first step" fromStatus: MarketStatus
  toStatus: MarketStatus! note: String!
  "canonical JSON of the step's record (vote, decision, new date); {} if empty" data: String!
  digest: Hex!
  "the record's questionHash in the first step" previousDigest: Hex!
}
"How the decision came about, as a hash chain that anyone can recompute."
type TransparencyRecord {
  marketId: ID! question: String!
  "sha256 over marketId, question, quorum and rules: the root of the chain" questionHash: Hex!
  rules: String!
  "equal votes needed in a round" quorum: Int!
  steps: [TransparencyStep!]!
  "digest of the last step" headDigest: Hex!
  transactionHashes: [Hex!]!
}

`;
