import { describe, expect, it } from 'vitest';
import glft from '../../../strategies/glft/strategy.ts';
import { contextOf } from '../../strategy/context.ts';
import { book, bookAround, moveMid } from '../maker-quotes.ts';

const EXAMPLE = { gamma: 0.01, kappa: 179.29, intensity: 0.148277, order_amount: 100, max_position: 5_000 };
const startStrategy = (params: object = {}) => glft.create(glft.params.parse({ ...EXAMPLE, ...params }), contextOf());

describe('glft', () => {
  const quotes = (params: object, yes = 500) => {
    const handlers = startStrategy(params);
    moveMid(handlers, 6_000);
    return book(handlers, 150.001, { ...bookAround(6_000), yes });
  };

  it('quotes 5930 / 6060, and 5930 / 6070 with factors 1.2 and .5', () => {
    expect(quotes({})).toEqual(['bid 5930 x 100', 'ask 6060 x 100']);
    expect(quotes({ adj_spread: 1.2, adj_skew: 0.5 })).toEqual(['bid 5930 x 100', 'ask 6070 x 100']);
  });

  it('quotes no wider than max_half_spread_bps', () => {
    expect(quotes({ kappa: 8 }, 0)).toEqual(['bid 5000 x 100', 'ask 7000 x 100']);
    expect(quotes({ kappa: 8, max_half_spread_bps: 200 }, 0)).toEqual(['bid 5800 x 100', 'ask 6200 x 100']);
  });

  it('quotes nothing without a finite half-spread or a measured fill rate', () => {
    expect(quotes({ intensity: Number.MIN_VALUE }, 0)).toEqual([]);
    expect(quotes({ intensity: 'measured' }, 0)).toEqual([]);
  });

  it.each([
    ['no gamma', { gamma: undefined }],
    ['a kappa_max below kappa_min', { kappa_min: 50, kappa_max: 40 }],
    ['a window of 29 steps', { volatility_step: 5, volatility_window: 145 }],
  ])('refuses %s', (_, params) => {
    expect(() => startStrategy(params)).toThrow();
  });
});
