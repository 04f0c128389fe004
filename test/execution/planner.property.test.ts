import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Intent,
  priceBps,
  type Quote,
  type QuoteTolerance,
  type Sign,
  sharesOfLots,
} from '../../src/domain/index.ts';
import { runs } from '../runs.ts';
import { BOTS, MARKET, Trading } from './trading.ts';

type Action =
  | {
      readonly do: 'quote';
      readonly bot: number;
      readonly quotes: readonly Quote[];
      readonly tolerance: QuoteTolerance;
    }
  | { readonly do: 'take'; readonly bot: number; readonly sign: Sign; readonly price: number; readonly lots: number }
  | { readonly do: 'fill'; readonly pick: number; readonly part: number }
  | { readonly do: 'refuse' | 'receive' | 'placeDelayed' | 'deliver' };

/** Dollars that suffice for all quotes. */
const AMPLE_CASH = 100_000;

/** A narrow grid and sizes near the limits, so that prices meet and limits bind. */
const price = fc.integer({ min: 40, max: 60 }).map((step) => priceBps(step * 100));
const lots = fc.integer({ min: 1, max: 8_000 });
const bot = fc.integer({ min: 0, max: BOTS.length - 1 });
const quotes: fc.Arbitrary<Quote[]> = fc.array(
  fc.record({
    side: fc.constantFrom<Quote['side']>('bid', 'ask'),
    price,
    shares: fc.oneof(lots, fc.constantFrom(500, 1_000, 2_000)).map(sharesOfLots),
  }),
  { maxLength: 5 },
);
const tolerance: fc.Arbitrary<QuoteTolerance> = fc.record({
  pricePct: fc.constantFrom(0, 0, 3, 10),
  minAgeMs: fc.constantFrom(0, 0, 1),
});
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('quote' as const), bot, quotes, tolerance }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('take' as const), bot, sign: fc.constantFrom<Sign>(1, -1), price, lots }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fill' as const),
      pick: fc.nat(9),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refuse' as const) }) },
  {
    weight: 16,
    arbitrary: fc.record({ do: fc.constantFrom('receive' as const, 'deliver' as const, 'placeDelayed' as const) }),
  },
);

const scenario = fc.record({
  cash: fc.constantFrom(5, 40, AMPLE_CASH),
  delays: fc.boolean(),
  actions: fc.array(action, { maxLength: 150, size: 'max' }),
});

describe('the planner under any sequence of fills, refusals and delays', () => {
  it('keeps limits at the venue, only approved sizes on a side, bids below asks, and sufficient funds', () => {
    fc.assert(
      fc.property(scenario, fc.constantFrom(3, 100), ({ cash, delays, actions }, maxOpenOrders) => {
        const trading = new Trading(cash, delays, BOTS, maxOpenOrders);
        for (const each of actions) {
          act(each, trading);
          trading.audit();
        }
        expect(trading.faults).toEqual([]);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('settles with the last quotes open as far as risk and cash allow, and sends nothing more', () => {
    fc.assert(
      fc.property(scenario, ({ cash, delays, actions }) => {
        const trading = new Trading(cash, delays, BOTS);
        for (const each of actions) act(each, trading);
        trading.venue.refusals = 0;
        for (let round = 0; round < 10; round += 1) {
          trading.settle();
          for (const each of BOTS) trading.resubmit(each);
        }
        expect(trading.venue.isIdle).toBe(true);
        expect(BOTS.map((each) => trading.resubmit(each))).toEqual(BOTS.map(() => []));
        expect(BOTS.filter((each) => trading.isWaiting(each))).toEqual([]);
        if (cash === AMPLE_CASH) expect(BOTS.flatMap((each) => trading.sizeMismatches(each))).toEqual([]);
        for (const each of BOTS) trading.submit({ type: 'quote', market: MARKET, quotes: [] }, each);
        trading.settle();
        expect(trading.venue.open.size).toBe(0);
        expect(trading.faults).toEqual([]);
      }),
      { numRuns: runs(1_000) },
    );
  });
});

function act(each: Action, trading: Trading): void {
  switch (each.do) {
    case 'quote':
      trading.submit(
        { type: 'quote', market: MARKET, quotes: each.quotes, tolerance: each.tolerance },
        instanceOf(each.bot),
      );
      return;
    case 'take':
      trading.submit(take(each.sign, each.price, each.lots), instanceOf(each.bot));
      return;
    case 'fill':
      trading.venue.fill(each.pick, each.part);
      return;
    case 'refuse':
      trading.venue.refusals += 1;
      return;
    case 'receive':
      trading.venue.receive();
      return;
    case 'placeDelayed':
      trading.venue.placeDelayed();
      return;
    case 'deliver':
      trading.deliver();
      return;
  }
}

function take(sign: Sign, limit: number, size: number): Intent {
  const side = sign === 1 ? 'BUY' : 'SELL';
  return { type: 'take', market: MARKET, outcome: 'YES', side, limit: priceBps(limit), shares: sharesOfLots(size) };
}

function instanceOf(index: number) {
  const found = BOTS[index];
  if (found === undefined) throw new Error(`no bot ${index}`);
  return found;
}
