import { describe, expect, it } from 'vitest';
import { findByName, unknownMarketFault } from '../../src/ops/live/market-names.ts';
import { polymarketMarketId } from '../../src/runtime/index.ts';
import { AccountState } from '../../src/state/index.ts';
import { setup, usd } from '../state/world.ts';

it('a market is found by its slug, its id and its condition id', () => {
  const condition = `0x${'AB'.repeat(32)}`;
  const { info, limits } = setup();
  const id = polymarketMarketId(condition.toLowerCase());
  const { markets } = new AccountState({ cash: usd(1), markets: [{ info: { ...info, id }, limits }] });
  const found = ['market-0', id, id.toUpperCase(), condition, 'Market-0'].map(
    (name) => findByName(markets, name)?.info.id,
  );
  expect(found).toEqual([id, id, id, id, undefined]);
});

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
