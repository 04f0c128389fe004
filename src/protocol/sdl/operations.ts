/** The 33 queries, 30 mutations and 9 subscriptions. */
export const OPERATIONS_SDL = `# ======== Operations ========

"Queries. Those up to \`authChallenge\` are public; the others need credentials."
type Query {
  # markets and prices
  "Active categories, sorted by name."
  categories: [Category!]!
  "One category, active or inactive; null if unknown."
  category(slug: String!): Category
  "Topics, sorted by name."
  topics(categorySlug: String, search: String): [Topic!]
  "One topic; null if unknown."
  topic(slug: String!): Topic
  "A filtered and sorted page of markets."
  markets(input: MarketsInput): MarketConnection
  "One market by exactly one of id and slug; null if unknown."
  market(id: ID, slug: String): Market
  "Best levels of a market's book, with prices of \`outcome\`; depth 1 to 500."
  orderBook(marketId: ID!, outcome: BetOutcome = YES, depth: Int = 50): OrderBook
  "Executed trades, newest first; paged like \`markets\`."
  trades(marketId: ID!, first: Int, after: Cursor, last: Int, before: Cursor): TradeConnection
  "Quotes and prices over time, oldest first; at most the latest 2,000 points between since and until."
  priceHistory(marketId: ID!, since: Time, until: Time, interval: PriceInterval = ONE_MINUTE): [PricePoint!]
  "Current minimum and maximum order; with credentials, those of the caller."
  betLimits(marketId: ID!, outcome: BetOutcome, side: OrderSide): BetLimits
  "Estimate of a taker order, which is not placed. Give exactly one of amountCents (without the fee) and shares."
  betQuote(marketId: ID!, outcome: BetOutcome!, side: OrderSide!, amountCents: Int, shares: Float): BetQuote

  # resolution
  "Decision, payouts and dispute window of a market."
  resolutionOutcome(marketId: ID!): Resolution
  "Votes of the models, oldest first."
  modelVotes(marketId: ID!): [ModelVote!]
  "The steps of the decision as a hash chain."
  transparencyRecord(marketId: ID!): TransparencyRecord

  # configuration
  "Bet limits, presets and the global spread."
  bettingConfig: BettingConfig!
  "Question length, exposure, tick and lot."
  marketConfig: MarketConfig!
  "Whether the caller may trade from its location."
  geoCheck: GeoCheck!
  "State, mode, server time and engine sequence."
  health: Health!
  "Step 1 of a login: the message to sign, valid for five minutes."
  authChallenge(address: Hex!): AuthChallenge

  # account (protected from here on)
  "The calling account, its keys, epoch and rate buckets."
  me: Account!
  "Cash: available, reserved, claimable."
  balance: Balance!
  "Every movement of cash, newest first."
  ledger(input: LedgerInput): LedgerConnection
  "Own positions."
  positions(input: PositionsInput): PositionConnection
  "Final positions and refunds that are not claimed yet."
  claimablePositions: [Position!]!
  "Totals, profit and loss, worst case."
  portfolio: Portfolio!
  "Own orders."
  orders(input: OrdersInput): OrderConnection
  "One own order by exactly one key. You know the hash before you send the order, so the hash finds the order after a lost response."
  order(id: ID, orderHash: Hex, clientOrderId: String): OrderLookup
  "Own fills; \`afterSeq\` continues after a sequence number without a gap."
  fills(input: FillsInput): FillConnection
  "Step 1 of 3 of a signed order or withdrawal."
  signingParams(input: SigningParamsInput!): SigningParams
  "Own wallets with their deposit addresses."
  wallets: [Wallet!]!
  "Own withdrawals, newest first."
  withdrawals(first: Int, after: Cursor): WithdrawalConnection
  "Markets the account created, newest first."
  createdMarkets(first: Int, after: Cursor): MarketConnection
  "Heartbeat, order groups, epoch and venue mode."
  tradingSafety: TradingSafety!
}

"Mutations. All need credentials; createSession and refreshSession have them in the argument."
type Mutation {
  # account and keys
  "Log in with a signed challenge; the first login creates the account."
  createSession(input: CreateSessionInput!): SessionPayload!
  "Exchange a refresh token for new tokens. Using a refresh token twice ends the session."
  refreshSession(refreshToken: String!): SessionPayload!
  "Log out; open orders stay."
  revokeSession: RevokeSessionPayload
  "Create a key for a bot; sessions only."
  createApiKey(input: CreateApiKeyInput!): CreateApiKeyPayload
  "End a key and cancel the orders placed with it; sessions only."
  revokeApiKey(id: ID!): RevokeApiKeyPayload
  "Send a code to an address; sessions only."
  requestEmailVerification(email: String!): EmailPayload
  "Confirm the address with the code; sessions only."
  verifyEmail(email: String!, code: String!): EmailPayload

  # orders
  "Step 3 of 3: place a signed order; the same signed bytes return the same order."
  placeOrder(input: PlaceOrderInput!): PlaceOrderPayload
  "Place up to maxBatchOrders, each with its own result."
  placeOrders(input: PlaceOrdersInput!): PlaceOrdersPayload
  "Cancel one order by exactly one key."
  cancelOrder(id: ID, orderHash: Hex, clientOrderId: String): CancelPayload
  "Cancel up to maxBatchCancels, each with its own result."
  cancelOrders(ids: [ID!]!): CancelPayload
  "Cancel the account's orders in one market."
  cancelMarketOrders(marketId: ID!, outcome: BetOutcome, side: OrderSide): CancelPayload
  "Cancel all of the account's orders and raise its epoch, so that signed orders in flight are refused."
  cancelAllOrders: CancelAllPayload
  "Cancel order \`id\` and place a new one, both or neither. The signature of the new order covers \`replaces\`."
  replaceOrder(id: ID!, input: PlaceOrderInput!, ifNoFillSince: UintString): ReplaceOrdersPayload
  "Replace a set of quotes in one market, all or nothing."
  replaceOrders(input: ReplaceOrdersInput!): ReplaceOrdersPayload
  "Reduce an order by micro-shares; it keeps its place in the queue."
  reduceOrder(id: ID!, byShares: UintString!): CancelPayload

  # safety
  "Arm or renew the credential's dead-man's switch. If it is not renewed in time, the credential's orders are cancelled."
  heartbeat(timeoutMs: Int!): HeartbeatPayload
  "Disarm the credential's dead-man's switch."
  disarmHeartbeat: HeartbeatPayload
  "Create a group with a rolling fill limit."
  createOrderGroup(input: CreateOrderGroupInput!): OrderGroupPayload
  "Change or reset a group."
  updateOrderGroup(input: UpdateOrderGroupInput!): OrderGroupPayload
  "Remove a group; its orders stay."
  deleteOrderGroup(id: ID!): DeletePayload

  # positions
  "Turn $1 into one YES and one NO; \`sets\` in micro-shares."
  splitPosition(marketId: ID!, sets: UintString!): PositionChangePayload
  "Turn one YES and one NO back into $1; \`sets\` in micro-shares."
  mergePosition(marketId: ID!, sets: UintString!): PositionChangePayload
  "Claim the payout or refund of a final market. It can be claimed once."
  claimPosition(marketId: ID!): ClaimPayload
  "Claim all payouts and refunds."
  claimAllPositions: ClaimPayload

  # markets
  "Create a market, with an optional initial order."
  createMarket(input: CreateMarketInput!): CreateMarketPayload
  "Void an own market before its first trade."
  cancelMarket(marketId: ID!): MarketPayload
  "Dispute a decision during its dispute window. The account must hold shares of the market."
  disputeResolution(marketId: ID!, reason: String!): DisputePayload

  # wallets
  "Create the account's wallet on a chain, or return the existing one."
  provisionWallet(chainId: Int!): WalletPayload
  "Withdraw with the account's signature."
  executeWithdrawal(input: ExecuteWithdrawalInput!): WithdrawalPayload
}

"Events over graphql-transport-ws. The last three need credentials."
type Subscription {
  "A book: a snapshot, then deltas; \`afterSeq\` continues after a sequence number."
  orderBookUpdated(marketId: ID!, depth: Int = 50, afterSeq: UintString): OrderBookEvent
  "Each trade of a market."
  tradeExecuted(marketId: ID!): Trade
  "Quotes and top of book: current values first, then changes; at most 200 markets."
  priceUpdated(marketIds: [ID!]!): PriceUpdate
  "Changes of state, halts and new markets; null means all markets."
  marketStatusChanged(marketIds: [ID!]): MarketStatusEvent
  "Votes and steps of a resolution."
  resolutionUpdated(marketId: ID!): ResolutionEvent
  "Mode and configuration: current values first, then changes."
  venueStatusChanged: VenueStatusEvent!
  "The account's orders and fills in one ordered stream; \`afterSeq\` continues after a sequence number."
  orderEvents(marketId: ID, afterSeq: UintString): OrderEvent
  "Positions: current ones first, then each change."
  positionUpdated(marketId: ID): Position
  "Cash: current value first, then each change."
  balanceUpdated: Balance!
}
`;
