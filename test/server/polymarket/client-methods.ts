/** The methods of the official client, each with the result that this venue returns. */
import { AssetType, type ClobClient, Side } from '@polymarket/clob-client-v2';
import { expect } from 'vitest';
import type { Client, PolymarketHarness } from './harness.ts';

/** State of the venue when the methods are called. */
export interface Fixture {
  readonly harness: PolymarketHarness;
  readonly maker: Client;
  /** A resting order of the maker. */
  readonly orderId: string;
}

/** A method and its expected result, a function that returns the result, or the text of its error. */
type Row = readonly [name: string, call: (client: ClobClient, fixture: Fixture) => Promise<unknown>, expected: unknown];

const EMPTY = { data: [], next_cursor: 'LTE=', limit: 100, count: 0 };
const NOT_SUPPORTED = 'not supported';

/** Methods that work. */
export const WORKING: readonly Row[] = [
  ['getOk', (client) => client.getOk(), 'OK'],
  ['getVersion', (client) => client.getVersion(), 2],
  ['getServerTime', (client) => client.getServerTime(), expect.any(Number)],
  ['getSamplingSimplifiedMarkets', (client) => client.getSamplingSimplifiedMarkets(), { count: 1 }],
  ['getSamplingMarkets', (client) => client.getSamplingMarkets(), { count: 1 }],
  ['getSimplifiedMarkets', (client) => client.getSimplifiedMarkets(), { count: 1 }],
  ['getMarkets', (client) => client.getMarkets(), { count: 1, next_cursor: 'LTE=' }],
  [
    'getMarket',
    (client, fixture) => client.getMarket(fixture.harness.condition),
    { accepting_orders: true, minimum_tick_size: 0.001 },
  ],
  [
    'getClobMarketInfo',
    (client, fixture) => client.getClobMarketInfo(fixture.harness.condition),
    { mts: 0.001, nr: false, fd: { e: 1 } },
  ],
  [
    'getOrderBook',
    (client, fixture) => client.getOrderBook(fixture.harness.yes),
    { bids: [{ price: '0.5', size: '20' }] },
  ],
  [
    'getOrderBooks',
    (client, fixture) => client.getOrderBooks([{ token_id: fixture.harness.no, side: Side.BUY }]),
    [{ asks: [{ price: '0.5' }] }],
  ],
  ['getTickSize', (client, fixture) => client.getTickSize(fixture.harness.yes), '0.001'],
  ['getNegRisk', (client, fixture) => client.getNegRisk(fixture.harness.yes), false],
  ['getFeeRateBps', (client, fixture) => client.getFeeRateBps(fixture.harness.yes), 0],
  ['getFeeExponent', (client, fixture) => client.getFeeExponent(fixture.harness.yes), 1],
  ['getMidpoint', (client, fixture) => client.getMidpoint(fixture.harness.yes), { mid: '0.525' }],
  [
    'getMidpoints',
    (client, fixture) => client.getMidpoints([{ token_id: fixture.harness.no, side: Side.BUY }]),
    (fixture: Fixture): object => ({ [fixture.harness.no]: '0.475' }),
  ],
  ['getPrice', (client, fixture) => client.getPrice(fixture.harness.yes, Side.BUY), { price: '0.5' }],
  [
    'getPrices',
    (client, fixture) => client.getPrices([{ token_id: fixture.harness.yes, side: Side.SELL }]),
    (fixture: Fixture): object => ({ [fixture.harness.yes]: { SELL: '0.55' } }),
  ],
  ['getSpread', (client, fixture) => client.getSpread(fixture.harness.yes), { spread: '0.05' }],
  [
    'getSpreads',
    (client, fixture) => client.getSpreads([{ token_id: fixture.harness.yes, side: Side.BUY }]),
    (fixture: Fixture): object => ({ [fixture.harness.yes]: '0.05' }),
  ],
  ['getLastTradePrice', (client, fixture) => client.getLastTradePrice(fixture.harness.yes), { price: '0.5', side: '' }],
  [
    'getLastTradesPrices',
    (client, fixture) => client.getLastTradesPrices([{ token_id: fixture.harness.yes, side: Side.BUY }]),
    [{ price: '0.5' }],
  ],
  [
    'getPricesHistory',
    (client, fixture) => client.getPricesHistory({ market: fixture.harness.yes, startTs: 0, endTs: 1 }),
    { history: [] },
  ],
  ['calculateMarketPrice', (client, fixture) => client.calculateMarketPrice(fixture.harness.yes, Side.BUY, 5), 0.55],
  ['getApiKeys', (client) => client.getApiKeys(), { apiKeys: [expect.any(String)] }],
  ['deriveApiKey', (client) => client.deriveApiKey(), (fixture: Fixture): object => fixture.maker.creds],
  [
    'createOrDeriveApiKey',
    (_, fixture) => fixture.harness.stranger(1).createOrDeriveApiKey(),
    (fixture: Fixture): object => fixture.maker.creds,
  ],
  ['getClosedOnlyMode', (client) => client.getClosedOnlyMode(), { closed_only: false }],
  [
    'getOrder',
    (client, fixture) => client.getOrder(fixture.orderId),
    { status: 'LIVE', price: '0.5', original_size: '20', side: 'BUY' },
  ],
  ['getOpenOrders', (client, fixture) => client.getOpenOrders({ asset_id: fixture.harness.yes }), [{}, {}]],
  ['getTrades', (client) => client.getTrades(), []],
  ['getTradesPaginated', (client) => client.getTradesPaginated(), { trades: [], next_cursor: 'LTE=' }],
  ['getPreMigrationOrders', (client) => client.getPreMigrationOrders(), []],
  [
    'getBalanceAllowance',
    (client) => client.getBalanceAllowance({ asset_type: AssetType.COLLATERAL }),
    { balance: expect.stringMatching(/^\d+$/) },
  ],
  [
    'updateBalanceAllowance',
    (client, fixture) =>
      client.updateBalanceAllowance({ asset_type: AssetType.CONDITIONAL, token_id: fixture.harness.no }),
    { balance: '100000000' },
  ],
  ['isOrderScoring', (client, fixture) => client.isOrderScoring({ order_id: fixture.orderId }), { scoring: true }],
  [
    'areOrdersScoring',
    (client, fixture) => client.areOrdersScoring({ orderIds: [fixture.orderId] }),
    (fixture: Fixture): object => ({ [fixture.orderId]: true }),
  ],
  ['getEarningsForUserForDay', (client) => client.getEarningsForUserForDay('2026-11-20'), []],
  ['getTotalEarningsForUserForDay', (client) => client.getTotalEarningsForUserForDay('2026-11-20'), EMPTY],
  ['getUserEarningsAndMarketsConfig', (client) => client.getUserEarningsAndMarketsConfig('2026-11-20'), []],
  ['getRewardPercentages', (client) => client.getRewardPercentages(), EMPTY],
  ['getCurrentRewards', (client) => client.getCurrentRewards(), []],
  ['getRawRewardsForMarket', (client, fixture) => client.getRawRewardsForMarket(fixture.harness.condition), []],
];

/** Methods that this venue does not support. */
export const REFUSED: readonly Row[] = [
  ['createReadonlyApiKey', (client) => client.createReadonlyApiKey(), NOT_SUPPORTED],
  ['getReadonlyApiKeys', (client) => client.getReadonlyApiKeys(), NOT_SUPPORTED],
  ['deleteReadonlyApiKey', (client) => client.deleteReadonlyApiKey('x'), NOT_SUPPORTED],
  ['createBuilderApiKey', (client) => client.createBuilderApiKey(), NOT_SUPPORTED],
  ['getBuilderApiKeys', (client) => client.getBuilderApiKeys(), NOT_SUPPORTED],
  ['revokeBuilderApiKey', (client) => client.revokeBuilderApiKey(), NOT_SUPPORTED],
  ['getBuilderTrades', (client) => client.getBuilderTrades({ builder_code: `0x${'11'.repeat(32)}` }), NOT_SUPPORTED],
  ['getNotifications', (client) => client.getNotifications(), NOT_SUPPORTED],
  ['dropNotifications', (client) => client.dropNotifications({ ids: ['1'] }), NOT_SUPPORTED],
  [
    'getMarketTradesEvents',
    (client, fixture) => client.getMarketTradesEvents(fixture.harness.condition),
    NOT_SUPPORTED,
  ],
];

/** Methods that change state. Separate tests cover them. */
export const STATE_CHANGING = [
  'createApiKey',
  'deleteApiKey',
  'createOrder',
  'createMarketOrder',
  'createExchangeV3OrderFromAmounts',
  'createAndPostOrder',
  'createAndPostMarketOrder',
  'postOrder',
  'postOrders',
  'cancelOrder',
  'cancelOrders',
  'cancelAll',
  'cancelMarketOrders',
  'postHeartbeat',
  'getOrderBookHash',
];
/** Internal methods that send no request of their own. */
export const INTERNAL = [
  'constructor',
  'canL1Auth',
  'canL2Auth',
  'isBuilderOrder',
  'getBuilderTakerFeeRate',
  'adjustBuyAmountForBalance',
  'throwIfError',
  'get',
  'post',
  'del',
  'resolveTransactionsHashes',
  'resolveVersion',
  'waitForResolvedTrades',
  'ensureBuilderFeeRateCached',
];
