/** Own orders and fills: three steps to place, and every way to take back. */
export const ORDERS = /* GraphQL */ `
  fragment RejectionFields on Rejection { reason message field limit value unit retryAfterMs }
  fragment OrderFields on Order {
    id orderHash clientOrderId marketId outcome side priceBps shares filledShares remainingShares averageFillPriceBps
    timeInForce postOnly expiresAt status cancelReason groupId reservedCents feeCents queueAheadShares seq createdAt
    updatedAt
  }
  fragment FillFields on Fill {
    id tradeId orderId clientOrderId marketId outcome side priceBps shares amountCents amountMicros feeMicros role
    matchType seq executedAt
  }
  fragment PlaceFields on PlaceOrderPayload {
    accepted duplicate
    order { ...OrderFields }
    fills { ...FillFields }
    rejection { ...RejectionFields }
    seq
  }
  fragment CancelResultFields on CancelResult {
    orderId cancelled remainingShares filledShares
    rejection { ...RejectionFields }
  }
  fragment CancelFields on CancelPayload {
    results { ...CancelResultFields }
    seq
  }
  fragment ReplaceFields on ReplaceOrdersPayload {
    committed
    cancelled { ...CancelResultFields }
    placed { ...PlaceFields }
    rejection { ...RejectionFields }
    seq
  }

  query Orders($input: OrdersInput) {
    orders(input: $input) {
      edges { cursor node { ...OrderFields } }
      pageInfo { ...PageInfoFields }
      totalCount
    }
  }
  query Order($id: ID, $orderHash: Hex, $clientOrderId: String) {
    order(id: $id, orderHash: $orderHash, clientOrderId: $clientOrderId) {
      found
      order { ...OrderFields }
      fills { ...FillFields }
    }
  }
  query Fills($input: FillsInput) {
    fills(input: $input) {
      edges { cursor node { ...FillFields } }
      pageInfo { ...PageInfoFields }
      totalCount
    }
  }
  query SigningParams($input: SigningParamsInput!) {
    signingParams(input: $input) {
      kind typedData digest costCents worstCaseCents normalizedPriceBps normalizedShares expiresAt
    }
  }

  mutation PlaceOrder($input: PlaceOrderInput!) { placeOrder(input: $input) { ...PlaceFields } }
  mutation PlaceOrders($input: PlaceOrdersInput!) {
    placeOrders(input: $input) {
      results { ...PlaceFields }
      seq
    }
  }
  mutation CancelOrder($id: ID, $orderHash: Hex, $clientOrderId: String) {
    cancelOrder(id: $id, orderHash: $orderHash, clientOrderId: $clientOrderId) { ...CancelFields }
  }
  mutation CancelOrders($ids: [ID!]!) { cancelOrders(ids: $ids) { ...CancelFields } }
  mutation CancelMarketOrders($marketId: ID!, $outcome: BetOutcome, $side: OrderSide) {
    cancelMarketOrders(marketId: $marketId, outcome: $outcome, side: $side) { ...CancelFields }
  }
  mutation CancelAllOrders { cancelAllOrders { cancelledIds newEpoch seq } }
  mutation ReplaceOrder($id: ID!, $input: PlaceOrderInput!, $ifNoFillSince: UintString) {
    replaceOrder(id: $id, input: $input, ifNoFillSince: $ifNoFillSince) { ...ReplaceFields }
  }
  mutation ReplaceOrders($input: ReplaceOrdersInput!) { replaceOrders(input: $input) { ...ReplaceFields } }
  mutation ReduceOrder($id: ID!, $byShares: UintString!) {
    reduceOrder(id: $id, byShares: $byShares) { ...CancelFields }
  }

  subscription OrderEvents($marketId: ID, $afterSeq: UintString) {
    orderEvents(marketId: $marketId, afterSeq: $afterSeq) {
      kind seq prevSeq
      order { ...OrderFields }
      fill { ...FillFields }
      cancelReason at
    }
  }
`;
