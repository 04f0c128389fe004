import { describe, expect, it } from 'vitest';
import { logQueue, powerQueue, riskAverseQueue } from '../../../src/venues/sim/index.ts';
import { runFast, runNaive, type Scenario } from './scenario.ts';

const base: Scenario = {
  seed: 1,
  markets: 2,
  messages: 600,
  queue: riskAverseQueue(),
  immutable: false,
  delays: { feed: 50, entry: 80, response: 40 },
};

async function agree(scenario: Scenario): Promise<void> {
  const fast = await runFast(scenario);
  const naive = runNaive(scenario);
  const longer = Math.max(fast.log.length, naive.log.length);
  for (let at = 0; at < longer; at += 1) {
    expect(fast.log[at], `seed ${scenario.seed}, entry ${at}`).toEqual(naive.log[at]);
  }
  expect(fast).toEqual(naive);
}

describe('the simulated venue and its naive twin', () => {
  it('see the same with constant delays', async () => {
    for (let seed = 1; seed <= 20; seed += 1) await agree({ ...base, seed });
  });
  it('see the same without any delay', async () => {
    const delays = { feed: 0, entry: 0, response: 0 };
    for (let seed = 1; seed <= 20; seed += 1) await agree({ ...base, seed, delays });
  });
  it('see the same with a probabilistic queue and immutable liquidity', async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const queue = seed % 2 === 0 ? powerQueue(2) : logQueue();
      await agree({ ...base, seed, queue, immutable: true, delays: { feed: 30, entry: 10, response: 200 } });
    }
  });
});
