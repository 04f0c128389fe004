import { beforeEach, describe, expect, it } from 'vitest';
import type { AccountNo, MarketNo } from '../../../../src/domain/index.ts';
import { idOf } from './commands.ts';
import { ONE, openVenueWithMakers, session, type Venue } from './venue.ts';

const SHARE = 1_000_000;
let venue: Venue;
let makers: readonly [AccountNo, AccountNo];

beforeEach(async () => {
  ({ venue, makers } = await openVenueWithMakers());
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
