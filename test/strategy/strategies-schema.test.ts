import { describe, expect, it } from 'vitest';
import { paramNumber } from '../../src/strategy/index.ts';

describe('a number of a strategy’s parameters', () => {
  it('is from the parameters of the strategy, or of the wrapped strategy', () => {
    expect(paramNumber({ order_amount: 5 }, 'order_amount')).toBe(5);
    const wrapper = { strategy: 'ladder', params: { order_amount: 7 }, max_position: 9 };
    expect(paramNumber(wrapper, 'order_amount')).toBe(7);
    expect(paramNumber({ ...wrapper, order_amount: 5 }, 'order_amount')).toBe(5);
  });

  it.each([[undefined], [null], ['text'], [{}], [{ params: 5 }], [{ order_amount: 'x' }], [{ order_amount: 0 }]])(
    'is missing in %j',
    (params) => {
      expect(paramNumber(params, 'order_amount')).toBeUndefined();
    },
  );
});
