/** What guards the account: heartbeat and order groups. */
export const SAFETY = /* GraphQL */ `
  fragment GroupFields on OrderGroup { id label maxFilledShares windowSeconds filledInWindow tripped }
  fragment HeartbeatFields on HeartbeatPayload { armed deadline serverTime }

  query TradingSafety {
    tradingSafety {
      heartbeatArmed heartbeatTimeoutMs heartbeatDeadline orderEpoch openOrderCount
      groups { ...GroupFields }
      mode
    }
  }

  mutation Heartbeat($timeoutMs: Int!) { heartbeat(timeoutMs: $timeoutMs) { ...HeartbeatFields } }
  mutation DisarmHeartbeat { disarmHeartbeat { ...HeartbeatFields } }
  mutation CreateOrderGroup($input: CreateOrderGroupInput!) {
    createOrderGroup(input: $input) { group { ...GroupFields } }
  }
  mutation UpdateOrderGroup($input: UpdateOrderGroupInput!) {
    updateOrderGroup(input: $input) { group { ...GroupFields } }
  }
  mutation DeleteOrderGroup($id: ID!) { deleteOrderGroup(id: $id) { deletedId } }
`;
