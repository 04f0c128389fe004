import { expect, it } from 'vitest';
import { RewardCollector } from '../../../src/backtest/collect/reward-collector.ts';
import { type InputEvent, SHARE } from '../../../src/domain/index.ts';
import type { AccountState } from '../../../src/state/index.ts';

const MINUTES_PER_DAY = 1_440;
const [BID, ASK] = [5_000, 5_001];

it('counts all levels of others within the largest distance, however many there are', () => {
  const levels = Array.from({ length: 400 }, (_, at) => ({ bid: BID - at, ask: ASK + at, shares: 100 * SHARE }));
  const tradedMarket = {
    info: { market: 0 },
    state: { acceptingOrders: true },
    book: {
      topBid: BID,
      topAsk: ASK,
      depth: (side: 'bid' | 'ask', count: number) =>
        levels.slice(0, count).map(({ shares, ...price }) => ({ price: price[side], shares })),
    },
    // As much as all levels of others together, at the same prices.
    orders: levels.flatMap(({ bid, ask, shares }) =>
      [bid, ask].map((yesPrice) => {
        return { order: 1, sign: yesPrice <= BID ? 1 : -1, yesPrice, remaining: shares, phase: 'live', rests: true };
      }),
    ),
  };
  const state: unknown = { market: () => tradedMarket };
  const terms = { microsPerDay: MINUTES_PER_DAY * 1_000_000, maxSpreadBps: 300, minShares: SHARE, multiplier: 1 };
  const collector = new RewardCollector(state as AccountState, 1, terms);
  const event: unknown = { market: 0, time: 0 };
  collector.onEvent(event as InputEvent);
  // Two samples of one half of a dollar.
  expect(collector.finish(120_000)).toEqual([1_000_000]);
});
