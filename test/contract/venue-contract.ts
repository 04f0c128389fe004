/** What every implementation of `Venue` has to do with commands: which events it reports, how often, in which order. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  counted,
  type EpochMs,
  microShares,
  type OrderCommand,
  type PlaceOrder,
  priceBps,
  SHARE,
  type VenueEvent,
} from '../../src/domain/index.ts';
import type { Venue, VenueSession } from '../../src/runtime/index.ts';
import type { AccountState } from '../../src/state/index.ts';

/** A venue under test with one open market, on whose account nothing was ever done. */
export interface VenueUnderTest {
  readonly venue: Venue;
  /** Folded from the reported events. */
  readonly state: AccountState;
  now(): EpochMs;
  /** Others show so many whole shares at prices in YES bps: `['bid', 4500, 100]`. */
  show(...levels: readonly (readonly ['bid' | 'ask', number, number])[]): Promise<void>;
  /** Somebody buys or sells YES at a price, so that own orders there fill. */
  trade(side: 'buy' | 'sell', price: number, shares: number): Promise<void>;
  /** Waits until something is so; throws when it never is. */
  until(isSo: () => boolean): Promise<void>;
  /** Waits until nothing is on its way any more. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const MARKET = counted.market(0);
const BOT = counted.bot(0);

/** A venue at work: commands go out, events are written down. */
class Play {
  readonly reported: VenueEvent[] = [];
  readonly #under: VenueUnderTest;
  #session: VenueSession | undefined;
  #isSending = false;
  #orders = 0;

  constructor(under: VenueUnderTest) {
    this.#under = under;
  }

  async connect(): Promise<void> {
    const { venue, state } = this.#under;
    this.#session = await venue.connect({
      rows: () => expect(this.#isSending).toBe(false),
      event: (event) => {
        expect(this.#isSending).toBe(false);
        expect(event.time).toBeGreaterThanOrEqual(state.now);
        state.fold(event);
        this.reported.push(event);
      },
    });
  }

  /** An order for YES; whole shares. */
  order(side: 'BUY' | 'SELL', price: number, shares: number, more: Partial<PlaceOrder> = {}): PlaceOrder {
    this.#orders += 1;
    return {
      type: 'place',
      order: counted.order(this.#orders),
      bot: BOT,
      market: MARKET,
      outcome: 'YES',
      side,
      price: priceBps(price),
      shares: microShares(shares * SHARE),
      timeInForce: 'GTC',
      postOnly: true,
      expiration: 0,
      ...more,
    };
  }

  send(...commands: readonly OrderCommand[]): void {
    const { state } = this.#under;
    for (const command of commands) state.sent(command, this.#under.now());
    this.#isSending = true;
    this.#session?.send(commands);
    this.#isSending = false;
  }

  /** Sends, and waits for so many more events of our orders and conversions; answers them. */
  async answered(count: number, ...commands: readonly OrderCommand[]): Promise<readonly VenueEvent[]> {
    const before = this.own.length;
    this.send(...commands);
    return this.after(before, count);
  }

  async after(before: number, count: number): Promise<readonly VenueEvent[]> {
    await this.#under.until(() => this.own.length >= before + count);
    await this.#under.idle();
    return this.own.slice(before);
  }

  /** Events about orders and conversions. */
  get own(): readonly VenueEvent[] {
    return this.reported.filter(({ type }) => /^(order|cancel|conver)/.test(type));
  }

  async close(): Promise<void> {
    await this.#session?.close();
  }
}

/** What a venue can do beyond placing and cancelling. */
interface VenueFeatures {
  readonly replace: boolean;
  readonly reduce: boolean;
  readonly conversions: boolean;
}

const ALL: VenueFeatures = { replace: true, reduce: true, conversions: true };

export function venueContract(name: string, make: () => Promise<VenueUnderTest>, features = ALL): void {
  describe(`the contract of a venue: ${name}`, () => {
    let under: VenueUnderTest;
    let play: Play;

    beforeEach(async () => {
      under = await make();
      play = new Play(under);
      await under.show(['bid', 4_000, 100], ['ask', 6_000, 100]);
      await play.connect();
      await under.idle();
    });
    afterEach(async () => {
      await play.close();
      await under.close();
    });

    it('accepts a resting order once', async () => {
      const place = play.order('BUY', 4_500, 10);
      expect(await play.answered(1, place)).toMatchObject([{ type: 'orderAccepted', order: 1, market: 0 }]);
    });

    it('cancels an order once', async () => {
      await play.answered(1, play.order('BUY', 4_500, 10));
      const cancel: OrderCommand = { type: 'cancel', order: counted.order(1), market: MARKET };
      expect(await play.answered(1, cancel)).toMatchObject([{ type: 'orderClosed', order: 1, reason: 'USER' }]);
    });

    it('executes a place and a cancel of one call in their order', async () => {
      const cancel: OrderCommand = { type: 'cancel', order: counted.order(1), market: MARKET };
      expect(await play.answered(2, play.order('BUY', 4_500, 10), cancel)).toMatchObject([
        { type: 'orderAccepted', order: 1 },
        { type: 'orderClosed', order: 1 },
      ]);
    });

    it('refuses to cancel a closed order', async () => {
      const cancel: OrderCommand = { type: 'cancel', order: counted.order(1), market: MARKET };
      await play.answered(1, play.order('BUY', 4_500, 10));
      await play.answered(1, cancel);
      const [refused, ...rest] = await play.answered(1, cancel);
      expect(refused).toMatchObject({ type: 'cancelRejected', order: 1, reason: 'ALREADY_FINAL' });
      expect(rest).toEqual([]);
    });

    it.runIf(features.reduce)('reduces an order, and closes one without a rest', async () => {
      await play.answered(1, play.order('BUY', 4_500, 10));
      const reduce = (shares: number): OrderCommand => {
        return { type: 'reduce', order: counted.order(1), market: MARKET, by: microShares(shares * SHARE) };
      };
      expect(await play.answered(1, reduce(4))).toMatchObject([
        { type: 'orderReduced', order: 1, remaining: 6 * SHARE },
      ]);
      expect(await play.answered(1, reduce(6))).toMatchObject([{ type: 'orderClosed', order: 1, reason: 'USER' }]);
      expect(under.state.openOrders).toBe(0);
    });

    it.runIf(features.replace)('replaces in one event, and only when the order is as expected', async () => {
      await play.answered(2, play.order('BUY', 4_500, 10), play.order('BUY', 4_400, 10));
      const replace: OrderCommand = {
        type: 'replace',
        market: MARKET,
        cancels: [1, 2].map((order) => ({ order: counted.order(order), remaining: microShares(10 * SHARE) })),
        places: [
          play.order('BUY', 4_600, 5),
          play.order('SELL', 5_500, 5, { outcome: 'NO', side: 'BUY', price: priceBps(4_500) }),
        ],
      };
      expect(await play.answered(1, replace)).toMatchObject([
        { type: 'ordersReplaced', market: 0, closed: [1, 2], accepted: [3, 4] },
      ]);
      const late: OrderCommand = { ...replace, places: [play.order('BUY', 4_700, 5)] };
      const refused = await play.answered(3, late);
      expect(refused.map(({ type }) => type)).toEqual(['cancelRejected', 'cancelRejected', 'orderRejected']);
      expect(refused).toMatchObject([{ order: 1 }, { order: 2 }, { order: 5 }]);
      expect(under.state.openOrders).toBe(2);
    });

    it('reports fills of resting orders, and stops a replace that expects a larger rest', async () => {
      await play.answered(1, play.order('BUY', 4_500, 10));
      await under.trade('sell', 4_500, 4);
      await under.until(() => play.own.length === 2);
      expect(play.own[1]).toMatchObject({
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
      expect(under.state.market(MARKET).position.yes).toBe(4 * SHARE);
      await under.trade('sell', 4_500, 6);
      await under.until(() => play.own.length === 3);
      expect(play.own[2]).toMatchObject({ type: 'orderFilled', remaining: 0 });
      await under.idle();
      expect(play.own).toHaveLength(3);
      expect(under.state.openOrders).toBe(0);
    });

    it('reports fills of taking orders, and closes the rest of a FAK', async () => {
      const take = play.order('BUY', 6_000, 30, { timeInForce: 'FAK', postOnly: false });
      const received = await play.answered(2, take);
      expect(received.map(({ type }) => type)).toEqual(['orderAccepted', 'orderFilled']);
      expect(received[1]).toMatchObject({ price: 6_000, shares: 30 * SHARE, remaining: 0, liquidity: 'taker' });
      const more = play.order('BUY', 6_000, 100, { timeInForce: 'FAK', postOnly: false });
      const rest = await play.answered(3, more);
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
    ] as const)('refuses an order with %s, and nothing of it stays', async (reason, changes) => {
      const place = play.order('BUY', 4_500, 10, changes);
      expect(await play.answered(1, place)).toMatchObject([{ type: 'orderRejected', order: 1, reason }]);
      expect(under.state.openOrders).toBe(0);
      expect(under.state.available).toBe(under.state.cash);
    });

    it.runIf(features.conversions)(
      'converts cash to pairs and back, and refuses what the account does not own',
      async () => {
        const before = under.state.cash;
        const convert = (type: 'split' | 'merge', pairs: number): OrderCommand => {
          return { type, bot: BOT, market: MARKET, shares: microShares(pairs * SHARE) };
        };
        expect(await play.answered(1, convert('split', 5))).toMatchObject([
          { type: 'converted', conversion: 'split', bot: 0, shares: 5 * SHARE, paid: -5 * SHARE, fee: 0 },
        ]);
        expect(await play.answered(1, convert('merge', 2))).toMatchObject([
          { type: 'converted', conversion: 'merge', shares: 2 * SHARE, paid: 2 * SHARE },
        ]);
        expect(await play.answered(1, convert('merge', 4))).toMatchObject([
          { type: 'conversionRejected', conversion: 'merge', reason: 'INSUFFICIENT_SHARES' },
        ]);
        expect(under.state.cash).toBe(before - 3 * SHARE);
      },
    );

    it.skipIf(features.replace && features.reduce && features.conversions)(
      'refuses what the venue does not have, and nothing of it happens',
      async () => {
        await play.answered(1, play.order('BUY', 4_500, 10));
        const by = microShares(4 * SHARE);
        const first = { order: counted.order(1), remaining: microShares(10 * SHARE) };
        const commands: readonly OrderCommand[] = [
          { type: 'reduce', order: counted.order(1), market: MARKET, by },
          { type: 'replace', market: MARKET, cancels: [first], places: [play.order('BUY', 4_600, 5)] },
          { type: 'split', bot: BOT, market: MARKET, shares: by },
        ];
        expect(await play.answered(4, ...commands)).toMatchObject([
          { type: 'cancelRejected', order: 1, reason: 'CONFLICT' },
          { type: 'cancelRejected', order: 1, reason: 'CONFLICT' },
          { type: 'orderRejected', order: 2, reason: 'CONFLICT' },
          { type: 'conversionRejected', conversion: 'split', reason: 'CONFLICT' },
        ]);
        expect(under.state.openOrders).toBe(1);
      },
    );

    it('cancels all orders of the bot', async () => {
      await play.answered(2, play.order('BUY', 4_500, 10), play.order('BUY', 4_400, 10));
      const received = await play.answered(2, { type: 'cancelAll' });
      expect(received.map(({ type }) => type)).toEqual(['orderClosed', 'orderClosed']);
      expect(under.state.openOrders).toBe(0);
    });

    it('cancels all orders of the account, and accepts orders again afterwards', async () => {
      await play.answered(1, play.order('BUY', 4_500, 10));
      await play.answered(1, { type: 'cancelAll', everyone: true });
      await under.idle();
      expect(await play.answered(1, play.order('BUY', 4_500, 10))).toMatchObject([{ type: 'orderAccepted', order: 2 }]);
    });
  });
}
