import { describe, expect, it } from 'vitest';
import { microShares, SHARE, unchecked } from '../../../src/domain/index.ts';
import { harnessWithBook } from './harness.ts';

const MARKET = unchecked.market(0);

function shares(amount: number) {
  return microShares(Math.round(amount * SHARE));
}

describe('replace', () => {
  const cancelling = (order: number, remaining: number) => ({
    order: unchecked.order(order),
    remaining: shares(remaining),
  });

  it('replaces quotes in one step and reports one event', () => {
    const sim = harnessWithBook({ capital: 96 });
    sim.place('bid 100 @ 5800');
    sim.place('ask 100 @ 6200');
    sim.command({
      type: 'replace',
      market: MARKET,
      cancels: [cancelling(1, 100), cancelling(2, 100)],
      places: [sim.order('bid 100 @ 5790'), sim.order('ask 100 @ 6190')],
    });
    expect(sim.events().slice(2)).toEqual(['#1,#2 replaced by #3,#4']);
  });

  it.each([
    [
      'an order was partly filled',
      49,
      'bid 10 @ 5790',
      ['#1 cancelrejected CONFLICT', '#2 cancelrejected CONFLICT', '#3 rejected CONFLICT'],
    ],
    [
      'a new order would cross',
      50,
      'bid 10 @ 6200',
      ['#1 cancelrejected CONFLICT', '#2 cancelrejected CONFLICT', '#3 rejected POST_ONLY_WOULD_CROSS'],
    ],
    [
      'a new order costs more than the cash',
      50,
      'bid 100 @ 6190',
      ['#1 cancelrejected CONFLICT', '#2 cancelrejected CONFLICT', '#3 rejected INSUFFICIENT_BALANCE'],
    ],
  ])('changes nothing when %s', (_case, expectedRemaining, text, events) => {
    const sim = harnessWithBook({ capital: 58 });
    sim.place('bid 50 @ 5800');
    sim.place('bid 50 @ 5800');
    const fronts = [sim.front(1), sim.front(2)];
    sim.events();
    sim.command({
      type: 'replace',
      market: MARKET,
      cancels: [cancelling(1, expectedRemaining), cancelling(2, 50)],
      places: [sim.order(text)],
    });
    expect(sim.events()).toEqual(events);
    expect([sim.front(1), sim.front(2)]).toEqual(fronts);
    sim.message('sell 110 @ 5800');
    expect(sim.fills()).toEqual(['#1 10 @ 5800 queue']);
    sim.place('bid 1 @ 5800');
    expect(sim.events().at(-1)).toBe('#4 rejected INSUFFICIENT_BALANCE');
  });

  it('is refused when an order is finished, unknown or named twice', () => {
    const sim = harnessWithBook();
    sim.place('bid 10 @ 5800');
    sim.place('bid 10 @ 5800');
    sim.command({ type: 'cancel', order: unchecked.order(1), market: MARKET });
    sim.events();
    const places = [sim.order('bid 10 @ 5790')];
    sim.command({ type: 'replace', market: MARKET, cancels: [cancelling(1, 10), cancelling(2, 10)], places });
    sim.command({ type: 'replace', market: MARKET, cancels: [cancelling(2, 10), cancelling(2, 10)], places });
    sim.command({ type: 'replace', market: MARKET, cancels: [cancelling(9, 10)], places });
    expect(sim.events()).toEqual([
      '#1 cancelrejected ALREADY_FINAL',
      '#2 cancelrejected CONFLICT',
      '#3 rejected CONFLICT',
      '#2 cancelrejected CONFLICT',
      '#2 cancelrejected CONFLICT',
      '#3 rejected CONFLICT',
      '#9 cancelrejected NOT_FOUND',
      '#3 rejected CONFLICT',
    ]);
  });

  it('checks each new order as if the earlier ones rested already', () => {
    const sim = harnessWithBook({ capital: 58 });
    const places = [sim.order('bid 50 @ 5800'), sim.order('bid 50 @ 5800'), sim.order('bid 1 @ 1000')];
    sim.command({ type: 'replace', market: MARKET, cancels: [], places });
    const crossing = [sim.order('bid 5 @ 6000'), sim.order('ask 5 @ 6000')];
    sim.command({ type: 'replace', market: MARKET, cancels: [], places: crossing });
    expect(sim.events()).toEqual([
      '#1 rejected CONFLICT',
      '#2 rejected CONFLICT',
      '#3 rejected INSUFFICIENT_BALANCE',
      '#4 rejected CONFLICT',
      '#5 rejected POST_ONLY_WOULD_CROSS',
    ]);
  });

  it('refuses a new order that cannot rest or is for another market', () => {
    const sim = harnessWithBook({ markets: 2 });
    for (const options of [{ timeInForce: 'FAK' }, { market: unchecked.market(1) }] as const) {
      sim.command({ type: 'replace', market: MARKET, cancels: [], places: [sim.order('bid 10 @ 5800', options)] });
    }
    expect(sim.events()).toEqual(['#1 rejected INVALID_ORDER', '#2 rejected CONFLICT']);
  });

  it('does not match a taking order with the cancelled orders or with later new orders', () => {
    const sim = harnessWithBook();
    sim.place('ask 10 @ 6190');
    sim.events();
    const places = [sim.order('bid 120 @ 6200', { postOnly: false }), sim.order('ask 10 @ 6210')];
    sim.command({ type: 'replace', market: MARKET, cancels: [cancelling(1, 10)], places });
    expect(sim.events()).toEqual(['#1 replaced by #2,#3', '#2 filled 100 @ 6200']);
  });
});
