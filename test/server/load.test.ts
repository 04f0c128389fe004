/** The short form of `npm run soak:load`: after the same work again the venue holds no more than before. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { microUsd } from '../../src/domain/index.ts';
import { openLiveVenue } from './live-venue.ts';
import { Load } from './load.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes that are used when all garbage is gone. */
async function used(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}

const OPERATIONS = 800;
/** What an operation may leave behind. Some 750 while code and caches warm up, then less and less: 50 after ten thousand. */
const MOST_BYTES_EACH = 1_500;

it('a venue under mixed load keeps nothing of what is over: orders, requests, sockets, slow readers', async () => {
  const venue = await openLiveVenue({
    access: { creditCents: 1_000_000_000 },
    exchange: { maxBetPerMarket: microUsd(1_000_000_000_000), maxExposurePerMarket: microUsd(1_000_000_000_000) },
  });
  const { url, pen } = venue;
  const markets = [venue.marketId, await venue.market('Will it grow?')];
  const load = new Load({ ...{ url, pen, markets, seed: 1 }, traders: 3, subscribers: 6 });
  await load.start();
  await load.work(OPERATIONS);
  const before = await used();
  await load.work(2 * OPERATIONS);
  const left = (await used()) - before;
  await load.stop();
  expect(load.faults).toEqual([]);
  for (const what of [
    'placeOrder',
    'cancelOrder',
    'cancelMarketOrders',
    'mergePosition',
    'query',
    'message',
    'closed 1000',
  ]) {
    expect(load.counts[what], what).toBeGreaterThan(0);
  }
  expect(left / (2 * OPERATIONS)).toBeLessThan(MOST_BYTES_EACH);
  await venue.close();
}, 180_000);
