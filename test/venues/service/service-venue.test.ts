import { beforeEach, describe, expect, it } from 'vitest';
import { type Intent, microShares, priceBps, type Quote, unchecked } from '../../../src/domain/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { Bot } from './bot.ts';
import { Harness, SHARE } from './harness.ts';
import { differences } from './holdings.ts';

const MARKET = unchecked.market(0);
let harness: Harness;
let id: string;

beforeEach(async () => {
  harness = await Harness.open();
  afterThisTest.add(() => harness.close());
  id = await harness.market(1);
});

async function started(options: Partial<Parameters<typeof Bot.start>[1]> = {}): Promise<Bot> {
  return Bot.startForTest(harness, { markets: [id], ...options });
}

function quotes(...levels: readonly (readonly ['bid' | 'ask', number, number])[]): Intent {
  const list = levels.map(
    ([side, price, count]): Quote => ({ side, price: priceBps(price), shares: microShares(count * SHARE) }),
  );
  return { type: 'quote', market: MARKET, quotes: list };
}

describe('a bot at a service venue', () => {
  it('adopts the cash it finds, and nothing else differs', async () => {
    const bot = await started();
    expect(bot.state.cash).toBe(10_000 * SHARE);
    expect(await differences(harness, bot)).toEqual([]);
  });

  it('places, fills and cancels, and matches the venue’s state after each', async () => {
    const bot = await started();
    const other = await harness.trader();
    bot.submit(quotes(['bid', 4_800, 100], ['ask', 5_200, 50]));
    await bot.until(() => bot.received('orderAccepted').length === 2, 'both accepted');
    expect(await differences(harness, bot)).toEqual([]);

    await other.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 5_200, shares: 20 });
    await bot.until(() => bot.received('orderFilled').length === 1, 'the fill');
    expect(bot.received('orderFilled')).toMatchObject([
      { price: 4_800, shares: 20 * SHARE, remaining: 30 * SHARE, liquidity: 'maker' },
    ]);
    expect(await differences(harness, bot)).toEqual([]);

    bot.submit(quotes());
    await bot.until(() => bot.state.openOrderCount === 0, 'all cancelled');
    expect(await differences(harness, bot)).toEqual([]);
    expect(bot.faults).toEqual([]);
  });
});
