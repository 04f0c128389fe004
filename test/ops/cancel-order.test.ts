import { describe, expect, it } from 'vitest';
import { SimClock } from '../../src/clock/index.ts';
import { epochMs, type OrderNo, unchecked } from '../../src/domain/index.ts';
import { cancelOrder } from '../../src/ops/live/cancel-order.ts';

/** One market with the open order 7. */
function fixture() {
  const clock = new SimClock(epochMs(0));
  const orders: { order: OrderNo; phase: string }[] = [{ order: unchecked.order(7), phase: 'live' }];
  const info = { market: unchecked.market(0), slug: 'rain' };
  const setPhase = (phase: string): void => void orders.splice(0, 1, { order: unchecked.order(7), phase });
  const parts = {
    clock,
    state: { markets: [{ info, orders }] },
    run: { submit: () => setPhase('cancelling') },
    venueCommandLine: (command: string) => `npx halfspread ${command} --venue a.yaml`,
  };
  return { clock, orders, setPhase, parts };
}

describe('the cancel of one order', () => {
  it('waits until the venue confirms that the order is no longer open', async () => {
    const { clock, orders, parts } = fixture();
    const answer = cancelOrder(parts, 7);
    clock.runNext();
    orders.pop();
    clock.runNext();
    expect(await answer).toBe('order 7 in rain is no longer open; the venue confirmed it');
    expect(clock.pending).toBe(0);
  });

  it('reports that the venue refused it', async () => {
    const { clock, setPhase, parts } = fixture();
    const answer = cancelOrder(parts, 7);
    setPhase('live');
    clock.runNext();
    expect(await answer).toMatch(/^the venue did not cancel order 7 in rain: `npx halfspread orders --venue a\.yaml`/);
  });

  it('ends after ten seconds without an answer, and reports that nothing is confirmed', async () => {
    const { clock, parts } = fixture();
    const answer = cancelOrder(parts, 7);
    while (clock.now() < 10_000) clock.runNext();
    expect(await answer).toContain('the venue has not confirmed it yet');
  });

  it('is refused for an order that is not open', async () => {
    await expect(cancelOrder(fixture().parts, 8)).rejects.toThrow(/order: expected the number of an open order.*got 8/);
  });
});
