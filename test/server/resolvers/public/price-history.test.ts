import { beforeEach, describe, expect, it } from 'vitest';
import type { AccountNo } from '../../../../src/domain/index.ts';
import { idOf } from './commands.ts';
import { openVenueWithMakers, type Venue } from './venue.ts';

const SHARE = 1_000_000;
let venue: Venue;
let makers: readonly [AccountNo, AccountNo];

beforeEach(async () => {
  ({ venue, makers } = await openVenueWithMakers());
});

describe('a price history', () => {
  const HISTORY = `query ($id: ID!, $since: Time, $until: Time, $interval: PriceInterval) {
    priceHistory(marketId: $id, since: $since, until: $until, interval: $interval) {
      at yesPriceBps noPriceBps midpointBps bestBidBps bestAskBps lastTradePriceBps volumeCents } }`;
  const history = (args: object) => venue.read<readonly Record<string, unknown>[]>(HISTORY, { id: idOf(0), ...args });

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
