/** Bots that break their limits on purpose: if a chaos run did not notice, it would prove nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyOf } from '../../server/trader.ts';
import { BOUNDS, chaosRun, openChaosHarness } from './chaos-run.ts';
import { Trader } from './harness.ts';

let harness: Awaited<ReturnType<typeof openChaosHarness>>;

beforeAll(async () => {
  harness = await openChaosHarness();
});
afterAll(() => harness.close());

/** With the key of a run's bot, past the bot; gone at once. */
async function strayOrder(seed: number): Promise<void> {
  const me = await Trader.of(harness.harness, keyOf(harness.harness.tools, 100_000 + seed));
  const marketId = `00000000-0000-4000-8000-${String(100_000 + seed).padStart(12, '0')}`;
  const id = await me.place({ marketId, outcome: 'YES', side: 'BUY', priceBps: 1_000, shares: 1 });
  await me.ask('mutation ($id: ID!) { cancelOrder(id: $id) { seq } }', { id });
}

const NONE = { max_position: 'none', max_order: 'none', max_book_age_ms: 'none' } as const;

describe('a chaos run fails', { timeout: 240_000 }, () => {
  it('when a bot exceeds its limits', async () => {
    const bounds = { ...BOUNDS, maxPosition: 5, maxOrder: 3 };
    const { differences } = await chaosRun({ harness: harness.harness, seed: 500, steps: 60, bounds });
    expect(differences.join()).toMatch(/order \d+ of \d+ shares/);
    expect(differences.join()).toMatch(/may lead to -?\d+ shares/);
  });

  it('when a bot trusts a book that is silent', async () => {
    const books = { silenceMs: 60_000, staleMs: 60_000 };
    const { differences, faults } = await chaosRun({
      harness: harness.harness,
      seed: 502,
      steps: 40,
      risk: NONE,
      books,
    });
    expect(faults.join()).toMatch(/quotes stand on a book that was not updated/);
    expect(differences.join()).toMatch(/an order was sent on a book of \d{4,} ms/);
  });

  it('when an order reaches the venue that the bot never stored', async () => {
    let isDone = false;
    const { differences } = await chaosRun({
      harness: harness.harness,
      seed: 503,
      steps: 10,
      bend: {
        // Somebody with the bot's own key, past it.
        tell: (event, tell) => {
          tell(event);
          if (isDone || event.type !== 'orderAccepted') return;
          isDone = true;
          void strayOrder(503);
        },
      },
    });
    expect(differences.join()).toMatch(/came to the venue and was never stored/);
  });
});
