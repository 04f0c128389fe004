/** The variables of one example for each operation: the table that pages are made from and the tests send. */
import type { RootField } from '../../src/protocol/index.ts';

/** Variables as JSON; a text such as `$MARKET` is taken from the environment. */
export type ExampleValue =
  | string
  | number
  | boolean
  | readonly ExampleValue[]
  | { readonly [name: string]: ExampleValue };

/** Variables of an operation by name. */
export type ExampleVariables = Readonly<Record<string, ExampleValue>>;

/** What stands for what, in the words of the page. */
export const ENVIRONMENT = {
  TOKEN: '`accessToken` of `createSession`, or the `secret` of `createApiKey`',
  REFRESH_TOKEN: '`refreshToken` of `createSession`',
  ADDRESS: 'the address of your account',
  NONCE: 'login: `nonce` of `authChallenge`; withdrawal: `nonce` of its message',
  ISSUED_AT: '`issuedAt` of the message of `authChallenge`',
  EXPIRES_AT: '`expiresAt` of the same message',
  SIGNATURE: 'your signature over the message, 65 bytes; its fields are those of the example',
  MARKET: '`id` of a market of `markets`',
  NEW_MARKET: 'a UUID that you choose, and the `id` of the market from then on',
  SALT: '256 random bits, as a decimal number',
  NOW: 'milliseconds since 1970',
  EPOCH: '`orderEpoch` of `me`',
  ORDER: '`id` of an open order of `orders`',
  ORDER_2: '`id` of another one',
  GROUP: '`id` of `createOrderGroup`',
  KEY: '`apiKey.id` of `createApiKey`',
  CODE: 'the code of the e-mail',
  WALLET: '`id` of a wallet of `wallets`',
  DEADLINE: '`deadline` of the withdrawal, milliseconds since 1970',
} as const;

const NO_ORDER = `0x${'00'.repeat(32)}`;

/** A signed order, a bid for 100 YES where nothing else is said. */
function order(priceBps: number, replaces = NO_ORDER): ExampleValue {
  return {
    salt: '$SALT',
    maker: '$ADDRESS',
    signer: '$ADDRESS',
    marketId: '$MARKET',
    outcome: 'YES',
    side: 'BUY',
    priceBps,
    shares: '100000000',
    timeInForce: 'GTC',
    postOnly: true,
    expiration: '0',
    timestampMs: '$NOW',
    epoch: '$EPOCH',
    maxFeeBps: 1_000,
    replaces,
    signature: '$SIGNATURE',
  };
}

const MARKET = { marketId: '$MARKET' };
const NEW_MARKET = { marketId: '$NEW_MARKET' };
const EMAIL = { email: 'maker@example.com' };

/** Variables by operation. */
export const EXAMPLES: Readonly<Record<RootField, ExampleVariables>> = {
  categories: {},
  category: { slug: 'economy' },
  topics: { categorySlug: 'economy', search: 'rate' },
  topic: { slug: 'inflation' },
  markets: { input: { first: 5, sort: 'VOLUME_DESC', filter: { status: 'OPEN', categorySlug: 'economy' } } },
  market: { id: '$MARKET' },
  orderBook: { ...MARKET, outcome: 'YES', depth: 10 },
  trades: { ...MARKET, first: 10 },
  priceHistory: { ...MARKET, since: '2026-01-01T00:00:00Z', interval: 'ONE_HOUR' },
  betLimits: { ...MARKET, outcome: 'YES', side: 'BUY' },
  betQuote: { ...MARKET, outcome: 'YES', side: 'BUY', amountCents: 2_500 },
  resolutionOutcome: MARKET,
  modelVotes: MARKET,
  transparencyRecord: MARKET,
  bettingConfig: {},
  marketConfig: {},
  geoCheck: {},
  health: {},
  authChallenge: { address: '$ADDRESS' },
  me: {},
  balance: {},
  ledger: { input: { kinds: ['DEPOSIT', 'TRADE', 'FEE'], first: 20 } },
  positions: { input: { openOnly: true, first: 20 } },
  claimablePositions: {},
  portfolio: {},
  orders: { input: { ...MARKET, statuses: ['LIVE', 'PARTIALLY_FILLED'], first: 20 } },
  order: { clientOrderId: 'bid-1' },
  fills: { input: { ...MARKET, afterSeq: '0', first: 100 } },
  signingParams: {
    input: {
      kind: 'ORDER',
      order: { ...MARKET, outcome: 'YES', side: 'BUY', priceBps: 4_000, shares: '100000000', timeInForce: 'GTC' },
    },
  },
  wallets: {},
  withdrawals: { first: 10 },
  createdMarkets: { first: 10 },
  tradingSafety: {},

  createSession: {
    input: {
      address: '$ADDRESS',
      nonce: '$NONCE',
      issuedAt: '$ISSUED_AT',
      expiresAt: '$EXPIRES_AT',
      signature: '$SIGNATURE',
    },
  },
  refreshSession: { refreshToken: '$REFRESH_TOKEN' },
  revokeSession: {},
  createApiKey: { input: { label: 'maker bot', scopes: ['READ', 'TRADE'] } },
  revokeApiKey: { id: '$KEY' },
  requestEmailVerification: EMAIL,
  verifyEmail: { ...EMAIL, code: '$CODE' },
  placeOrder: { input: { order: order(4_000), clientOrderId: 'bid-1' } },
  placeOrders: { input: { orders: [{ order: order(3_900), clientOrderId: 'bid-2' }] } },
  cancelOrder: { id: '$ORDER' },
  cancelOrders: { ids: ['$ORDER', '$ORDER_2'] },
  cancelMarketOrders: { ...MARKET, outcome: 'YES', side: 'BUY' },
  cancelAllOrders: {},
  replaceOrder: { id: '$ORDER', input: { order: order(4_100, '$ORDER') } },
  replaceOrders: { input: { ...MARKET, cancelOrderIds: ['$ORDER'], place: [{ order: order(4_200) }] } },
  reduceOrder: { id: '$ORDER', byShares: '40000000' },
  heartbeat: { timeoutMs: 30_000 },
  disarmHeartbeat: {},
  createOrderGroup: { input: { label: 'quotes', maxFilledShares: 500, windowSeconds: 60 } },
  updateOrderGroup: { input: { id: '$GROUP', maxFilledShares: 250, reset: true } },
  deleteOrderGroup: { id: '$GROUP' },
  splitPosition: { ...MARKET, sets: '100000000' },
  mergePosition: { ...MARKET, sets: '40000000' },
  claimPosition: MARKET,
  claimAllPositions: {},
  createMarket: {
    input: {
      id: '$NEW_MARKET',
      question: 'Will it rain at noon?',
      categorySlug: 'science',
      resolutionDate: '2099-01-01T12:00:00Z',
      rules: 'As measured at the nearest station.',
    },
  },
  cancelMarket: NEW_MARKET,
  disputeResolution: { ...MARKET, reason: 'The source was corrected afterwards.' },
  provisionWallet: { chainId: 31_337 },
  executeWithdrawal: {
    input: {
      walletId: '$WALLET',
      toAddress: '$ADDRESS',
      amountCents: 1_000,
      nonce: '$NONCE',
      deadline: '$DEADLINE',
      signature: '$SIGNATURE',
      clientWithdrawalId: 'withdrawal-1',
    },
  },

  orderBookUpdated: { ...MARKET, depth: 10 },
  tradeExecuted: MARKET,
  priceUpdated: { marketIds: ['$MARKET'] },
  marketStatusChanged: { marketIds: ['$MARKET'] },
  resolutionUpdated: MARKET,
  venueStatusChanged: {},
  orderEvents: MARKET,
  positionUpdated: MARKET,
  balanceUpdated: {},
};
