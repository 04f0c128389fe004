import { expect, it } from 'vitest';
import { RunOutcome } from '../../src/ops/index.ts';

it('a run fails with its first failure, also before the bot is created', async () => {
  const outcome = new RunOutcome();
  outcome.fail(new Error('the watchdog ended'));
  outcome.fail(new Error('the disk is full'));
  expect(await outcome.failed).toEqual(new Error('the watchdog ended'));
});

it('a thrown value that is not an Error becomes one', async () => {
  const outcome = new RunOutcome();
  outcome.fail('out of order');
  expect(await outcome.failed).toEqual(new Error('out of order'));
});

it.each([
  [0, false],
  [2, true],
  [null, true],
])('a run that ended with %s open orders may have open orders: %s', (open, expected) => {
  const outcome = new RunOutcome();
  expect(outcome.mayHaveOpenOrders).toBe(false);
  outcome.setEnd({ open, fault: undefined });
  expect(outcome.mayHaveOpenOrders).toBe(expected);
});
