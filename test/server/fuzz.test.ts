import { describe, expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';

describe('a malicious client', () => {
  it('gets only specified answers, never a 5xx and no internal details', async () => {
    const tally = await fuzz({ seed: 11, requests: 600 });
    expect(tally.faults).toEqual([]);
    expect(Object.keys(tally.byStatus)).toEqual(['200', '415']);
    // The run would prove nothing if nothing of it got through.
    expect(tally.answered).toBeGreaterThan(50);
    expect(tally.answered).toBeLessThan(600);
  });
});
