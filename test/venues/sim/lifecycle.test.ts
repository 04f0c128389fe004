import { describe, expect, it } from 'vitest';
import { instanceNo, microShares, SHARE, unchecked } from '../../../src/domain/index.ts';
import { Harness, harnessWithBook } from './harness.ts';

const MARKET = unchecked.market(0);

function convert(sim: Harness, type: 'split' | 'merge' | 'claim', shares = 0): void {
  sim.command({ type, bot: instanceNo(3), market: MARKET, shares: microShares(shares * SHARE) });
}

describe('a halt', () => {
  it('cancels own orders, refuses new ones, stops fills and keeps the mark', () => {
    const marks: number[] = [];
    const sim = harnessWithBook({ observer: { onMark: (_market, _time, mark) => marks.push(mark) } });
    sim.place('bid 10 @ 5800');
    sim.message('sell 104 @ 5800', 'halt');
    sim.place('bid 10 @ 5800');
    sim.message('sell 500 @ 5000', 'bid 5900 10', 'ask 5950 10');
    sim.message('open', 'bid 5910 10');
    sim.place('bid 10 @ 5800');
    expect(sim.events()).toEqual([
      '#1 accepted',
      '#1 filled 4 @ 5800',
      '#1 closed MARKET_HALTED',
      '#2 rejected MARKET_HALTED',
      '#3 accepted',
    ]);
    expect(marks).toEqual([12_000, 11_860]);
  });

  it('allows cancels, splits and merges', () => {
    const sim = harnessWithBook();
    sim.message('halt');
    convert(sim, 'split', 10);
    convert(sim, 'merge', 10);
    expect(sim.events()).toEqual(['split -10000000 fee 0', 'merge 10000000 fee 0']);
  });
});

describe('the end of trading', () => {
  it('cancels own orders and refuses new ones as not open', () => {
    const sim = harnessWithBook();
    sim.place('bid 10 @ 5800');
    sim.message('end');
    sim.place('bid 10 @ 5800');
    expect(sim.events()).toEqual(['#1 accepted', '#1 closed MARKET_NOT_OPEN', '#2 rejected MARKET_NOT_OPEN']);
  });
});

describe('a new snapshot', () => {
  it('empties the book but keeps own orders, whose queues its levels can only shorten', () => {
    const sim = harnessWithBook();
    const order = sim.place('bid 10 @ 5800');
    expect(sim.message('clear', 'bid 5800 40', 'ask 6300 10')).toEqual(['bid 5800 40', 'ask 6300 10']);
    expect([sim.front(order), sim.available('ask', 6_200)]).toEqual([40, 0]);
    sim.message('clear', 'ask 6300 10');
    expect(sim.front(order)).toBe(40);
    sim.message('bid 5800 500');
    expect(sim.front(order)).toBe(40);
  });
});

describe('a gap in the recording', () => {
  it('stops fills, marks and taking, and keeps own orders and their queue positions', () => {
    const marks: number[] = [];
    const sim = harnessWithBook({ observer: { onMark: (_market, _time, mark) => marks.push(mark) } });
    const order = sim.place('bid 10 @ 5800');
    sim.message('gap');
    sim.message('sell 500 @ 5000', 'bid 6000 10', 'ask 5700 10');
    sim.place('bid 10 @ 6300', { timeInForce: 'FAK' });
    expect(sim.events()).toEqual(['#1 accepted', '#2 accepted', '#2 closed FAK_REMAINDER']);
    expect([sim.fills(), marks, sim.front(order)]).toEqual([[], [12_000], 100]);
  });

  it('ends with a full book, behind whose sizes own orders queue, and which fills the orders that it crosses', () => {
    const sim = harnessWithBook();
    const [first, second] = [sim.place('bid 10 @ 5800'), sim.place('bid 10 @ 5700')];
    sim.message('sell 100 @ 5800', 'bid 5800 60');
    expect(sim.front(first)).toBe(0);
    sim.message('gap');
    sim.message('clear', 'bid 5800 300', 'bid 5600 5', 'ask 5900 5');
    expect([sim.front(first), sim.front(second)]).toEqual([300, 0]);
    sim.message('sell 305 @ 5800');
    expect(sim.fills()).toEqual(['#1 5 @ 5800 queue']);
    sim.message('gap');
    sim.message('clear', 'ask 5700 100', 'bid 5600 5');
    expect(sim.fills()).toEqual(['#1 5 @ 5800 cross inside', '#2 10 @ 5700 cross inside']);
  });

  it('reports prints without a mark', () => {
    const prints: (number | undefined)[] = [];
    const sim = harnessWithBook({ observer: { onPrint: ({ mark }) => prints.push(mark) } });
    sim.message('gap');
    sim.message('sell 5 @ 5800');
    sim.message('clear', 'bid 5800 100', 'ask 6200 100');
    sim.message('sell 5 @ 5800');
    expect(prints).toEqual([undefined, 12_000]);
  });

  it('removes the assumed price of a tape without a book until the next trade', () => {
    const sim = new Harness({ tradesOnly: { fill: 'through', assumed_half_spread_bps: 50 } });
    sim.message('buy 5 @ 6000');
    sim.message('gap');
    sim.place('bid 10 @ 6100', { timeInForce: 'FAK' });
    sim.message('clear', 'buy 5 @ 6000');
    sim.place('bid 10 @ 6100', { timeInForce: 'FAK' });
    expect(sim.fills()).toEqual(['#2 10 @ 6050 taker']);
  });
});

describe('a print in the report', () => {
  it('has the mark before its message', () => {
    const prints: unknown[] = [];
    const sim = new Harness({ observer: { onPrint: (print) => prints.push({ ...print }) } });
    sim.message('print 1 @ 6000', 'bid 5800 10', 'ask 6200 10');
    sim.message('buy 2 @ 6200', 'ask 6200 0', 'ask 6300 10');
    expect(prints).toEqual([
      { market: 0, time: 1_010, taker: 2, yesPrice: 6_000, shares: SHARE, mark: undefined },
      { market: 0, time: 1_020, taker: 0, yesPrice: 6_200, shares: 2 * SHARE, mark: 12_000 },
    ]);
  });
});

describe('the recorded mid in the report', () => {
  it('ignores own takes, and is absent while a side is empty or the market is halted', () => {
    const mids: unknown[] = [];
    const sim = new Harness({ observer: { onRecordedMid: (_market, _time, mid) => mids.push(mid) } });
    sim.message('bid 5800 10');
    sim.message('ask 6200 10', 'ask 6300 10');
    sim.place('bid 10 @ 6200', { timeInForce: 'FAK' });
    sim.message('bid 5900 10');
    sim.message('bid 5800 20');
    sim.message('halt');
    sim.message('open');
    expect(mids).toEqual([12_000, 12_100, undefined, 12_100]);
  });
});

describe('invalid rows', () => {
  it('stop the run', () => {
    const sim = harnessWithBook();
    expect(() => sim.message({ kind: 9, market: 0, side: 0, price: 0, shares: 0 })).toThrow('kind 9');
    expect(() => sim.message({ kind: 2, market: 0, side: 0, price: 7, shares: 0 })).toThrow('unknown status code 7');
    expect(() => sim.message({ kind: 0, market: 4, side: 0, price: 5_000, shares: 0 })).toThrow('market 4');
  });

  it('stop the run when a message has no end', () => {
    const sim = harnessWithBook();
    expect(() => sim.engine.processMessage(blockWithoutEnd(), 0)).toThrow('ends inside of the message');
  });
});

describe('a message for several markets', () => {
  it('is one step for each market', () => {
    const sim = new Harness({ markets: 2 });
    const second = unchecked.market(1);
    const level = (market: number, side: number, price: number) => ({
      kind: 0,
      market,
      side,
      price,
      shares: 10 * SHARE,
    });
    sim.message(level(0, 0, 5_000), level(1, 1, 6_000), level(0, 1, 6_000), level(1, 0, 5_000));
    sim.place('bid 5 @ 5500');
    sim.place('ask 5 @ 5500', { market: second });
    sim.message(level(0, 1, 5_400), level(1, 0, 5_600), level(0, 1, 5_300));
    expect(sim.fills()).toEqual(['#1 5 @ 5500 cross inside', '#2 5 @ 5500 cross inside']);
    expect(sim.fillFacts).toEqual([]);
    expect([0, 1].map((market) => sim.engine.market(market)?.mark)).toEqual([10_300, 11_600]);
  });
});

function blockWithoutEnd() {
  const numbers = new Float64Array(1);
  const bytes = new Uint8Array(1);
  const prices = new Uint16Array([5_000]);
  const markets = new Uint16Array(1);
  return {
    count: 1,
    tx: numbers,
    rx: numbers,
    market: markets,
    kind: bytes,
    side: bytes,
    price: prices,
    shares: numbers,
    flags: bytes,
  };
}
