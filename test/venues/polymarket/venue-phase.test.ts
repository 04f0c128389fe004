import { describe, expect, it } from 'vitest';
import { SimClock } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import { Timers } from '../../../src/venues/base/index.ts';
import type { PolymarketError } from '../../../src/venues/polymarket/rest-client.ts';
import { VenuePhase } from '../../../src/venues/polymarket/venue-phase.ts';

/** Returns the modes of a venue that refuses at these times, with the time of each change, ms. */
function modesAfter(...refusals: readonly (readonly [at: number, kind: PolymarketError['kind'], waitMs?: number])[]) {
  const clock = new SimClock(epochMs(0));
  const modes: string[] = [];
  const phase = new VenuePhase({ clock, timers: new Timers(clock) }, (mode) => modes.push(`${clock.now()} ${mode}`));
  for (const [at, kind, retryAfterMs] of refusals)
    clock.schedule(epochMs(at), () => phase.onRefused({ kind, text: 'refused', retryAfterMs }));
  while (clock.nextTime() < Number.POSITIVE_INFINITY) clock.runNext();
  return modes;
}

describe('a phase of the venue', () => {
  it('ends after the wait that the venue requests', () => {
    expect(modesAfter([10, 'POST_ONLY', 79_000])).toEqual(['10 POST_ONLY', '79010 NORMAL']);
  });

  it('is replaced by a more restrictive phase, such as a restart in a post-only phase', () => {
    expect(modesAfter([10, 'POST_ONLY'], [500, 'RESTARTING'])).toEqual(['10 POST_ONLY', '500 HALTED', '1500 NORMAL']);
  });

  it('ends after the later of two waits when a more restrictive phase replaced another', () => {
    expect(modesAfter([10, 'POST_ONLY', 60_000], [500, 'RESTARTING'])).toEqual([
      '10 POST_ONLY',
      '500 HALTED',
      '60010 NORMAL',
    ]);
    expect(modesAfter([10, 'POST_ONLY', 2_000], [500, 'RESTARTING', 60_000])).toEqual([
      '10 POST_ONLY',
      '500 HALTED',
      '60500 NORMAL',
    ]);
  });

  it('is not replaced by a less restrictive phase, because the refusal may be older', () => {
    expect(modesAfter([10, 'RESTARTING'], [20, 'POST_ONLY', 79_000], [30, 'DISABLED'])).toEqual([
      '10 HALTED',
      '1010 NORMAL',
    ]);
  });
});
