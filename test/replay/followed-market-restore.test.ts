/** Restores of markets that follow tapes, from valid and invalid states. */
import { expect, it } from 'vitest';
import { RECORDING_VERSION, STATE_VERSION } from '../../src/exchange/engine/state.ts';
import { eventTexts, Harness } from '../exchange/engine/harness.ts';
import { FollowedMarket, sellPrint, TERMS } from './followed-market.ts';
import { restoredHarness } from './restored-harness.ts';

function followingHarness(): Harness {
  const harness = new Harness();
  harness.unlimitedAccount();
  harness.market();
  harness.market();
  harness.send('followTape', { ...TERMS, market: 1, row: 7, recordedAt: 1000, rows: [] });
  return harness;
}

it('a market that follows a tape continues at its position after a restore', () => {
  const restored = restoredHarness(followingHarness());
  expect(restored.view.market(0)?.following).toBeUndefined();
  expect(restored.view.market(1)?.following).toEqual({ ...TERMS, account: 1, row: 7, recordedAt: 1000, placeDelay: 0 });
});

it.each([
  ['an unknown market', 'a market', -1, 2],
  ['missing terms', 'a grid', 1, 'null'],
  ['terms that are a string', 'a grid', 1, '"grid models"'],
  ['terms without a grid', 'a grid', 1, '{"models":{}}'],
  ['terms without models', 'a grid', 1, '{"grid":{}}'],
] as const)('a snapshot with %s is refused', (_, part, offset, cell) => {
  const restore = () =>
    restoredHarness(followingHarness(), {
      corrupt: (written) => {
        written[written.indexOf('abc') + offset] = cell;
      },
    });
  const message = `${part} in this snapshot is invalid: use an older one`;
  expect(restore).toThrow(expect.objectContaining({ code: 'SNAPSHOT', message }));
});

it('a program without replay refuses to restore a replayed market', () => {
  const message = 'market 1 follows a tape, but this program cannot replay tapes';
  expect(() => restoredHarness(followingHarness(), { canReplay: false })).toThrow(
    expect.objectContaining({ code: 'SNAPSHOT', message }),
  );
});

it('a market that follows a tape is written with its own version and restored unchanged', () => {
  const versionOf = (harness: Harness): number => {
    const numbers: number[] = [];
    harness.exchange.writeState({ number: (value) => numbers.push(value), text: () => {} });
    return numbers[0] ?? 0;
  };
  const plain = new Harness();
  plain.account(1);
  plain.market();
  expect(versionOf(plain)).toBe(STATE_VERSION);
  const harness = FollowedMarket.open();
  harness.buy(1, 'YES', 6000, 20);
  harness.place(1, { price: 6110, size: 120, timeInForce: 'FAK' });
  harness.play(sellPrint(6000, 30));
  expect(versionOf(harness)).toBe(RECORDING_VERSION);
  const restored = restoredHarness(harness);
  expect(restored.hash()).toBe(harness.hash());
  const print = { market: 0, row: 9, recordedAt: 2000, rows: sellPrint(6000, 75) };
  expect(eventTexts(restored.send('playTape', print))).toEqual(eventTexts(harness.send('playTape', print)));
  expect(restored.hash()).toBe(harness.hash());
});
