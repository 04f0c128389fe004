import { expect, it } from 'vitest';
import type { RunnerChange } from '../../../src/history/betfair/message.ts';
import { RunnerBook } from '../../../src/history/betfair/runner-book.ts';

it('a second change of a level in one message replaces the first', () => {
  const book = new RunnerBook(1, 'YES');
  const changes: Pick<RunnerChange, 'bdatb'>[] = [{ bdatb: [[0, 200, 100]] }, { bdatb: [[0, 201, 50]] }];
  book.apply(book.stage(changes as RunnerChange[]), () => {});
  expect([...book.levels('atb')]).toEqual([[201, 50]]);
});
