/** Refused `followTape` commands. */
import { describe, expect, it } from 'vitest';
import { eventTexts, Harness } from '../exchange/engine/harness.ts';
import { askLevel, bidLevel, TERMS } from './followed-market.ts';

const OTHER = { market: 1, account: 3 };

function trade(harness: Harness): void {
  harness.buy(1, 'YES', 4000, 5);
  harness.buy(2, 'NO', 6000, 5);
}

function follow(harness: Harness): void {
  harness.send('followTape', { ...TERMS, market: 0, account: 2, row: 0, recordedAt: 0, rows: [] });
}

function openTwoMarkets(harness: Harness): void {
  harness.market();
  harness.market();
  harness.unlimitedAccount();
}

function priceList(prices: readonly unknown[]): object {
  return { type: 'list', bids: prices, asks: prices };
}

/** Prepares market 0. */
type Prepare = (harness: Harness) => unknown;

const REFUSED: readonly (readonly [condition: string, prepare: Prepare, members: object, refusal: string])[] = [
  ['before it is open', (harness) => harness.createMarket(), {}, 'MARKET_NOT_OPEN marketId'],
  [
    'where an account has an order',
    (harness) => [harness.market(), harness.buy(1, 'YES', 4000, 5)],
    {},
    'CONFLICT marketId',
  ],
  [
    'where an account has an offer',
    (harness) => [harness.market(), harness.buy(1, 'NO', 4000, 5)],
    {},
    'CONFLICT marketId',
  ],
  [
    'where an account has traded, even without a position',
    (harness) => [harness.market(), trade(harness)],
    {},
    'CONFLICT marketId',
  ],
  ['that does not exist', (harness) => harness.market(), { market: 1 }, 'NOT_FOUND marketId'],
  [
    'when it follows one already, even before its first row',
    (harness) => [harness.market(), follow(harness)],
    {},
    'CONFLICT marketId',
  ],
  [
    'through a different account than the other markets',
    (harness) => [openTwoMarkets(harness), follow(harness)],
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
    { grid: priceList([10, 20]) },
    'INVALID_TICK tickBps',
  ],
  ['with half a row', (harness) => harness.market(), { rows: [1, 0] }, 'INVALID_ORDER rows'],
  ['under unknown models', (harness) => harness.market(), { models: { queue: 'mine' } }, 'INVALID_ORDER models'],
];

describe('a market cannot follow a tape', () => {
  it.each(REFUSED)('%s', (_, prepare, members, expected) => {
    const harness = new Harness();
    harness.account(1000);
    harness.unlimitedAccount();
    prepare(harness);
    const before = harness.hash();
    const command = { ...TERMS, market: 0, account: 2, row: 0, recordedAt: 0, rows: [], ...members };
    expect(eventTexts(harness.send('followTape', command))).toEqual([`refused 0 ${expected}`]);
    expect(harness.hash()).toBe(before);
  });

  it('on another tick, and the refusal has both ticks', () => {
    const harness = new Harness();
    harness.unlimitedAccount();
    harness.market({ tickBps: 20 });
    const refusal = { reason: 'INVALID_TICK', field: 'tickBps', limit: 20, value: 10, unit: 'BPS' };
    expect(harness.send('followTape', { ...TERMS, market: 0, row: 0, recordedAt: 0, rows: [] })).toEqual([
      { type: 'refused', entry: 0, refusal },
    ]);
  });
});

describe('a price list', () => {
  const followWithGrid = (grid: object) => {
    const harness = new Harness();
    harness.unlimitedAccount();
    harness.market({ tickBps: 1 });
    const rows = [...bidLevel(1, 2), ...askLevel(9999, 3)];
    return eventTexts(
      harness.send('followTape', { ...TERMS, grid, market: 0, account: 1, row: 0, recordedAt: 0, rows }),
    );
  };

  it('contains all prices at which orders may rest', () => {
    const harness = new Harness();
    harness.unlimitedAccount();
    harness.account(1000);
    harness.market({ tickBps: 1 });
    const grid = priceList([1, 20, 5000, 9999]);
    harness.send('followTape', { ...TERMS, grid, market: 0, account: 1, row: 0, recordedAt: 0, rows: [] });
    const before = harness.hash();
    for (const price of [2, 4999, 5001]) {
      expect(eventTexts(harness.place(2, { price, size: 5000 }))).toEqual(['refused 0 INVALID_TICK priceBps']);
    }
    expect(harness.hash()).toBe(before);
    expect(eventTexts(harness.place(2, { price: 20, size: 500 }))).toEqual(['accepted 1']);
  });

  it('may range from 1 to 9999 bps', () => {
    expect(followWithGrid(priceList([1, 2, 9999]))).toEqual(['tapePlayed']);
  });

  it.each([
    ['with certainty', [1, 10_000]],
    ['with 0', [0, 1]],
    ['with less than 0', [-1, 1]],
    ['with a fractional price', [1, 1.5]],
    ['with a string', [1, '2']],
    ['in descending order', [2, 1]],
    ['with one price twice', [1, 1]],
  ])('is invalid %s', (_, prices) => {
    for (const grid of [
      { type: 'list', bids: prices, asks: [1] },
      { type: 'list', bids: [1], asks: prices },
    ]) {
      expect(followWithGrid(grid)).toEqual(['refused -1 INVALID_ORDER grid']);
    }
  });

  it.each([
    ['none', undefined],
    ['null', null],
    ['of another type', { type: 'curve', tickBps: 1, bids: [1], asks: [1] }],
    ['a tick that is a string', { type: 'tick', tickBps: '1' }],
    ['a list without asks', { type: 'list', bids: [1] }],
  ])('is invalid as a grid: %s', (_, grid) => {
    expect(followWithGrid(Object(grid === undefined ? { grid } : { grid }).grid)).toEqual([
      'refused -1 INVALID_ORDER grid',
    ]);
  });
});
