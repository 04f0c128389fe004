import { describe, expect, it } from 'vitest';
import { botNo, counted, microShares, microUsd, SHARE } from '../../../src/domain/index.ts';
import { noFees, takerFees, withCommission } from '../../../src/venues/sim/index.ts';
import { Harness, type HarnessOptions } from './harness.ts';

const M = counted.market(0);

function harness(options: HarnessOptions = {}): Harness {
  const played = new Harness(options);
  played.message('bid 5800 100', 'ask 6200 100');
  return played;
}

function convert(played: Harness, type: 'split' | 'merge' | 'claim', shares = 0): void {
  played.command({ type, bot: botNo(3), market: M, shares: microShares(shares * SHARE) });
}

describe('a halt', () => {
  it('cancels own orders, refuses new ones, stops fills and keeps the mark', () => {
    const marks: number[] = [];
    const played = harness({ tap: { onMark: (_market, _time, mark) => marks.push(mark) } });
    played.place('bid 10 @ 5800');
    played.message('sell 104 @ 5800', 'halt');
    played.place('bid 10 @ 5800');
    played.message('sell 500 @ 5000', 'bid 5900 10', 'ask 5950 10');
    played.message('open', 'bid 5910 10');
    played.place('bid 10 @ 5800');
    expect(played.news()).toEqual([
      '#1 accepted',
      '#1 filled 4 @ 5800',
      '#1 closed MARKET_HALTED',
      '#2 rejected MARKET_HALTED',
      '#3 accepted',
    ]);
    expect(marks).toEqual([12_000, 11_860]);
  });

  it('allows cancels, splits and merges', () => {
    const played = harness();
    played.message('halt');
    convert(played, 'split', 10);
    convert(played, 'merge', 10);
    expect(played.news()).toEqual(['split -10000000 fee 0', 'merge 10000000 fee 0']);
  });
});

describe('the end of trading', () => {
  it('cancels own orders and refuses new ones as not open', () => {
    const played = harness();
    played.place('bid 10 @ 5800');
    played.message('end');
    played.place('bid 10 @ 5800');
    expect(played.news()).toEqual(['#1 accepted', '#1 closed MARKET_NOT_OPEN', '#2 rejected MARKET_NOT_OPEN']);
  });
});

describe('a new image', () => {
  it('empties the book but keeps own orders and their queues, which its sets can only shorten', () => {
    const played = harness();
    const order = played.place('bid 10 @ 5800');
    expect(played.message('clear', 'bid 5800 40', 'ask 6300 10')).toEqual(['bid 5800 40', 'ask 6300 10']);
    expect([played.front(order), played.visible('ask', 6_200)]).toEqual([40, 0]);
    played.message('clear', 'ask 6300 10');
    expect(played.front(order)).toBe(40);
    played.message('bid 5800 500');
    expect(played.front(order)).toBe(40);
  });
});

describe('a gap of the recording', () => {
  it('has no fills, no mark and nothing to take, and leaves own orders where they are', () => {
    const marks: number[] = [];
    const played = harness({ tap: { onMark: (_market, _time, mark) => marks.push(mark) } });
    const order = played.place('bid 10 @ 5800');
    played.message('gap');
    played.message('sell 500 @ 5000', 'bid 6000 10', 'ask 5700 10');
    played.place('bid 10 @ 6300', { timeInForce: 'FAK' });
    expect(played.news()).toEqual(['#1 accepted', '#2 accepted', '#2 closed FAK_REMAINDER']);
    expect([played.fills(), marks, played.front(order)]).toEqual([[], [12_000], 100]);
  });

  it('ends with a full book, behind whose sizes own orders stand, and which fills those it crosses', () => {
    const played = harness();
    const [first, second] = [played.place('bid 10 @ 5800'), played.place('bid 10 @ 5700')];
    played.message('sell 100 @ 5800', 'bid 5800 60');
    expect(played.front(first)).toBe(0);
    played.message('gap');
    played.message('clear', 'bid 5800 300', 'bid 5600 5', 'ask 5900 5');
    expect([played.front(first), played.front(second)]).toEqual([300, 0]);
    played.message('sell 305 @ 5800');
    expect(played.fills()).toEqual(['#1 5 @ 5800 queue']);
    played.message('gap');
    played.message('clear', 'ask 5700 100', 'bid 5600 5');
    expect(played.fills()).toEqual(['#1 5 @ 5800 cross inside', '#2 10 @ 5700 cross inside']);
  });

  it('shows prints without a mark', () => {
    const prints: (number | undefined)[] = [];
    const played = harness({ tap: { onPrint: ({ mark }) => prints.push(mark) } });
    played.message('gap');
    played.message('sell 5 @ 5800');
    played.message('clear', 'bid 5800 100', 'ask 6200 100');
    played.message('sell 5 @ 5800');
    expect(prints).toEqual([undefined, 12_000]);
  });

  it('takes the assumed price of a tape without a book away until its next trade', () => {
    const played = new Harness({ tradesOnly: { fill: 'through', assumedHalfSpreadBps: 50 } });
    played.message('buy 5 @ 6000');
    played.message('gap');
    played.place('bid 10 @ 6100', { timeInForce: 'FAK' });
    played.message('clear', 'buy 5 @ 6000');
    played.place('bid 10 @ 6100', { timeInForce: 'FAK' });
    expect(played.fills()).toEqual(['#2 10 @ 6050 taker']);
  });
});

describe('a conversion', () => {
  it('is refused for the first reason that holds', () => {
    const played = harness({ capital: 10 });
    convert(played, 'claim');
    convert(played, 'split', 11);
    convert(played, 'split', 0);
    convert(played, 'merge', 1);
    convert(played, 'split', 10);
    played.place('sell yes 6 @ 6200');
    convert(played, 'merge', 5);
    convert(played, 'merge', 4);
    played.command({ type: 'split', bot: botNo(3), market: counted.market(9), shares: microShares(SHARE) });
    played.message('end');
    convert(played, 'split', 1);
    convert(played, 'merge', 1);
    played.message('pays 10000');
    convert(played, 'merge', 1);
    expect(played.news()).toEqual([
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

  it('adds up exactly with fills, marks, fee and claim, as in docs/spec/models.md#profit-and-loss', () => {
    const played = new Harness({ fees: takerFees(200), capital: 1_000 });
    played.message('bid 5900 500', 'ask 6100 500');
    played.place('bid 100 @ 5800');
    played.message('sell 100 @ 5790');
    played.message('bid 5900 0', 'bid 5800 500', 'ask 6100 0', 'ask 6000 500');
    // One-sided: the mark of 11800 stays.
    played.message('ask 6000 0', 'bid 6000 60');
    played.place('ask 60 @ 6000', { timeInForce: 'FAK' });
    convert(played, 'merge', 60);
    played.message('bid 6900 10', 'ask 7100 10');
    played.message('pays 10000');
    convert(played, 'claim');
    expect(played.engine.ledger.pnlSplit(M)).toMatchObject({
      spreadMicros: 2_600_000,
      inventoryMicros: 3_400_000,
      settlementMicros: 12_000_000,
      feesMicros: -288_000,
      roundingMicros: 0,
    });
    expect(played.engine.ledger.pnl()).toMatchObject({ totalMicros: 17_712_000, settlementMicros: 16_800_000 });
    expect(played.engine.ledger.cash).toBe(1_017_712_000);
  });
});

describe('the end of a market', () => {
  it('cancels own orders, and pays the winner once, when claimed', () => {
    const played = harness({ capital: 58 });
    played.place('bid 100 @ 5800');
    played.message('sell 60 @ 5790');
    played.message('pays 10000');
    expect(played.engine.ledger.cash).toBe(23_200_000);
    convert(played, 'claim');
    convert(played, 'claim');
    expect(played.news()).toEqual([
      '#1 accepted',
      '#1 filled 60 @ 5800',
      '#1 closed MARKET_NOT_OPEN',
      'claim 60000000 fee 0',
      'claim 0 fee 0',
    ]);
    expect(played.engine.ledger.cash).toBe(83_200_000);
  });

  it.each([
    ['pays 0', 0],
    ['pays 5000', 30_000_000],
    ['void', 34_800_000],
  ])('%s: 60 YES bought at 58 cents get %d micro-USD', (row, paid) => {
    const played = harness({ capital: 58 });
    played.place('bid 60 @ 5800');
    played.message('sell 60 @ 5790');
    played.message(row);
    convert(played, 'claim');
    expect(played.news().at(-1)).toBe(`claim ${paid} fee 0`);
  });

  it('is final: no later status opens it again', () => {
    const played = harness();
    played.message('pays 0');
    played.message('open');
    played.place('bid 10 @ 5800');
    expect(played.news()).toEqual(['#1 rejected MARKET_NOT_OPEN']);
  });

  it('has no new marks', () => {
    const marks: number[] = [];
    const played = harness({ tap: { onMark: (_market, _time, mark) => marks.push(mark) } });
    played.message('pays 0', 'bid 5900 10');
    expect(marks).toEqual([12_000]);
  });
});

describe('a commission (docs/spec/models.md#fees-commission-rewards)', () => {
  const fees = withCommission(noFees(), 500);

  it('is deducted from the claim, once', () => {
    const played = harness({ fees, capital: 58 });
    played.place('bid 100 @ 5800');
    played.message('sell 100 @ 5790');
    played.message('pays 10000');
    convert(played, 'claim');
    convert(played, 'claim');
    expect(played.news().slice(2)).toEqual(['claim 97900000 fee 2100000', 'claim 0 fee 0']);
    expect(played.engine.ledger.pnlSplit(M).feesMicros).toBe(-2_100_000);
  });

  it('is not due on a loss, nor on a refund', () => {
    for (const row of ['pays 0', 'void']) {
      const played = harness({ fees, capital: 58 });
      played.place('bid 100 @ 5800');
      played.message('sell 100 @ 5790');
      played.message(row);
      convert(played, 'claim');
      expect(played.news().at(-1)).toMatch(/fee 0$/);
    }
  });

  it('is charged without a claim when winnings exist and nothing is left to claim, not before the bot knows the end', () => {
    const played = harness({ fees, capital: 100 });
    played.place('bid 100 @ 5800');
    played.message('sell 100 @ 5790');
    played.message('bid 6300 100', 'ask 6200 0');
    played.place('sell yes 100 @ 6300', { timeInForce: 'FAK' });
    played.news();
    played.message('pays 0');
    expect(played.reported).toEqual([
      {
        type: 'converted',
        conversion: 'claim',
        bot: 3,
        market: 0,
        shares: 0,
        paid: -250_000,
        fee: 250_000,
        venueTime: played.time,
        // The answer would be there after 40 ms, the market's own message takes 50.
        time: played.time + 50,
      },
    ]);
    played.news();
    convert(played, 'claim');
    expect(played.news()).toEqual(['claim 0 fee 0']);
    expect(played.engine.ledger.cash).toBe(microUsd(100_000_000 + 5_000_000 - 250_000));
  });
});

describe('a print for the report', () => {
  it('has the mark before its message', () => {
    const prints: unknown[] = [];
    const played = new Harness({ tap: { onPrint: (print) => prints.push({ ...print }) } });
    played.message('print 1 @ 6000', 'bid 5800 10', 'ask 6200 10');
    played.message('buy 2 @ 6200', 'ask 6200 0', 'ask 6300 10');
    expect(prints).toEqual([
      { market: 0, time: 1_010, taker: 2, yesPrice: 6_000, shares: SHARE, mark: undefined },
      { market: 0, time: 1_020, taker: 0, yesPrice: 6_200, shares: 2 * SHARE, mark: 12_000 },
    ]);
  });
});

describe('the recorded mid for the report', () => {
  it('ignores what we took, and is absent while a side is empty or the market is halted', () => {
    const mids: unknown[] = [];
    const played = new Harness({ tap: { onRecordedMid: (_market, _time, mid) => mids.push(mid) } });
    played.message('bid 5800 10');
    played.message('ask 6200 10', 'ask 6300 10');
    played.place('bid 10 @ 6200', { timeInForce: 'FAK' });
    played.message('bid 5900 10');
    played.message('bid 5800 20');
    played.message('halt');
    played.message('open');
    expect(mids).toEqual([12_000, 12_100, undefined, 12_100]);
  });
});

describe('invalid rows', () => {
  it('stop the run', () => {
    const played = harness();
    expect(() => played.message({ kind: 9, market: 0, side: 0, price: 0, shares: 0 })).toThrow('kind 9');
    expect(() => played.message({ kind: 2, market: 0, side: 0, price: 7, shares: 0 })).toThrow('unknown status code 7');
    expect(() => played.message({ kind: 0, market: 4, side: 0, price: 5_000, shares: 0 })).toThrow('market 4');
  });

  it('such as a message without an end stop it too', () => {
    const played = harness();
    const block = { ...blockWithoutEnd() };
    expect(() => played.engine.message(block, 0)).toThrow('ends inside of the message');
  });
});

describe('a message for several markets', () => {
  it('is one step for each of them', () => {
    const played = new Harness({ markets: 2 });
    const second = counted.market(1);
    const level = (market: number, side: number, price: number) => ({
      kind: 0,
      market,
      side,
      price,
      shares: 10 * SHARE,
    });
    played.message(level(0, 0, 5_000), level(1, 1, 6_000), level(0, 1, 6_000), level(1, 0, 5_000));
    played.place('bid 5 @ 5500');
    played.place('ask 5 @ 5500', { market: second });
    played.message(level(0, 1, 5_400), level(1, 0, 5_600), level(0, 1, 5_300));
    expect(played.fills()).toEqual(['#1 5 @ 5500 cross inside', '#2 5 @ 5500 cross inside']);
    expect(played.fillFacts).toEqual([]);
    expect([0, 1].map((market) => played.engine.market(market)?.mark)).toEqual([10_300, 11_600]);
  });
});

function blockWithoutEnd() {
  const one = new Float64Array(1);
  const bytes = new Uint8Array(1);
  const words = new Uint16Array([5_000]);
  const markets = new Uint16Array(1);
  return {
    count: 1,
    tx: one,
    rx: one,
    market: markets,
    kind: bytes,
    side: bytes,
    price: words,
    shares: one,
    flags: bytes,
  };
}
