/** How a market is decided, and disputes. */
export const RESOLUTION = /* GraphQL */ `
  fragment ResolutionFields on Resolution {
    marketId status outcome yesPayoutBps noPayoutBps decidedAt finalAt disputeWindowEndsAt rationale
  }
  fragment VoteFields on ModelVote { id model vote confidenceBps rationale sources round votedAt }
  fragment StepFields on TransparencyStep { at actor fromStatus toStatus note data digest previousDigest }

  query ResolutionOutcome($marketId: ID!) { resolutionOutcome(marketId: $marketId) { ...ResolutionFields } }
  query ModelVotes($marketId: ID!) { modelVotes(marketId: $marketId) { ...VoteFields } }
  query TransparencyRecord($marketId: ID!) {
    transparencyRecord(marketId: $marketId) {
      marketId question questionHash rules quorum
      steps { ...StepFields }
      headDigest transactionHashes
    }
  }

  mutation DisputeResolution($marketId: ID!, $reason: String!) {
    disputeResolution(marketId: $marketId, reason: $reason) {
      resolution { ...ResolutionFields }
      rejection { ...RejectionFields }
    }
  }

  subscription ResolutionUpdated($marketId: ID!) {
    resolutionUpdated(marketId: $marketId) {
      resolution { ...ResolutionFields }
      vote { ...VoteFields }
      step { ...StepFields }
    }
  }
`;
