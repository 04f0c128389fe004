/** The two WebSocket channels and the statuses of a trade. */
import { AssetType, Side } from '@polymarket/clob-client-v2';
import { describe, expect, it } from 'vitest';
import {
  readPolymarketEvent,
  readPolymarketOrderRecord,
  readPolymarketOwnTrade,
} from '../../../src/protocol/polymarket/index.ts';
import { type Channel, openForTest, type PolymarketHarness, userChannel } from './harness.ts';

/** Builds the levels of a book from the events of the market channel: a snapshot, then changes. */
function bookOf({ events }: Channel, token: string): Readonly<Record<'bids' | 'asks', readonly [number, number][]>> {
  const levels = { BUY: new Map<number, number>(), SELL: new Map<number, number>() };
  for (const json of events) {
    if (json.event_type === 'PONG') continue;
    const event = readPolymarketEvent(json);
    if (event.type === 'book' && event.asset === token) {
      levels.BUY = new Map(event.bids.map(({ price, size }) => [price, size]));
      levels.SELL = new Map(event.asks.map(({ price, size }) => [price, size]));
    }
    if (event.type !== 'price_change') continue;
    for (const { asset, side, price, size } of event.changes) {
      if (asset !== token) continue;
      if (size === 0) levels[side].delete(price);
      else levels[side].set(price, size);
    }
  }
  const sorted = (side: 'BUY' | 'SELL') => [...levels[side]].sort(([a], [b]) => a - b);
  return { bids: sorted('BUY'), asks: sorted('SELL') };
}

async function bookOverRest(harness: PolymarketHarness, token: string): Promise<ReturnType<typeof bookOf>> {
  const book = readPolymarketEvent(await harness.stranger(1).getOrderBook(token));
  if (book.type !== 'book') throw new Error('no book');
  const sorted = (side: typeof book.bids): [number, number][] =>
    side.map(({ price, size }): [number, number] => [price, size]).sort(([a], [b]) => a - b);
  return { bids: sorted(book.bids), asks: sorted(book.asks) };
}

describe('the market channel', () => {
  it('sends books of both tokens that equal those of REST', async () => {
    const harness = await openForTest();
    const { client } = await harness.join(1);
    const channel = await harness.channel('market', {
      type: 'market',
      assets_ids: [harness.yes, harness.no],
      custom_feature_enabled: true,
    });
    await channel.next(({ event_type: type }) => type === 'book');
    const ids: string[] = [];
    for (let step = 0; step < 12; step += 1) {
      const [tokenID, side] = step % 2 === 0 ? [harness.yes, Side.BUY] : [harness.no, Side.BUY];
      const { orderID } = await client.createAndPostOrder({ tokenID, price: 0.3 + step / 100, size: 5 + step, side });
      ids.push(orderID);
    }
    await client.cancelOrders(ids.slice(0, 3));
    const trader = await harness.venue.openTrader(5);
    await trader.place({ outcome: 'NO', priceBps: 6_500, size: 3 });
    const trade = await channel.next(({ event_type: type }) => type === 'last_trade_price');
    expect(readPolymarketEvent(trade)).toMatchObject({
      type: 'last_trade_price',
      asset: harness.no,
      side: 'BUY',
      size: 3_000_000,
    });
    for (const token of [harness.yes, harness.no]) {
      await expect.poll(async () => bookOf(channel, token)).toEqual(await bookOverRest(harness, token));
    }
    const bestPrices = channel.events.findLast(
      (event) => event.event_type === 'best_bid_ask' && event.asset_id === harness.yes,
    );
    expect(bestPrices).toMatchObject({ best_bid: (await client.getPrice(harness.yes, Side.BUY)).price });
  });

  it('sends a new tick size, and nothing after an unsubscribe', async () => {
    const harness = await openForTest();
    const channel = await harness.channel('market', { type: 'market', assets_ids: [harness.yes] });
    await channel.next(({ event_type: type }) => type === 'book');
    await harness.venue.server.operate('change-tick', { market: harness.venue.marketId, tick_bps: 100 });
    const change = await channel.next(({ event_type: type }) => type === 'tick_size_change');
    expect(readPolymarketEvent(change)).toMatchObject({ oldTickBps: 10, newTickBps: 100, asset: harness.yes });
    channel.send({ operation: 'unsubscribe', assets_ids: [harness.yes] });
    channel.send('PING');
    await channel.next(({ event_type: type }) => type === 'PONG');
    const before = channel.events.length;
    const { client } = await harness.join(1);
    await client.createAndPostOrder({ tokenID: harness.yes, price: 0.3, size: 5, side: Side.BUY });
    channel.send('PING');
    await expect.poll(() => channel.events.length).toBe(before + 1);
  });

  it('sends a market once when it opens, not again after a halt, and once when it is cancelled', async () => {
    const harness = await openForTest();
    const { server } = harness.venue;
    const first = { type: 'market', assets_ids: [harness.yes], custom_feature_enabled: true };
    const channel = await harness.channel('market', first);
    await channel.next(({ event_type: type }) => type === 'book');
    const question = 'Will it snow in Bergen on the first day of the year?';
    const terms = { question, rules: 'As recorded.', category: 'tests', resolution_date: '2100-01-01T00:00:00Z' };
    const { id } = Object(await server.operate('create-market', terms));
    const { status } = Object(await server.operate('market', { market: id }));
    if (status !== 'OPEN') await server.operate('open-market', { market: id });
    expect(await channel.next(({ event_type: type }) => type === 'new_market')).toMatchObject({ question });
    await server.operate('halt', { market: id, note: 'check' });
    await server.operate('resume', { market: id });
    await server.operate('void', { market: harness.venue.marketId, note: 'check' });
    await channel.next(({ event_type: type }) => type === 'market_resolved');
    channel.send('PING');
    await channel.next(({ event_type: type }) => type === 'PONG');
    const sent = channel.events.map(({ event_type: type }) => type);
    expect(sent.filter((type) => type === 'new_market' || type === 'market_resolved')).toEqual([
      'new_market',
      'market_resolved',
    ]);
  });

  it('closes a connection that sends an invalid first message', async () => {
    const harness = await openForTest();
    const channel = await harness.channel('market', { assets_ids: 'all' });
    await expect.poll(() => channel.socket.readyState).toBe(channel.socket.CLOSED);
    const user = await harness.channel('user', { type: 'user', auth: { apiKey: 'x', secret: 'y', passphrase: 'z' } });
    await expect.poll(() => user.socket.readyState).toBe(user.socket.CLOSED);
    // The right length in characters, but not in bytes.
    const auth = { apiKey: 'x', secret: 'é'.repeat(44), passphrase: 'é'.repeat(64) };
    const foreign = await harness.channel('user', { type: 'user', auth });
    await expect.poll(() => foreign.socket.readyState).toBe(foreign.socket.CLOSED);
  });
});

describe('the user channel', () => {
  it('sends the states of an order and of its trade, from match to confirmation, to both sides', async () => {
    const harness = await openForTest();
    const [maker, taker] = [await harness.join(1), await harness.join(2)];
    const [makerChannel, takerChannel] = [await userChannel(harness, maker), await userChannel(harness, taker)];
    const resting = await maker.client.createAndPostOrder({
      tokenID: harness.no,
      price: 0.47,
      size: 10,
      side: Side.BUY,
    });
    const placed = await makerChannel.next(({ type }) => type === 'PLACEMENT');
    expect(readPolymarketOrderRecord(placed)).toMatchObject({ id: resting.orderID, status: 'LIVE', matched: 0 });
    await taker.client.createAndPostOrder({ tokenID: harness.yes, price: 0.53, size: 4, side: Side.BUY });
    const update = await makerChannel.next(({ type }) => type === 'UPDATE');
    expect(readPolymarketOrderRecord(update)).toMatchObject({ id: resting.orderID, matched: 4_000_000 });
    await makerChannel.next(({ status }) => status === 'CONFIRMED');
    await takerChannel.next(({ status }) => status === 'CONFIRMED');
    for (const channel of [makerChannel, takerChannel]) {
      const trades = channel.events.filter(({ event_type: type }) => type === 'trade').map(readPolymarketOwnTrade);
      expect(trades.map(({ status }) => status)).toEqual(['MATCHED', 'MINED', 'CONFIRMED']);
      // The maker's part of the trade is in the other outcome of the market.
      expect(trades[0]).toMatchObject({
        asset: harness.yes,
        price: 5_300,
        role: channel === makerChannel ? 'MAKER' : 'TAKER',
        makers: [{ order: resting.orderID, owner: maker.creds.key, asset: harness.no, price: 4_700, size: 4_000_000 }],
      });
    }
    await maker.client.cancelAll();
    const canceled = await makerChannel.next(({ type }) => type === 'CANCELLATION');
    expect(readPolymarketOrderRecord(canceled)).toMatchObject({ status: 'CANCELED', matched: 4_000_000 });
  });

  it('refuses a sale of shares that are not confirmed yet', async () => {
    const harness = await openForTest({ polymarket: { minedMs: 300, confirmedMs: 300 } });
    const [maker, taker] = [await harness.join(1), await harness.join(2)];
    const channel = await userChannel(harness, taker);
    await maker.client.createAndPostOrder({ tokenID: harness.no, price: 0.47, size: 10, side: Side.BUY });
    await harness.venue.server.operate('polymarket-fault', { fault: 'retry', times: 1 });
    await taker.client.createAndPostOrder({ tokenID: harness.yes, price: 0.53, size: 10, side: Side.BUY });
    const sell = { tokenID: harness.yes, price: 0.6, size: 10, side: Side.SELL };
    await expect(taker.client.createAndPostOrder(sell)).rejects.toThrow('not enough balance');
    await channel.next(({ status }) => status === 'CONFIRMED');
    const statuses = channel.events.filter(({ event_type: type }) => type === 'trade').map(({ status }) => status);
    expect(statuses).toEqual(['MATCHED', 'RETRYING', 'MINED', 'CONFIRMED']);
    expect(await taker.client.createAndPostOrder(sell)).toMatchObject({ status: 'live' });
  });

  it('sends a failed trade, after which both sides have their old balances and can trade', async () => {
    const harness = await openForTest();
    const [maker, taker] = [await harness.join(1), await harness.join(2)];
    const [makerChannel, takerChannel] = [await userChannel(harness, maker), await userChannel(harness, taker)];
    const cash = { asset_type: AssetType.COLLATERAL };
    const before = [await maker.client.getBalanceAllowance(cash), await taker.client.getBalanceAllowance(cash)];
    const resting = await maker.client.createAndPostOrder({
      tokenID: harness.no,
      price: 0.47,
      size: 10,
      side: Side.BUY,
    });
    await harness.venue.server.operate('polymarket-fault', { fault: 'fail', times: 1 });
    await taker.client.createAndPostOrder({ tokenID: harness.yes, price: 0.53, size: 4, side: Side.BUY });
    for (const channel of [makerChannel, takerChannel]) {
      await channel.next(({ status }) => status === 'FAILED');
      const trades = channel.events.filter(({ event_type: type }) => type === 'trade').map(readPolymarketOwnTrade);
      expect(trades.map(({ status }) => status)).toEqual(['MATCHED', 'RETRYING', 'FAILED']);
    }
    const reduced = await makerChannel.next(({ type, size_matched }) => type === 'UPDATE' && size_matched === '0');
    expect(reduced).toMatchObject({ id: resting.orderID, status: 'LIVE', associate_trades: [], original_size: '6' });
    expect(await maker.client.getTrades()).toMatchObject([{ status: 'FAILED', size: '4' }]);
    expect([await maker.client.getBalanceAllowance(cash), await taker.client.getBalanceAllowance(cash)]).toEqual(
      before,
    );
    await taker.client.createAndPostOrder({ tokenID: harness.yes, price: 0.53, size: 6, side: Side.BUY });
    await takerChannel.next(({ status }) => status === 'CONFIRMED');
  });

  it('mines a trade that should fail when its market has ended meanwhile', async () => {
    const harness = await openForTest({ polymarket: { minedMs: 500 } });
    const [maker, taker] = [await harness.join(1), await harness.join(2)];
    const channel = await userChannel(harness, taker);
    await maker.client.createAndPostOrder({ tokenID: harness.no, price: 0.47, size: 10, side: Side.BUY });
    await harness.venue.server.operate('polymarket-fault', { fault: 'fail', times: 1 });
    await taker.client.createAndPostOrder({ tokenID: harness.yes, price: 0.53, size: 4, side: Side.BUY });
    await harness.venue.server.operate('void', { market: harness.venue.marketId });
    await channel.next(({ status }) => status === 'CONFIRMED');
    const statuses = channel.events.filter(({ event_type: type }) => type === 'trade').map(({ status }) => status);
    expect(statuses).toEqual(['MATCHED', 'RETRYING', 'MINED', 'CONFIRMED']);
  });

  it('closes the connections of a revoked key, and keeps those of another key of the address', async () => {
    const harness = await openForTest();
    const revoked = await harness.join(1);
    const other = { ...revoked, creds: await harness.stranger(1).createApiKey(1) };
    const [ended, kept] = [await userChannel(harness, revoked), await userChannel(harness, other)];
    await revoked.client.deleteApiKey();
    await expect.poll(() => ended.socket.readyState).toBe(ended.socket.CLOSED);
    expect(kept.socket.readyState).toBe(kept.socket.OPEN);
  });

  it('sends only events of the requested markets', async () => {
    const harness = await openForTest();
    const { client, creds } = await harness.join(1);
    const auth = { apiKey: creds.key, secret: creds.secret, passphrase: creds.passphrase };
    const channel = await harness.channel('user', { type: 'user', auth, markets: [`0x${'ab'.repeat(32)}`] });
    channel.send('PING');
    await channel.next(({ event_type: type }) => type === 'PONG');
    await client.createAndPostOrder({ tokenID: harness.yes, price: 0.3, size: 5, side: Side.BUY });
    channel.send('PING');
    await expect.poll(() => channel.events.length).toBe(2);
    expect(channel.events.map(({ event_type: type }) => type)).toEqual(['PONG', 'PONG']);
  });

  it('sends nothing after an unsubscribe of the last market', async () => {
    const harness = await openForTest();
    const { client, creds } = await harness.join(1);
    const auth = { apiKey: creds.key, secret: creds.secret, passphrase: creds.passphrase };
    const markets = [harness.condition];
    const channel = await harness.channel('user', { type: 'user', auth, markets });
    const placeOrder = () => client.createAndPostOrder({ tokenID: harness.yes, price: 0.3, size: 5, side: Side.BUY });
    await placeOrder();
    await channel.next(({ event_type: type }) => type === 'order');
    channel.send({ operation: 'unsubscribe', markets });
    channel.send('PING');
    await channel.next(({ event_type: type }) => type === 'PONG');
    await placeOrder();
    channel.send('PING');
    await expect.poll(() => channel.events.length).toBe(3);
    expect(channel.events.map(({ event_type: type }) => type)).toEqual(['order', 'PONG', 'PONG']);
  });
});
