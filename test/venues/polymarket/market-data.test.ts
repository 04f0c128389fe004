/** Market data on the embedded venue: books, trades, states, and faults of the stream. */
import { OrderType, Side } from '@polymarket/clob-client-v2';
import { expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { durationMs, unchecked } from '../../../src/domain/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { openPolymarket, type PolymarketHarness } from '../../server/polymarket/harness.ts';
import { ownRecord } from '../service/market-data/own-order.ts';
import { type MarketDataHarness, marketDataHarness } from './market-data-harness.ts';

const MARKET = unchecked.market(0);
const ROUNDS = 80;
const SOON = { timeout: 30_000 };

async function openVenue(options: Parameters<typeof openPolymarket>[0] = {}): Promise<PolymarketHarness> {
  const harness = await openPolymarket(options);
  afterThisTest.add(() => harness.venue.close());
  return harness;
}

/** The exchange's own book in YES terms, best first. @param own sizes of own orders by side and price, in shares */
async function exchangeBook({ url, yes }: PolymarketHarness, own = new Map<string, number>()) {
  const book = await (await fetch(`${url}/book?token_id=${yes}`)).json();
  const side = (name: 'bids' | 'asks') =>
    [...book[name]]
      .reverse()
      .map(({ price, size }: { price: string; size: string }) => {
        const bps = Math.round(Number(price) * 10_000);
        return [bps, Math.round((Number(size) - (own.get(`${name} ${bps}`) ?? 0)) * 100) / 100] as const;
      })
      .filter(([, size]) => size > 0)
      .map(([bps, size]) => `${bps}:${size}`);
  return { bids: side('bids'), asks: side('asks') };
}

function isSynced({ data }: MarketDataHarness): boolean {
  return data.bookStates().every((age) => age.isSynced);
}

it('the book equals that of the exchange after random trading in both tokens', async () => {
  const venue = await openVenue();
  const harness = marketDataHarness(venue.url);
  const traders = await Promise.all([1, 2, 3].map((no) => venue.join(no)));
  await traders[0]!.client.createAndPostOrder({ tokenID: venue.yes, price: 0.4, size: 50, side: Side.BUY });
  const [selected] = await harness.start({ ids: [venue.condition] });
  expect(selected?.info).toMatchObject({ venue: 'polymarket', grid: { type: 'tick', tickBps: 10 } });
  expect(harness.core.levels(0)).toEqual({ bids: ['4000:50'], asks: [] });
  const random = seededRandom(7);
  const ids: { readonly trader: number; readonly id: string }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const trader = random.int(3);
    const { client } = traders[trader]!;
    const cancelled = random.int(4) === 0 ? ids.splice(random.int(ids.length + 1), 1)[0] : undefined;
    if (cancelled !== undefined) {
      await traders[cancelled.trader]!.client.cancelOrder({ orderID: cancelled.id });
      continue;
    }
    const tokenID = random.int(2) === 0 ? venue.yes : venue.no;
    const order = {
      tokenID,
      price: (400 + random.int(200)) / 1_000,
      size: 5 + random.int(2_000) / 100,
      side: Side.BUY,
    };
    const { orderID } = await client.createAndPostOrder(order, undefined, OrderType.GTC).catch(() => ({ orderID: '' }));
    if (orderID !== '') ids.push({ trader, id: orderID });
  }
  await expect.poll(async () => harness.core.levels(0, 500)).toEqual(await exchangeBook(venue));
  expect(harness.core.prints.length).toBeGreaterThan(3);
  expect(harness.data.bookStates()).toMatchObject([{ isSynced: true, resyncs: 0 }]);
  expect(harness.core.statuses).toEqual([]);
  expect(harness.core.errors).toEqual([]);
});

it('own orders are removed from the book, and own trades are identified by their terms', async () => {
  const venue = await openVenue();
  const harness = marketDataHarness(venue.url);
  const [us, other] = [await venue.join(1), await venue.join(2)];
  await other.client.createAndPostOrder({ tokenID: venue.yes, price: 0.45, size: 20, side: Side.BUY });
  await harness.start({ ids: [venue.condition] });
  const { orders, ownPrints } = harness.data;
  const record = ownRecord({ side: 'bid', price: 4_500, shares: 10_000_000, hash: '0x01' });
  const order = orders.add(record);
  orders.addPending(order);
  const sentAt = Date.now();
  await us.client.createAndPostOrder({ tokenID: venue.yes, price: 0.45, size: 10, side: Side.BUY });
  orders.setRemaining(order, sentAt * 1_000 + 1, unchecked.shares(10_000_000));
  orders.publishWithoutOwnOrders();
  await expect.poll(() => harness.data.bookStates()[0]?.seq ?? 0).toBeGreaterThan(sentAt * 1_000 + 1);
  expect(harness.core.levels(0)).toEqual({ bids: ['4500:20'], asks: [] });
  // The other 20 shares are first. The taker sells 24, so 4 own shares fill.
  const taker = await venue.venue.openTrader(5);
  await taker.place({ outcome: 'NO', priceBps: 5_500, size: 24 });
  ownPrints.add(MARKET, {
    outcome: 'YES',
    side: 'BUY',
    price: unchecked.price(4_500),
    shares: unchecked.shares(4_000_000),
    liquidity: 'maker',
  });
  orders.setRemaining(order, Date.now() * 1_000, unchecked.shares(6_000_000));
  orders.publishWithoutOwnOrders();
  await expect.poll(() => harness.core.ownPrints.length).toBe(1);
  expect(harness.core.ownPrints).toEqual([{ market: 0, taker: 'SELL', price: 4_500, shares: 4 }]);
  // The other print could also be an own one, so it is delayed.
  await expect.poll(() => harness.core.prints).toEqual([{ market: 0, taker: 'SELL', price: 4_500, shares: 20 }]);
  await expect.poll(() => harness.core.levels(0)).toEqual({ bids: [], asks: [] });
  expect(await exchangeBook(venue, new Map([['bids 4500', 6]]))).toEqual({ bids: [], asks: [] });
});

it('doubled frames do not change the book, and REST replaces the book when the stream is silent', async () => {
  const venue = await openVenue();
  const { client } = await venue.join(1);
  await client.createAndPostOrder({ tokenID: venue.yes, price: 0.4, size: 50, side: Side.BUY });
  const harness = marketDataHarness(venue.url, { silenceMs: 300, staleMs: 5_000 });
  await harness.start({ ids: [venue.condition] });
  await venue.venue.server.operate('polymarket-fault', { fault: 'double', for_ms: 60_000 });
  await client.createAndPostOrder({ tokenID: venue.yes, price: 0.41, size: 50, side: Side.BUY });
  await expect.poll(() => harness.core.levels(0).bids).toEqual(['4100:50', '4000:50']);
  expect(harness.data.bookStates()).toMatchObject([{ resyncs: 0 }]);
  // REST confirms the book while nothing happens.
  await expect.poll(() => harness.core.messages.filter((text) => text === 'bid 4100=50').length).toBeGreaterThan(1);
  await venue.venue.server.operate('polymarket-fault', { fault: 'silence', for_ms: 3_000 });
  await client.createAndPostOrder({ tokenID: venue.yes, price: 0.42, size: 50, side: Side.BUY });
  await expect.poll(() => harness.core.statuses, SOON).toContain('gap');
  await expect.poll(() => isSynced(harness), SOON).toBe(true);
  expect(harness.core.levels(0)).toEqual(await exchangeBook(venue));
  await expect.poll(() => harness.core.states.at(-1), SOON).toBe('NORMAL UP');
});

it('a market whose tick changes fails, and the others continue', async () => {
  const venue = await openVenue();
  await venue.venue.market('Another?');
  const harness = marketDataHarness(venue.url);
  await harness.start({ filter: {} });
  expect(harness.data.bookStates()).toHaveLength(2);
  await venue.venue.server.operate('change-tick', { market: venue.venue.marketId, tick_bps: 100 });
  await expect.poll(() => harness.core.failures.map(({ code }) => code)).toEqual(['TICK_CHANGED']);
  expect(harness.data.bookStates()).toHaveLength(1);
  const rows = harness.core.messages.length;
  await venue.venue.server.operate('close-early', { market: venue.venue.marketId });
  await harness.data.refresh();
  expect(harness.core.messages.length).toBe(rows);
});

it('a market fails when its tick changes, even to the steps that the configuration has for it', async () => {
  const venue = await openVenue();
  const harness = marketDataHarness(venue.url);
  const selected = await harness.select({ ids: [venue.condition] });
  const steps = Array.from({ length: 99 }, (_, at) => unchecked.price(100 * (at + 1)));
  const markets = selected.map((setup) => {
    const info = { ...setup.info, grid: { type: 'list', bids: steps, asks: steps } as const };
    return { ...setup, info };
  });
  await harness.data.start(markets, harness.core);
  await venue.venue.server.operate('change-tick', { market: venue.venue.marketId, tick_bps: 100 });
  await expect.poll(() => harness.core.failures.map(({ code }) => code)).toEqual(['TICK_CHANGED']);
});

it('a market resolves when CLOB and stream name the same winner', async () => {
  const venue = await openVenue({ exchange: { disputeWindow: durationMs(0) } });
  const harness = marketDataHarness(venue.url);
  await harness.start({ ids: [venue.condition] });
  const { server, marketId: market } = venue.venue;
  await server.operate('close-early', { market });
  await harness.data.refresh();
  expect(harness.core.statuses).toEqual(['HALTED']);
  for (const model of ['one', 'two']) await server.operate('vote', { market, model, vote: 'YES' });
  await expect.poll(() => harness.core.statuses.at(-1), SOON).toBe('resolution 10000');
});

it('the offset of the venue’s clock is known with an error of at least half a second, and a new mode is reported', async () => {
  const venue = await openVenue();
  const harness = marketDataHarness(venue.url);
  await harness.start({ ids: [venue.condition] });
  const { offset } = harness.data;
  expect(offset.errorMs).toBeGreaterThanOrEqual(500);
  expect(Math.abs(offset.offsetMs)).toBeLessThanOrEqual(offset.errorMs);
  harness.data.setMode('HALTED');
  expect(harness.data.mode).toBe('HALTED');
  harness.data.setMode('NORMAL');
  expect(harness.core.states.slice(-2)).toEqual(['HALTED UP', 'NORMAL UP']);
});
