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
const WINDOWS = 5;
/** Windows that are not measured: code is compiled, caches fill. */
const WARMUP = 3;
/**
 * What an operation may leave behind in the middle one of the windows. What is lost with each operation is lost in every window; code
 * and caches fill or empty in one or two of them, by up to four kilobytes an operation, and which ones these are is chance. The middle
 * one has some 500 here, less and less later: 50 after ten thousand operations.
 */
const MAX_BYTES_EACH = 1_000;

it('a venue under mixed load frees the memory of ended orders, requests, sockets and slow readers', async () => {
  const venue = await openLiveVenue({
    access: { creditCents: 1_000_000_000 },
    exchange: { maxBetPerMarket: microUsd(1_000_000_000_000), maxExposurePerMarket: microUsd(1_000_000_000_000) },
  });
  const { url, tools } = venue;
  const markets = [venue.marketId, await venue.market('Will it grow?')];
  const load = new Load({ url, tools, markets, seed: 1, traders: 3, subscribers: 6 });
  await load.start();
  await load.work(WARMUP * OPERATIONS);
  const left: number[] = [];
  let before = await used();
  for (let window = 0; window < WINDOWS; window += 1) {
    await load.work(OPERATIONS);
    const after = await used();
    left.push((after - before) / OPERATIONS);
    before = after;
  }
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
  expect(left.toSorted((a, b) => a - b)[(WINDOWS - 1) / 2], left.join(' ')).toBeLessThan(MAX_BYTES_EACH);
  await venue.close();
}, 180_000);
