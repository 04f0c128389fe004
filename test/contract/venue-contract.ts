/** The contract of every `Venue`: which events it reports for a command, how often and in which order. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { microShares, type OrderCommand, priceBps, SHARE, unchecked } from '../../src/domain/index.ts';

import { BOT, MARKET, VenueDriver, type VenueUnderTest } from './venue-driver.ts';

/** The commands that a venue supports besides placing and cancelling. */
interface VenueFeatures {
  readonly replace: boolean;
  readonly reduce: boolean;
  readonly conversions: boolean;
}

const ALL: VenueFeatures = { replace: true, reduce: true, conversions: true };

export function venueContract(name: string, make: () => Promise<VenueUnderTest>, features = ALL): void {
  describe(`venue contract: ${name}`, () => {
    let subject: VenueUnderTest;
    let driver: VenueDriver;

    beforeEach(async () => {
      subject = await make();
      driver = new VenueDriver(subject);
      await subject.show(['bid', 4_000, 100], ['ask', 6_000, 100]);
      await driver.connect();
      await subject.idle();
    });
    afterEach(async () => {
      await driver.close();
      await subject.close();
    });

    it('reports one acceptance for a resting order', async () => {
      const place = driver.order('BUY', 4_500, 10);
      expect(await driver.sendAndWait(1, place)).toMatchObject([{ type: 'orderAccepted', order: 1, market: 0 }]);
    });

    it('reports one closing event for a cancel', async () => {
      await driver.sendAndWait(1, driver.order('BUY', 4_500, 10));
      const cancel: OrderCommand = { type: 'cancel', order: unchecked.order(1), market: MARKET };
      expect(await driver.sendAndWait(1, cancel)).toMatchObject([{ type: 'orderClosed', order: 1, reason: 'USER' }]);
    });

    it('executes a place and a cancel of one call in the given order', async () => {
      const cancel: OrderCommand = { type: 'cancel', order: unchecked.order(1), market: MARKET };
      expect(await driver.sendAndWait(2, driver.order('BUY', 4_500, 10), cancel)).toMatchObject([
        { type: 'orderAccepted', order: 1 },
        { type: 'orderClosed', order: 1 },
      ]);
    });

    it('rejects the cancel of a closed order', async () => {
      const cancel: OrderCommand = { type: 'cancel', order: unchecked.order(1), market: MARKET };
      await driver.sendAndWait(1, driver.order('BUY', 4_500, 10));
      await driver.sendAndWait(1, cancel);
      const [refused, ...rest] = await driver.sendAndWait(1, cancel);
      expect(refused).toMatchObject({ type: 'cancelRejected', order: 1, reason: 'ALREADY_FINAL' });
      expect(rest).toEqual([]);
    });

    it.runIf(features.reduce)('reduces an order, and closes it when nothing remains', async () => {
      await driver.sendAndWait(1, driver.order('BUY', 4_500, 10));
      const reduce = (shares: number): OrderCommand => {
        return { type: 'reduce', order: unchecked.order(1), market: MARKET, by: microShares(shares * SHARE) };
      };
      expect(await driver.sendAndWait(1, reduce(4))).toMatchObject([
        { type: 'orderReduced', order: 1, remaining: 6 * SHARE },
      ]);
      expect(await driver.sendAndWait(1, reduce(6))).toMatchObject([{ type: 'orderClosed', order: 1, reason: 'USER' }]);
      expect(subject.state.openOrderCount).toBe(0);
    });

    it.runIf(features.replace)(
      'reports a replace as one event, and rejects a replace whose orders are already closed',
      async () => {
        await driver.sendAndWait(2, driver.order('BUY', 4_500, 10), driver.order('BUY', 4_400, 10));
        const replace: OrderCommand = {
          type: 'replace',
          market: MARKET,
          cancels: [1, 2].map((order) => ({ order: unchecked.order(order), remaining: microShares(10 * SHARE) })),
          places: [
            driver.order('BUY', 4_600, 5),
            driver.order('SELL', 5_500, 5, { outcome: 'NO', side: 'BUY', price: priceBps(4_500) }),
          ],
        };
        expect(await driver.sendAndWait(1, replace)).toMatchObject([
          { type: 'ordersReplaced', market: 0, closed: [1, 2], accepted: [3, 4] },
        ]);
        const late: OrderCommand = { ...replace, places: [driver.order('BUY', 4_700, 5)] };
        const refused = await driver.sendAndWait(3, late);
        expect(refused.map(({ type }) => type)).toEqual(['cancelRejected', 'cancelRejected', 'orderRejected']);
        expect(refused).toMatchObject([{ order: 1 }, { order: 2 }, { order: 5 }]);
        expect(subject.state.openOrderCount).toBe(2);
      },
    );

    it.runIf(features.replace)('rejects a replace that expects more than remains of an order', async () => {
      await driver.sendAndWait(1, driver.order('BUY', 4_500, 10));
      await subject.trade('sell', 4_500, 4);
      await subject.until(() => driver.own.length === 2);
      await subject.idle();
      const replace: OrderCommand = {
        type: 'replace',
        market: MARKET,
        cancels: [{ order: unchecked.order(1), remaining: microShares(10 * SHARE) }],
        places: [driver.order('BUY', 4_600, 10)],
      };
      expect(await driver.sendAndWait(2, replace)).toMatchObject([
        { type: 'cancelRejected', order: 1, reason: 'CONFLICT' },
        { type: 'orderRejected', order: 2, reason: 'CONFLICT' },
      ]);
      expect(subject.state.openOrderCount).toBe(1);
    });

    it('reports partial and final fills of a resting order', async () => {
      await driver.sendAndWait(1, driver.order('BUY', 4_500, 10));
      await subject.trade('sell', 4_500, 4);
      await subject.until(() => driver.own.length === 2);
      expect(driver.own[1]).toMatchObject({
        type: 'orderFilled',
        order: 1,
        outcome: 'YES',
        side: 'BUY',
        price: 4_500,
        shares: 4 * SHARE,
        remaining: 6 * SHARE,
        liquidity: 'maker',
        fee: 0,
      });
      expect(subject.state.market(MARKET).position.yes).toBe(4 * SHARE);
      await subject.trade('sell', 4_500, 6);
      await subject.until(() => driver.own.length === 3);
      expect(driver.own[2]).toMatchObject({ type: 'orderFilled', remaining: 0 });
      await subject.idle();
      expect(driver.own).toHaveLength(3);
      expect(subject.state.openOrderCount).toBe(0);
    });

    it('reports fills of taker orders, and closes the remainder of a FAK order', async () => {
      const take = driver.order('BUY', 6_000, 30, { timeInForce: 'FAK', postOnly: false });
      const received = await driver.sendAndWait(2, take);
      expect(received.map(({ type }) => type)).toEqual(['orderAccepted', 'orderFilled']);
      expect(received[1]).toMatchObject({ price: 6_000, shares: 30 * SHARE, remaining: 0, liquidity: 'taker' });
      const more = driver.order('BUY', 6_000, 100, { timeInForce: 'FAK', postOnly: false });
      const rest = await driver.sendAndWait(3, more);
      expect(rest.map(({ type }) => type)).toEqual(['orderAccepted', 'orderFilled', 'orderClosed']);
      expect(rest[1]).toMatchObject({ shares: 70 * SHARE, remaining: 30 * SHARE });
      expect(rest[2]).toMatchObject({ reason: 'FAK_REMAINDER' });
    });

    it.each([
      ['POST_ONLY_WOULD_CROSS', { price: priceBps(6_000) }],
      [
        'FOK_NOT_FILLABLE',
        { price: priceBps(6_000), shares: microShares(500 * SHARE), timeInForce: 'FOK', postOnly: false },
      ],
      ['INVALID_TICK', { price: priceBps(4_505) }],
      ['INSUFFICIENT_SHARES', { side: 'SELL', price: priceBps(7_000) }],
      ['INSUFFICIENT_BALANCE', { shares: microShares(100_000 * SHARE) }],
      ['BELOW_MIN', { shares: microShares(SHARE / 2) }],
    ] as const)('rejects an order with %s, and leaves no order or reserved cash', async (reason, changes) => {
      const place = driver.order('BUY', 4_500, 10, changes);
      expect(await driver.sendAndWait(1, place)).toMatchObject([{ type: 'orderRejected', order: 1, reason }]);
      expect(subject.state.openOrderCount).toBe(0);
      expect(subject.state.available).toBe(subject.state.cash);
    });

    it.runIf(features.conversions)(
      'splits and merges, and rejects a merge of more pairs than the account owns',
      async () => {
        const before = subject.state.cash;
        const convert = (type: 'split' | 'merge', pairs: number): OrderCommand => {
          return { type, bot: BOT, market: MARKET, shares: microShares(pairs * SHARE) };
        };
        expect(await driver.sendAndWait(1, convert('split', 5))).toMatchObject([
          { type: 'converted', conversion: 'split', bot: 0, shares: 5 * SHARE, paid: -5 * SHARE, fee: 0 },
        ]);
        expect(await driver.sendAndWait(1, convert('merge', 2))).toMatchObject([
          { type: 'converted', conversion: 'merge', shares: 2 * SHARE, paid: 2 * SHARE },
        ]);
        expect(await driver.sendAndWait(1, convert('merge', 4))).toMatchObject([
          { type: 'conversionRejected', conversion: 'merge', reason: 'INSUFFICIENT_SHARES' },
        ]);
        expect(subject.state.cash).toBe(before - 3 * SHARE);
      },
    );

    it.skipIf(features.replace && features.reduce && features.conversions)(
      'rejects the commands that the venue does not support, and leaves the open order unchanged',
      async () => {
        await driver.sendAndWait(1, driver.order('BUY', 4_500, 10));
        const by = microShares(4 * SHARE);
        const first = { order: unchecked.order(1), remaining: microShares(10 * SHARE) };
        const commands: readonly OrderCommand[] = [
          { type: 'reduce', order: unchecked.order(1), market: MARKET, by },
          { type: 'replace', market: MARKET, cancels: [first], places: [driver.order('BUY', 4_600, 5)] },
          { type: 'split', bot: BOT, market: MARKET, shares: by },
        ];
        expect(await driver.sendAndWait(4, ...commands)).toMatchObject([
          { type: 'cancelRejected', order: 1, reason: 'CONFLICT' },
          { type: 'cancelRejected', order: 1, reason: 'CONFLICT' },
          { type: 'orderRejected', order: 2, reason: 'CONFLICT' },
          { type: 'conversionRejected', conversion: 'split', reason: 'CONFLICT' },
        ]);
        expect(subject.state.openOrderCount).toBe(1);
      },
    );

    it('cancels all orders of the bot', async () => {
      await driver.sendAndWait(2, driver.order('BUY', 4_500, 10), driver.order('BUY', 4_400, 10));
      const received = await driver.sendAndWait(2, { type: 'cancelAll' });
      expect(received.map(({ type }) => type)).toEqual(['orderClosed', 'orderClosed']);
      expect(subject.state.openOrderCount).toBe(0);
    });

    it('cancels all orders of the account, and accepts orders again afterwards', async () => {
      await driver.sendAndWait(1, driver.order('BUY', 4_500, 10));
      await driver.sendAndWait(1, { type: 'cancelAll', isAccountWide: true });
      await subject.idle();
      expect(await driver.sendAndWait(1, driver.order('BUY', 4_500, 10))).toMatchObject([
        { type: 'orderAccepted', order: 2 },
      ]);
    });
  });
}
