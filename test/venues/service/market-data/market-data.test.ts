import { expect, it } from 'vitest';
import { OrderLifecycle, unchecked } from '../../../../src/domain/index.ts';
import type { Log, Selection } from '../../../../src/venues/base/index.ts';
import { readTerms, ServiceDirectory } from '../../../../src/venues/service/market-data/index.ts';
import type { MarketDataSettings } from '../../../../src/venues/service/market-data/market-data.ts';
import { FaultyProxy } from '../faulty-proxy.ts';
import { SILENT } from '../harness.ts';
import { openMarketData, type RealVenue, realVenue, transportTo, until } from '../real-venue.ts';
import { CoreBooks } from './core-books.ts';
import { ownRecord } from './own-order.ts';

async function startMarketData(
  venue: RealVenue,
  selection: Selection,
  settings: Partial<MarketDataSettings> = {},
  log: Log = SILENT,
) {
  const transport = transportTo(venue.url, {}, log);
  const terms = await readTerms(transport);
  const markets = await new ServiceDirectory(transport, terms).select(selection);
  const core = new CoreBooks();
  const data = openMarketData({ transport, terms, settings });
  await data.start(markets, core);
  return { transport, terms, markets, core, data };
}

it('a book, its changes and prints arrive as rows, with prints before levels', async () => {
  const venue = await realVenue();
  const id = await venue.market('Will it rain?');
  const [maker, taker] = [await venue.trader(1), await venue.trader(2)];
  await maker.place(id, { price: 4_800, size: 100 });
  await maker.place(id, { outcome: 'NO', price: 4_800, size: 50 });
  const { core, data } = await startMarketData(venue, { ids: [id] });
  expect(core.levels(0)).toEqual({ bids: ['4800:100'], asks: ['5200:50'] });
  expect(core.messages).toEqual(['clear bid 4800=100 ask 5200=50']);
  expect(core.states).toEqual(['NORMAL UP']);

  await taker.place(id, { price: 5_200, size: 20 });
  await until(() => core.prints.length === 1 && core.levels(0).asks[0] === '5200:30');
  expect(core.prints).toEqual([{ market: 0, taker: 'BUY', price: 5_200, shares: 20 }]);
  expect(core.messages.slice(1).join(', ')).toBe('trade 5200x20 ask 5200=30');
  expect(data.bookStates()).toMatchObject([{ market: 0, isSynced: true, resyncs: 0 }]);
  expect(core.errors).toEqual([]);
});

it('own orders are removed from the book, whichever stream is ahead', async () => {
  const venue = await realVenue();
  const id = await venue.market('Will it snow?');
  const [us, other] = [await venue.trader(1), await venue.trader(2)];
  await other.place(id, { price: 4_800, size: 100 });
  await other.place(id, { outcome: 'NO', price: 4_800, size: 100 });
  const { core, data } = await startMarketData(venue, { ids: [id] });
  const shown: string[] = [];
  core.onMessage = () => void shown.push(`${core.book(0).topBid}/${core.book(0).topAsk}`);

  const bid = us.ready(id, { price: 4_900, size: 40 });
  const ours = data.orders.add(ownRecord({ hash: bid.hash, side: 'bid', price: 4_900, shares: 40e6 }));
  data.orders.addPending(ours);
  const { order } = await bid.send();
  // The book has arrived before the own-order stream.
  const seqOf = () => data.bookStates()[0]?.seq ?? 0;
  await until(() => seqOf() >= Number(order.seq));
  expect(core.levels(0).bids).toEqual(['4800:100']);
  data.orders.setRemaining(ours, Number(order.seq), unchecked.shares(40e6));
  data.orders.publishWithoutOwnOrders();
  expect(core.levels(0).bids).toEqual(['4800:100']);

  // The shares of others at our level are visible.
  await other.place(id, { price: 4_900, size: 7 });
  await until(() => core.levels(0).bids[0] === '4900:7');

  // Our order is cancelled; the book may be ahead of the own-order stream.
  data.orders.markLeaving(ours);
  await us.cancel(bid.hash);
  const { seq } = await venue.book(id);
  await until(() => seqOf() >= Number(seq));
  expect(core.levels(0).bids).toEqual(['4900:7', '4800:100']);
  data.orders.setRemaining(ours, Number(seq), unchecked.shares(0));
  data.orders.publishWithoutOwnOrders();
  expect(core.levels(0).bids).toEqual(['4900:7', '4800:100']);
  expect(new Set(shown)).toEqual(new Set(['4900/5200']));
});

it('an own order that was open before its market was followed is removed from the book', async () => {
  const venue = await realVenue();
  const id = await venue.market('Will it stand?');
  const [us, other] = [await venue.trader(1), await venue.trader(2)];
  await other.place(id, { price: 4_800, size: 100 });
  const ours = us.ready(id, { price: 4_900, size: 40 });
  await ours.send();
  const transport = transportTo(venue.url);
  const terms = await readTerms(transport);
  const data = openMarketData({ transport, terms });
  const core = new CoreBooks();
  const record = ownRecord({ hash: ours.hash, side: 'bid', price: 4_900, shares: 40e6 });
  const order = data.orders.add(record, new OrderLifecycle(unchecked.shares(40e6), 'live'));
  await data.start(await new ServiceDirectory(transport, terms).select({ ids: [id] }), core);
  expect(core.levels(0).bids).toEqual(['4800:100']);
  data.orders.markLeaving(order);
  await us.cancel(ours.hash);
  const { seq } = await venue.book(id);
  await until(() => (data.bookStates()[0]?.seq ?? 0) >= Number(seq));
  data.orders.setRemaining(order, Number(seq), unchecked.shares(0));
  data.orders.publishWithoutOwnOrders();
  expect(core.levels(0).bids).toEqual(['4800:100']);
});

it('a trade in which we are the taker is not a print', async () => {
  const venue = await realVenue();
  const id = await venue.market('Will it hail?');
  const [us, other] = [await venue.trader(1), await venue.trader(2)];
  await other.place(id, { price: 4_800, size: 100 });
  const { core, data } = await startMarketData(venue, { ids: [id] });
  const sell = us.ready(id, { outcome: 'NO', price: 5_200, size: 10 });
  const ours = data.orders.add(ownRecord({ hash: sell.hash, side: 'ask', price: 4_800, shares: 10e6 }));
  data.orders.addPending(ours);
  const { fills, order } = await sell.send();
  for (const { tradeId } of fills) data.orders.recordTrade({ tradeId, liquidity: 'taker' });
  data.orders.setRemaining(ours, Number(order.seq), unchecked.shares(0));
  data.orders.publishWithoutOwnOrders();
  data.orders.advanceTo(Number(order.seq));
  await other.place(id, { outcome: 'NO', price: 5_200, size: 5 }).catch(() => undefined);
  await until(() => core.levels(0).bids[0] === '4800:90' || core.levels(0).bids[0] === '4800:85');
  expect(core.prints.filter(({ shares }) => shares === 10)).toEqual([]);
});

it('halts, modes, limits and final states are delivered', async () => {
  const venue = await realVenue();
  const id = await venue.market('Will it thunder?');
  const maker = await venue.trader(1);
  await maker.place(id, { price: 4_800, size: 100 });
  const { core, data, terms } = await startMarketData(venue, { ids: [id] });
  expect(terms).toMatchObject({ minBet: 100_000, maxBet: 1e12, maxPlaces: 20, maxClockSkew: 30_000 });
  await venue.operate('halt', { market: id });
  await until(() => core.statuses.at(-1) === 'HALTED' && core.book(0).topBid === 0);
  await venue.operate('resume', { market: id });
  await until(() => core.statuses.at(-1) === 'OPEN');
  await venue.operate('mode', { mode: 'CANCEL_ONLY' });
  await until(() => core.states.at(-1) === 'CANCEL_ONLY UP');
  expect(data.mode).toBe('CANCEL_ONLY');
  await until(() => core.statuses.at(-1) === 'HALTED');
  await venue.operate('mode', { mode: 'NORMAL' });
  await until(() => core.states.at(-1) === 'NORMAL UP' && core.statuses.at(-1) === 'OPEN');
  await venue.operate('configure', { max_bet_per_market: 5_000_000 });
  await until(() => core.limits.at(-1)?.limits.maxBet === 5_000_000);
  await venue.operate('void', { market: id });
  await until(() => core.statuses.at(-1) === 'resolution 65535');
  expect(core.errors).toEqual([]);
});

it('markets can be added and removed, and a market whose tick changes fails', async () => {
  const venue = await realVenue();
  const [first, second] = [await venue.market('First?'), await venue.market('Second?')];
  const maker = await venue.trader(1);
  const { transport, terms, core, data } = await startMarketData(venue, { ids: [first] });
  const [other] = await new ServiceDirectory(transport, terms).select(
    { ids: [second] },
    { first: unchecked.market(1) },
  );
  if (other === undefined) throw new Error('the venue has no market');
  await data.add(other);
  await maker.place(second, { price: 4_800, size: 5 });
  await until(() => core.levels(1).bids[0] === '4800:5');
  data.remove(unchecked.market(1));
  await maker.place(second, { price: 4_900, size: 5 });
  await maker.place(first, { price: 4_900, size: 5 });
  await until(() => core.levels(0).bids[0] === '4900:5');
  expect(core.levels(1).bids).toEqual(['4800:5']);

  await venue.operate('change-tick', { market: first, tick_bps: 50 });
  await venue.operate('notice', { message: 'ticks' });
  await until(() => core.failures.length === 1);
  expect(core.failures[0]).toMatchObject({
    code: 'TICK_CHANGED',
    message: expect.stringContaining('the tick of first is 50 bps now'),
  });
});

it('a book whose socket is lost is a gap until the next socket delivers it', async () => {
  const venue = await realVenue();
  const id = await venue.market('Will it clear up?');
  const maker = await venue.trader(1);
  await maker.place(id, { price: 4_800, size: 100 });
  const proxy = await FaultyProxy.open(venue.url);
  const { core } = await startMarketData({ ...venue, url: proxy.url }, { ids: [id] });
  const before = core.reported.length;
  proxy.cutSockets();
  await until(() => core.states.length === 3 && core.reported.length > before + 3);
  expect(core.reported.slice(before, before + 3)).toEqual(['venue NORMAL DOWN', 'gap', 'venue NORMAL UP']);
  expect(core.reported[before + 3]).toMatch(/clear bid 4800=100$/);
  expect(core.levels(0).bids).toEqual(['4800:100']);
  await proxy.close();
});

it('refused reconnections are logged as one error with its remedy, and a later attempt connects', async () => {
  const venue = await realVenue();
  const id = await venue.market('Will it hail?');
  const proxy = await FaultyProxy.open(venue.url);
  const logged: unknown[] = [];
  const log = { ...SILENT, error: (fields: object, text: string) => void logged.push([text, fields]) };
  const { core } = await startMarketData({ ...venue, url: proxy.url }, { ids: [id] }, {}, log);
  proxy.refusals = [403, 403, 403, 403];
  proxy.cutSockets();
  await until(() => proxy.refusals.length === 0 && core.states.at(-1) === 'NORMAL UP');
  expect(core.states).toContain('NORMAL DOWN');
  expect(logged).toEqual([
    [
      'venue: the connection is lost, and a new one was refused. Check ws_url, headers, and whether this address may trade there',
      { problem: expect.stringContaining('the server refused it with HTTP 403'), suppressed: 0 },
    ],
  ]);
  await proxy.close();
});

it('an error of the sink ends market data and is reported once', async () => {
  const venue = await realVenue();
  const id = await venue.market('Will it break?');
  const maker = await venue.trader(1);
  const { core } = await startMarketData(venue, { ids: [id] });
  core.onMessage = () => {
    throw new Error('broken');
  };
  await maker.place(id, { price: 4_800, size: 5 });
  await until(() => core.errors.length > 0);
  await maker.place(id, { price: 4_800, size: 5 });
  expect(core.errors.map(String)).toEqual(['Error: broken']);
});

it('a start without a reachable venue fails with an error that names the markets', async () => {
  const venue = await realVenue();
  const id = await venue.market('Will it start?');
  const transport = transportTo(venue.url, { retries: 0, timeoutMs: 500 });
  const terms = await readTerms(transport);
  const markets = await new ServiceDirectory(transport, terms).select({ ids: [id] });
  await venue.close();
  const data = openMarketData({ transport, terms });
  await expect(data.start(markets, new CoreBooks(), 300)).rejects.toMatchObject({
    code: 'LINK',
    message: expect.stringContaining('the books of will-it-start did not arrive in time'),
  });
});
