import { expect, it } from 'vitest';
import { shareEqual } from '../../../src/dashboard/web/share-equal.ts';

const copy = <Value>(value: Value): Value => structuredClone(value);

it('returns the last state when nothing changed', () => {
  const last = { bots: [{ id: 'a', state: null, markets: [{ slug: 'x', bid: 1 }] }] };
  expect(shareEqual(last, copy(last))).toBe(last);
});

it('reuses rows that did not change, and replaces rows that did', () => {
  const last = {
    rows: [
      { slug: 'x', bid: 1 },
      { slug: 'y', bid: 2 },
    ],
    alerts: [{ id: 1 }],
  };
  const next = {
    rows: [
      { slug: 'x', bid: 1 },
      { slug: 'y', bid: 3 },
    ],
    alerts: [{ id: 1 }],
  };
  const shared = shareEqual(last, copy(next));
  expect(shared).toEqual(next);
  expect(shared.rows[0]).toBe(last.rows[0]);
  expect(shared.rows[1]).not.toBe(last.rows[1]);
  expect(shared.alerts).toBe(last.alerts);
});

it.each([
  ['a shorter list', [1, 2], [1]],
  ['a longer list', [1], [1, 2]],
  ['an empty list', [1], []],
  ['a key more', { a: 1 }, { a: 1, b: undefined }],
  ['a key less', { a: 1, b: 2 }, { a: 1 }],
  ['another key with the same value', { a: undefined }, { b: undefined }],
  ['null in place of an object', { a: {} }, { a: null }],
  ['an object in place of null', { a: null }, { a: {} }],
  ['a list in place of an object', { a: {} }, { a: [] }],
  ['an object in place of a list', { a: [] }, { a: {} }],
])('replaces %s', (_, last, next) => {
  const shared: unknown = shareEqual(last, next);
  expect(shared).toStrictEqual(next);
});
