import { describe, expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';

describe('a malicious client', () => {
  it('receives only specified responses without internal details, and never a 5xx', async () => {
    const tally = await fuzz({ seed: 11, requests: 600 });
    expect(tally.faults).toEqual([]);
    expect(Object.keys(tally.byStatus)).toEqual(['200', '415']);
    // Some requests must succeed, or the run tests only the parser.
    expect(tally.answered).toBeGreaterThan(50);
    expect(tally.answered).toBeLessThan(600);
  });
});
