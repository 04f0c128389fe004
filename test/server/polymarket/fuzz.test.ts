import { describe, expect, it } from 'vitest';
import { runs } from '../../runs.ts';
import { fuzzPolymarket } from './fuzz.ts';

describe('a malicious client of the Polymarket API', () => {
  it('gets errors without internal details and never a 5xx, and other clients can trade', async () => {
    const tally = await fuzzPolymarket({ seed: 5, requests: runs(2_000), sockets: runs(200) });
    expect(tally.faults).toEqual([]);
    // Checks that the run had both accepted and refused requests.
    expect(tally.placed).toBeGreaterThan(0);
    expect(Object.keys(tally.byStatus)).toEqual(expect.arrayContaining(['200', '400', '401', '404', '413']));
    expect(Object.keys(tally.byClose)).toEqual(expect.arrayContaining(['open', '1008', '1009', 'half frame']));
  });
});
