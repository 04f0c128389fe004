import { afterAll } from 'vitest';
import { venueContract } from '../../contract/venue-contract.ts';
import { keyOf } from '../../server/trader.ts';
import { Bot } from './bot.ts';
import { Harness } from './harness.ts';

let fixtures = 0;

const harness = await Harness.open({ config: {} });
const other = await harness.trader();
afterAll(() => harness.close());

venueContract('service', async () => {
  fixtures += 1;
  const id = await harness.market(fixtures);
  const bot = await Bot.open(harness, { markets: [id], key: keyOf(harness.tools, 100 + 10 * fixtures) });
  return {
    venue: bot.service,
    state: bot.state,
    now: () => bot.transport.clock.now(),
    async show(...levels) {
      for (const [side, price, shares] of levels) {
        const outcome = side === 'bid' ? 'YES' : 'NO';
        const priceBps = side === 'bid' ? price : 10_000 - price;
        await other.place({ marketId: id, outcome, side: 'BUY', priceBps, shares });
      }
    },
    async trade(side, price, shares) {
      const outcome = side === 'buy' ? 'YES' : 'NO';
      const priceBps = side === 'buy' ? price : 10_000 - price;
      await other.place({ marketId: id, outcome, side: 'BUY', priceBps, shares });
    },
    until: (condition) => bot.until(condition),
    async idle() {
      await bot.until(() => bot.isSettled, 'settled');
      // The answer to an audit arrives after every event that was in flight when it was sent.
      for (let count = 0; count < 3; count += 1) await bot.service.audit();
    },
    close: () => bot.close(),
  };
});
