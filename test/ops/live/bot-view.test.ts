import { expect, it } from 'vitest';
import { liveStatus } from '../../../src/ops/live/bot-view.ts';
import { account, applyMessages, filled } from '../../state/world.ts';

type Deps = Parameters<typeof liveStatus>[0];

it('says in the reason of the mode where flattening sells nothing', () => {
  const state = account();
  applyMessages(state, '1000 | bid 4000 100');
  state.apply(filled({ order: 0, price: 4_000, size: 50, left: 0 }));
  const status = (mode: string, reason: string) => {
    const deps = {
      state,
      gate: { mode, reason, limits: { priceCollarBps: 500 }, feeRefusal: () => undefined },
      limits: { maxFeeBps: 0 },
      changes: { strategyOn: () => undefined },
      counters: { fillCount: 0 },
      killSwitch: { tripped: undefined },
      health: () => ({ mode: 'NORMAL', ages: [] }),
      clock: { now: () => 0 },
      commandLine: (command: string) => command,
      earlierRuns: {},
      strategies: () => [],
      logProblem: () => undefined,
    };
    const input = {
      startedAt: 0,
      pnlAtStart: 0,
      isKillVerified: undefined,
      recovery: undefined,
      signals: { received: 0, refused: 0 },
    };
    return liveStatus(deps as unknown as Deps, input);
  };
  expect(status('REDUCING', 'flatten: over').modeReason).toBe(
    'flatten: over; nothing is sold in market-0: its book has not had a bid and an ask yet, so there is no mark for the price collar',
  );
  expect(status('REDUCING', 'over').modeReason).toBe('over');
  expect(status('PAUSED', 'flatten').modeReason).toBe('flatten');
});
