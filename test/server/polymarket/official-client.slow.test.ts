/** Calls every method of Polymarket's own client. Each works, or fails with the venue's error. */
import { ClobClient, OrderType, Side } from '@polymarket/clob-client-v2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { computeBookHash } from '../../../src/protocol/polymarket/index.ts';
import { sha1 } from '../../../src/server/polymarket/markets.ts';
import { type Fixture, INTERNAL, REFUSED, STATE_CHANGING, WORKING } from './client-methods.ts';
import { type Client, openPolymarket, type PolymarketHarness } from './harness.ts';

let harness: PolymarketHarness;
let maker: Client;
let taker: Client;
let orderId: string;

beforeAll(async () => {
  harness = await openPolymarket();
  maker = await harness.join(1);
  taker = await harness.join(2);
  await harness.venue.server.operate('polymarket-convert', {
    address: maker.address,
    action: 'split',
    market: harness.venue.marketId,
    shares: 100,
  });
  const sell = await maker.client.createOrder({ tokenID: harness.yes, price: 0.55, size: 20, side: Side.SELL });
  await maker.client.postOrder(sell, OrderType.GTC);
  const buy = await maker.client.createOrder({ tokenID: harness.yes, price: 0.5, size: 20, side: Side.BUY });
  orderId = (await maker.client.postOrder(buy, OrderType.GTC)).orderID;
}, 60_000);

afterAll(() => harness.venue.close());

function fixture(): Fixture {
  return { harness, maker, orderId };
}

describe('the official client of Polymarket', () => {
  it('has only methods that a table of this test lists', () => {
    const methods = Object.getOwnPropertyNames(ClobClient.prototype).filter((name) => !name.startsWith('_'));
    const known = [...[...WORKING, ...REFUSED].map(([name]) => name), ...STATE_CHANGING, ...INTERNAL];
    expect(methods.filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each(WORKING)('can call %s', async (_, call, expected) => {
    const result = typeof expected === 'function' ? expected(fixture()) : expected;
    const answer = await call(maker.client, fixture());
    if (typeof result === 'object' && result !== null) expect(answer).toMatchObject(result);
    else expect(answer).toEqual(result);
  });

  it.each(REFUSED)("gets the venue's error from %s", async (_, call, error) => {
    await expect(call(maker.client, fixture())).rejects.toThrow(String(error));
  });

  it('creates one API key for a nonce and deletes it', async () => {
    const client = harness.stranger(3);
    const creds = await client.createApiKey(7);
    expect(creds.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(await client.createApiKey(7)).toMatchObject({ key: undefined });
    expect(await client.deriveApiKey(7)).toEqual(creds);
    const signed = new ClobClient({ host: harness.url, chain: 137, signer: client.signer!, creds });
    expect(await signed.deleteApiKey()).toBe('OK');
    expect(await signed.getApiKeys()).toMatchObject({ status: 401, error: 'Unauthorized/Invalid api key' });
    expect(await client.deriveApiKey(7)).toMatchObject({ key: undefined });
  });

  it('receives a book with a valid hash', async () => {
    const book = await maker.client.getOrderBook(harness.yes);
    expect(book.hash).toBe(computeBookHash(book, sha1));
    // The client hashes the keys in the order of the object and with an empty hash.
    expect(await maker.client.getOrderBookHash({ ...book, hash: '' })).toBe(book.hash);
  });

  it('places, matches and reads GTC, GTD, FOK and FAK orders', async () => {
    const { client } = taker;
    const fak = await client.createAndPostMarketOrder(
      { tokenID: harness.yes, amount: 1.1, side: Side.BUY },
      undefined,
      OrderType.FAK,
    );
    expect(fak).toMatchObject({ success: true, status: 'matched', makingAmount: '1.1', takingAmount: '2' });
    expect(fak.transactionsHashes).toHaveLength(1);
    await expect(
      client.createAndPostMarketOrder(
        { tokenID: harness.yes, amount: 5_500, side: Side.BUY, price: 0.55 },
        undefined,
        OrderType.FOK,
      ),
    ).rejects.toThrow("couldn't be fully filled");
    await expect(
      client.createAndPostMarketOrder(
        { tokenID: harness.yes, amount: 5, side: Side.BUY, price: 0.5 },
        undefined,
        OrderType.FAK,
      ),
    ).rejects.toThrow('no orders found to match');
    const later = Math.floor(Date.now() / 1_000) + 600;
    const gtd = await client.createAndPostOrder(
      { tokenID: harness.no, price: 0.3, size: 10, side: Side.BUY, expiration: later },
      undefined,
      OrderType.GTD,
    );
    expect(gtd).toMatchObject({ success: true, status: 'live' });
    expect(await client.getOrder(gtd.orderID)).toMatchObject({
      order_type: 'GTD',
      expiration: String(later),
      outcome: 'No',
    });
    const trades = await client.getTrades();
    expect(trades).toMatchObject([
      { trader_side: 'TAKER', size: '2', price: '0.55', side: 'BUY', taker_order_id: fak.orderID },
    ]);
    expect(await maker.client.getTrades()).toMatchObject([{ id: trades[0]?.id, trader_side: 'MAKER' }]);
    expect(trades[0]?.maker_orders).toMatchObject([{ matched_amount: '2', price: '0.55', side: 'SELL' }]);
  });

  it('receives an error for a crossing post-only order and for a duplicate order', async () => {
    const { client } = taker;
    const order = await client.createOrder({ tokenID: harness.yes, price: 0.6, size: 5, side: Side.BUY });
    await expect(client.postOrder(order, OrderType.GTC, true)).rejects.toThrow('order crosses book');
    const resting = await client.createOrder({ tokenID: harness.yes, price: 0.2, size: 5, side: Side.BUY });
    const placed = await client.postOrder(resting, OrderType.GTC, true);
    await expect(client.postOrder(resting, OrderType.GTC, true)).rejects.toThrow(
      `order ${placed.orderID} is invalid. Duplicated.`,
    );
  });

  it('places a batch in which each order has its own result', async () => {
    const { client } = taker;
    const orderOf = async (price: number, size: number) => ({
      order: await client.createOrder({ tokenID: harness.yes, price, size, side: Side.BUY }),
      orderType: OrderType.GTC,
    });
    const answers = await client.postOrders([
      await orderOf(0.1, 10),
      await orderOf(0.1, 5_000_000),
      await orderOf(0.11, 10),
    ]);
    expect(answers).toMatchObject([
      { success: true, status: 'live' },
      { orderID: '', errorMsg: expect.stringContaining('not enough balance') },
      { success: true, status: 'live' },
    ]);
    await expect(
      client.postOrders(await Promise.all(Array.from({ length: 16 }, () => orderOf(0.1, 10)))),
    ).rejects.toThrow('Too many orders');
  });

  it('cancels one order, several, those of a token, and all', async () => {
    const { client } = taker;
    const place = async (tokenID: string) =>
      (await client.createAndPostOrder({ tokenID, price: 0.12, size: 10, side: Side.BUY })).orderID;
    const [one, two, three, four] = [
      await place(harness.yes),
      await place(harness.yes),
      await place(harness.yes),
      await place(harness.no),
    ];
    expect(await client.cancelOrder({ orderID: one })).toEqual({ canceled: [one], not_canceled: {} });
    expect(await client.cancelOrders([two, one])).toMatchObject({
      canceled: [two],
      not_canceled: { [one]: expect.stringContaining('already canceled') },
    });
    expect(await client.cancelOrder({ orderID: `0x${'12'.repeat(32)}` })).toMatchObject({ canceled: [] });
    expect((await client.cancelMarketOrders({ market: harness.condition, asset_id: harness.yes })).canceled).toContain(
      three,
    );
    expect((await client.cancelAll()).canceled).toContain(four);
    expect(await client.getOpenOrders()).toEqual([]);
  });

  it('sends heartbeats, whose errors contain the expected id', async () => {
    const { client } = taker;
    const first = await client.postHeartbeat();
    const second = await client.postHeartbeat(first.heartbeat_id);
    expect(second.heartbeat_id).not.toBe(first.heartbeat_id);
    await expect(client.postHeartbeat('wrong')).rejects.toMatchObject({ data: { heartbeat_id: second.heartbeat_id } });
  });

  it('signs orders of version 3, which this version of the venue refuses', async () => {
    const order = await taker.client.createExchangeV3OrderFromAmounts({
      tokenID: harness.yes,
      makerAmount: '2500000',
      takerAmount: '10000000',
      side: Side.BUY,
    });
    await expect(taker.client.postOrder(order)).rejects.toThrow('order_version_mismatch');
  });
});
