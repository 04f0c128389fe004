/** The methods of the official client, each with what this venue answers. */
import { AssetType, type ClobClient, Side } from '@polymarket/clob-client-v2';
import { expect } from 'vitest';
import type { Client, PolymarketStage } from './stage.ts';

/** What stands when the calls are made. */
export interface Scene {
  readonly stage: PolymarketStage;
  readonly maker: Client;
  /** A resting order of the maker. */
  readonly orderId: string;
}

/** Each with what it answers, or a function that makes it; a refusal by its text. */
type Row = readonly [name: string, call: (client: ClobClient, scene: Scene) => Promise<unknown>, expected: unknown];

const EMPTY = { data: [], next_cursor: 'LTE=', limit: 100, count: 0 };
const NOT_SUPPORTED = 'not supported';

/** Calls that work. */
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
    (client, scene) => client.getMarket(scene.stage.condition),
    { accepting_orders: true, minimum_tick_size: 0.001 },
  ],
  [
    'getClobMarketInfo',
    (client, scene) => client.getClobMarketInfo(scene.stage.condition),
    { mts: 0.001, nr: false, fd: { e: 1 } },
  ],
  ['getOrderBook', (client, scene) => client.getOrderBook(scene.stage.yes), { bids: [{ price: '0.5', size: '20' }] }],
  [
    'getOrderBooks',
    (client, scene) => client.getOrderBooks([{ token_id: scene.stage.no, side: Side.BUY }]),
    [{ asks: [{ price: '0.5' }] }],
  ],
  ['getTickSize', (client, scene) => client.getTickSize(scene.stage.yes), '0.001'],
  ['getNegRisk', (client, scene) => client.getNegRisk(scene.stage.yes), false],
  ['getFeeRateBps', (client, scene) => client.getFeeRateBps(scene.stage.yes), 0],
  ['getFeeExponent', (client, scene) => client.getFeeExponent(scene.stage.yes), 1],
  ['getMidpoint', (client, scene) => client.getMidpoint(scene.stage.yes), { mid: '0.525' }],
  [
    'getMidpoints',
    (client, scene) => client.getMidpoints([{ token_id: scene.stage.no, side: Side.BUY }]),
    (scene: Scene): object => ({ [scene.stage.no]: '0.475' }),
  ],
  ['getPrice', (client, scene) => client.getPrice(scene.stage.yes, Side.BUY), { price: '0.5' }],
  [
    'getPrices',
    (client, scene) => client.getPrices([{ token_id: scene.stage.yes, side: Side.SELL }]),
    (scene: Scene): object => ({ [scene.stage.yes]: { SELL: '0.55' } }),
  ],
  ['getSpread', (client, scene) => client.getSpread(scene.stage.yes), { spread: '0.05' }],
  [
    'getSpreads',
    (client, scene) => client.getSpreads([{ token_id: scene.stage.yes, side: Side.BUY }]),
    (scene: Scene): object => ({ [scene.stage.yes]: '0.05' }),
  ],
  ['getLastTradePrice', (client, scene) => client.getLastTradePrice(scene.stage.yes), { price: '0.5', side: '' }],
  [
    'getLastTradesPrices',
    (client, scene) => client.getLastTradesPrices([{ token_id: scene.stage.yes, side: Side.BUY }]),
    [{ price: '0.5' }],
  ],
  [
    'getPricesHistory',
    (client, scene) => client.getPricesHistory({ market: scene.stage.yes, startTs: 0, endTs: 1 }),
    { history: [] },
  ],
  ['calculateMarketPrice', (client, scene) => client.calculateMarketPrice(scene.stage.yes, Side.BUY, 5), 0.55],
  ['getApiKeys', (client) => client.getApiKeys(), { apiKeys: [expect.any(String)] }],
  ['deriveApiKey', (client) => client.deriveApiKey(), (scene: Scene): object => scene.maker.creds],
  [
    'createOrDeriveApiKey',
    (_, scene) => scene.stage.stranger(1).createOrDeriveApiKey(),
    (scene: Scene): object => scene.maker.creds,
  ],
  ['getClosedOnlyMode', (client) => client.getClosedOnlyMode(), { closed_only: false }],
  [
    'getOrder',
    (client, scene) => client.getOrder(scene.orderId),
    { status: 'LIVE', price: '0.5', original_size: '20', side: 'BUY' },
  ],
  ['getOpenOrders', (client, scene) => client.getOpenOrders({ asset_id: scene.stage.yes }), [{}, {}]],
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
    (client, scene) => client.updateBalanceAllowance({ asset_type: AssetType.CONDITIONAL, token_id: scene.stage.no }),
    { balance: '100000000' },
  ],
  ['isOrderScoring', (client, scene) => client.isOrderScoring({ order_id: scene.orderId }), { scoring: true }],
  [
    'areOrdersScoring',
    (client, scene) => client.areOrdersScoring({ orderIds: [scene.orderId] }),
    (scene: Scene): object => ({ [scene.orderId]: true }),
  ],
  ['getEarningsForUserForDay', (client) => client.getEarningsForUserForDay('2026-11-20'), []],
  ['getTotalEarningsForUserForDay', (client) => client.getTotalEarningsForUserForDay('2026-11-20'), EMPTY],
  ['getUserEarningsAndMarketsConfig', (client) => client.getUserEarningsAndMarketsConfig('2026-11-20'), []],
  ['getRewardPercentages', (client) => client.getRewardPercentages(), EMPTY],
  ['getCurrentRewards', (client) => client.getCurrentRewards(), []],
  ['getRawRewardsForMarket', (client, scene) => client.getRawRewardsForMarket(scene.stage.condition), []],
];

/** Calls of what the dialect does not have. */
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
  ['getMarketTradesEvents', (client, scene) => client.getMarketTradesEvents(scene.stage.condition), NOT_SUPPORTED],
];

/** Those that place, cancel or end something are tested below, with what they leave. */
export const BELOW = [
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
/** Parts of the others: they send nothing by themselves. */
export const INNER = [
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
