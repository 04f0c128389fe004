/** Each limit from both sides: what is exactly at it is in, what is one beyond is out. */
import { describe, expect, it } from 'vitest';
import type { ExchangeEvent } from '../../../src/exchange/index.ts';
import { SHARE, Stage, story } from './stage.ts';

const LOT = 10_000;
const BID = { price: 5000, size: 10 };

/** The first event: `in` for what was accepted or done, else the reason. */
function answer(events: readonly ExchangeEvent[]): string {
  const refusal = events.find((event) => event.type === 'refused');
  return refusal === undefined ? 'in' : refusal.refusal.reason;
}

function staged(config: object = {}, dollars = 1000): Stage {
  const stage = new Stage();
  stage.account(dollars);
  stage.account(1000);
  stage.market({ feeRateBps: 100 });
  stage.send('configure', { config });
  return stage;
}

type Place = Parameters<Stage['place']>[1];
const lots = (count: number) => ({ microShares: count * LOT });

describe('an order', () => {
  it.each<[string, (stage: Stage) => Place, (stage: Stage) => Place, string, object, number]>([
    ['clock behind', ({ time }) => ms(time - 30_000), ({ time }) => ms(time - 30_001), 'STALE_TIMESTAMP', {}, 1000],
    ['clock ahead', ({ time }) => ms(time + 30_000), ({ time }) => ms(time + 30_001), 'STALE_TIMESTAMP', {}, 1000],
    ['expiration', ({ time }) => until(time + 1), ({ time }) => until(time), 'EXPIRED_PARAMS', {}, 1000],
    ['lowest price', () => ({ price: 10, size: 100 }), () => ({ price: 9, size: 100 }), 'INVALID_TICK', {}, 1000],
    ['highest price', () => ({ price: 9990 }), () => ({ price: 9991 }), 'INVALID_TICK', {}, 1000],
    ['fee', () => ({ maxFeeBps: 100 }), () => ({ maxFeeBps: 99 }), 'FEE_ABOVE_MAX', {}, 1000],
    ['smallest size', () => lots(100), () => lots(99), 'BELOW_MIN', {}, 1000],
    [
      'smallest bet',
      () => ({ price: 1000, ...lots(100) }),
      () => ({ price: 990, ...lots(101) }),
      'BELOW_MIN',
      {},
      1000,
    ],
    ['largest bet', () => lots(2000), () => lots(2001), 'ABOVE_MAX', { maxBetPerMarket: 10_000_000 }, 1000],
    ['exposure', () => lots(2000), () => lots(2001), 'EXPOSURE_LIMIT', { maxExposurePerMarket: 10_000_000 }, 1000],
    // A fee of 25 micro-USD a lot at 5000.
    ['cash, as a taker', () => lots(1990), () => lots(1991), 'INSUFFICIENT_BALANCE', {}, 9.99975],
    ['cash, at rest', () => postOnly(2000), () => postOnly(2001), 'INSUFFICIENT_BALANCE', {}, 10],
  ])('%s', (_what, within, beyond, reason, config, dollars) => {
    const stage = staged(config, dollars);
    expect(answer(stage.place(1, { ...BID, ...beyond(stage) }))).toBe(reason);
    expect(answer(stage.place(1, { ...BID, ...within(stage) }))).toBe('in');
  });

  it('sells the available shares and is refused for one lot more', () => {
    const stage = staged();
    stage.send('split', { market: 0, shares: 5 * SHARE });
    expect(answer(stage.place(1, { side: 'SELL', price: 6000, ...lots(501) }))).toBe('INSUFFICIENT_SHARES');
    expect(answer(stage.place(1, { side: 'SELL', price: 6000, ...lots(500) }))).toBe('in');
  });

  it('in a new market uses the limit of that market', () => {
    const stage = staged({ maxInitialBet: 10_000_000 });
    stage.deploying({ initialOrder: stage.terms({ ...BID, ...lots(2001) }) });
    expect(stage.view.markets).toHaveLength(1);
    const id = '00000000-0000-4000-8000-0000000000aa';
    stage.deploying({ id, initialOrder: stage.terms({ ...BID, ...lots(2000) }) });
    expect(stage.view.markets).toHaveLength(2);
  });
});

describe('a list', () => {
  it.each([
    ['placeBatch', 'orders', 20],
    ['cancel', 'orders', 200],
  ] as const)('has a maximum length: %s', (type, member, most) => {
    const stage = staged();
    const entry = type === 'cancel' ? 999 : stage.terms({ size: 1 });
    const send = (count: number) => stage.send(type, { [member]: Array.from({ length: count }, () => entry) });
    expect(story(send(most + 1))).toEqual([expect.stringContaining('refused -1 INVALID_ORDER')]);
    expect(send(most)).toHaveLength(most);
  });
});

describe('a heartbeat', () => {
  it.each([
    [1000, 'in'],
    [999, 'BELOW_MIN'],
    [300_000, 'in'],
    [300_001, 'ABOVE_MAX'],
  ])('with a timeout of %d ms: %s', (timeout, expected) => {
    expect(answer(staged().send('heartbeat', { credential: 7, timeout }))).toBe(expected);
  });
});

describe('an order group', () => {
  /** Account 1 rests in a group that lets 5 shares fill a second; account 2 takes. */
  function grouped(): Stage {
    const stage = staged();
    stage.send('createGroup', { maxFilled: 5 * SHARE, window: 1000 });
    stage.place(1, { ...BID, size: 50, group: 1 as never });
    return stage;
  }
  const take = (stage: Stage, count: number) => stage.place(2, { outcome: 'NO', price: 5000, ...lots(count) });
  const trips = (events: readonly ExchangeEvent[]) => story(events).some((line) => line.includes('ORDER_GROUP_LIMIT'));

  it('trips when fills exceed its limit, not when they equal it', () => {
    const stage = grouped();
    expect(trips(take(stage, 400))).toBe(false);
    expect(trips(take(stage, 100))).toBe(false);
    expect(trips(take(stage, 100))).toBe(true);
  });

  it.each([
    [1000, false],
    [999, true],
  ])('counts a fill after %d ms: %s', (ms, counts) => {
    const stage = grouped();
    take(stage, 500);
    stage.time += ms;
    expect(trips(take(stage, 100))).toBe(counts);
  });
});

describe('a market question', () => {
  it.each([
    [300, 2],
    [301, 1],
  ])('of %d characters creates %d markets', (length, markets) => {
    const stage = staged();
    // Of two UTF-16 units each: code points count.
    stage.deploying({ id: '00000000-0000-4000-8000-0000000000aa', question: '\u{1f4a5}'.repeat(length) });
    expect(stage.view.markets).toHaveLength(markets);
  });
});

function ms(timestampMs: number): Place {
  return { timestampMs: timestampMs as never };
}

function until(expiration: number): Place {
  return { timeInForce: 'GTD', expiration };
}

function postOnly(count: number): Place {
  return { postOnly: true, ...lots(count) };
}
