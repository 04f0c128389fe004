/** Scenarios calculated by hand to the micro-dollar, and their amounts in cents. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ALL_OPERATIONS } from '../../../protocol/generated/operations.ts';
import type { OrderRequest } from './signed-orders.ts';
import { openVenueForTest, type Trader, type Venue } from './venue.ts';

let venue: Venue;
let alice: Trader;
let bob: Trader;
let carol: Trader;

beforeEach(async () => {
  venue = await openVenueForTest();
});

async function openTraders(): Promise<void> {
  [alice, bob, carol] = [
    await venue.trader('alice', 100),
    await venue.trader('bob', 100),
    await venue.trader('carol', 100),
  ];
}

async function fill(trader: Trader, request: OrderRequest) {
  const payload = await venue.place(trader, request);
  if (!payload.accepted) throw new Error(JSON.stringify(payload.rejection));
  return payload;
}

const balanceOf = async (trader: Trader) => (await venue.execute(trader, ALL_OPERATIONS.balance, {})).balance;
const portfolioOf = async (trader: Trader) => (await venue.execute(trader, ALL_OPERATIONS.portfolio, {})).portfolio;
async function positionsOf(trader: Trader, input: object = {}) {
  const { positions } = await venue.execute(trader, ALL_OPERATIONS.positions, { input });
  return positions?.edges.map(({ node }) => node) ?? [];
}
async function ledgerOf(trader: Trader) {
  const { ledger } = await venue.execute(trader, ALL_OPERATIONS.ledger, { input: { first: 100 } });
  return (ledger?.edges ?? [])
    .map(({ node }) => [node.kind, node.amountMicros, node.amountCents, node.direction])
    .reverse();
}

describe('a market with fees of 2 %', () => {
  // Taker fee of l lots at p bps: floor(200 * l * p * (10000 - p) / 10^8) micro-USD.
  it('has exact balances after mint, sale, merge, payout and claim', async () => {
    const market = await venue.market({ feeRateBps: 200 });
    await openTraders();
    // Alice bids 1.23 YES at 0.333: 123 lots * 3330 = 409,590 held.
    const bid = await fill(alice, { marketId: market, size: 1.23, priceBps: 3330, maxFeeBps: 200 });
    expect(bid.order).toMatchObject({ reservedCents: 41, feeCents: 0 });
    expect(await balanceOf(alice)).toMatchObject({
      availableMicros: '99590410',
      reservedMicros: '409590',
      // $99.590410 rounds down and $0.409590 up, so the cents of the parts do not add up to $100.
      availableCents: 9959,
      reservedCents: 41,
      totalCents: 10_000,
      claimableCents: 0,
      seq: String(venue.view.seq),
    });
    // Bob takes as NO at 0.667: 123 * 6670 = 820,410 and floor(200 * 123 * 6670 * 3330 / 10^8) = 5,463 of fee.
    const minted = await fill(bob, { marketId: market, outcome: 'NO', size: 1.23, priceBps: 7000 });
    expect(minted.fills).toMatchObject([
      { matchType: 'MINT', amountMicros: '820410', amountCents: 83, feeMicros: '5463', priceBps: 6670 },
    ]);
    expect(minted.order).toMatchObject({ feeCents: 1, averageFillPriceBps: 6670, reservedCents: 0 });
    expect(await balanceOf(bob)).toMatchObject({
      availableMicros: '99174127',
      reservedMicros: '0',
      availableCents: 9917,
    });

    // Carol bids 2 YES at 0.40, Alice sells her 1.23: NORMAL, 123 * 4000 = 492,000,
    // her fee floor(200 * 123 * 4000 * 6000 / 10^8) = 5,904.
    await fill(carol, { marketId: market, size: 2, priceBps: 4000 });
    const sold = await fill(alice, { marketId: market, side: 'SELL', size: 1.23, priceBps: 3900 });
    expect(sold.fills).toMatchObject([
      { matchType: 'NORMAL', amountMicros: '492000', amountCents: 49, feeMicros: '5904', role: 'TAKER' },
    ]);
    expect(await ledgerOf(alice)).toEqual([
      ['DEPOSIT', '100000000', 10_000, 1],
      ['TRADE', '-409590', 40, -1],
      ['TRADE', '492000', 49, 1],
      ['FEE', '-5904', 0, -1],
    ]);
    // Realized: 492,000 - 409,590 - 5,904 = 76,506.
    expect(await positionsOf(alice)).toEqual([]);
    expect(await positionsOf(alice, { openOnly: false })).toMatchObject([
      {
        outcome: 'YES',
        shares: 0,
        amountMicros: '0',
        averagePriceBps: 0,
        realizedPnlMicros: '76506',
        claimable: false,
        result: null,
      },
    ]);
    expect(await portfolioOf(alice)).toMatchObject({
      cashCents: 10_007,
      positionsValueCents: 0,
      realizedPnlMicros: '76506',
      unrealizedPnlMicros: '0',
      feesPaidMicros: '5904',
    });

    // Bob's resting sell of NO at 0.65 and Carol's sell of YES at 0.35 merge a pair.
    await venue.execute(carol, ALL_OPERATIONS.cancelMarketOrders, { marketId: market });
    await fill(bob, { marketId: market, outcome: 'NO', side: 'SELL', size: 1, priceBps: 6500 });
    expect(await positionsOf(bob)).toMatchObject([
      { outcome: 'NO', shares: 1.23, reservedShares: 1, amountMicros: '820410', amountCents: 83 },
    ]);
    const merged = await fill(carol, { marketId: market, side: 'SELL', size: 1, priceBps: 3500 });
    // Carol: 100 * 3500 = 350,000 less floor(200 * 100 * 3500 * 6500 / 10^8) = 4,550;
    // her cost out floor(492,000 * 1 / 1.23) = 400,000.
    expect(merged.fills).toMatchObject([{ matchType: 'MERGE', amountMicros: '350000', feeMicros: '4550' }]);
    const [yes] = await positionsOf(carol);
    expect(yes).toMatchObject({
      shares: 0.23,
      amountMicros: '92000',
      averagePriceBps: 4000,
      realizedPnlMicros: '-54550',
    });
    // The book is empty, the last trade 0.35: 23 lots * 3500 = 80,500.
    expect(yes).toMatchObject({ currentOddsBps: 3500, valueCents: 8, totalPayoutCents: 23 });
    expect(await portfolioOf(carol)).toMatchObject({
      positionsValueCents: 8,
      unrealizedPnlMicros: '-11500',
      worstCaseLossCents: 15,
      feesPaidMicros: '4550',
    });

    await venue.end(market, 'YES');
    expect(await balanceOf(carol)).toMatchObject({ claimableCents: 23 });
    expect(await balanceOf(bob)).toMatchObject({ claimableCents: 0 });
    const claimable = await venue.execute(carol, ALL_OPERATIONS.claimablePositions, {});
    expect(claimable.claimablePositions).toMatchObject([
      {
        market: { id: market },
        outcome: 'YES',
        result: 'YES',
        currentOddsBps: 10_000,
        valueCents: 23,
        totalPayoutCents: 23,
        claimable: true,
      },
    ]);
    // A losing position is not open and cannot be claimed.
    expect(await positionsOf(bob)).toEqual([]);
    expect(await positionsOf(bob, { openOnly: false })).toMatchObject([
      { outcome: 'NO', shares: 0.23, currentOddsBps: 0, totalPayoutCents: 0, result: 'YES', claimable: false },
    ]);
    expect(await portfolioOf(carol)).toMatchObject({
      positionsValueCents: 0,
      claimableCents: 23,
      unrealizedPnlMicros: '138000',
      worstCaseLossCents: 0,
    });
    const hash = venue.hash();
    const emptyClaim = await venue.execute(bob, ALL_OPERATIONS.claimPosition, { marketId: market });
    expect(emptyClaim.claimPosition).toMatchObject({
      claims: [],
      totalPayoutCents: 0,
      totalPayoutMicros: '0',
      rejection: null,
    });
    expect(venue.hash()).toBe(hash);
    const { claimPosition } = await venue.execute(carol, ALL_OPERATIONS.claimPosition, { marketId: market });
    expect(claimPosition).toMatchObject({
      totalPayoutCents: 23,
      totalPayoutMicros: '230000',
      rejection: null,
      seq: String(venue.view.seq),
      claims: [{ outcome: 'YES', shares: 0.23, claimable: false, realizedPnlMicros: '83450' }],
    });
    const again = await venue.execute(carol, ALL_OPERATIONS.claimPosition, { marketId: market });
    expect(again.claimPosition).toMatchObject({ claims: [], totalPayoutMicros: '0' });
    expect(await positionsOf(carol)).toEqual([]);
    // 100 - 0.492 + 0.350 - 0.004550 + 0.230
    expect(await balanceOf(carol)).toMatchObject({ availableMicros: '100083450', claimableCents: 0 });
    expect((await ledgerOf(carol)).map(([kind, amount]) => `${kind} ${amount}`)).toEqual([
      ...['DEPOSIT 100000000', 'TRADE -492000', 'TRADE 350000', 'FEE -4550', 'CLAIM 230000'],
    ]);
    expect(await portfolioOf(carol)).toMatchObject({
      realizedPnlMicros: '83450',
      unrealizedPnlMicros: '0',
      cashCents: 10_008,
    });
  });

  it('refunds all money when it is cancelled', async () => {
    const market = await venue.market({ feeRateBps: 200 });
    await openTraders();
    await fill(alice, { marketId: market, size: 100, priceBps: 6000 });
    // Bob: 100 * 40 cents = $40, fee floor(200 * 10,000 * 4000 * 6000 / 10^8) = 480,000.
    await fill(bob, { marketId: market, outcome: 'NO', size: 100, priceBps: 4000 });
    // Carol buys Alice's YES at 90: $90, fee floor(200 * 10,000 * 9000 * 1000 / 10^8) = 180,000.
    await fill(alice, { marketId: market, side: 'SELL', size: 100, priceBps: 9000 });
    await fill(carol, { marketId: market, size: 100, priceBps: 9000 });
    await venue.end(market, 'CANCELLED');
    // docs/spec/venue.md#refunds-of-a-cancelled-market: C = $100; B paid 40, C paid 90 on balance, A got 30: B
    // 30.769231, C 69.230769, and fees on top.
    const [refund] = await positionsOf(bob);
    expect(refund).toMatchObject({
      outcome: 'CANCELLED',
      shares: 0,
      amountMicros: '40000000',
      amountCents: 4000,
      result: 'CANCELLED',
      claimable: true,
      valueCents: 3124,
      totalPayoutCents: 3124,
      averagePriceBps: 0,
      currentOddsBps: 0,
      realizedPnlMicros: '-480000',
    });
    expect(await positionsOf(alice)).toEqual([]);
    expect(await positionsOf(alice, { openOnly: false })).toMatchObject([
      { outcome: 'CANCELLED', amountMicros: '0', totalPayoutCents: 0, realizedPnlMicros: '30000000', claimable: false },
    ]);
    expect(await portfolioOf(bob)).toMatchObject({
      claimableCents: 3124,
      feesPaidMicros: '0',
      unrealizedPnlMicros: '-8750769',
    });
    const { claimAllPositions } = await venue.execute(carol, ALL_OPERATIONS.claimAllPositions, {});
    expect(claimAllPositions).toMatchObject({
      totalPayoutMicros: '69410769',
      totalPayoutCents: 6941,
      claims: [{ outcome: 'CANCELLED', claimable: false, totalPayoutCents: 6941 }],
    });
    await venue.execute(bob, ALL_OPERATIONS.claimAllPositions, {});
    expect((await ledgerOf(bob)).slice(-2)).toEqual([
      ['REFUND', '30769231', 3076, 1],
      ['REBATE', '480000', 48, 1],
    ]);
    // The total of all accounts is the total of the deposits.
    const cash = await Promise.all(
      [alice, bob, carol].map(async (trader) => Number((await balanceOf(trader)).availableMicros)),
    );
    expect(cash).toEqual([130_000_000, 90_769_231, 79_230_769]);
    expect(cash.reduce((sum, each) => sum + each)).toBe(300_000_000);
    expect(await portfolioOf(bob)).toMatchObject({ realizedPnlMicros: '-9230769', unrealizedPnlMicros: '0' });
  });
});
