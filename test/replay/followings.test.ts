/** Restores of markets that follow tapes, from valid and invalid states. */
import { expect, it } from 'vitest';
import { Fault } from '../../src/domain/index.ts';
import { Harness } from '../exchange/engine/harness.ts';
import { restoredHarness } from './restored.ts';

const TERMS = { tape: 'abc', grid: { type: 'tick', tickBps: 10 }, models: { queue: { model: 'risk-averse' } } };

function followed(): Harness {
  const harness = new Harness();
  harness.account(0, true);
  harness.market();
  harness.market();
  harness.send('followTape', { ...TERMS, market: 1, row: 7, recordedAt: 1000, rows: [] });
  return harness;
}

/** The fault of a restoration. */
function fault(act: () => unknown): Fault {
  try {
    act();
  } catch (cause) {
    if (cause instanceof Fault) return cause;
    throw cause;
  }
  throw new Error('it was restored');
}

it('a market that follows a tape continues at its position after a restore', () => {
  const again = restoredHarness(followed());
  expect(again.view.market(0)?.following).toBeUndefined();
  expect(again.view.market(1)?.following).toEqual({ ...TERMS, account: 1, row: 7, recordedAt: 1000, placeDelay: 0 });
});

it.each([
  ['an unknown market', 'a market', -1, 2],
  ['missing terms', 'a grid', 1, 'null'],
  ['terms that are a string', 'a grid', 1, '"grid models"'],
  ['terms without a grid', 'a grid', 1, '{"models":{}}'],
  ['terms without models', 'a grid', 1, '{"grid":{}}'],
] as const)('%s is refused in a snapshot', (_, what, from, cell) => {
  const { code, message } = fault(() =>
    restoredHarness(followed(), (written) => {
      written[written.indexOf('abc') + from] = cell;
    }),
  );
  expect([code, message]).toEqual(['SNAPSHOT', `${what} in this snapshot is invalid: use an older one`]);
});

it('a program without replay refuses to restore a replayed market', () => {
  const { code, message } = fault(() => restoredHarness(followed(), () => {}, false));
  expect([code, message]).toEqual(['SNAPSHOT', 'market 1 follows a tape, but this program cannot replay tapes']);
});
