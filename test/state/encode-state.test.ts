import { describe, expect, it } from 'vitest';
import { durationMs, epochMs, unchecked } from '../../src/domain/index.ts';
import { type AccountState, encodeState } from '../../src/state/index.ts';
import { about, account, applyMessages, BOT, filled, place, setup, shares, usd } from './world.ts';

type Change = (state: AccountState) => void;

/** Changes that each affect how an account continues. */
const CHANGES: Readonly<Record<string, Change>> = {
  nothing: () => undefined,
  'a mark': (state) => applyMessages(state, '5 | bid 5000 1 | ask 5200 1'),
  'another mark': (state) => applyMessages(state, '5 | bid 5000 1 | ask 5210 1'),
  'the time of the book': (state) => applyMessages(state, '6 | bid 5000 1 | ask 5200 1'),
  'a status': (state) => applyMessages(state, '5 | status PENDING_RESOLUTION'),
  'a halt': (state) => applyMessages(state, '5 | status HALTED'),
  'a placing delay': (state) => applyMessages(state, '5 | delay 7'),
  'a resolution': (state) => applyMessages(state, '5 | resolution 0'),
  'a position': (state) => state.apply(filled({ order: 1 })),
  'its other outcome': (state) => state.apply(filled({ order: 1, outcome: 'NO' })),
  'a fee': (state) => state.apply({ ...filled({ order: 1 }), fee: usd(1) }),
  'an order': (state) => state.applyCommand(place({ order: 1 }), epochMs(1)),
  'its number': (state) => state.applyCommand(place({ order: 2 }), epochMs(1)),
  'its bot': (state) => state.applyCommand(place({ order: 1, bot: 1 }), epochMs(1)),
  'its outcome': (state) => state.applyCommand(place({ order: 1, outcome: 'NO' }), epochMs(1)),
  'its side': (state) => state.applyCommand(place({ order: 1, side: 'SELL' }), epochMs(1)),
  'its price': (state) => state.applyCommand(place({ order: 1, price: 5_010 }), epochMs(1)),
  'its size': (state) => state.applyCommand(place({ order: 1, size: 11 }), epochMs(1)),
  'its time': (state) => state.applyCommand(place({ order: 1 }), epochMs(2)),
  'whether it rests': (state) => state.applyCommand(place({ order: 1, timeInForce: 'FAK' }), epochMs(1)),
  'its phase': (state) => {
    state.applyCommand(place({ order: 1 }), epochMs(1));
    state.apply({ type: 'orderAccepted', ...about(1) });
  },
  'a split on its way': (state) =>
    state.applyCommand({ type: 'split', bot: BOT, market: unchecked.market(0), shares: shares(1) }, epochMs(1)),
  'an event without an explanation': (state) => state.apply(filled({ order: 1, side: 'SELL' })),
};

describe('encodeState', () => {
  it('differs after each change that affects how the account continues', () => {
    const codes = Object.entries(CHANGES).map(([name, change]) => {
      const state = account();
      change(state);
      return [encodeState(state).join(' '), name] as const;
    });
    expect(new Map(codes).size).toBe(codes.length);
  });

  it('is the same for the same events', () => {
    const encodeAll = () => {
      const state = account([
        setup(0),
        setup(1, { state: { status: 'OPEN', acceptingOrders: true, placeDelay: durationMs(1) } }),
      ]);
      for (const name of ['a mark', 'an order', 'a position', 'a halt']) CHANGES[name]?.(state);
      return encodeState(state);
    };
    expect(encodeAll()).toEqual(encodeAll());
  });
});
