import { describe, expect, it } from 'vitest';
import { epochMs, type InputEvent, type OrderCommand, unchecked } from '../../src/domain/index.ts';
import type { AccountState } from '../../src/state/index.ts';
import { about, account, filled, place, setup, shares, usd } from './world.ts';

const MARKET = unchecked.market(0);
const NOW = epochMs(1_000);

/** Commands and events of order 1 by the names of a scenario. */
const ACTIONS: Readonly<Record<string, (state: AccountState) => void>> = {
  place: (state) => state.applyCommand(place({ order: 1 }), NOW),
  cancel: (state) => state.applyCommand({ type: 'cancel', order: unchecked.order(1), market: MARKET }, NOW),
  reduce: (state) =>
    state.applyCommand({ type: 'reduce', order: unchecked.order(1), market: MARKET, by: shares(4) }, NOW),
  cancelAll: (state) => state.applyCommand({ type: 'cancelAll' }, NOW),
  replace: (state) => state.applyCommand(replace(1, 2), NOW),
  accepted: (state) => state.apply({ type: 'orderAccepted', ...about(1) }),
  rejected: (state) => state.apply({ type: 'orderRejected', ...about(1), reason: 'STALE_EPOCH' }),
  'filled 3': (state) => state.apply(filled({ order: 1, size: 3 })),
  'filled 3 more': (state) => state.apply(filled({ order: 1, size: 3, left: 4 })),
  'filled 10': (state) => state.apply(filled({ order: 1, size: 10 })),
  'filled 99': (state) => state.apply(filled({ order: 1, size: 99 })),
  'reduced to 6': (state) => state.apply({ type: 'orderReduced', ...about(1), remaining: shares(6) }),
  'reduced to 0': (state) => state.apply({ type: 'orderReduced', ...about(1), remaining: shares(0) }),
  closed: (state) => state.apply({ type: 'orderClosed', ...about(1), reason: 'USER' }),
  replaced: (state) => state.apply(replaced([1], [2])),
  'replaced in': (state) => state.apply(replaced([2], [1])),
  uncertain: (state) => state.apply({ type: 'orderUncertain', ...about(1) }),
  'cancel refused': (state) => state.apply({ type: 'cancelRejected', ...about(1), reason: 'NOT_FOUND' }),
};

function replace(cancelled: number, placed: number): OrderCommand {
  const cancels = [{ order: unchecked.order(cancelled), remaining: shares(10) }];
  return { type: 'replace', market: MARKET, cancels, places: [place({ order: placed })] };
}

function replaced(closed: readonly number[], accepted: readonly number[]): InputEvent {
  const { time, venueTime } = about(1);
  const [out, into] = [closed.map(unchecked.order), accepted.map(unchecked.order)];
  return { type: 'ordersReplaced', time, venueTime, market: MARKET, closed: out, accepted: into };
}

/** Phase and remaining shares of order 1 after a scenario; `gone` when it is not open. */
function stateAfter(scenario: string): string {
  const state = account();
  for (const name of scenario.split(', ')) {
    const act = ACTIONS[name];
    if (act === undefined) throw new Error(`unknown action "${name}"`);
    act(state);
  }
  const order = state.market(MARKET).orders.find((open) => open.order === 1);
  return order === undefined ? 'gone' : `${order.phase} ${order.remaining / 1_000_000}`;
}

describe('an own order', () => {
  it.each([
    ['place', 'new 10'],
    ['place, accepted', 'live 10'],
    ['place, rejected', 'gone'],
    ['place, filled 3', 'live 7'],
    ['place, filled 3, accepted', 'live 7'],
    ['place, filled 10', 'gone'],
    ['place, filled 10, closed', 'gone'],
    ['place, filled 10, accepted', 'gone'],
    ['place, filled 99', 'gone'],
    ['place, replaced in', 'live 10'],
    ['place, filled 3, replaced in', 'live 7'],
    ['place, accepted, replace, replaced', 'gone'],
    ['place, accepted, replace, filled 10, replaced', 'gone'],
    ['place, accepted, rejected', 'live 10'],
    ['place, accepted, accepted', 'live 10'],
    ['place, accepted, cancel', 'cancelling 10'],
    ['place, accepted, cancel, filled 3', 'cancelling 7'],
    ['place, accepted, cancel, closed', 'gone'],
    ['place, accepted, cancel, closed, filled 3', 'gone'],
    ['place, accepted, cancel, cancel refused', 'live 10'],
    ['place, cancel', 'cancelling 10'],
    ['place, cancel, accepted', 'cancelling 10'],
    ['place, cancel, rejected', 'gone'],
    ['place, cancel, cancel refused', 'new 10'],
    ['place, cancel, cancel refused, accepted', 'live 10'],
    ['place, accepted, reduce', 'reducing 10'],
    ['place, accepted, reduce, reduced to 6', 'live 6'],
    ['place, accepted, reduce, cancel refused', 'live 10'],
    ['place, accepted, reduce, cancel', 'cancelling 10'],
    ['place, accepted, cancel, reduce', 'cancelling 10'],
    ['place, accepted, reduce, cancelAll, reduced to 6', 'cancelling 6'],
    ['place, accepted, filled 3, filled 3 more, reduced to 6', 'live 4'],
    ['place, accepted, filled 3 more, filled 3', 'live 4'],
    ['place, accepted, filled 3, filled 3', 'live 7'],
    ['place, accepted, reduced to 0', 'gone'],
    ['place, reduced to 6', 'live 6'],
    ['place, accepted, cancelAll', 'cancelling 10'],
    ['place, accepted, replace', 'cancelling 10'],
    ['place, accepted, replace, cancel refused', 'live 10'],
    ['accepted', 'gone'],
    ['closed, place', 'new 10'],
    ['place, uncertain', 'unknown 10'],
    ['place, uncertain, accepted', 'live 10'],
    ['place, uncertain, filled 3', 'live 7'],
    ['place, uncertain, filled 10', 'gone'],
    ['place, uncertain, rejected', 'gone'],
    ['place, uncertain, closed', 'gone'],
    ['place, uncertain, reduced to 6', 'live 6'],
    ['place, uncertain, replaced in', 'live 10'],
    ['place, uncertain, cancelAll', 'cancelling 10'],
    ['place, uncertain, cancelAll, cancel refused', 'unknown 10'],
    ['place, closed, uncertain', 'gone'],
    ['place, accepted, uncertain', 'live 10'],
    ['place, filled 3, uncertain, rejected', 'live 7'],
    ['cancel, reduce, reduced to 6, cancel refused, rejected', 'gone'],
  ])('after "%s" is "%s"', (scenario, expected) => {
    expect(stateAfter(scenario)).toBe(expected);
  });

  it('has its terms for the venue and in YES terms', () => {
    const state = account();
    state.applyCommand(place({ order: 5, outcome: 'NO', price: 4_000, size: 2, bot: 3, timeInForce: 'FAK' }), NOW);
    expect(state.market(MARKET).orders[0]).toMatchObject({
      order: 5,
      bot: 3,
      outcome: 'NO',
      side: 'BUY',
      price: 4_000,
      sign: -1,
      yesPrice: 6_000,
      since: NOW,
      rests: false,
    });
    state.applyCommand(place({ order: 6, outcome: 'NO', side: 'SELL', price: 4_000 }), NOW);
    expect(state.market(MARKET).orders[1]).toMatchObject({ sign: 1, yesPrice: 6_000, rests: true });
    expect(state.findInstance(unchecked.order(5))).toBe(3);
  });

  it('uses each number once', () => {
    const state = account();
    state.applyCommand(place({ order: 1 }), NOW);
    expect(() => state.applyCommand(place({ order: 1 }), NOW)).toThrow('Invariant: order number 1 was used twice');
    expect(() => state.applyCommand(place({ order: 2, market: 4 }), NOW)).toThrow('market 4 is not in this run');
  });

  it('keeps its instance for late answers, also beyond the first page of order numbers', () => {
    const state = account();
    for (const order of [1, 65_535, 65_536, 900_000]) {
      state.applyCommand(place({ order, bot: order % 7 }), NOW);
      state.apply({ type: 'orderClosed', ...about(order), reason: 'USER' });
    }
    const bots = [1, 65_535, 65_536, 900_000, 2, 65_537].map((order) => state.findInstance(unchecked.order(order)));
    expect(bots).toEqual([1, 1, 2, 3, undefined, undefined]);
  });

  it('is listed in its market in the order of sending over all instances', () => {
    const state = account([setup(0), setup(1)]);
    for (const order of [1, 2, 3]) state.applyCommand(place({ order, bot: order % 2 }), NOW);
    state.applyCommand(place({ order: 4, market: 1 }), NOW);
    state.apply({ type: 'orderClosed', ...about(2), reason: 'ADMIN' });
    expect(state.market(MARKET).orders.map(({ order }) => order)).toEqual([1, 3]);
    expect([state.market(unchecked.market(1)).orders.length, state.openOrderCount]).toEqual([1, 3]);
  });
});

describe('the funds reserved by open orders', () => {
  it('are price times shares for a BUY and zero for a SELL, from the time of sending', () => {
    const state = account();
    state.applyCommand(place({ order: 1, price: 5_800, size: 100 }), NOW);
    state.applyCommand(place({ order: 2, outcome: 'NO', price: 3_800, size: 100 }), NOW);
    // 100 shares quoted 5800/6200 from flat (docs/spec/models.md#reserve-of-a-quote).
    expect(state.available).toBe(usd(1_000 - 96));
    state.applyCommand(place({ order: 3, side: 'SELL', price: 6_500, size: 100 }), NOW);
    expect(state.available).toBe(usd(904));
    state.apply(filled({ order: 1, price: 5_800, size: 50, left: 50 }));
    expect([state.cash, state.available]).toEqual([usd(971), usd(904)]);
    state.apply({ type: 'orderClosed', ...about(1), reason: 'USER' });
    state.apply({ type: 'orderClosed', ...about(2), reason: 'USER' });
    expect(state.available).toBe(usd(971));
  });

  it('include the taker fee while an order may match, and until the end of an order that never rests', () => {
    const state = account([setup(0, { feeRateBps: 200 })]);
    const fee = 480_000;
    state.applyCommand(place({ order: 1, price: 6_000, size: 100, postOnly: false }), NOW);
    expect(state.available).toBe(usd(940) - fee);
    state.apply({ type: 'orderAccepted', ...about(1) });
    expect(state.available).toBe(usd(940));
    state.apply({ type: 'orderClosed', ...about(1), reason: 'USER' });
    state.applyCommand(place({ order: 2, price: 6_000, size: 100, postOnly: false, timeInForce: 'FAK' }), NOW);
    state.apply({ type: 'orderAccepted', ...about(2) });
    expect(state.available).toBe(usd(940) - fee);
    state.apply({ type: 'orderClosed', ...about(2), reason: 'FAK_REMAINDER' });
    expect(state.available).toBe(usd(1_000));
  });
});

describe('a fill of an order', () => {
  it.each([
    ['place, accepted, filled 3', false],
    ['place, accepted, filled 10', false],
    ['place, accepted, closed, filled 3', true],
    ['place, rejected, filled 10', true],
    ['filled 3', true],
  ])('is unexpected if the order was not open: %s', (scenario, isUnexpected) => {
    const state = account();
    for (const name of scenario.split(', ')) ACTIONS[name]?.(state);
    expect(state.wasLastFillUnexpected).toBe(isUnexpected);
  });
});
