import { setTimeout as pause } from 'node:timers/promises';
import { ChaosBot, type ChaosTally } from './chaos-bot.ts';
import { chaosPlan } from './chaos-plan.ts';
import { openPolymarket, openTestMarket, type PolymarketHarness } from './harness.ts';

/** Opens a venue. By seed, transactions are confirmed soon, or later than trades are read again. */
export function openChaos(seed: number): Promise<PolymarketHarness> {
  const ms = [20, 300, 3_000][seed % 3] ?? 20;
  return openPolymarket({
    access: { creditCents: 100_000_000 },
    polymarket: { tier: 'Standard', minedMs: ms, confirmedMs: ms },
  });
}

export async function chaosRun(harness: PolymarketHarness, seed: number, steps: number): Promise<ChaosTally> {
  const plan = chaosPlan(seed, steps);
  const testMarket = await openTestMarket(harness, `Chaos ${seed}?`);
  const other = await harness.venue.openTrader(60_000 + seed);
  const bot = new ChaosBot(harness, testMarket, seed, plan);
  try {
    await bot.start('cancel');
    for (const step of plan.steps) {
      if (step.type === 'otherTrader') {
        const bet = { outcome: step.isBid ? 'YES' : 'NO', side: 'BUY', size: step.size } as const;
        await other.place({ ...bet, priceBps: step.isBid ? step.price : 10_000 - step.price }, testMarket.id);
        if (step.cancelsRest)
          await other.request('mutation ($m: ID!) { cancelMarketOrders(marketId: $m) { seq } }', { m: testMarket.id });
      } else await bot.step(step);
      await pause(step.pauseMs);
    }
    await bot.end();
  } catch (error) {
    bot.differences.push(String(error));
  }
  return bot.close();
}
