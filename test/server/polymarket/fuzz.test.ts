import { describe, expect, it } from 'vitest';
import { runs } from '../../runs.ts';
import { fuzzPolymarket } from './fuzz.ts';

describe('a malicious client of the Polymarket dialect', () => {
  it('gets refusals of the venue, never a 5xx and no internal details, and others trade on', async () => {
    const tally = await fuzzPolymarket({ seed: 5, requests: runs(2_000), sockets: runs(200) });
    expect(tally.faults).toEqual([]);
    // The run would prove nothing if nothing of it got through, or all of it.
    expect(tally.placed).toBeGreaterThan(0);
    expect(Object.keys(tally.byStatus)).toEqual(expect.arrayContaining(['200', '400', '401', '404', '413']));
    expect(Object.keys(tally.byClose)).toEqual(expect.arrayContaining(['open', '1008', '1009', 'half frame']));
  });
});
