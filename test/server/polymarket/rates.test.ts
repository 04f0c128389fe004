import { expect, it } from 'vitest';
import { SimClock } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import { createPolymarketRates } from '../../../src/server/polymarket/rates.ts';

it('an active signer gets no new burst when 100,000 other signers follow', () => {
  const rates = createPolymarketRates(new SimClock(epochMs(0)), 'Standard');
  const remaining = (address: string): string | undefined =>
    rates.consume(address, 'order', 1)['poly-ratelimit-remaining'];
  expect(remaining('active')).toBe('59');
  for (let signer = 1; signer < 100_000; signer += 1) remaining(`signer ${signer}`);
  expect(remaining('active')).toBe('58');
  expect(remaining('one more')).toBe('59');
  expect(remaining('active')).toBe('57');
  // The signer that was idle for the longest time was dropped.
  expect(remaining('signer 1')).toBe('59');
});
