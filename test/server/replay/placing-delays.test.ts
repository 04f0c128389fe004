import { afterEach, describe, expect, it } from 'vitest';
import { PlacingDelays } from '../../../src/server/replay/placing-delays.ts';
import type { Replays } from '../../../src/server/replay/replays.ts';
import { type EngineHarness, openEngineHarness } from '../engine-harness.ts';
import { marketOf, messageAt, startReplays, tapeOf } from './tapes.ts';

const harnesses: EngineHarness[] = [];
const openReplays: Replays[] = [];
afterEach(async () => {
  for (const replays of openReplays.splice(0)) replays.close();
  for (const harness of harnesses.splice(0)) await harness.close();
});

async function startReplay(speed: number) {
  const harness = openEngineHarness();
  harnesses.push(harness);
  const messages = [
    messageAt(0, 'bid 6000 100', 'delay 5000'),
    messageAt(60_000, 'halt'),
    messageAt(60_100, 'open'),
    messageAt(120_000, 'delay 0'),
    messageAt(900_000, 'bid 6000 1'),
  ];
  const replays = await startReplays(harness, tapeOf(messages), { speed });
  openReplays.push(replays);
  await harness.pass(0);
  const { id } = marketOf(harness);
  return { harness, delays: replays.delays, id };
}

/** Returns a function that returns true once the promise has resolved. */
function trackPromise(passed: Promise<void>): () => boolean {
  let isSettled = false;
  void passed.then(() => {
    isSettled = true;
  });
  return () => isSettled;
}

describe('the order delay of a recording', () => {
  it('delays new orders by its duration divided by the speed', async () => {
    const { harness, delays, id } = await startReplay(60);
    const delay = delays.delayOrders([id]);
    const hasEnded = trackPromise(delay?.passed ?? Promise.reject(new Error('the order is not delayed')));
    await harness.pass(83);
    expect(hasEnded()).toBe(false);
    await harness.pass(1);
    expect([hasEnded(), delay?.isInterrupted(id)]).toEqual([true, false]);
  });

  it('applies to a batch with any delayed market, and to no batch without one', async () => {
    const { delays, id } = await startReplay(1);
    const other = '00000000-0000-4000-8000-0000000000ff' as typeof id;
    expect(delays.delayOrders([other])).toBeUndefined();
    expect(delays.delayOrders([])).toBeUndefined();
    const delay = delays.delayOrders([other, id]);
    expect(delay).toBeDefined();
    void delay?.passed.catch(() => {});
  });

  it('ends at the time at which the recording sets it to zero', async () => {
    const { harness, delays, id } = await startReplay(1);
    await harness.pass(120_000);
    expect(delays.delayOrders([id])).toBeUndefined();
  });

  it('reports that the market was halted while an order waited', async () => {
    const { harness, delays, id } = await startReplay(1);
    await harness.pass(59_000);
    const delay = delays.delayOrders([id]);
    await harness.pass(5_000);
    expect(marketOf(harness).halted).toBe(false);
    expect(delay?.isInterrupted(id)).toBe(true);
    const next = delays.delayOrders([id]);
    expect(next?.isInterrupted(id)).toBe(false);
    void next?.passed.catch(() => {});
  });

  it('rejects all waiting orders when the server closes', async () => {
    const { delays, id } = await startReplay(1);
    const waiting = expect(delays.delayOrders([id])?.passed).rejects.toThrow(/the server is closing/);
    delays.close();
    await waiting;
    await expect(delays.delayOrders([id])?.passed).rejects.toThrow(/the server is closing/);
  });

  it('is zero when no recording is replayed', () => {
    const harness = openEngineHarness();
    harnesses.push(harness);
    const { clock, queue } = harness;
    expect(new PlacingDelays(clock, queue).delayOrders(['x' as never])).toBeUndefined();
  });
});
