import { expect, it } from 'vitest';
import { returnOnUse } from '../../src/backtest/index.ts';

const capital = {
  meanInUseMicros: 200_000_000,
  returnPerDollarDay: 0.6,
  sharpe: { value: 1, count: 30, of: 'market' },
} as const;
const from = '2026-11-24T10:00:00.000Z';
const day = { from, to: '2026-11-25T10:00:00.000Z' };

it('a run shorter than a day shows its plain return on the capital in use', () => {
  const tape = { from, to: '2026-11-24T12:00:00.000Z' };
  expect(returnOnUse(10_000_000, capital, tape)).toEqual({ rate: 0.05, per: '' });
});

it('a run of a day or longer shows a rate per day', () => {
  expect(returnOnUse(10_000_000, capital, day)).toEqual({ rate: 0.6, per: ' a day' });
});

it('a run with too few returns for a Sharpe ratio shows no rate per day', () => {
  expect(returnOnUse(10_000_000, { ...capital, sharpe: undefined }, day)).toEqual({ rate: 0.05, per: '' });
});

it('a run that used no capital shows no return', () => {
  const unused = { meanInUseMicros: 0, returnPerDollarDay: undefined, sharpe: undefined };
  expect(returnOnUse(0, unused, { from, to: from })).toBeUndefined();
});
