import { afterEach, describe, expect, it } from 'vitest';
import { PlacingDelays } from '../../../src/server/replay/placing-delays.ts';
import type { Replays } from '../../../src/server/replay/replays.ts';
import { type EngineHarness, openEngineHarness } from '../engine-harness.ts';
import { at, marketOf, replayed, tapeOf } from './tapes.ts';

const harnesses: EngineHarness[] = [];
const all: Replays[] = [];
afterEach(async () => {
  for (const replays of all.splice(0)) replays.close();
  for (const harness of harnesses.splice(0)) await harness.close();
});

async function playing(speed: number) {
  const harness = openEngineHarness();
  harnesses.push(harness);
  const messages = [
    at(0, 'bid 6000 100', 'delay 5000'),
    at(60_000, 'halt'),
    at(60_100, 'open'),
    at(120_000, 'delay 0'),
    at(900_000, 'bid 6000 1'),
  ];
  const replays = await replayed(harness, tapeOf(messages), { speed });
  all.push(replays);
  await harness.pass(0);
  const { id } = marketOf(harness);
  return { harness, delays: replays.delays, id };
}

/** Whether it has come so far. */
function settled(passed: Promise<void>): () => boolean {
  let isSettled = false;
  void passed.then(() => {
    isSettled = true;
  });
  return () => isSettled;
}

describe('the placing delay of a tape', () => {
  it('delays new orders by its duration divided by the speed', async () => {
    const { harness, delays, id } = await playing(60);
    const held = delays.delayOrders([id]);
    const isOver = settled(held?.passed ?? Promise.reject(new Error('nothing is held')));
    await harness.pass(83);
    expect(isOver()).toBe(false);
    await harness.pass(1);
    expect([isOver(), held?.isInterrupted(id)]).toEqual([true, false]);
  });

  it('is the longest of the markets of a batch and zero for markets without a tape', async () => {
    const { delays, id } = await playing(1);
    const other = '00000000-0000-4000-8000-0000000000ff' as typeof id;
    expect(delays.delayOrders([other])).toBeUndefined();
    expect(delays.delayOrders([])).toBeUndefined();
    const held = delays.delayOrders([other, id]);
    expect(held).toBeDefined();
    void held?.passed.catch(() => {});
  });

  it('ends when the tape says so', async () => {
    const { harness, delays, id } = await playing(1);
    await harness.pass(120_000);
    expect(delays.delayOrders([id])).toBeUndefined();
  });

  it('reports that the market was halted while an order waited', async () => {
    const { harness, delays, id } = await playing(1);
    await harness.pass(59_000);
    const held = delays.delayOrders([id]);
    await harness.pass(5_000);
    expect(marketOf(harness).halted).toBe(false);
    expect(held?.isInterrupted(id)).toBe(true);
    const next = delays.delayOrders([id]);
    expect(next?.isInterrupted(id)).toBe(false);
    void next?.passed.catch(() => {});
  });

  it('ends all waits when the server closes', async () => {
    const { delays, id } = await playing(1);
    const waiting = expect(delays.delayOrders([id])?.passed).rejects.toThrow(/the server is closing/);
    delays.close();
    await waiting;
    await expect(delays.delayOrders([id])?.passed).rejects.toThrow(/the server is closing/);
  });

  it('is skipped when no tape is played', () => {
    const harness = openEngineHarness();
    harnesses.push(harness);
    const { clock, queue } = harness;
    expect(new PlacingDelays(clock, queue).delayOrders(['x' as never])).toBeUndefined();
  });
});
