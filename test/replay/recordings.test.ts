/** Life cycle, trades and refusals of markets that follow tapes. */
import { describe, expect, it } from 'vitest';
import { RECORDING_VERSION, STATE_VERSION } from '../../src/exchange/index.ts';
import { CANCELLED_PAYOUT, KIND, SIDE } from '../../src/tape/index.ts';
import { eventTexts, Harness, reasonOf, SHARE } from '../exchange/engine/harness.ts';
import { restoredHarness } from './restored.ts';

const TERMS = { tape: 'abc', grid: { type: 'tick', tickBps: 10 }, models: { queue: { model: 'risk-averse' } } };
const STATES = { open: 0, halted: 1, pending: 2 } as const;

const bid = (price: number, shares: number) => [KIND.level, SIDE.bid, price, shares * SHARE];
const ask = (price: number, shares: number) => [KIND.level, SIDE.ask, price, shares * SHARE];
const buys = (price: number, shares: number) => [KIND.trade, SIDE.bid, price, shares * SHARE];
const sells = (price: number, shares: number) => [KIND.trade, SIDE.ask, price, shares * SHARE];
const turns = (state: keyof typeof STATES) => [KIND.status, 0, STATES[state], 0];
const pays = (bps: number) => [KIND.resolution, 0, bps, 0];

/** Account 1 trades with the recorded flow, account 2, in market 0 with bids 6000 and 5990 and asks 6100 and 6110. */
class Recorded extends Harness {
  #row = 0;

  static open(models: object = TERMS.models): Recorded {
    const harness = new Recorded();
    harness.account(1000);
    harness.account(0, true);
    harness.market();
    harness.follow([...bid(6000, 100), ...bid(5990, 50), ...ask(6100, 100), ...ask(6110, 50)], models);
    return harness;
  }

  follow(rows: readonly number[], models: object = TERMS.models) {
    return this.send('followTape', { ...TERMS, models, market: 0, account: 2, row: 0, recordedAt: 1000, rows });
  }

  play(...rows: readonly (readonly number[])[]) {
    this.#row += 1;
    this.time += 10;
    return this.send('playTape', { market: 0, row: this.#row, recordedAt: 1000 + this.#row, rows: rows.flat() });
  }

  /** Levels as `6000 100 1`: price, shares, number of orders; bids first. */
  book(): readonly string[] {
    const book = this.view.book(0);
    if (book === undefined) return [];
    const level = (price: number) => `${price} ${book.sharesAt(price) / SHARE} ${book.orderCountAt(price)}`;
    const lines: string[] = [];
    for (let price = book.bestBid; price > 0; price = book.priceBelow(price)) lines.push(level(price));
    lines.push('|');
    for (let price = book.bestAsk; price < 10_000; price = book.priceAbove(price)) lines.push(level(price));
    return lines;
  }

  get record() {
    const record = this.view.market(0);
    if (record === undefined) throw new Error('no market');
    return record;
  }
}

describe('a market that follows a tape', () => {
  it('shows recorded levels together with orders, and takers fill against them', () => {
    const harness = Recorded.open();
    expect(harness.book()).toEqual(['6000 100 1', '5990 50 1', '|', '6100 100 1', '6110 50 1']);
    harness.buy(1, 'YES', 6000, 20);
    const taken = harness.place(1, { price: 6100, size: 30, timeInForce: 'FAK' });
    expect(eventTexts(taken)).toEqual(['accepted 2', 'traded 0<2 30@6100 MINT', 'closed 2 FILLED 0']);
    expect(harness.book()).toEqual(['6000 120 2', '5990 50 1', '|', '6100 70 1', '6110 50 1']);
    expect(harness.record).toMatchObject({ lastTrade: 6100, volume: 30 * 610_000 });
    // 80 of the recorded 100 are left, of which 30 were taken by own orders.
    harness.play(ask(6100, 80));
    expect(harness.book()[3]).toBe('6100 50 1');
  });

  it('matches prints with orders by the queue rules, and the rest of a print is a trade of others', () => {
    const harness = Recorded.open();
    harness.buy(1, 'NO', 3900, 20);
    expect(eventTexts(harness.play(buys(6100, 110)))).toEqual(['traded 1<0 10@6100 MINT', 'printed', 'tapePlayed']);
    expect(harness.record).toMatchObject({ lastTrade: 6100, volume: 110 * 610_000 });
    expect(eventTexts(harness.play(sells(5990, 7)))).toEqual(['printed', 'tapePlayed']);
    // A seller of YES is reported as a buyer of NO.
    expect(harness.record).toMatchObject({ lastTrade: 5990, volume: 110 * 610_000 + 7 * 401_000 });
    expect(harness.view.holdingsOf(2)).toMatchObject([{ yes: { shares: 10 * SHARE }, no: { shares: 0 } }]);
  });

  it('fills orders that a level crosses, and reports the rest of the level', () => {
    const harness = Recorded.open();
    harness.buy(1, 'NO', 3900, 20);
    const events = harness.play(ask(6100, 0), bid(6110, 15), bid(6100, 1));
    expect(eventTexts(events)).toEqual(['traded 1<0 16@6100 MINT', 'tapePlayed']);
    expect(harness.book()).toEqual(['6000 100 1', '5990 50 1', '|', '6100 4 1', '6110 50 1']);
  });

  it('halts and resumes as recorded, by the table of transitions', () => {
    const harness = Recorded.open();
    harness.buy(1, 'YES', 5900, 20);
    expect(eventTexts(harness.play(turns('halted')))).toEqual([
      'closed 1 MARKET_HALTED 20',
      'marketChanged',
      'tapePlayed',
    ]);
    expect(reasonOf(harness.place(1, { price: 5900 }))).toBe('MARKET_HALTED');
    expect(harness.record).toMatchObject({ status: 'OPEN', halted: true });
    expect(eventTexts(harness.play(turns('halted')))).toEqual(['tapePlayed']);
    expect(eventTexts(harness.play(turns('open')))).toEqual(['marketChanged', 'tapePlayed']);
    expect(harness.record.halted).toBe(false);
  });

  it.each([
    [10_000, 'RESOLVED', 'RESOLVED_YES'],
    [0, 'RESOLVED', 'RESOLVED_NO'],
    [5_000, 'RESOLVED', 'RESOLVED_UNCERTAIN'],
  ])('is decided by the whole quorum and waits for disputes when it pays %i', (payout, decided, end) => {
    const harness = Recorded.open();
    harness.place(1, { price: 6100, size: 10 });
    harness.play(pays(payout));
    expect(harness.record).toMatchObject({ status: decided, round: 1 });
    expect(harness.record.votes.map(({ model, rationale }) => [model, rationale])).toEqual([
      ['tape-1', 'as recorded'],
      ['tape-2', 'as recorded'],
    ]);
    harness.time += 7_200_000;
    harness.send('tick');
    harness.confirm(0);
    expect(harness.record.status).toBe(end);
    harness.send('claim', { market: 0 });
    expect(harness.view.account(1)?.available).toBe(1_000_000_000 - 6_100_000 + payout * 1_000);
  });

  it('refunds payments when it is void', () => {
    const harness = Recorded.open();
    harness.place(1, { price: 6100, size: 10 });
    harness.play(turns('pending'));
    expect(harness.record.status).toBe('PENDING_RESOLUTION');
    harness.play(pays(CANCELLED_PAYOUT));
    expect(harness.record.status).toBe('CANCELLED');
    harness.send('claim', { market: 0 });
    expect(harness.view.account(1)?.available).toBe(1_000_000_000);
  });

  it('continues internally while it is not open, and reopens in the state of the tape', () => {
    const harness = Recorded.open();
    harness.play(turns('pending'));
    expect(harness.book()).toEqual(['|']);
    expect(eventTexts(harness.play(bid(6020, 5), buys(6100, 5)))).toEqual(['tapePlayed']);
    harness.play(turns('open'));
    expect(harness.record).toMatchObject({ status: 'OPEN', deadline: undefined });
    expect(harness.book()).toEqual(['6020 5 1', '6000 100 1', '5990 50 1', '|', '6100 100 1', '6110 50 1']);
  });

  it('has no resolution date of its own', () => {
    const harness = Recorded.open();
    expect(harness.record.deadline).toBeUndefined();
    harness.time = harness.record.resolutionDate + 1;
    harness.send('tick');
    expect(harness.record.status).toBe('OPEN');
  });

  it('has the placement delay of its tape', () => {
    const harness = Recorded.open();
    harness.play([KIND.placeDelay, 0, 0, 5000]);
    expect(harness.record.following).toMatchObject({ placeDelay: 5000, row: 1, recordedAt: 1001, account: 2 });
  });

  it('has no book in a gap of its tape, and own orders queue behind the next book', () => {
    const harness = Recorded.open();
    harness.place(1, { price: 6000, size: 10 });
    harness.play([KIND.gap, 0, 0, 0]);
    expect(harness.book()).toEqual(['6000 10 1', '|']);
    expect(eventTexts(harness.play([...sells(5990, 50), ...bid(6020, 5)]))).toEqual(['printed', 'tapePlayed']);
    const again = restoredHarness(harness);
    expect(again.hash()).toBe(harness.hash());
    harness.play([KIND.clear, 0, 0, 0, ...bid(6000, 30)]);
    expect(harness.book()).toEqual(['6000 40 2', '|']);
    harness.play(sells(6000, 35));
    expect(harness.book()[0]).toBe('6000 35 2');
  });

  it('does not replay earlier rows', () => {
    const harness = Recorded.open();
    harness.play(bid(6000, 90));
    const again = { market: 0, row: 1, recordedAt: 1001, rows: bid(6000, 10) };
    expect(reasonOf(harness.send('playTape', again))).toBe('CONFLICT');
    expect(reasonOf(harness.send('playTape', { ...again, row: 2, recordedAt: 999 }))).toBe('INVALID_ORDER');
    expect(harness.book()[0]).toBe('6000 90 1');
  });

  it.each([
    ['a size between lots', bid(6000, 0.005)],
    ['a price off the tick', bid(6005, 1)],
    ['half a row', [KIND.level, SIDE.bid]],
    ['an unknown kind', [77, 0, 0, 0]],
    ['a level on no side', [KIND.level, 2, 6000, SHARE]],
    ['a print of size 0', buys(6000, 0)],
    ['an unknown state', [KIND.status, 0, 99, 0]],
    ['a size ahead without a level', [KIND.ahead, SIDE.bid, 6000, SHARE]],
    ['a size ahead before another level', [KIND.ahead, SIDE.bid, 6000, SHARE, ...bid(5990, 1)]],
  ])('refuses %s', (_, rows) => {
    const harness = Recorded.open();
    const before = harness.hash();
    expect(eventTexts(harness.play(rows))).toEqual(['refused 0 INVALID_ORDER rows']);
    expect(harness.hash()).toBe(before);
  });

  it('advances orders by the cancels ahead of them under the queue model fifo', () => {
    const harness = Recorded.open({ queue: { model: 'fifo' } });
    harness.buy(1, 'YES', 6000, 20);
    harness.play([KIND.ahead, SIDE.bid, 6000, 40 * SHARE], bid(6000, 70));
    // 70 are ahead, so a print of 75 fills 5 of the order.
    expect(eventTexts(harness.play(sells(6000, 75)))).toContain('traded 1<0 5@6000 MINT');
  });

  it('does not advance while the venue is halted', () => {
    const harness = Recorded.open();
    harness.send('setMode', { mode: 'HALTED' });
    expect(reasonOf(harness.play(bid(6000, 90)))).toBe('VENUE_MODE');
    harness.send('setMode', { mode: 'CANCEL_ONLY' });
    expect(eventTexts(harness.play(bid(6000, 80)))).toEqual(['tapePlayed']);
  });

  it('keeps its tick and its tape', () => {
    const harness = Recorded.open();
    expect(reasonOf(harness.send('changeTick', { market: 0, tickBps: 20 }))).toBe('CONFLICT');
    expect(reasonOf(harness.follow([]))).toBe('CONFLICT');
  });

  it('ends when an operator voids it', () => {
    const harness = Recorded.open();
    harness.send('voidMarket', { market: 0 });
    expect(eventTexts(harness.play(bid(6000, 90)))).toEqual(['refused 0 ALREADY_FINAL marketId']);
  });

  it('is written with its own version and restored unchanged', () => {
    const versionOf = (harness: Harness): number => {
      const numbers: number[] = [];
      harness.exchange.writeState({ number: (value) => numbers.push(value), text: () => {} });
      return numbers[0] ?? 0;
    };
    const plain = new Harness();
    plain.account(1);
    plain.market();
    expect(versionOf(plain)).toBe(STATE_VERSION);
    const harness = Recorded.open();
    harness.buy(1, 'YES', 6000, 20);
    harness.place(1, { price: 6110, size: 120, timeInForce: 'FAK' });
    harness.play(sells(6000, 30));
    expect(versionOf(harness)).toBe(RECORDING_VERSION);
    const again = restoredHarness(harness);
    expect(again.hash()).toBe(harness.hash());
    const print = { market: 0, row: 9, recordedAt: 2000, rows: sells(6000, 75) };
    expect(eventTexts(again.send('playTape', print))).toEqual(eventTexts(harness.send('playTape', print)));
    expect(again.hash()).toBe(harness.hash());
  });
});

const OTHER = { market: 1, account: 3 };

function traded(harness: Harness): void {
  harness.buy(1, 'YES', 4000, 5);
  harness.buy(2, 'NO', 6000, 5);
}

function follows(harness: Harness): void {
  harness.send('followTape', { ...TERMS, market: 0, account: 2, row: 0, recordedAt: 0, rows: [] });
}

function twoMarkets(harness: Harness): void {
  harness.market();
  harness.market();
  harness.account(0, true);
}

function listed(prices: readonly unknown[]): object {
  return { type: 'list', bids: prices, asks: prices };
}

/** Prepares market 0. */
type Prepare = (harness: Harness) => unknown;

const REFUSED: readonly (readonly [what: string, prepare: Prepare, members: object, told: string])[] = [
  ['before it is open', (harness) => harness.createMarket(), {}, 'MARKET_NOT_OPEN marketId'],
  [
    'where an account has an order',
    (harness) => [harness.market(), harness.buy(1, 'YES', 4000, 5)],
    {},
    'CONFLICT marketId',
  ],
  ['on another tick', (harness) => harness.market({ tickBps: 20 }), {}, 'INVALID_TICK tickBps'],
  [
    'where an account has an offer',
    (harness) => [harness.market(), harness.buy(1, 'NO', 4000, 5)],
    {},
    'CONFLICT marketId',
  ],
  [
    'where an account has traded, also without a position',
    (harness) => [harness.market(), traded(harness)],
    {},
    'CONFLICT marketId',
  ],
  ['that does not exist', (harness) => harness.market(), { market: 1 }, 'NOT_FOUND marketId'],
  [
    'once it follows one, also before its first row',
    (harness) => [harness.market(), follows(harness)],
    {},
    'CONFLICT marketId',
  ],
  [
    'through a different account than the other markets',
    (harness) => [twoMarkets(harness), follows(harness)],
    OTHER,
    'CONFLICT account',
  ],
  ['through an account with limits', (harness) => harness.market(), { account: 1 }, 'NOT_FOUND account'],
  ['through an unknown account', (harness) => harness.market(), { account: 9 }, 'NOT_FOUND account'],
  ['from a negative row', (harness) => harness.market(), { row: -1 }, 'INVALID_ORDER row'],
  ['from a fractional row', (harness) => harness.market(), { row: 0.5 }, 'INVALID_ORDER row'],
  ['from a negative time', (harness) => harness.market(), { recordedAt: -1 }, 'INVALID_ORDER recordedAt'],
  [
    'on a list of prices in a market of ticks',
    (harness) => harness.market(),
    { grid: listed([10, 20]) },
    'INVALID_TICK tickBps',
  ],
  ['with half a row', (harness) => harness.market(), { rows: [1, 0] }, 'INVALID_ORDER rows'],
  ['by unknown models', (harness) => harness.market(), { models: { queue: 'mine' } }, 'INVALID_ORDER models'],
];

describe('a market cannot follow a tape when', () => {
  it.each(REFUSED)('%s', (_, prepare, members, expected) => {
    const harness = new Harness();
    harness.account(1000);
    harness.account(0, true);
    prepare(harness);
    const before = harness.hash();
    const command = { ...TERMS, market: 0, account: 2, row: 0, recordedAt: 0, rows: [], ...members };
    expect(eventTexts(harness.send('followTape', command))).toEqual([`refused 0 ${expected}`]);
    expect(harness.hash()).toBe(before);
  });

  it('its tick differs, and both ticks are reported', () => {
    const harness = new Harness();
    harness.account(0, true);
    harness.market({ tickBps: 20 });
    const refusal = { reason: 'INVALID_TICK', field: 'tickBps', limit: 20, value: 10, unit: 'BPS' };
    expect(harness.send('followTape', { ...TERMS, market: 0, row: 0, recordedAt: 0, rows: [] })).toEqual([
      { type: 'refused', entry: 0, refusal },
    ]);
  });
});

describe('a list of prices', () => {
  const followed = (grid: object) => {
    const harness = new Harness();
    harness.account(0, true);
    harness.market({ tickBps: 1 });
    const rows = [...bid(1, 2), ...ask(9999, 3)];
    return eventTexts(
      harness.send('followTape', { ...TERMS, grid, market: 0, account: 1, row: 0, recordedAt: 0, rows }),
    );
  };

  it('contains all prices at which orders may rest', () => {
    const harness = new Harness();
    harness.account(0, true);
    harness.account(1000);
    harness.market({ tickBps: 1 });
    const grid = listed([1, 20, 5000, 9999]);
    harness.send('followTape', { ...TERMS, grid, market: 0, account: 1, row: 0, recordedAt: 0, rows: [] });
    const before = harness.hash();
    for (const price of [2, 4999, 5001]) {
      expect(eventTexts(harness.place(2, { price, size: 5000 }))).toEqual(['refused 0 INVALID_TICK priceBps']);
    }
    expect(harness.hash()).toBe(before);
    expect(eventTexts(harness.place(2, { price: 20, size: 500 }))).toEqual(['accepted 1']);
  });

  it('may range from 1 to 9999 bps', () => {
    expect(followed(listed([1, 2, 9999]))).toEqual(['tapePlayed']);
  });

  it.each([
    ['with certainty', [1, 10_000]],
    ['with 0', [0, 1]],
    ['with less than 0', [-1, 1]],
    ['with a fractional price', [1, 1.5]],
    ['with a string', [1, '2']],
    ['in descending order', [2, 1]],
    ['with one price twice', [1, 1]],
  ])('is not valid %s', (_, prices) => {
    for (const grid of [
      { type: 'list', bids: prices, asks: [1] },
      { type: 'list', bids: [1], asks: prices },
    ]) {
      expect(followed(grid)).toEqual(['refused -1 INVALID_ORDER grid']);
    }
  });

  it.each([
    ['none', undefined],
    ['null', null],
    ['of another type', { type: 'curve', tickBps: 1, bids: [1], asks: [1] }],
    ['a tick that is a string', { type: 'tick', tickBps: '1' }],
    ['a list without asks', { type: 'list', bids: [1] }],
  ])('is not valid as a grid: %s', (_, grid) => {
    expect(followed(Object(grid === undefined ? { grid } : { grid }).grid)).toEqual(['refused -1 INVALID_ORDER grid']);
  });
});

describe('a position on a tape', () => {
  it('may not be before that of the market, in row or time, and the refusal names which', () => {
    const harness = Recorded.open();
    harness.play(bid(6000, 90));
    const next = { market: 0, recordedAt: 1001, rows: bid(6000, 80) };
    const refusal = { reason: 'CONFLICT', field: 'row', limit: 1, value: 1, unit: 'COUNT' };
    expect(harness.send('playTape', { ...next, row: 1 })).toEqual([{ type: 'refused', entry: 0, refusal }]);
    expect(eventTexts(harness.send('playTape', { ...next, row: 2, recordedAt: 1000 }))).toEqual([
      'refused 0 INVALID_ORDER recordedAt',
    ]);
    expect(eventTexts(harness.send('playTape', { ...next, row: 2.5 }))).toEqual(['refused 0 INVALID_ORDER row']);
    expect(eventTexts(harness.send('playTape', { ...next, row: 2 }))).toEqual(['tapePlayed']);
    expect(harness.record.following).toMatchObject({ row: 2, recordedAt: 1001 });
  });

  it('may be negative zero, which is the start', () => {
    const harness = new Harness();
    harness.account(0, true);
    harness.market();
    harness.send('followTape', { ...TERMS, market: 0, row: -0, recordedAt: -0, rows: [] });
    expect(harness.view.market(0)?.following).toMatchObject({ row: 0, recordedAt: 0 });
  });

  it('requires a market that follows that tape', () => {
    const harness = Recorded.open();
    harness.market();
    const rows = bid(6000, 90);
    const play = (market: number) => eventTexts(harness.send('playTape', { market, row: 5, recordedAt: 2000, rows }));
    expect([play(1), play(9)]).toEqual([['refused 0 CONFLICT marketId'], ['refused 0 NOT_FOUND marketId']]);
  });
});

describe('the changes of a recorded message', () => {
  it('have the sequence of that message if it has a level or a print, and none otherwise', () => {
    const harness = Recorded.open();
    const seqs = [bid(6000, 90), [KIND.placeDelay, 0, 0, 5], sells(5990, 1)].map((rows) => {
      harness.play(rows);
      return harness.record.bookSeq === harness.view.seq;
    });
    expect(seqs).toEqual([true, false, true]);
  });

  it('include recorded trades while the market is halted, and none after it is closed', () => {
    const harness = Recorded.open();
    harness.play(turns('halted'));
    expect(eventTexts(harness.play(buys(6100, 5)))).toEqual(['printed', 'tapePlayed']);
    harness.play(turns('pending'));
    const { volume } = harness.record;
    expect(volume).toBe(5 * 610_000);
    expect(eventTexts(harness.play(buys(6100, 5)))).toEqual(['tapePlayed']);
    expect(harness.record.volume).toBe(volume);
  });

  it('close a market once, and reopen it in its earlier state, such as halted', () => {
    const harness = Recorded.open();
    expect(eventTexts(harness.play(turns('pending'))).filter((word) => word === 'marketChanged')).toHaveLength(1);
    expect(eventTexts(harness.play(turns('pending')))).toEqual(['tapePlayed']);
    harness.play(turns('halted'));
    expect(harness.record).toMatchObject({ status: 'OPEN', halted: true, deadline: undefined });
  });

  it('do not affect a market that was decided differently meanwhile', () => {
    const harness = Recorded.open();
    harness.play(pays(10_000));
    expect(harness.record.votes.map(({ vote }) => vote)).toEqual(['YES', 'YES']);
    expect(eventTexts(harness.play(pays(0)))).toEqual(['tapePlayed']);
    expect(eventTexts(harness.play(turns('open')))).toEqual(['tapePlayed']);
    expect(harness.record).toMatchObject({ status: 'RESOLVED', round: 1 });
    expect(harness.record.votes).toHaveLength(2);
  });

  it('reopen a market with its previous date, or a day from now when that has passed', () => {
    const harness = Recorded.open();
    const { resolutionDate } = harness.record;
    harness.play(turns('pending'));
    harness.play(turns('open'));
    expect(harness.record.resolutionDate).toBeGreaterThanOrEqual(harness.time + 86_400_000);
    harness.time = resolutionDate + 86_400_000 * 3;
    harness.play(turns('pending'));
    harness.play(turns('open'));
    expect(harness.record.resolutionDate).toBe(harness.time + 86_400_000);
  });

  it.each([
    ['open', 'YES'],
    ['closed', 'NO'],
  ] as const)('are noted as recorded for a market that was %s', (_, vote) => {
    const harness = Recorded.open();
    if (vote === 'NO') harness.play(turns('pending'));
    const events = harness.play(pays(vote === 'YES' ? 10_000 : 0));
    expect(harness.record.votes).toMatchObject([
      { model: 'tape-1', vote, confidenceBps: undefined, rationale: 'as recorded', sources: [] },
      { model: 'tape-2', vote, confidenceBps: undefined, rationale: 'as recorded', sources: [] },
    ]);
    expect(new Set(harness.record.votes.map(({ id }) => id)).size).toBe(2);
    expect(JSON.stringify(events)).toContain('as recorded');
  });
});
