import { describe, expect, it } from 'vitest';
import { SimClock } from '../../../src/clock/index.ts';
import { BotFills } from '../../../src/dashboard/api/bot-fills.ts';
import { unchecked } from '../../../src/domain/index.ts';

/** A fake bot with this number of fills, the first at time 1. */
class FakeFills {
  readonly clock = new SimClock(unchecked.time(0));
  /** Numbers of fills that were requested. */
  readonly limits: number[] = [];
  times: number[] = [];
  startedAt = 1;

  readonly fills = new BotFills(
    'demo',
    async (limit) => {
      this.limits.push(limit);
      return this.times.slice(-limit).toReversed().map(fillAt);
    },
    this.clock,
  );

  add(count: number): void {
    for (let added = 0; added < count; added += 1) this.times.push(this.times.length + 1);
  }

  /** Times of the fills that the page receives, the newest first. */
  async shown(count = this.times.length): Promise<readonly number[]> {
    const fills = await this.fills.newest({ startedAt: this.startedAt, fills: count });
    return fills.map(({ time }) => time);
  }
}

function fillAt(time: number) {
  const rest = { order: 1, market: 'rain', priceBps: 5_000, shares: 5, fee: 0, trade: null, tag: null };
  return { time, outcome: 'YES', side: 'BUY', liquidity: 'maker', ...rest };
}

describe('fills of a bot', () => {
  it('are read once, and not again until the bot counts more', async () => {
    const bot = new FakeFills();
    bot.add(100);
    expect(await bot.shown()).toEqual(bot.times.toReversed());
    await bot.shown();
    expect(bot.limits).toEqual([10_000]);
  });

  it('are extended by new fills, also when more arrive than the report counted', async () => {
    const bot = new FakeFills();
    bot.add(100);
    await bot.shown();
    bot.add(3);
    expect(await bot.shown(102)).toEqual(bot.times.toReversed());
    expect(await bot.shown(103)).toEqual(bot.times.toReversed());
    expect(bot.limits).toEqual([10_000, 22, 21]);
  });

  it('are read in full after a restart, after a reversed fill, and when new fills leave a gap', async () => {
    const bot = new FakeFills();
    bot.add(100);
    await bot.shown();
    bot.startedAt = 2;
    await bot.shown();
    bot.times.pop();
    await bot.shown();
    bot.times = Array.from({ length: 101 }, (_, at) => 1_000 + at);
    expect(await bot.shown()).toEqual(bot.times.toReversed());
    expect(bot.limits).toEqual([10_000, 10_000, 10_000, 22, 10_000]);
  });

  it('are read in full after a minute, and at most as many are stored as a bot stores', async () => {
    const bot = new FakeFills();
    bot.add(10_000);
    await bot.shown();
    bot.add(5);
    expect(await bot.shown()).toHaveLength(10_000);
    bot.clock.advanceTo(60_000);
    await bot.shown();
    expect(bot.limits).toEqual([10_000, 25, 10_000]);
  });

  it('are read once for simultaneous requests, and again after a fault', async () => {
    const bot = new FakeFills();
    bot.add(1);
    expect(await Promise.all([bot.shown(), bot.shown()])).toEqual([[1], [1]]);
    expect(bot.limits).toEqual([10_000]);
    let isBroken = true;
    const fills = new BotFills('demo', async () => (isBroken ? { problem: 1 } : [fillAt(1)]), bot.clock);
    await expect(fills.newest(undefined)).rejects.toThrow('expected array');
    isBroken = false;
    expect(await fills.newest(undefined)).toHaveLength(1);
  });
});
