import { expect, it } from 'vitest';
import { InputFault } from '../../../src/domain/index.ts';
import { homesFor, lengthFor } from '../../../src/exchange/matching/lengths.ts';

it.each([
  [1, 2],
  [2, 4],
  [7, 8],
])('numbers up to %i have a table of %i', (highest, length) => {
  expect(lengthFor('holdings', highest, 8)).toBe(length);
});

it.each([0, -1, 1.5, 8, Number.NaN])('%d is no highest number below 8, and is told what is', (highest) => {
  expect(() => lengthFor('holdings', highest, 8)).toThrow(InputFault);
  expect(() => lengthFor('holdings', highest, 8)).toThrow(/holdings.*an integer from 1 to 7/);
  expect(() => homesFor(highest, 8)).toThrow(/capacity of orders.*an integer from 1 to 7/);
});

it('tables of 2^13 to 2^15 homes are half as long', () => {
  const lengths = [12, 13, 14, 15, 16].map((bits) => homesFor(2 ** bits - 1, 2 ** 20));
  expect(lengths).toEqual([2 ** 12, 2 ** 12, 2 ** 13, 2 ** 14, 2 ** 16]);
});
