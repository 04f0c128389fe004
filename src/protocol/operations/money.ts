/**
 * Cash, ledger, positions and what is claimed. A position contains a short form of its market: query `market` for all
 * fields.
 */
export const MONEY = /* GraphQL */ `
  fragment BalanceFields on Balance {
    availableCents reservedCents totalCents claimableCents availableMicros reservedMicros seq asOf
  }
  fragment PositionFields on Position {
    id marketId
    market { id slug question status acceptingOrders }
    outcome shares reservedShares averagePriceBps amountCents amountMicros valueCents currentOddsBps totalPayoutCents
    realizedPnlMicros result claimable seq updatedAt
  }
  fragment PositionChangeFields on PositionChangePayload {
    yes { ...PositionFields }
    no { ...PositionFields }
    amountCents amountMicros
    rejection { ...RejectionFields }
    seq
  }
  fragment ClaimFields on ClaimPayload {
    claims { ...PositionFields }
    totalPayoutCents totalPayoutMicros
    rejection { ...RejectionFields }
    seq
  }

  query Balance { balance { ...BalanceFields } }
  query Ledger($input: LedgerInput) {
    ledger(input: $input) {
      edges { cursor node { id kind amountMicros amountCents direction marketId orderId fillId at } }
      pageInfo { ...PageInfoFields }
      totalCount
    }
  }
  query Positions($input: PositionsInput) {
    positions(input: $input) {
      edges { cursor node { ...PositionFields } }
      pageInfo { ...PageInfoFields }
      totalCount
    }
  }
  query ClaimablePositions { claimablePositions { ...PositionFields } }
  query Portfolio {
    portfolio {
      cashCents positionsValueCents claimableCents openOrderReserveCents worstCaseLossCents realizedPnlMicros
      unrealizedPnlMicros feesPaidMicros asOf
    }
  }

  mutation SplitPosition($marketId: ID!, $sets: UintString!) {
    splitPosition(marketId: $marketId, sets: $sets) { ...PositionChangeFields }
  }
  mutation MergePosition($marketId: ID!, $sets: UintString!) {
    mergePosition(marketId: $marketId, sets: $sets) { ...PositionChangeFields }
  }
  mutation ClaimPosition($marketId: ID!) { claimPosition(marketId: $marketId) { ...ClaimFields } }
  mutation ClaimAllPositions { claimAllPositions { ...ClaimFields } }

  subscription PositionUpdated($marketId: ID) { positionUpdated(marketId: $marketId) { ...PositionFields } }
  subscription BalanceUpdated { balanceUpdated { ...BalanceFields } }
`;
