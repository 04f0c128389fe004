/** Safety features of an account: heartbeat, order groups. */
export const SAFETY_SDL = `# ======== Safety ========

"A set of orders that is cancelled when too much fills within a window."
type OrderGroup {
  id: ID! label: String!
  "trips when more than this fills within the window" maxFilledShares: Float!
  windowSeconds: Int! filledInWindow: Float!
  "refuses orders until reset" tripped: Boolean!
}
"Safety state of the account; heartbeat fields are those of the calling credential."
type TradingSafety {
  heartbeatArmed: Boolean! heartbeatTimeoutMs: Int heartbeatDeadline: Time
  orderEpoch: UintString! openOrderCount: Int! groups: [OrderGroup!]! mode: VenueMode!
}
"A new order group."
input CreateOrderGroupInput { label: String! maxFilledShares: Float! windowSeconds: Int! }
"Given fields change; \`reset\` empties the window and allows orders again."
input UpdateOrderGroupInput { id: ID! maxFilledShares: Float windowSeconds: Int reset: Boolean = false }
"Result of the heartbeat mutations."
type HeartbeatPayload {
  armed: Boolean!
  "orders of the credential are cancelled then; null when not armed" deadline: Time
  serverTime: Time!
}
"A group after a change."
type OrderGroupPayload { group: OrderGroup! }
"Result of deleteOrderGroup."
type DeletePayload { deletedId: ID! }

`;
