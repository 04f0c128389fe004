/** Orders in a market with the prices of a recording. A rejection names the nearest valid prices. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { epochMs, marketId, priceBps, unchecked } from '../../../../src/domain/index.ts';
import { ALL_OPERATIONS } from '../../../protocol/generated/operations.ts';
import type { OrderRequest } from './signed-orders.ts';
import { openVenue, type Trader, type Venue } from './venue.ts';

let venue: Venue;
let market: string;
let alice: Trader;
beforeAll(async () => {
  venue = await openVenue();
  const time = venue.now();
  await venue.send({ type: 'openAccount', time, address: 'tape', unlimited: true });
  market = await venue.market({ tickBps: 1 });
  alice = await venue.trader('alice', 1_000);
  const grid = { type: 'list', bids: [5000, 6000].map(priceBps), asks: [5100, 6100].map(priceBps) } as const;
  const terms = { tape: 'abc', grid, models: { queue: { model: 'risk-averse' } }, recordedAt: epochMs(0), row: 0 };
  const account = unchecked.account(venue.view.accountOf('tape'));
  const no = venue.view.marketById(marketId(market))?.number ?? unchecked.market(9);
  await venue.send({ type: 'followTape', time, market: no, account, ...terms, rows: [] });
});
afterAll(() => venue.close());

const order = (change: OrderRequest): OrderRequest => ({ marketId: marketId(market), size: 1, ...change });

describe('a price that is not in the recording', () => {
  it.each([
    ['a bid between two prices', { priceBps: priceBps(5500) }, 5000, '5000 and 6000'],
    ['a bid at a price of the asks', { priceBps: priceBps(5100) }, 5000, '5000 and 6000'],
    ['a bid below all prices', { priceBps: priceBps(4000) }, 5000, '5000'],
    ['a bid above all prices', { priceBps: priceBps(9000) }, 6000, '6000'],
    ['a buy of NO, which is an ask at 5500', { outcome: 'NO', priceBps: priceBps(4500) }, 3900, '3900 and 4900'],
    ['a FAK order at a price of neither side', { priceBps: priceBps(5500), timeInForce: 'FAK' }, 5000, '5000 and 6000'],
  ] as const)('is refused with the nearest prices, the cheaper one first: %s', async (_, change, limit, nearest) => {
    const before = venue.hash();
    const { rejection } = await venue.place(alice, order(change));
    expect(rejection).toMatchObject({
      reason: 'INVALID_TICK',
      field: 'priceBps',
      limit: String(limit),
      value: String(change.priceBps),
      unit: 'BPS',
      message: expect.stringContaining(`the market is a recording with fixed prices: the nearest are ${nearest} (`),
    });
    expect(venue.hash()).toBe(before);
  });

  it('is refused with the nearest price in batches and replaces, too, and that price is accepted', async () => {
    const input = (price: number) => venue.input(alice, order({ priceBps: priceBps(price) }));
    const [invalid, valid] = [input(5500), input(5000)];
    const { placeOrders } = await venue.execute(alice, ALL_OPERATIONS.placeOrders, {
      input: { orders: [invalid, valid] },
    });
    expect(placeOrders?.results).toMatchObject([
      { accepted: false, rejection: { reason: 'INVALID_TICK', limit: '5000', value: '5500' } },
      { accepted: true },
    ]);
    const replaceInput = {
      marketId: market,
      cancelOrderIds: null,
      cancelAllInMarket: true,
      place: [invalid],
      ifNoFillSince: null,
    };
    const { replaceOrders } = await venue.execute(alice, ALL_OPERATIONS.replaceOrders, { input: replaceInput });
    expect(replaceOrders).toMatchObject({
      committed: false,
      placed: [{ rejection: { limit: '5000', value: '5500' } }],
    });
  });
});

describe('a price off the tick of a market without a recording', () => {
  it('is refused with the tick as its limit', async () => {
    const id = marketId(await venue.market());
    const { rejection } = await venue.place(alice, { marketId: id, size: 1, priceBps: priceBps(5005) });
    expect(rejection).toMatchObject({ reason: 'INVALID_TICK', limit: '10', value: '5005', unit: 'BPS' });
  });
});
