/** Orders, holdings and cash when a market ends, halts or is void, and when the venue refuses everything. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Bot, type BotOptions } from './bot.ts';
import { Harness, SHARE, type Trader } from './harness.ts';
import { differences } from './holdings.ts';
import { FIRST, pairs, quotes } from './quoting.ts';

let harness: Harness;
let other: Trader;

beforeAll(async () => {
  harness = await Harness.open({ config: {} });
  await harness.operate('configure', { dispute_window: 0, quorum: 1, panel_size: 1 });
  other = await harness.trader();
});
afterAll(() => harness.close());

/** A bot that split 10 pairs and quoted a bid of 10 shares. The bid filled 4 shares by selling NO. */
async function fixture(options: Partial<BotOptions> = {}) {
  const { bot, id } = await Bot.startAlone(harness, options);
  bot.submit(pairs('split', 10));
  await bot.until(() => bot.received('converted').length === 1, 'split');
  bot.submit(quotes(['bid', 4_000, 10]));
  await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
  await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
  await bot.until(() => bot.received('orderFilled').length === 1, 'the fill');
  return { bot, id };
}

async function decide(id: string, vote: string): Promise<void> {
  await harness.operate('close-early', { market: id });
  await harness.operate('vote', { market: id, model: 'judge', vote });
}

describe('a resolved market', () => {
  it.each([
    ['YES', undefined, 10],
    ['NO', 'passAndCut', 6],
    ['YES', 'cut', 10],
    ['UNCERTAIN', 'passAndCut', 8],
  ] as const)('(%s) pays the holdings once (fault at the claim: %s)', async (vote, fault, dollars) => {
    const { bot, id } = await fixture();
    const before = bot.state.cash;
    if (fault !== undefined) bot.proxy.rule({ direction: 'up', match: 'claimPosition(', fault });
    await decide(id, vote);
    await bot.until(() => bot.received('orderClosed').length === 1, 'the order is closed');
    expect(bot.received('orderClosed')).toMatchObject([{ reason: 'MARKET_NOT_OPEN' }]);
    // The dispute window of 0 ms ends when the server reads its clock next.
    for (let left = 100; left > 0; left -= 1) {
      const isReported = await harness.operate('report-payout', { market: id }).then(
        () => true,
        () => false,
      );
      if (isReported) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await bot.until(() => bot.received('converted').length === 2, 'the claim');
    expect(bot.received('converted')[1]).toMatchObject({ conversion: 'claim', paid: dollars * SHARE });
    await bot.until(() => bot.isSettled, 'settled');
    expect(bot.state.cash).toBe(before + dollars * SHARE);
    expect((await differences(harness, bot)).filter((each) => each.startsWith('cash'))).toEqual([]);
    expect(bot.state.unexplainedEvents).toBe(0);
    await bot.service.audit();
    expect(bot.received('cashAdjusted')).toHaveLength(1);
  });

  it('that is void refunds the cost', async () => {
    const { bot, id } = await fixture();
    await harness.operate('void', { market: id });
    await bot.until(() => bot.received('converted').length === 2, 'the refund');
    expect(bot.state.cash).toBe(10_000 * SHARE);
    expect((await differences(harness, bot)).filter((each) => each.startsWith('cash'))).toEqual([]);
    expect(bot.state.unexplainedEvents).toBe(0);
  });
});

describe('a market halt', () => {
  it('cancels the orders, and the bot places them again afterwards', async () => {
    const { bot, id } = await fixture();
    await harness.operate('halt', { market: id });
    await bot.until(() => bot.received('orderClosed').length === 1, 'the order is closed');
    expect(bot.received('orderClosed')).toMatchObject([{ reason: 'MARKET_HALTED' }]);
    await harness.operate('resume', { market: id });
    await bot.until(() => bot.state.market(FIRST).state.acceptingOrders, 'open again');
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 3, 'both legs accepted');
    expect(await differences(harness, bot)).toEqual([]);
  });
});

describe('a venue that refuses everything', () => {
  it('receives a cancel repeatedly until it accepts it', async () => {
    const { bot } = await fixture();
    await harness.operate('mode', { mode: 'HALTED' });
    bot.send({ type: 'cancel', order: bot.state.market(FIRST).orders[0]?.order ?? ('none' as never), market: FIRST });
    await bot.until(() => !bot.isSettled, 'a cancel that waits');
    await harness.operate('mode', { mode: 'NORMAL' });
    await bot.until(() => bot.state.openOrderCount === 0 && bot.isSettled, 'cancelled');
    expect(await differences(harness, bot)).toEqual([]);
    expect(bot.received('cancelRejected')).toEqual([]);
  });
});
