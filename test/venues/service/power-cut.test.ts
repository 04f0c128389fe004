/**
 * A machine that loses its power takes the last of a bot's journal with it: the records are put back to an earlier moment, and
 * what was placed, replaced and filled since is at the venue only.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lostOrders } from '../../../src/venues/service/reconcile/reconciler.ts';
import { keyOf } from '../../server/trader.ts';
import { accountAt, Bot, type BotOptions, differences, Harness, SHARE, type Trader } from './harness.ts';
import { FIRST, quotes } from './quoting.ts';

let harness: Harness;
let other: Trader;
let fixtures = 0;
const bots: Bot[] = [];

beforeAll(async () => {
  harness = await Harness.open({ config: {} });
  other = await harness.trader();
});
afterAll(() => harness.close());
afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.close();
});

async function opened(options: BotOptions): Promise<Bot> {
  const bot = await Bot.open(harness, options);
  bots.push(bot);
  return bot;
}

/** Before the cut: a bid that is replaced, an ask, of each of which something trades. Only the bid is in what is left. */
async function cut() {
  fixtures += 1;
  const id = await harness.market(8_000 + fixtures);
  const options: BotOptions = { markets: [id], key: keyOf(harness.tools, 2_600 + fixtures) };
  const bot = await opened(options);
  await bot.run.start();
  bot.submit(quotes(['bid', 4_000, 10]));
  await bot.until(() => bot.received('orderAccepted').length === 1, 'the bid');
  await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 1 });
  await bot.until(() => bot.received('orderFilled').length === 1, 'a fill that is kept');
  const records = bot.records.afterCrash();
  const from = Date.now();
  await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 2 });
  await bot.until(() => bot.received('orderFilled').length === 2, 'a fill of the bid');
  bot.submit(quotes(['bid', 4_100, 10], ['ask', 6_000, 3]));
  await bot.until(() => bot.state.market(FIRST).orders.filter(({ phase }) => phase === 'live').length === 2, 'both');
  await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 5_900, shares: 3 });
  await bot.until(() => bot.received('orderFilled').length === 3, 'a fill of an order that is lost');
  await bot.crash();
  return { options: { ...options, records }, lost: { from, to: Date.now() } };
}

describe('a bot whose machine lost power', () => {
  it.each(['cancel', 'adopt'] as const)(
    'cancels orders that its journal lost, and books fills once (%s)',
    async (leftovers) => {
      const { options, lost } = await cut();
      expect((await accountAt(harness, keyOf(harness.tools, 2_600 + fixtures))).open.size).toBe(2);
      const next = await opened({ ...options, settings: { leftovers }, options: { lost } });
      await next.run.start();
      expect((await accountAt(harness, next.key)).open.size).toBe(0);
      // One of the bid, which it knows, and one of an order that it does not know.
      expect(next.received('orderFilled').map(({ order, shares }) => [order, shares / SHARE])).toEqual([
        [1, 2],
        [0, 3],
      ]);
      expect(next.received('holdingAdjusted')).toEqual([]);
      expect(next.received('cashAdjusted')).toEqual([]);
      expect(next.state.market(FIRST).position.yes).toBe(6 * SHARE);
      // It goes on under the numbers that were lost.
      next.submit(quotes(['bid', 4_100, 10], ['ask', 6_000, 3]));
      await next.until(() => next.received('orderAccepted').length === 2, 'both again');
      expect(await differences(harness, next)).toEqual([]);
    },
  );

  it('would leave them open without the mark of the restart', async () => {
    const { options } = await cut();
    const next = await opened(options);
    await next.run.start();
    expect((await accountAt(harness, next.key)).open.size).toBe(2);
    expect(await differences(harness, next)).toHaveLength(2);
  });

  it('treats as lost the orders that no record names from that period', () => {
    const lost = { from: 1_000_000, to: 2_000_000 };
    const found = (at: number, isKnown = false) => {
      const order = { orderHash: '0xAB', createdAt: new Date(at).toISOString() } as never;
      const records = { find: (hash: string) => (isKnown && hash === '0xab' ? {} : undefined) } as never;
      return lostOrders({ records }, [order], lost).length;
    };
    // A minute before and after: clocks differ.
    expect([939_999, 940_000, 1_500_000, 2_060_000, 2_060_001].map((at) => found(at))).toEqual([0, 1, 1, 1, 0]);
    expect(found(1_500_000, true)).toBe(0);
  });
});
