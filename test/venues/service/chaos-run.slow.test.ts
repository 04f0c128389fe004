/** Checks that a chaos run detects bots that break their limits on purpose. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyOf } from '../../server/trader.ts';
import { BOUNDS, chaosRun, openChaosHarness } from './chaos-run.ts';
import { Trader } from './harness.ts';

let fixture: Awaited<ReturnType<typeof openChaosHarness>>;

beforeAll(async () => {
  fixture = await openChaosHarness();
});
afterAll(() => fixture.close());

/** Places and cancels an order with the key of a run's bot, without the bot's knowledge. */
async function placeUnrecordedOrder(seed: number): Promise<void> {
  const trader = await Trader.of(fixture.harness, keyOf(fixture.harness.tools, 100_000 + seed));
  const marketId = `00000000-0000-4000-8000-${String(100_000 + seed).padStart(12, '0')}`;
  const id = await trader.place({ marketId, outcome: 'YES', side: 'BUY', priceBps: 1_000, shares: 1 });
  await trader.query('mutation ($id: ID!) { cancelOrder(id: $id) { seq } }', { id });
}

const NONE = { max_position: 'none', max_order: 'none', max_book_age_ms: 'none' } as const;

describe('a chaos run fails', { timeout: 240_000 }, () => {
  it('when a bot exceeds its limits', async () => {
    const bounds = { ...BOUNDS, maxPosition: 5, maxOrder: 3 };
    const { differences } = await chaosRun({ harness: fixture.harness, seed: 500, steps: 60, bounds });
    expect(differences.join()).toMatch(/order \d+ of \d+ shares/);
    expect(differences.join()).toMatch(/may lead to -?\d+ shares/);
  });

  it('when a bot quotes on a book without updates', async () => {
    const books = { silenceMs: 60_000, staleMs: 60_000 };
    const { differences, faults } = await chaosRun({
      harness: fixture.harness,
      seed: 502,
      steps: 40,
      risk: NONE,
      books,
    });
    expect(faults.join()).toMatch(/quotes are open on a book that was not updated/);
    expect(differences.join()).toMatch(/an order was sent on a book of \d{4,} ms/);
  });

  it('when an order reaches the venue that the bot never stored', async () => {
    let isPlaced = false;
    const { differences } = await chaosRun({
      harness: fixture.harness,
      seed: 503,
      steps: 10,
      intercept: {
        event: (event, deliver) => {
          deliver(event);
          if (isPlaced || event.type !== 'orderAccepted') return;
          isPlaced = true;
          void placeUnrecordedOrder(503);
        },
      },
    });
    expect(differences.join()).toMatch(/is at the venue but was never stored/);
  });
});
