/** Operations that split and merge pairs of shares. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ALL_OPERATIONS } from '../../../protocol/generated/operations.ts';
import { openVenueForTest, type Trader, type Venue } from './venue.ts';

let venue: Venue;
let alice: Trader;

beforeEach(async () => {
  venue = await openVenueForTest();
});

describe('splitPosition and mergePosition', () => {
  it('convert dollars into pairs of shares and back', async () => {
    const market = await venue.market();
    alice = await venue.trader('alice', 100);
    const { splitPosition } = await venue.execute(alice, ALL_OPERATIONS.splitPosition, {
      marketId: market,
      sets: '2510000',
    });
    expect(splitPosition).toMatchObject({
      amountCents: 251,
      amountMicros: '2510000',
      rejection: null,
      seq: String(venue.view.seq),
      yes: { outcome: 'YES', shares: 2.51, amountMicros: '1255000', averagePriceBps: 5000 },
      no: { outcome: 'NO', shares: 2.51, amountMicros: '1255000' },
    });
    expect((await venue.place(alice, { marketId: market, side: 'SELL', size: 2, priceBps: 9000 })).accepted).toBe(true);
    const short = await venue.execute(alice, ALL_OPERATIONS.mergePosition, { marketId: market, sets: '1000000' });
    expect(short.mergePosition).toEqual({
      yes: null,
      no: null,
      amountCents: 0,
      amountMicros: '0',
      seq: String(venue.view.seq),
      rejection: expect.objectContaining({
        reason: 'INSUFFICIENT_SHARES',
        limit: '510000',
        value: '1000000',
        unit: 'MICRO_SHARES',
      }),
    });
    const { mergePosition } = await venue.execute(alice, ALL_OPERATIONS.mergePosition, {
      marketId: market,
      sets: '510000',
    });
    expect(mergePosition).toMatchObject({
      amountCents: 51,
      amountMicros: '510000',
      yes: { shares: 2, realizedPnlMicros: '0' },
    });
    const { balance } = await venue.execute(alice, ALL_OPERATIONS.balance, {});
    expect(balance).toMatchObject({ availableMicros: '98000000' });
  });

  it('are refused for the first failed check and change nothing', async () => {
    const market = await venue.market();
    alice = await venue.trader('alice', 100);
    const hash = venue.hash();
    const reasonOf = async (kind: 'split' | 'merge', marketId: string, sets: string) => {
      if (kind === 'split') {
        const { splitPosition } = await venue.execute(alice, ALL_OPERATIONS.splitPosition, { marketId, sets });
        return splitPosition?.rejection?.reason;
      }
      const { mergePosition } = await venue.execute(alice, ALL_OPERATIONS.mergePosition, { marketId, sets });
      return mergePosition?.rejection?.reason;
    };
    expect(await reasonOf('split', market, '10001')).toBe('INVALID_LOT');
    expect(await reasonOf('split', market, '200000000')).toBe('INSUFFICIENT_BALANCE');
    venue.stubs.restriction = 'CLOSE_ONLY';
    expect(await reasonOf('split', market, '10001')).toBe('GEO_BLOCKED');
    expect(await reasonOf('merge', market, '10000')).toBe('INSUFFICIENT_SHARES');
    venue.stubs.restriction = 'GEO_BLOCKED';
    expect(await reasonOf('merge', market, '10000')).toBe('GEO_BLOCKED');
    venue.stubs.restriction = 'EMAIL_NOT_VERIFIED';
    expect(await reasonOf('split', market, '10000')).toBe('EMAIL_NOT_VERIFIED');
    expect(await reasonOf('split', '99999999-0000-4000-8000-000000000000', '10000')).toBe('NOT_FOUND');
    expect(venue.hash()).toBe(hash);
    const early = await venue.execute(alice, ALL_OPERATIONS.claimPosition, { marketId: market });
    expect(early.claimPosition).toMatchObject({ claims: [], rejection: { reason: 'CONFLICT' } });
    const { errors } = await venue.request(alice, ALL_OPERATIONS.splitPosition, { marketId: 'x', sets: '1' });
    expect(errors[0]?.message).toMatch(/^invalid market ID/);
  });

  it('create pairs of which each share pays half a dollar when the market is uncertain', async () => {
    const market = await venue.market();
    alice = await venue.trader('alice', 100);
    await venue.execute(alice, ALL_OPERATIONS.splitPosition, { marketId: market, sets: '10000' });
    await venue.end(market, 'UNCERTAIN');
    const { positions } = await venue.execute(alice, ALL_OPERATIONS.positions, { input: {} });
    expect(positions?.edges.map(({ node }) => node)).toMatchObject([
      { outcome: 'YES', currentOddsBps: 5000, totalPayoutCents: 0, result: null, claimable: true },
      { outcome: 'NO', currentOddsBps: 5000, totalPayoutCents: 0, result: null, claimable: true },
    ]);
    const { claimPosition } = await venue.execute(alice, ALL_OPERATIONS.claimPosition, { marketId: market });
    expect(claimPosition).toMatchObject({ totalPayoutCents: 1, totalPayoutMicros: '10000' });
    expect(claimPosition?.claims).toHaveLength(2);
  });
});
