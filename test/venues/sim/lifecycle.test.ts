import { describe, expect, it } from 'vitest';
import { botNo, counted, microShares, microUsd, SHARE } from '../../../src/domain/index.ts';
import { noFees, takerFees, withCommission } from '../../../src/venues/sim/fees.ts';
import { Harness, type HarnessOptions } from './harness.ts';

const MARKET = counted.market(0);

function harness(options: HarnessOptions = {}): Harness {
  const sim = new Harness(options);
  sim.message('bid 5800 100', 'ask 6200 100');
  return sim;
}

function convert(sim: Harness, type: 'split' | 'merge' | 'claim', shares = 0): void {
  sim.command({ type, bot: botNo(3), market: MARKET, shares: microShares(shares * SHARE) });
}

describe('a halt', () => {
  it('cancels own orders, refuses new ones, stops fills and keeps the mark', () => {
    const marks: number[] = [];
    const sim = harness({ tap: { onMark: (_market, _time, mark) => marks.push(mark) } });
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
    const sim = harness();
    sim.message('halt');
    convert(sim, 'split', 10);
    convert(sim, 'merge', 10);
    expect(sim.events()).toEqual(['split -10000000 fee 0', 'merge 10000000 fee 0']);
  });
});

describe('the end of trading', () => {
  it('cancels own orders and refuses new ones as not open', () => {
    const sim = harness();
    sim.place('bid 10 @ 5800');
    sim.message('end');
    sim.place('bid 10 @ 5800');
    expect(sim.events()).toEqual(['#1 accepted', '#1 closed MARKET_NOT_OPEN', '#2 rejected MARKET_NOT_OPEN']);
  });
});

describe('a new snapshot', () => {
  it('empties the book but keeps own orders; its levels can only shorten their queues', () => {
    const sim = harness();
    const order = sim.place('bid 10 @ 5800');
    expect(sim.message('clear', 'bid 5800 40', 'ask 6300 10')).toEqual(['bid 5800 40', 'ask 6300 10']);
    expect([sim.front(order), sim.visible('ask', 6_200)]).toEqual([40, 0]);
    sim.message('clear', 'ask 6300 10');
    expect(sim.front(order)).toBe(40);
    sim.message('bid 5800 500');
    expect(sim.front(order)).toBe(40);
  });
});

describe('a gap in the recording', () => {
  it('stops fills, marks and taking, and keeps own orders and their queue positions', () => {
    const marks: number[] = [];
    const sim = harness({ tap: { onMark: (_market, _time, mark) => marks.push(mark) } });
    const order = sim.place('bid 10 @ 5800');
    sim.message('gap');
    sim.message('sell 500 @ 5000', 'bid 6000 10', 'ask 5700 10');
    sim.place('bid 10 @ 6300', { timeInForce: 'FAK' });
    expect(sim.events()).toEqual(['#1 accepted', '#2 accepted', '#2 closed FAK_REMAINDER']);
    expect([sim.fills(), marks, sim.front(order)]).toEqual([[], [12_000], 100]);
  });

  it('ends with a full book: own orders queue behind its sizes, and those that it crosses fill', () => {
    const sim = harness();
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
    const sim = harness({ tap: { onPrint: ({ mark }) => prints.push(mark) } });
    sim.message('gap');
    sim.message('sell 5 @ 5800');
    sim.message('clear', 'bid 5800 100', 'ask 6200 100');
    sim.message('sell 5 @ 5800');
    expect(prints).toEqual([undefined, 12_000]);
  });

  it('removes the assumed price of a tape without a book until the next trade', () => {
    const sim = new Harness({ tradesOnly: { fill: 'through', assumedHalfSpreadBps: 50 } });
    sim.message('buy 5 @ 6000');
    sim.message('gap');
    sim.place('bid 10 @ 6100', { timeInForce: 'FAK' });
    sim.message('clear', 'buy 5 @ 6000');
    sim.place('bid 10 @ 6100', { timeInForce: 'FAK' });
    expect(sim.fills()).toEqual(['#2 10 @ 6050 taker']);
  });
});

describe('a conversion', () => {
  it('is refused for the first reason that applies', () => {
    const sim = harness({ capital: 10 });
    convert(sim, 'claim');
    convert(sim, 'split', 11);
    convert(sim, 'split', 0);
    convert(sim, 'merge', 1);
    convert(sim, 'split', 10);
    sim.place('sell yes 6 @ 6200');
    convert(sim, 'merge', 5);
    convert(sim, 'merge', 4);
    sim.command({ type: 'split', bot: botNo(3), market: counted.market(9), shares: microShares(SHARE) });
    sim.message('end');
    convert(sim, 'split', 1);
    convert(sim, 'merge', 1);
    sim.message('pays 10000');
    convert(sim, 'merge', 1);
    expect(sim.events()).toEqual([
      'claim refused CONFLICT',
      'split refused INSUFFICIENT_BALANCE',
      'split refused INVALID_LOT',
      'merge refused INSUFFICIENT_SHARES',
      'split -10000000 fee 0',
      '#1 accepted',
      'merge refused INSUFFICIENT_SHARES',
      'merge 4000000 fee 0',
      'split refused NOT_FOUND',
      '#1 closed MARKET_NOT_OPEN',
      'split refused MARKET_NOT_OPEN',
      'merge 1000000 fee 0',
      'merge refused MARKET_NOT_OPEN',
    ]);
  });

  it('adds up exactly with fills, marks, a fee and a claim, as in docs/spec/models.md#profit-and-loss', () => {
    const sim = new Harness({ fees: takerFees(200), capital: 1_000 });
    sim.message('bid 5900 500', 'ask 6100 500');
    sim.place('bid 100 @ 5800');
    sim.message('sell 100 @ 5790');
    sim.message('bid 5900 0', 'bid 5800 500', 'ask 6100 0', 'ask 6000 500');
    // The book is one-sided, so the mark stays at 11800.
    sim.message('ask 6000 0', 'bid 6000 60');
    sim.place('ask 60 @ 6000', { timeInForce: 'FAK' });
    convert(sim, 'merge', 60);
    sim.message('bid 6900 10', 'ask 7100 10');
    sim.message('pays 10000');
    convert(sim, 'claim');
    expect(sim.engine.ledger.pnlSplit(MARKET)).toMatchObject({
      spreadMicros: 2_600_000,
      inventoryMicros: 3_400_000,
      settlementMicros: 12_000_000,
      feesMicros: -288_000,
      roundingMicros: 0,
    });
    expect(sim.engine.ledger.pnl()).toMatchObject({ totalMicros: 17_712_000, settlementMicros: 16_800_000 });
    expect(sim.engine.ledger.cash).toBe(1_017_712_000);
  });
});

describe('the resolution of a market', () => {
  it('cancels own orders and pays winnings once, on the first claim', () => {
    const sim = harness({ capital: 58 });
    sim.place('bid 100 @ 5800');
    sim.message('sell 60 @ 5790');
    sim.message('pays 10000');
    expect(sim.engine.ledger.cash).toBe(23_200_000);
    convert(sim, 'claim');
    convert(sim, 'claim');
    expect(sim.events()).toEqual([
      '#1 accepted',
      '#1 filled 60 @ 5800',
      '#1 closed MARKET_NOT_OPEN',
      'claim 60000000 fee 0',
      'claim 0 fee 0',
    ]);
    expect(sim.engine.ledger.cash).toBe(83_200_000);
  });

  it.each([
    ['pays 0', 0],
    ['pays 5000', 30_000_000],
    ['void', 34_800_000],
  ])('with the row "%s" pays 60 YES, bought at 58 cents, %d micro-USD', (row, paid) => {
    const sim = harness({ capital: 58 });
    sim.place('bid 60 @ 5800');
    sim.message('sell 60 @ 5790');
    sim.message(row);
    convert(sim, 'claim');
    expect(sim.events().at(-1)).toBe(`claim ${paid} fee 0`);
  });

  it('is final: a later status does not reopen the market', () => {
    const sim = harness();
    sim.message('pays 0');
    sim.message('open');
    sim.place('bid 10 @ 5800');
    expect(sim.events()).toEqual(['#1 rejected MARKET_NOT_OPEN']);
  });

  it('ends the marks', () => {
    const marks: number[] = [];
    const sim = harness({ tap: { onMark: (_market, _time, mark) => marks.push(mark) } });
    sim.message('pays 0', 'bid 5900 10');
    expect(marks).toEqual([12_000]);
  });
});

describe('a commission (docs/spec/models.md#fees-commission-rewards)', () => {
  const fees = withCommission(noFees(), 500);

  it('is deducted from the first claim only', () => {
    const sim = harness({ fees, capital: 58 });
    sim.place('bid 100 @ 5800');
    sim.message('sell 100 @ 5790');
    sim.message('pays 10000');
    convert(sim, 'claim');
    convert(sim, 'claim');
    expect(sim.events().slice(2)).toEqual(['claim 97900000 fee 2100000', 'claim 0 fee 0']);
    expect(sim.engine.ledger.pnlSplit(MARKET).feesMicros).toBe(-2_100_000);
  });

  it('is not due on a loss or a refund', () => {
    for (const row of ['pays 0', 'void']) {
      const sim = harness({ fees, capital: 58 });
      sim.place('bid 100 @ 5800');
      sim.message('sell 100 @ 5790');
      sim.message(row);
      convert(sim, 'claim');
      expect(sim.events().at(-1)).toMatch(/fee 0$/);
    }
  });

  it('is charged without a claim when nothing is left to claim, once the bot knows the resolution', () => {
    const sim = harness({ fees, capital: 100 });
    sim.place('bid 100 @ 5800');
    sim.message('sell 100 @ 5790');
    sim.message('bid 6300 100', 'ask 6200 0');
    sim.place('sell yes 100 @ 6300', { timeInForce: 'FAK' });
    sim.events();
    sim.message('pays 0');
    expect(sim.reported).toEqual([
      {
        type: 'converted',
        conversion: 'claim',
        bot: 3,
        market: 0,
        shares: 0,
        paid: -250_000,
        fee: 250_000,
        venueTime: sim.time,
        // A response takes 40 ms, but the message about the resolution takes 50.
        time: sim.time + 50,
      },
    ]);
    sim.events();
    convert(sim, 'claim');
    expect(sim.events()).toEqual(['claim 0 fee 0']);
    expect(sim.engine.ledger.cash).toBe(microUsd(100_000_000 + 5_000_000 - 250_000));
  });
});

describe('a print in the report', () => {
  it('has the mark before its message', () => {
    const prints: unknown[] = [];
    const sim = new Harness({ tap: { onPrint: (print) => prints.push({ ...print }) } });
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
    const sim = new Harness({ tap: { onRecordedMid: (_market, _time, mid) => mids.push(mid) } });
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
    const sim = harness();
    expect(() => sim.message({ kind: 9, market: 0, side: 0, price: 0, shares: 0 })).toThrow('kind 9');
    expect(() => sim.message({ kind: 2, market: 0, side: 0, price: 7, shares: 0 })).toThrow('unknown status code 7');
    expect(() => sim.message({ kind: 0, market: 4, side: 0, price: 5_000, shares: 0 })).toThrow('market 4');
  });

  it('stop the run when a message has no end', () => {
    const sim = harness();
    expect(() => sim.engine.message(blockWithoutEnd(), 0)).toThrow('ends inside of the message');
  });
});

describe('a message for several markets', () => {
  it('is one step for each market', () => {
    const sim = new Harness({ markets: 2 });
    const second = counted.market(1);
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
