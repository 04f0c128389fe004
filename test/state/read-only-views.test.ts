import { describe, expect, it } from 'vitest';
import { priceBps, unchecked } from '../../src/domain/index.ts';
import { account, applyMessages, setup } from './world.ts';

const MARKET = unchecked.market(0);
/** Assigns a property without type checks. */
const assign = (target: object, key: string) => () => Object.assign(target, { [key]: 9 });

describe('the views that strategies receive', () => {
  it.each(['info', 'limits', 'book', 'position', 'orders', 'state', 'bookTime', 'mark'])(
    'do not allow assigning the %s of a market',
    (key) => {
      expect(assign(account().market(MARKET), key)).toThrow(TypeError);
    },
  );

  it.each(['markets', 'now', 'cash', 'available', 'exitEquity'])(
    'do not allow assigning the %s of the account',
    (key) => {
      expect(assign(account(), key)).toThrow(TypeError);
    },
  );

  it('do not allow assigning inside the list of markets, a market’s description, grid, limits, state or holdings', () => {
    const state = account();
    const { info, limits, position, state: market } = state.market(MARKET);
    expect(assign(state.markets, '0')).toThrow(TypeError);
    expect(assign(info, 'market')).toThrow(TypeError);
    expect(assign(info.grid, 'tickBps')).toThrow(TypeError);
    expect(assign(limits, 'feeRateBps')).toThrow(TypeError);
    expect(assign(position, 'yes')).toThrow(TypeError);
    applyMessages(state, '1000 | delay 5000');
    expect(assign(market, 'placeDelay')).toThrow(TypeError);
    expect(assign(state.market(MARKET).state, 'placeDelay')).toThrow(TypeError);
  });

  it('protect the prices of a listed grid, and leave the caller’s input unchanged', () => {
    const original = setup();
    const [bids, asks] = [[priceBps(4_000)], [priceBps(6_000)]];
    const listed = { ...original, info: { ...original.info, grid: { type: 'list', bids, asks } as const } };
    const { grid } = account([listed]).market(MARKET).info;
    expect(grid).toEqual({ type: 'list', bids, asks });
    expect(grid.type === 'list' && Object.isFrozen(grid.bids) && Object.isFrozen(grid.asks)).toBe(true);
    expect([listed, listed.info, listed.limits, bids].some(Object.isFrozen)).toBe(false);
  });
});

describe('a resolved market', () => {
  it('stays resolved after any status rows', () => {
    const state = account();
    applyMessages(state, '1000 | resolution 10000\n1001 | status OPEN\n1002 | bid 5000 1');
    expect(state.market(MARKET).state).toMatchObject({ status: 'RESOLVED_YES', acceptingOrders: false });
  });
});
