/** A server that loses, doubles, swaps and delays frames and cuts sockets: the books recover. */
import { expect, it } from 'vitest';
import { seededRandom } from '../../../../src/clock/index.ts';
import { readTerms, ServiceDirectory, ServiceMarketData } from '../../../../src/venues/service/market-data/index.ts';
import { afterThisTest } from '../../../cleanup.ts';
import { type RealVenue, realVenue, transportTo, until } from '../real-venue.ts';
import { CoreBooks } from './core-books.ts';

const MARKETS = 3;
const ORDERS = 120;

/** Places random orders and waits until the core's books equal the venue's. */
async function tradeAtRandom(venue: RealVenue, seed: number, silenceMs: number) {
  const ids = await Promise.all(Array.from({ length: MARKETS }, (_, at) => venue.market(`Question ${at}?`)));
  const traders = await Promise.all([venue.trader(1), venue.trader(2)]);
  const transport = transportTo(venue.url, { takeoverMs: 3_000 });
  const terms = await readTerms(transport);
  const core = new CoreBooks();
  const data = new ServiceMarketData({ transport, terms, settings: { silenceMs, graceMs: 300 } });
  afterThisTest.add(() => data.close());
  await data.start(await new ServiceDirectory(transport, terms).select({ ids }), core);
  core.onMessage = (market) => {
    const { topBid, topAsk } = core.book(market);
    if (topBid >= topAsk) core.errors.push(`crossed: ${topBid} and ${topAsk}`);
  };
  const random = seededRandom(seed);
  const open: string[] = [];
  for (let count = 0; count < ORDERS; count += 1) {
    const trader = traders[random.int(2)] ?? traders[0];
    const outcome = random.int(2) === 0 ? 'YES' : 'NO';
    const options = { outcome, price: 4_500 + 10 * random.int(60), size: 1 + random.int(20) } as const;
    const { order } = await trader.place(ids[random.int(MARKETS)] ?? '', options).catch(() => ({ order: undefined }));
    if (order !== undefined) open.push(order.id);
    if (count % 3 === 0) await trader.cancel(open[random.int(open.length)] ?? '').catch(() => undefined);
  }
  const books = await Promise.all(ids.map((id) => venue.book(id)));
  const expected = books.map(({ bids, asks }) => ({
    bids: bids.map(({ priceBps, shares }) => `${priceBps}:${shares}`),
    asks: asks.map(({ priceBps, shares }) => `${priceBps}:${shares}`),
  }));
  const isEqual = () => JSON.stringify(ids.map((_, at) => core.levels(at))) === JSON.stringify(expected);
  await until(() => isEqual() && data.bookStates().every(({ isSynced }) => isSynced), 'equal books');
  expect(core.errors).toEqual([]);
  expect(core.failures).toEqual([]);
  return { core, data };
}

it('the book is correct after lost, doubled, swapped and late frames, and after cut sockets', {
  timeout: 120_000,
}, async () => {
  const socket = { dropped: 0.002, lost: 0.03, duplicated: 0.05, reordered: 0.05, jitter_ms: 3 };
  const venue = await realVenue({ chaos: { seed: 7, socket } });
  const { data } = await tradeAtRandom(venue, 1, 7_000);
  expect(data.bookStates().reduce((sum, { resyncs }) => sum + resyncs, 0)).toBeGreaterThan(0);
});

it('a socket that freezes permanently is replaced when its books were silent for the configured time', {
  timeout: 120_000,
}, async () => {
  const venue = await realVenue({ chaos: { seed: 3, socket: { frozen: 0.01, frozen_ms: 600_000 } } });
  const { core } = await tradeAtRandom(venue, 2, 6_000);
  expect(core.states).toContain('NORMAL DOWN');
  await until(() => core.states.at(-1) === 'NORMAL UP');
  // Each book was halted or had a gap, and is open again.
  const countOf = (status: string) => core.statuses.filter((other) => other === status).length;
  const interruptions = countOf('HALTED') + countOf('gap');
  expect(interruptions).toBeGreaterThan(0);
  await until(() => countOf('OPEN') === countOf('HALTED'), 'as many OPEN as HALTED rows');
});
