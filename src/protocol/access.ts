/** The access right of each root field (docs/spec/venue.md#authentication). */
import type { Models, RootFields } from './generated/resolver-types.ts';
import type { ApiScope } from './generated/schema-types.ts';

/**
 * Callers that may use a root field. `PUBLIC`: all callers. `ARGUMENT`: callers whose argument contains the credential.
 * `SESSION`: sessions, but no API keys. A scope: sessions, and API keys with this scope.
 */
export type Access = 'PUBLIC' | 'ARGUMENT' | 'SESSION' | ApiScope;

/** Names are unique over queries, mutations and subscriptions. */
export type RootField = keyof (Fields['Query'] & Fields['Mutation'] & Fields['Subscription']);
type Fields = RootFields<Models>;

export const ACCESS: Readonly<Record<RootField, Access>> = {
  categories: 'PUBLIC',
  category: 'PUBLIC',
  topics: 'PUBLIC',
  topic: 'PUBLIC',
  markets: 'PUBLIC',
  market: 'PUBLIC',
  orderBook: 'PUBLIC',
  trades: 'PUBLIC',
  priceHistory: 'PUBLIC',
  betLimits: 'PUBLIC',
  betQuote: 'PUBLIC',
  resolutionOutcome: 'PUBLIC',
  modelVotes: 'PUBLIC',
  transparencyRecord: 'PUBLIC',
  bettingConfig: 'PUBLIC',
  marketConfig: 'PUBLIC',
  geoCheck: 'PUBLIC',
  health: 'PUBLIC',
  authChallenge: 'PUBLIC',
  me: 'READ',
  balance: 'READ',
  ledger: 'READ',
  positions: 'READ',
  claimablePositions: 'READ',
  portfolio: 'READ',
  orders: 'READ',
  order: 'READ',
  fills: 'READ',
  signingParams: 'READ',
  wallets: 'READ',
  withdrawals: 'READ',
  createdMarkets: 'READ',
  tradingSafety: 'READ',

  createSession: 'ARGUMENT',
  refreshSession: 'ARGUMENT',
  revokeSession: 'SESSION',
  createApiKey: 'SESSION',
  revokeApiKey: 'SESSION',
  requestEmailVerification: 'SESSION',
  verifyEmail: 'SESSION',
  placeOrder: 'TRADE',
  placeOrders: 'TRADE',
  cancelOrder: 'TRADE',
  cancelOrders: 'TRADE',
  cancelMarketOrders: 'TRADE',
  cancelAllOrders: 'TRADE',
  replaceOrder: 'TRADE',
  replaceOrders: 'TRADE',
  reduceOrder: 'TRADE',
  heartbeat: 'TRADE',
  disarmHeartbeat: 'TRADE',
  createOrderGroup: 'TRADE',
  updateOrderGroup: 'TRADE',
  deleteOrderGroup: 'TRADE',
  splitPosition: 'TRADE',
  mergePosition: 'TRADE',
  claimPosition: 'TRADE',
  claimAllPositions: 'TRADE',
  createMarket: 'CREATE_MARKET',
  cancelMarket: 'CREATE_MARKET',
  disputeResolution: 'CREATE_MARKET',
  provisionWallet: 'WITHDRAW',
  executeWithdrawal: 'WITHDRAW',

  orderBookUpdated: 'PUBLIC',
  tradeExecuted: 'PUBLIC',
  priceUpdated: 'PUBLIC',
  marketStatusChanged: 'PUBLIC',
  resolutionUpdated: 'PUBLIC',
  venueStatusChanged: 'PUBLIC',
  orderEvents: 'READ',
  positionUpdated: 'READ',
  balanceUpdated: 'READ',
};

/** Returns false for fields of introspection, such as `__schema`. */
export function isRootField(name: string): name is RootField {
  return Object.hasOwn(ACCESS, name);
}
