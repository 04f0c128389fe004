import { expect, it } from 'vitest';
import { InputFault } from '../../../src/domain/index.ts';
import { checkedColumnLength } from '../../../src/exchange/accounts/columns.ts';
import { homesFor } from '../../../src/exchange/matching/order-slots.ts';

it.each([
  [1, 2],
  [2, 4],
  [7, 8],
])('a column for numbers up to %i has the length %i', (max, length) => {
  expect(checkedColumnLength('holdings', max, 8)).toBe(length);
});

it.each([0, -1, 1.5, 8, Number.NaN])('a capacity of %d is refused, because it is not an integer from 1 to 7', (max) => {
  expect(() => checkedColumnLength('holdings', max, 8)).toThrow(InputFault);
  expect(() => checkedColumnLength('holdings', max, 8)).toThrow(/holdings.*an integer from 1 to 7/);
  expect(() => homesFor(max, 8)).toThrow(/capacity of orders.*an integer from 1 to 7/);
});

it('order tables of 2^13 to 2^15 slots are halved', () => {
  const lengths = [12, 13, 14, 15, 16].map((bits) => homesFor(2 ** bits - 1, 2 ** 20));
  expect(lengths).toEqual([2 ** 12, 2 ** 12, 2 ** 13, 2 ** 14, 2 ** 16]);
});
