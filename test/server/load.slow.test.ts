/** The short form of `npm run soak:load`: repeated work does not increase the venue's memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { microUsd } from '../../src/domain/index.ts';
import { openLiveVenue } from './live-venue.ts';
import { Load } from './load.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes in use after garbage collection. */
async function usedBytes(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}

const OPERATIONS = 800;
const WINDOWS = 5;
/** Windows before the measurement, in which code is compiled and caches fill. */
const WARMUP = 3;
/**
 * Allowed growth per operation in the median window. A leak shows in every window, but code and caches change in one or
 * two windows, by up to 4 kB per operation. Typical is 500 here and 50 after ten thousand operations.
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
  const growth: number[] = [];
  let before = await usedBytes();
  for (let window = 0; window < WINDOWS; window += 1) {
    await load.work(OPERATIONS);
    const after = await usedBytes();
    growth.push((after - before) / OPERATIONS);
    before = after;
  }
  await load.stop();
  expect(load.faults).toEqual([]);
  for (const name of [
    'placeOrder',
    'cancelOrder',
    'cancelMarketOrders',
    'mergePosition',
    'query',
    'message',
    'closed 1000',
  ]) {
    expect(load.counts[name], name).toBeGreaterThan(0);
  }
  expect(growth.toSorted((a, b) => a - b)[(WINDOWS - 1) / 2], growth.join(' ')).toBeLessThan(MAX_BYTES_EACH);
  await venue.close();
}, 180_000);
