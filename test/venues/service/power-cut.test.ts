/**
 * A power cut loses the end of a bot's journal. These tests restore the records of an earlier moment: later orders,
 * replaces and fills are known to the venue alone.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { findLostOrders } from '../../../src/venues/service/reconcile/reconciler.ts';
import { keyOf } from '../../server/trader.ts';
import { Bot, type BotOptions } from './bot.ts';
import { Harness, SHARE } from './harness.ts';
import { accountAt, differences } from './holdings.ts';
import { FIRST, quotes } from './quoting.ts';

let fixtures = 0;

const harness = await Harness.open({ config: {} });
const other = await harness.trader();
afterAll(() => harness.close());

/** Trades with a bid, its replacement and an ask, then cuts the power. Only the bid and its first fill remain. */
async function tradeAndCutPower() {
  fixtures += 1;
  const id = await harness.market(8_000 + fixtures);
  const options: BotOptions = { markets: [id], key: keyOf(harness.tools, 2_600 + fixtures) };
  const bot = await Bot.openForTest(harness, options);
  await bot.run.start();
  bot.submit(quotes(['bid', 4_000, 10]));
  await bot.until(() => bot.received('orderAccepted').length === 1, 'the bid');
  await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 1 });
  await bot.until(() => bot.received('orderFilled').length === 1, 'a fill that is stored');
  const records = bot.records.afterCrash();
  const from = Date.now();
  await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 2 });
  await bot.until(() => bot.received('orderFilled').length === 2, 'a fill of the bid');
  bot.submit(quotes(['bid', 4_100, 10], ['ask', 6_000, 3]));
  await bot.until(
    () => bot.state.market(FIRST).orders.filter(({ phase }) => phase === 'live').length === 2,
    'both orders',
  );
  await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 5_900, shares: 3 });
  await bot.until(() => bot.received('orderFilled').length === 3, 'a fill of a lost order');
  await bot.crash();
  return { options: { ...options, records }, unrecorded: { from, to: Date.now() } };
}

describe('a bot whose machine lost power', () => {
  it.each(['cancel', 'adopt'] as const)(
    'cancels orders that its journal lost, and books fills once (%s)',
    async (leftovers) => {
      const { options, unrecorded } = await tradeAndCutPower();
      expect((await accountAt(harness, keyOf(harness.tools, 2_600 + fixtures))).open.size).toBe(2);
      const next = await Bot.openForTest(harness, { ...options, settings: { leftovers }, options: { unrecorded } });
      await next.run.start();
      expect((await accountAt(harness, next.key)).open.size).toBe(0);
      // The first is of the known bid, the second of an order without a record.
      expect(next.received('orderFilled').map(({ order, shares }) => [order, shares / SHARE])).toEqual([
        [1, 2],
        [0, 3],
      ]);
      expect(next.received('holdingAdjusted')).toEqual([]);
      expect(next.received('cashAdjusted')).toEqual([]);
      expect(next.state.market(FIRST).position.yes).toBe(6 * SHARE);
      // New orders reuse the lost numbers.
      next.submit(quotes(['bid', 4_100, 10], ['ask', 6_000, 3]));
      await next.until(() => next.received('orderAccepted').length === 2, 'both orders again');
      expect(await differences(harness, next)).toEqual([]);
    },
  );

  it('cancels them even if the start is refused, because the venue does not know another order', async () => {
    const { options, unrecorded } = await tradeAndCutPower();
    const { rows } = options.records;
    for (const [at, row] of rows.entries()) rows[at] = { ...row, hash: `0x${'1'.repeat(64)}` };
    const settings = { leftovers: 'adopt' } as const;
    const next = await Bot.openForTest(harness, { ...options, settings, options: { unrecorded } });
    await expect(next.run.start()).rejects.toThrow('are not known to the venue: 1 (');
    expect((await accountAt(harness, next.key)).open.size).toBe(0);
  });

  it('leaves lost orders open when the restart is not known to be a power cut', async () => {
    const { options } = await tradeAndCutPower();
    const next = await Bot.openForTest(harness, options);
    await next.run.start();
    expect((await accountAt(harness, next.key)).open.size).toBe(2);
    expect(await differences(harness, next)).toHaveLength(2);
  });

  it('treats orders that were created in the unrecorded period and have no record as lost', () => {
    const unrecorded = { from: 1_000_000, to: 2_000_000 };
    const countLost = (at: number, isKnown = false) => {
      const order = { orderHash: '0xAB', createdAt: new Date(at).toISOString() } as never;
      const records = { findByHash: (hash: string) => (isKnown && hash === '0xab' ? {} : undefined) } as never;
      return findLostOrders({ records }, [order], unrecorded).length;
    };
    // The period is extended by a minute on both sides, because clocks differ.
    expect([939_999, 940_000, 1_500_000, 2_060_000, 2_060_001].map((at) => countLost(at))).toEqual([0, 1, 1, 1, 0]);
    expect(countLost(1_500_000, true)).toBe(0);
  });
});
