import { describe, expect, it } from 'vitest';
import { studyFixture } from './study-fixture.ts';

describe('a study', () => {
  it.each<[string, object, object, string]>([
    ['an empty space', { parameters: {} }, {}, 'parameters'],
    [
      'an impossible range',
      { parameters: { 'params.bid_spread': { low: 5, high: 1 } } },
      {},
      'parameters.params.bid_spread.low: expected less than high',
    ],
    [
      'a condition on a stranger',
      { parameters: { 'params.bid_spread': { low: 1, high: 5, when: { x: [1] } } } },
      {},
      'parameters.params.bid_spread.when',
    ],
    [
      'a key that the strategy does not know',
      { parameters: { 'params.bid_spred': { low: 1, high: 5 } } },
      {},
      'did you mean "bid_spread"?',
    ],
    [
      'a figure that there is not',
      { objectives: [{ maximise: 'profit' }] },
      {},
      'objectives[0].maximise: expected a number',
    ],
    ['a backtest that is not there', { backtest: 'none.yaml' }, {}, 'there is no such file'],
    ['a tape that is not there', {}, { tapes: ['none.tape'] }, 'none.tape'],
  ])('refuses %s before the first trial', async (_, sections, backtest, words) => {
    const fixture = studyFixture(1);
    fixture.write(sections, backtest);
    await expect((async () => fixture.run())()).rejects.toThrow(words);
  });
});
