/** Views of a market and an account, built from a few numbers. */
import { BOOK_SIDE, Ladder } from '../../src/book/index.ts';
import {
  DOLLAR,
  durationMs,
  type EpochMs,
  epochMs,
  type MarketState,
  marketId,
  microUsd,
  type PriceGrid,
  parseShares,
  SHARE,
  unchecked,
  ZERO_USD,
} from '../../src/domain/index.ts';
import type { AccountView, MarketView } from '../../src/state/index.ts';

/** Prices in bps, sizes in shares. */
export interface MarketSpec {
  readonly bids?: readonly (readonly [number, number])[];
  readonly asks?: readonly (readonly [number, number])[];
  readonly grid?: PriceGrid;
  readonly yes?: number;
  readonly no?: number;
  readonly state?: Partial<MarketState>;
  readonly scheduledResolution?: EpochMs;
}

/** Returns an open market without a position. Defaults: bids at 5800, asks at 6200, a 10-bps grid. */
export function marketView(spec: MarketSpec = {}): MarketView {
  const grid = spec.grid ?? { type: 'tick', tickBps: 10 };
  const book = new Ladder(1);
  for (const [price, shares] of spec.bids ?? [[5800, 100]]) book.set(BOOK_SIDE.bid, price, parseShares('size', shares));
  for (const [price, shares] of spec.asks ?? [[6200, 100]]) book.set(BOOK_SIDE.ask, price, parseShares('size', shares));
  const [yes, no] = [parseShares('yes', spec.yes ?? 0), parseShares('no', spec.no ?? 0)];
  return {
    info: {
      market: unchecked.market(0),
      id: marketId('00000000-0000-4000-8000-000000000000'),
      slug: 'rain-tomorrow',
      question: 'Will it rain tomorrow?',
      grid,
      scheduledResolution: spec.scheduledResolution,
    },
    state: { status: 'OPEN', acceptingOrders: true, placeDelay: durationMs(0), ...spec.state },
    limits: {
      minOrderShares: parseShares('minimum', 1),
      minBet: microUsd(DOLLAR / 10),
      maxBet: microUsd(100_000 * DOLLAR),
      maxExposure: microUsd(1_000_000 * DOLLAR),
      feeRateBps: 0,
      spreadBps: 2_000,
    },
    acceptedFeeBps: 0,
    book,
    bookTime: epochMs(0),
    mark: book.doubleMid(),
    position: {
      yes,
      no,
      net: yes - no,
      shares: (yes - no) / SHARE,
      yesCost: ZERO_USD,
      noCost: ZERO_USD,
      realized: ZERO_USD,
      netCash: ZERO_USD,
      fees: ZERO_USD,
    },
    sellable: (outcome) => (outcome === 'YES' ? yes : no),
    prices: undefined,
    orders: [],
  };
}

/** Returns an account with this one market, at a time in seconds. */
export function accountView(market: MarketView, seconds = 0): AccountView {
  return {
    now: epochMs(seconds * 1_000),
    cash: microUsd(1_000 * DOLLAR),
    available: microUsd(1_000 * DOLLAR),
    exitEquity: microUsd(1_000 * DOLLAR),
    contributed: microUsd(0),
    venue: { mode: 'NORMAL', link: 'UP' },
    markets: [market],
    market: () => market,
  };
}
