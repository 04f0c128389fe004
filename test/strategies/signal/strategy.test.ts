import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signalParams } from '../../../strategies/signal/params.ts';
import { signalQuotes } from '../../../strategies/signal/strategy.ts';
import { scratchFolder } from '../../history/scratch.ts';
import { runMatch } from '../recorded-match.ts';

const PARAMS = {
  signal: 'match',
  signal_sd: 0.2,
  bankroll_usd: 2_000,
  kappa: 100,
  order_amount: 20,
  max_position: 300,
};

/** One hour of the recorded match, with a signal each minute. @param probability undefined for no signals */
async function run(probability: number | undefined, params: object = {}) {
  const file = join(scratchFolder(), 'signals.jsonl');
  const start = Date.parse('2022-07-11T12:00:00Z');
  const lines = Array.from({ length: 120 }, (_, minute) =>
    JSON.stringify({
      time: new Date(start + minute * 60_000).toISOString(),
      name: 'match.p',
      value: probability ?? 0.5,
    }),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
  const logged: string[] = [];
  const fields = {
    strategy: 'signal',
    params: { ...PARAMS, horizon: 3_600, signal_max_age: 120, max_disagreement: 100, ...params },
    to: '2022-07-11T13:00:00Z',
    ...(probability !== undefined && { signals: file }),
  };
  const result = await runMatch(fields, { onLog: ({ text }) => logged.push(text) });
  return { result, logged };
}

describe('signal on the recorded match', () => {
  it('buys YES on a high probability and NO on a low one, up to the Kelly position', async () => {
    const [high, low, none] = await Promise.all([run(0.97), run(0.03), run(undefined)]);
    expect(high.result.fills.count).toBeGreaterThan(0);
    expect(low.result.fills.count).toBeGreaterThan(0);
    expect(high.result.maxInventoryShares).toBeLessThanOrEqual(300_000_000);
    expect(high.result.eventLogHash).not.toBe(low.result.eventLogHash);
    expect(none.result.maxInventoryShares).toBeLessThan(high.result.maxInventoryShares);
  });

  it('warns when the signal is too old or too far from the mid', async () => {
    const { logged } = await run(0.97, { max_disagreement: 0.5 });
    expect(logged.filter((message) => message.includes('max_disagreement')).length).toBeGreaterThan(0);
    const late = await run(0.6, { signal_max_age: 10 });
    expect(late.logged.some((message) => message.includes('older than signal_max_age'))).toBe(true);
  });

  it('requires a horizon if no resolution is scheduled', async () => {
    await expect(run(0.5, { horizon: undefined })).rejects.toThrow('params.horizon: expected seconds');
  });
});

describe('quotes of signal', () => {
  it('never cross, stay within 0 and 1, and limit the position to Kelly and max_position', () => {
    const params = signalParams.parse(PARAMS);
    const inputs = fc.record({
      fair: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      variance: fc.double({ min: 1e-6, max: 0.05, noNaN: true }),
      held: fc.integer({ min: -300, max: 300 }),
    });
    fc.assert(
      fc.property(inputs, ({ fair, variance, held }) => {
        const quotes = signalQuotes(params, { fair, variance, held });
        const [bid, ask] = ['bid', 'ask'].map((side) => quotes.find((quote) => quote.side === side));
        if (bid !== undefined && ask !== undefined) expect(bid.price).toBeLessThan(ask.price);
        for (const { price, shares } of quotes) {
          expect(price).toBeGreaterThan(0);
          expect(price).toBeLessThan(10_000);
          expect(shares).toBeGreaterThanOrEqual(0);
          expect(shares).toBeLessThanOrEqual(20_000_000);
        }
        const after = held + (bid?.shares ?? 0) / 1e6;
        const kelly =
          (500 * (fair - (bid?.price ?? 0) / 10_000)) /
          (((bid?.price ?? 1) / 10_000) * (1 - (bid?.price ?? 1) / 10_000));
        if (bid !== undefined && bid.shares > 0)
          expect(after).toBeLessThanOrEqual(Math.min(300, Math.max(0, kelly)) + 1e-6);
      }),
    );
  });
});
