/** Book, trades, price history, limits and quotes of a market, compared with values of the specification. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountNo, MarketNo } from '../../../../src/domain/index.ts';
import type { QuotePolicyName } from '../../../../src/exchange/index.ts';
import { vectors } from '../../../spec-vectors.ts';
import { idOf, ONE, openVenue, session, TWO, type Venue } from './venue.ts';

const SHARE = 1_000_000;
const BOOK = `query ($id: ID!, $outcome: BetOutcome, $depth: Int) { orderBook(marketId: $id, outcome: $outcome, depth: $depth) {
  marketId outcome seq checksum bids { priceBps shares orderCount } asks { priceBps shares orderCount }
  bestBidBps bestAskBps midpointBps lastTradePriceBps tickSizeBps asOf } }`;

let venue: Venue;
let makers: readonly [AccountNo, AccountNo];

async function openWithPolicy(quotePolicy?: QuotePolicyName): Promise<void> {
  venue = await openVenue(quotePolicy === undefined ? {} : { quotePolicy });
  makers = [await venue.account(ONE), await venue.account(TWO)];
}

afterEach(async () => {
  await venue.close();
  expect(venue.faults).toEqual([]);
});

describe('quotes', () => {
  interface Vector {
    readonly policy: QuotePolicyName;
    readonly bestBidBps: number | null;
    readonly bestAskBps: number | null;
    readonly lastTradePriceBps: number | null;
    readonly tickSizeBps: number;
    readonly configSpreadBps: number;
    readonly yesPriceBps: number;
    readonly noPriceBps: number;
    readonly spreadBps: number;
  }
  const { quotes }: { readonly quotes: readonly Vector[] } = JSON.parse(
    readFileSync(new URL('../../../fixtures/spec/quotes.json', import.meta.url), 'utf8'),
  );

  it.each(['additive', 'multiplicative', 'variance', 'book'] as const)(
    'over the API are those of the specification: %s',
    async (policy) => {
      await openWithPolicy(policy);
      const own = quotes.filter((vector) => vector.policy === policy);
      expect(own).toHaveLength(9);
      for (const [at, vector] of own.entries()) {
        const { bestBidBps, bestAskBps, lastTradePriceBps, tickSizeBps, configSpreadBps } = vector;
        await venue.execute({ type: 'configure', time: venue.clock.now(), config: { spreadBps: configSpreadBps } });
        const no = await venue.open(makers[0], { tickBps: tickSizeBps });
        if (lastTradePriceBps !== null) await venue.trade(no, makers, lastTradePriceBps, SHARE);
        if (bestBidBps !== null) await venue.place(makers[0], no, 'BUY', 'YES', bestBidBps, SHARE);
        if (bestAskBps !== null) await venue.place(makers[1], no, 'BUY', 'NO', 10_000 - bestAskBps, SHARE);
        const market = await venue.read(
          `query ($id: ID) { market(id: $id) {
            bestBidBps bestAskBps lastTradePriceBps tickSizeBps yesPriceBps noPriceBps spreadBps } }`,
          { id: idOf(at) },
        );
        const { yesPriceBps, noPriceBps, spreadBps } = vector;
        expect(market).toEqual({
          bestBidBps,
          bestAskBps,
          lastTradePriceBps,
          tickSizeBps,
          yesPriceBps,
          noPriceBps,
          spreadBps,
        });
      }
    },
  );
});

describe('an order book', () => {
  beforeEach(() => openWithPolicy());

  it.each(vectors.bookChecksum)('has the checksum of the specification: $name', async ({ bids, asks, checksum }) => {
    const no = await venue.open(makers[0], { tickBps: 1, minOrderShares: 0 as never });
    for (const { priceBps, shares } of bids) {
      await venue.place(makers[0], no, 'BUY', 'YES', priceBps, Math.round(shares * SHARE));
    }
    for (const { priceBps, shares } of asks) {
      await venue.place(makers[1], no, 'BUY', 'NO', 10_000 - priceBps, Math.round(shares * SHARE));
    }
    const level = ({ priceBps, shares }: { priceBps: number; shares: number }) => ({ priceBps, shares, orderCount: 1 });
    const book = await venue.read<Record<string, unknown>>(BOOK, { id: idOf(0) });
    expect(book).toMatchObject({ checksum, bids: bids.map(level), asks: asks.map(level), outcome: 'YES' });
    const shallow = await venue.read<Record<string, unknown>>(BOOK, { id: idOf(0), depth: 1 });
    expect(shallow).toMatchObject({ bids: bids.slice(0, 1).map(level), asks: asks.slice(0, 1).map(level) });
    const { checksum: shallowSum } = shallow;
    expect(shallowSum === checksum).toBe(bids.length <= 1 && asks.length <= 1);
  });

  it('is returned for either outcome with order counts and the time of its last change', async () => {
    const no = await venue.open(makers[0]);
    await venue.trade(no, makers, 4_500, SHARE);
    await venue.place(makers[0], no, 'BUY', 'YES', 4_000, SHARE);
    await venue.place(makers[1], no, 'BUY', 'YES', 4_000, 2 * SHARE);
    await venue.place(makers[0], no, 'BUY', 'YES', 3_990, 3 * SHARE);
    await venue.place(makers[1], no, 'BUY', 'NO', 5_000 - 10, 4_560_000);
    const { seq } = venue.view;
    await venue.execute({ type: 'setMode', time: venue.clock.now(), mode: 'POST_ONLY' });
    venue.pass(1_234);
    const yes = {
      marketId: idOf(0),
      outcome: 'YES',
      seq: String(seq),
      tickSizeBps: 10,
      asOf: '2026-11-20T12:00:01.234Z',
      bids: [
        { priceBps: 4_000, shares: 3, orderCount: 2 },
        { priceBps: 3_990, shares: 3, orderCount: 1 },
      ],
      asks: [{ priceBps: 5_010, shares: 4.56, orderCount: 1 }],
      bestBidBps: 4_000,
      bestAskBps: 5_010,
      midpointBps: 4_505,
      lastTradePriceBps: 4_500,
    };
    expect(await venue.read(BOOK, { id: idOf(0) })).toMatchObject(yes);
    expect(await venue.read(BOOK, { id: idOf(0), outcome: null, depth: null })).toMatchObject(yes);
    expect(await venue.read(BOOK, { id: idOf(0), outcome: 'NO' })).toMatchObject({
      outcome: 'NO',
      seq: String(seq),
      bids: [{ priceBps: 4_990, shares: 4.56, orderCount: 1 }],
      asks: [
        { priceBps: 6_000, shares: 3, orderCount: 2 },
        { priceBps: 6_010, shares: 3, orderCount: 1 },
      ],
      bestBidBps: 4_990,
      bestAskBps: 6_000,
      midpointBps: 5_495,
      lastTradePriceBps: 5_500,
    });
  });

  it('has a NO midpoint of 10000 minus the YES midpoint, also for a fractional midpoint', async () => {
    const no = await venue.open(makers[0], { tickBps: 1 });
    await venue.place(makers[0], no, 'BUY', 'YES', 4_000, SHARE);
    await venue.place(makers[1], no, 'BUY', 'NO', 10_000 - 4_003, SHARE);
    expect(await venue.read(BOOK, { id: idOf(0) })).toMatchObject({ midpointBps: 4_001 });
    expect(await venue.read(BOOK, { id: idOf(0), outcome: 'NO' })).toMatchObject({ midpointBps: 5_999 });
  });

  it('is empty and has a new seq after the market has closed', async () => {
    const no = await venue.open(makers[0]);
    await venue.place(makers[0], no, 'BUY', 'YES', 4_000, SHARE);
    const { seq: before } = await venue.read<{ seq: string }>(BOOK, { id: idOf(0) });
    await venue.execute({ type: 'closeEarly', time: venue.clock.now(), market: no, note: '' });
    const closed = await venue.read<{ seq: string }>(BOOK, { id: idOf(0) });
    expect(closed).toMatchObject({ bids: [], asks: [], bestBidBps: null, midpointBps: null, checksum: '0x8bb1d29a' });
    expect(Number(closed.seq)).toBeGreaterThan(Number(before));
  });

  it('is refused for an invalid market, outcome or depth and null for an unknown market', async () => {
    expect(await venue.read(BOOK, { id: idOf(3) })).toBeNull();
    expect(await venue.refusal(BOOK, { id: 'x' })).toMatch(/^invalid market ID: .* @ orderBook$/);
    expect(await venue.refusal(BOOK, { id: idOf(0), outcome: 'CANCELLED' })).toMatch(
      /^invalid argument: outcome: expected YES or NO, got "CANCELLED" @ orderBook$/,
    );
    for (const depth of [0, 501, -1]) {
      expect(await venue.refusal(BOOK, { id: idOf(0), depth })).toMatch(/^invalid argument: depth: expected 1 to 500/);
    }
    expect(await venue.read(BOOK, { id: idOf(3), depth: 500 })).toBeNull();
  });
});

describe('trades', () => {
  const TRADES = `query ($id: ID!, $first: Int, $after: Cursor, $last: Int, $before: Cursor) {
    trades(marketId: $id, first: $first, after: $after, last: $last, before: $before) {
      edges { cursor node { id marketId outcome side priceBps lastTradePriceBps shares amountCents matchType seq executedAt } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } }`;
  interface Trades {
    readonly edges: readonly {
      readonly cursor: string;
      readonly node: { readonly id: string; readonly seq: string };
    }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string | null;
      readonly endCursor: string | null;
    };
    readonly totalCount: number;
  }
  const trades = (args: object = {}) => venue.read<Trades>(TRADES, { id: idOf(0), ...args });
  const nodes = (page: Trades) => page.edges.map(({ node }) => node);
  let no: MarketNo;

  beforeEach(async () => {
    await openWithPolicy();
    no = await venue.open(makers[0]);
  });

  it('are listed newest first in terms of the taker for all three match types', async () => {
    await venue.trade(no, makers, 4_000, 1_330_000);
    venue.pass(500);
    // One account has YES and the other NO: first shares are sold, then a pair is merged.
    await venue.place(makers[0], no, 'SELL', 'YES', 6_000, 300_000);
    await venue.place(makers[1], no, 'BUY', 'YES', 6_100, 300_000);
    await venue.place(makers[0], no, 'SELL', 'YES', 5_500, 400_000);
    await venue.place(makers[1], no, 'SELL', 'NO', 4_500, 400_000);
    const page = await trades();
    expect(nodes(page)).toEqual([
      {
        id: expect.any(String),
        marketId: idOf(0),
        outcome: 'NO',
        side: 'SELL',
        priceBps: 4_500,
        lastTradePriceBps: 5_500,
        shares: 0.4,
        amountCents: 18,
        matchType: 'MERGE',
        seq: expect.any(String),
        executedAt: '2026-11-20T12:00:00.500Z',
      },
      {
        id: expect.any(String),
        marketId: idOf(0),
        outcome: 'YES',
        side: 'BUY',
        priceBps: 6_000,
        lastTradePriceBps: 6_000,
        shares: 0.3,
        amountCents: 18,
        matchType: 'NORMAL',
        seq: expect.any(String),
        executedAt: '2026-11-20T12:00:00.500Z',
      },
      {
        id: expect.any(String),
        marketId: idOf(0),
        outcome: 'NO',
        side: 'BUY',
        priceBps: 6_000,
        // 79.8 cents round down.
        lastTradePriceBps: 4_000,
        shares: 1.33,
        amountCents: 79,
        matchType: 'MINT',
        seq: expect.any(String),
        executedAt: '2026-11-20T12:00:00Z',
      },
    ]);
    expect(new Set(nodes(page).map(({ id }) => id)).size).toBe(3);
    expect(page).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: false, hasPreviousPage: false } });
  });

  it('are paged in both directions without gaps or repetitions while new trades arrive', async () => {
    for (let at = 0; at < 7; at += 1) await venue.trade(no, makers, 4_000, SHARE);
    const all = nodes(await trades());
    for (const size of [1, 2, 3]) {
      for (const isForward of [true, false]) {
        const seen: string[] = [];
        let cursor: string | null = null;
        for (let isLastPage = false; !isLastPage; ) {
          const page: Trades = await trades(
            isForward ? { first: size, after: cursor } : { last: size, before: cursor ?? undefined },
          );
          const pageSeqs = nodes(page).map(({ seq }) => seq);
          if (isForward) seen.push(...pageSeqs);
          else seen.unshift(...pageSeqs);
          isLastPage = isForward ? !page.pageInfo.hasNextPage : !page.pageInfo.hasPreviousPage;
          cursor = isForward ? page.pageInfo.endCursor : page.pageInfo.startCursor;
          if (isForward) await venue.trade(no, makers, 4_000, SHARE);
        }
        const initialSeqs = new Set(all.map(({ seq }) => seq));
        expect(seen.filter((seq) => initialSeqs.has(seq))).toEqual(all.map(({ seq }) => seq));
        expect(seen).toEqual(seen.toSorted((one, other) => Number(other) - Number(one)));
        expect(new Set(seen).size).toBe(seen.length);
      }
    }
  });

  it('have cursors that are valid only for their market', async () => {
    await venue.trade(no, makers, 4_000, SHARE);
    await venue.open(makers[0]);
    const { endCursor: after } = (await trades()).pageInfo;
    expect(await trades({ after })).toMatchObject({ edges: [], totalCount: 1 });
    expect(await venue.refusal(TRADES, { id: idOf(1), after })).toMatch(/^invalid cursor: it belongs to another list/);
    expect(await venue.refusal(TRADES, { id: idOf(0), first: 1, before: after })).toMatch(
      /^invalid argument: expected first/,
    );
    expect(await venue.read(TRADES, { id: idOf(9) })).toBeNull();
    expect(await venue.refusal(TRADES, { id: '' })).toMatch(/^invalid market ID: /);
  });
});

describe('a price history', () => {
  const HISTORY = `query ($id: ID!, $since: Time, $until: Time, $interval: PriceInterval) {
    priceHistory(marketId: $id, since: $since, until: $until, interval: $interval) {
      at yesPriceBps noPriceBps midpointBps bestBidBps bestAskBps lastTradePriceBps volumeCents } }`;
  const history = (args: object) => venue.read<readonly Record<string, unknown>[]>(HISTORY, { id: idOf(0), ...args });

  beforeEach(() => openWithPolicy());

  it('has a point for each change, or for each interval with a change', async () => {
    const no = await venue.open(makers[0]);
    venue.pass(10_000);
    await venue.place(makers[0], no, 'BUY', 'YES', 4_000, SHARE);
    venue.pass(60_000);
    await venue.place(makers[1], no, 'BUY', 'NO', 6_000, SHARE);
    await venue.place(makers[1], no, 'BUY', 'NO', 5_000, SHARE);
    const end = {
      yesPriceBps: 5_000,
      noPriceBps: 7_000,
      midpointBps: null,
      bestBidBps: null,
      bestAskBps: 5_000,
      lastTradePriceBps: 4_000,
    };
    const raw = await history({ interval: 'RAW' });
    expect(raw.map(({ at, bestBidBps, volumeCents }) => [at, bestBidBps, volumeCents])).toEqual([
      ['2026-11-20T12:00:00Z', null, 0],
      ['2026-11-20T12:00:10Z', 4_000, 0],
      ['2026-11-20T12:01:10Z', null, 60],
      ['2026-11-20T12:01:10Z', null, 0],
    ]);
    expect(raw.at(-1)).toEqual({ ...end, at: '2026-11-20T12:01:10Z', volumeCents: 0 });
    const minutes = await history({});
    expect(minutes.map(({ at }) => at)).toEqual(['2026-11-20T12:00:00Z', '2026-11-20T12:01:00Z']);
    expect(minutes.at(-1)).toEqual({ ...end, at: '2026-11-20T12:01:00Z', volumeCents: 60 });
    expect(await history({ interval: null })).toEqual(minutes);
    expect(await history({ interval: 'ONE_DAY' })).toEqual([{ ...end, at: '2026-11-20T00:00:00Z', volumeCents: 60 }]);
    expect(await history({ since: '2026-11-20T12:00:00.001Z' })).toEqual(minutes.slice(1));
    expect(await history({ until: '2026-11-20T12:00:59.999Z' })).toEqual(minutes.slice(0, 1));
    expect(await history({ since: '2026-11-20T12:01:00Z', until: '2026-11-20T12:01:00Z' })).toEqual(minutes.slice(1));
    expect(await history({ since: '2027-01-01T00:00:00Z' })).toEqual([]);
  });

  it('has at most the latest 2,000 points', async () => {
    const no = await venue.open(makers[0]);
    for (let at = 0; at < 2_010; at += 1) {
      venue.pass(1);
      await venue.place(makers[0], no, 'BUY', 'YES', 10 + 10 * (at % 400), SHARE + 10_000 * at);
      await venue.execute({
        type: 'cancelMarketOrders',
        time: venue.clock.now(),
        account: makers[0],
        credential: 0 as never,
        market: no,
        outcome: undefined,
        side: undefined,
      });
    }
    const points = await history({ interval: 'RAW' });
    expect(points).toHaveLength(2_000);
    expect(points.at(-1)).toMatchObject({ at: '2026-11-20T12:00:02.010Z' });
  });

  it('is refused for an invalid time and null for an unknown market', async () => {
    expect(await venue.read(HISTORY, { id: idOf(9) })).toBeNull();
    expect(await venue.refusal(HISTORY, { id: idOf(9), since: 'noon' })).toMatch(
      /^invalid argument: since: .* @ priceHistory$/,
    );
    expect(await venue.refusal(HISTORY, { id: idOf(9), until: '2026-11-20 12:00' })).toMatch(
      /^invalid argument: until: /,
    );
    expect(await venue.refusal(HISTORY, { id: 'x' })).toMatch(/^invalid market ID: /);
  });
});

describe('bet limits', () => {
  const LIMITS = `query ($id: ID!, $outcome: BetOutcome, $side: OrderSide) {
    betLimits(marketId: $id, outcome: $outcome, side: $side) { marketId minBetCents maxBetCents maxShares
      maxExposurePerMarketCents remainingExposureCents minOrderShares tickSizeBps } }`;
  const venueLimits = {
    marketId: idOf(0),
    minBetCents: 10,
    maxBetCents: 10_000_000,
    maxShares: 1_000_000_000,
    maxExposurePerMarketCents: 100_000_000,
    remainingExposureCents: null,
    minOrderShares: 1,
    tickSizeBps: 10,
  };

  beforeEach(async () => {
    await openWithPolicy();
    const no = await venue.open(makers[0]);
    await venue.trade(no, makers, 4_000, 10 * SHARE);
    await venue.place(makers[0], no, 'SELL', 'YES', 9_000, 3 * SHARE);
  });

  it('are those of the venue without credentials', async () => {
    expect(await venue.read(LIMITS, { id: idOf(0) })).toEqual(venueLimits);
    expect(await venue.read(LIMITS, { id: idOf(0), side: 'SELL', outcome: 'YES' })).toEqual(venueLimits);
    expect(await venue.read(LIMITS, { id: idOf(9) })).toBeNull();
    expect(await venue.refusal(LIMITS, { id: idOf(0), outcome: 'CANCELLED' })).toMatch(/^invalid argument: outcome: /);
    expect(await venue.refusal(LIMITS, { id: 'x' })).toMatch(/^invalid market ID: .* @ betLimits$/);
  });

  it('are those of the caller with credentials', async () => {
    const own = (args: object) => venue.read(LIMITS, { id: idOf(0), ...args }, session(ONE));
    // $4 of $1,000,000 of exposure are used.
    expect(await own({})).toEqual({ ...venueLimits, remainingExposureCents: 99_999_600 });
    expect(await own({ side: 'SELL', outcome: 'YES' })).toMatchObject({ maxShares: 7 });
    expect(await own({ side: 'SELL', outcome: 'NO' })).toMatchObject({ maxShares: 0 });
    expect(await own({ side: 'SELL' })).toMatchObject({ maxShares: 7 });
    expect(await own({ side: 'BUY', outcome: 'YES' })).toMatchObject({ maxShares: 1_000_000_000 });
    await venue.execute({
      type: 'configure',
      time: venue.clock.now(),
      config: { maxExposurePerMarket: 4_019_999 as never },
    });
    expect(await own({})).toMatchObject({ maxExposurePerMarketCents: 401, remainingExposureCents: 1, maxBetCents: 1 });
    expect(await venue.read(LIMITS, { id: idOf(0) })).toMatchObject({ maxBetCents: 10_000_000 });
    await venue.execute({
      type: 'configure',
      time: venue.clock.now(),
      config: { maxExposurePerMarket: 1_000_000 as never },
    });
    expect(await own({})).toMatchObject({ remainingExposureCents: 0, maxBetCents: 0 });
  });

  it('are full for an account without a position, and those of the venue for a key without READ', async () => {
    const stranger = `0x${'ee'.repeat(20)}`;
    await venue.account(stranger, 5);
    const full = { ...venueLimits, remainingExposureCents: 100_000_000 };
    expect(await venue.read(LIMITS, { id: idOf(0) }, session(stranger))).toEqual(full);
    expect(await venue.read(LIMITS, { id: idOf(0), side: 'SELL' }, session(stranger))).toEqual({
      ...full,
      maxShares: 0,
    });
    expect(await venue.read(LIMITS, { id: idOf(0) }, session(ONE, ['TRADE']))).toEqual(venueLimits);
  });
});

describe('a bet quote', () => {
  const QUOTE = `query ($id: ID!, $outcome: BetOutcome!, $side: OrderSide!, $cents: Int, $shares: Float) {
    betQuote(marketId: $id, outcome: $outcome, side: $side, amountCents: $cents, shares: $shares) {
      marketId outcome side quotedPriceBps averagePriceBps worstPriceBps shares amountCents feeCents fillable bookSeq asOf } }`;
  const quote = (args: object) => venue.read(QUOTE, { id: idOf(0), outcome: 'YES', side: 'BUY', ...args });

  beforeEach(async () => {
    await openWithPolicy();
    const no = await venue.open(makers[0], { feeRateBps: 200 });
    await venue.place(makers[0], no, 'BUY', 'NO', 6_000, 1_330_000);
    await venue.place(makers[0], no, 'BUY', 'NO', 5_990, 2 * SHARE);
    await venue.place(makers[1], no, 'BUY', 'YES', 3_000, SHARE);
  });

  it('returns the cost to a taker, rounded against the taker', async () => {
    expect(await quote({ shares: 2.33 })).toEqual({
      marketId: idOf(0),
      outcome: 'YES',
      side: 'BUY',
      quotedPriceBps: 4_500,
      bookSeq: String(venue.view.seq),
      // 53.2 and 40.1 cents; 4004.29 bps; fees of 0.638 and 0.480 cents.
      averagePriceBps: 4_005,
      worstPriceBps: 4_010,
      shares: 2.33,
      amountCents: 94,
      feeCents: 2,
      fillable: true,
      asOf: '2026-11-20T12:00:00Z',
    });
    expect(await quote({ side: 'SELL', outcome: 'YES', shares: 0.33 })).toMatchObject({
      averagePriceBps: 3_000,
      worstPriceBps: 3_000,
      shares: 0.33,
      amountCents: 9,
      feeCents: 1,
      fillable: true,
      quotedPriceBps: 4_500,
    });
    expect(await quote({ outcome: 'NO', side: 'BUY', shares: 1 })).toMatchObject({
      averagePriceBps: 7_000,
      worstPriceBps: 7_000,
      amountCents: 70,
      quotedPriceBps: 7_500,
      fillable: true,
    });
  });

  it('returns the shares for an amount, and the fillable part when the book is too small', async () => {
    expect(await quote({ cents: 100 })).toMatchObject({ shares: 2.49, amountCents: 100, fillable: true });
    expect(await quote({ shares: 100 })).toMatchObject({ shares: 3.33, fillable: false, worstPriceBps: 4_010 });
    expect(await quote({ cents: 1_000_000 })).toMatchObject({ shares: 3.33, fillable: false });
  });

  it('is not fillable for an empty book', async () => {
    await venue.execute({ type: 'halt', time: venue.clock.now(), market: 0 as MarketNo, note: '' });
    expect(await quote({ shares: 1 })).toMatchObject({
      averagePriceBps: null,
      worstPriceBps: null,
      shares: 0,
      amountCents: 0,
      feeCents: 0,
      fillable: false,
    });
  });

  it.each([
    [{}, /^invalid argument: expected exactly one of amountCents, shares, got none @ betQuote$/],
    [
      { cents: 1, shares: 1 },
      /^invalid argument: expected exactly one of amountCents, shares, got amountCents and shares/,
    ],
    [{ shares: 0 }, /^invalid argument: shares: expected more than 0/],
    [{ shares: 0.005 }, /^invalid argument: shares: expected a number of shares in whole lots of 0.01/],
    [{ shares: -1 }, /^invalid argument: shares: /],
    [{ shares: 2e9 }, /^invalid argument: shares: expected at most 1000000000 shares/],
    [{ cents: 0 }, /^invalid argument: amountCents: expected more than 0/],
    [{ cents: -5 }, /^invalid argument: amountCents: expected whole cents/],
    [{ shares: 1, outcome: 'CANCELLED' }, /^invalid argument: outcome: expected YES or NO/],
    [{ shares: 1, id: 'x' }, /^invalid market ID: /],
  ])('is refused for %j', async (args, message) => {
    const variables = { id: idOf(0), outcome: 'YES', side: 'BUY', ...args };
    expect(await venue.refusal(QUOTE, variables)).toMatch(message);
  });

  it('is null for an unknown market', async () => {
    expect(await quote({ id: idOf(9), shares: 1 })).toBeNull();
  });
});
