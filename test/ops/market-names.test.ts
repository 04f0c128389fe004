import { describe, expect, it } from 'vitest';
import { unknownMarketFault } from '../../src/ops/live/market-names.ts';

describe('a market that the bot does not trade', () => {
  it('is answered with the traded markets, the most similar one first', () => {
    expect(unknownMarketFault('will-x', ['rain', 'snow', 'will-y']).message).toBe(
      'market: expected a market of this bot (did you mean "will-y"?): will-y, rain, snow, got "will-x"',
    );
  });

  it('is answered with some of many', () => {
    const { message } = unknownMarketFault(
      'x',
      Array.from({ length: 23 }, (_, at) => `market-${at}`),
    );
    expect(message).toMatch(/: market-0, .*market-19 and 3 more, got "x"$/);
  });
});
