import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unchecked } from '../../src/domain/index.ts';
import { type AccountSnapshot, AccountState, encodeState } from '../../src/state/index.ts';
import { type Action, ActionRunner, anyAction, journalled, MARKETS } from './any-action.ts';
import { about, account, applyMessages, place, setup, shares, usd } from './world.ts';

/** Restores a state from its stored form. */
function restoreState(state: AccountState): AccountState {
  const snapshot: AccountSnapshot = JSON.parse(JSON.stringify(state.snapshot()));
  return AccountState.restore(snapshot);
}

/** Full books of both markets. */
const FRESH = `9000 | @0 clear | @0 bid 4000 10 | @0 ask 6000 10
               9001 | @1 clear | @1 bid 3000 10 | @1 ask 3500 10`;

function cutAnywhere(tail: fc.Arbitrary<Action>, check: (head: readonly Action[], tail: readonly Action[]) => void) {
  const heads = fc.array(anyAction, { maxLength: 50 });
  fc.assert(fc.property(heads, fc.array(tail, { maxLength: 30 }), check), { numRuns: 400 });
}

describe('a restored account', () => {
  it('continues with events and commands as without a restore, after any prefix', () => {
    cutAnywhere(journalled, (head, tail) => {
      const actions = new ActionRunner();
      const never = account(MARKETS);
      for (const action of head) actions.apply(action, [never]);
      const copy = restoreState(never);
      for (const action of tail) actions.apply(action, [never, copy]);
      expect(copy.snapshot()).toEqual(never.snapshot());
      expect(copy.exitEquity).toBe(never.exitEquity);
      expect([copy.available, copy.openOrderCount]).toEqual([never.available, never.openOrderCount]);
    });
  });

  it('continues with market data as without a restore, after full books', () => {
    cutAnywhere(anyAction, (head, tail) => {
      const actions = new ActionRunner();
      const never = account(MARKETS);
      for (const action of head) actions.apply(action, [never]);
      const copy = restoreState(never);
      for (const state of [never, copy]) applyMessages(state, FRESH);
      for (const action of tail) actions.apply(action, [never, copy]);
      expect([...encodeState(copy)]).toEqual([...encodeState(never)]);
      expect(copy.contributed).toBe(never.contributed);
    });
  });

  it('has no book, and the last value of its holdings until the next book', () => {
    const state = account();
    applyMessages(state, '1000 | bid 4000 10 | ask 6000 10');
    state.apply({ type: 'holdingAdjusted', ...holding(100, 30) });
    const copy = restoreState(state);
    const { book, bookTime, mark } = copy.market(unchecked.market(0));
    expect([book.bestBid(), bookTime, mark]).toEqual([undefined, undefined, 10_000]);
    expect(copy.exitEquity).toBe(usd(1_040));
    applyMessages(copy, '2000 | bid 4500 10 | ask 6000 10');
    expect(copy.exitEquity).toBe(usd(1_045));
  });

  it('has the instances of the last orders and the used numbers', () => {
    const state = account();
    for (let order = 1; order <= 5_000; order += 1) {
      state.applyCommand(place({ order, bot: order % 7 }), about(1).time);
      if (order > 1) state.apply({ type: 'orderClosed', ...about(order), reason: 'USER' });
    }
    const copy = restoreState(state);
    const instanceOf = (order: number) => copy.findInstance(unchecked.order(order));
    expect([1, 2, 903, 1_000, 5_000, 5_001].map(instanceOf)).toEqual([1, undefined, undefined, 6, 2, undefined]);
    expect(() => copy.applyCommand(place({ order: 5_000 }), about(1).time)).toThrow('order number 5000 was used twice');
  });

  it('has the instance of an old open order also after its end, for the handlers of its last event', () => {
    const state = account([setup(0), setup(1)]);
    const old = [1, 2, 70_000];
    for (const order of old) state.applyCommand(place({ order, bot: 3, market: order % 2 }), about(1).time);
    state.applyCommand(place({ order: 80_000 }), about(1).time);
    const copy = restoreState(state);
    for (const order of old) copy.apply({ type: 'orderClosed', ...about(order, 2_000, order % 2), reason: 'USER' });
    expect([...old, 80_000, 3].map((order) => copy.findInstance(unchecked.order(order)))).toEqual([
      3,
      3,
      3,
      0,
      undefined,
    ]);
  });

  it('has the instances of the last orders when the oldest open order is a million orders older', () => {
    const state = account();
    const [old, ended, open] = [5, 1_310_620, 1_310_770];
    for (const order of [old, ended, open]) state.applyCommand(place({ order, bot: 3 }), about(1).time);
    state.apply({ type: 'orderClosed', ...about(ended), reason: 'USER' });
    const copy = restoreState(state);
    expect([old, ended, open].map((order) => copy.findInstance(unchecked.order(order)))).toEqual([3, 3, 3]);
  });

  it('is refused when the snapshot contradicts itself', () => {
    const state = account();
    state.apply({ type: 'holdingAdjusted', ...holding(100, 30) });
    const snapshot = state.snapshot();
    const { money } = snapshot;
    const richer = { ...money, ledger: { ...money.ledger, cash: usd(5_000) } };
    expect(() => AccountState.restore({ ...snapshot, money: richer })).toThrow('the ledger sums to');
  });
});

describe('order numbers of millions of orders', () => {
  it('are stored for a million orders and never reused', () => {
    const state = account();
    const at = about(1).time;
    for (const order of [1, 70_000, 1_200_000, 5_000_000]) state.applyCommand(place({ order }), at);
    state.apply({ type: 'orderClosed', ...about(70_000), reason: 'USER' });
    const bots = [1, 70_000, 1_200_000, 5_000_000].map((order) => state.findInstance(unchecked.order(order)));
    expect(bots).toEqual([0, undefined, 0, 0]);
    expect(() => state.applyCommand(place({ order: 70_000 }), at)).toThrow('used twice');
    expect(() => state.applyCommand(place({ order: 3 }), at)).toThrow('used twice');
  });
});

function holding(yes: number, cost: number) {
  const { time, venueTime, market } = about(1);
  return { time, venueTime, market, yes: shares(yes), no: shares(0), yesCost: usd(cost), noCost: usd(0) };
}
