import { SimClock } from '../../../src/clock/index.ts';
import { epochMs, microUsd } from '../../../src/domain/index.ts';
import { riskAverseQueue } from '../../../src/replay/queue.ts';
import type { VenueSink } from '../../../src/runtime/index.ts';
import { noFees } from '../../../src/venues/sim/fees.ts';
import { PaperVenue } from '../../../src/venues/sim/index.ts';
import { constantLatency } from '../../../src/venues/sim/latency.ts';
import { venueContract } from '../../contract/venue-contract.ts';
import { account, setup, usd } from '../../state/world.ts';
import { LIMITS } from './harness.ts';
import { blockOf, row } from './rows.ts';

venueContract('simulated', async () => {
  const clock = new SimClock(epochMs(1_000));
  const state = account([setup()]);
  let push: VenueSink | undefined;
  const early: string[][] = [];
  const venue = new PaperVenue({
    clock,
    source: {
      start: (to) => {
        push = to;
        for (const texts of early.splice(0)) rows(texts);
        return Promise.resolve({ close: () => Promise.resolve() });
      },
    },
    markets: [{ grid: { type: 'tick', tickBps: 10 } }],
    models: {
      latency: constantLatency({ feed: 0, entry: 10, response: 10 }),
      queue: riskAverseQueue(),
      fees: noFees(),
      liquidity: 'consumed',
      tradesOnly: undefined,
    },
    capital: microUsd(usd(10_000)),
    limits: LIMITS,
  });
  const rows = (texts: readonly string[]): void => {
    clock.advanceTo(clock.now() + 1);
    const block = blockOf(
      clock.now(),
      texts.map((text) => row(text)),
    );
    push?.rows(block, 0, block.count);
  };
  const run = (): Promise<void> => {
    while (clock.pending > 0) clock.runNext();
    return Promise.resolve();
  };
  return {
    venue,
    state,
    now: () => clock.now(),
    show(...levels) {
      const texts = levels.map(([side, price, shares]) => `${side} ${price} ${shares}`);
      if (push === undefined) early.push(texts);
      else rows(texts);
      return run();
    },
    trade(side, price, shares) {
      rows([`${side} ${shares} @ ${price}`]);
      return run();
    },
    async until(condition) {
      await run();
      if (!condition()) throw new Error(`the condition never held: ${condition}`);
    },
    idle: run,
    close: () => Promise.resolve(),
  };
});
