import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Harness } from '../venues/service/harness.ts';
import { accountAt } from '../venues/service/holdings.ts';
import { halfspread } from './halfspread.ts';
import { LiveFixture, placeDistantOrders } from './live-fixture.ts';
import { endAll, startAndWait, until } from './trading.ts';

afterAll(endAll);

const STRATEGY = `import { defineStrategy, shares, toShares, z } from 'halfspread';
export default defineStrategy({
  name: 'adder',
  summary: 'One bid with a tag; adds up its fills.',
  params: z.strictObject({}),
  state: z.strictObject({ bought: z.number().default(0) }),
  create: (_params, { state, log, markets: [market] }) => ({
    onStart(view) {
      log.info('starts', { bought: state.get().bought, held: view.market(market).position.shares });
      return [{ type: 'quote', market, quotes: [{ side: 'bid', price: 4_500, shares: shares(20), tag: 'low' }] }];
    },
    onFill(fill, view) {
      state.set({ bought: state.get().bought + toShares(fill.shares) });
      const held = view.market(market).position.shares;
      log.info('fill', { size: toShares(fill.shares), recovery: fill.recovery ?? 'none', tag: fill.tag ?? 'none', held });
    },
  }),
});
`;

describe('fills while a bot was down', () => {
  it('reach onFill once after SIGKILL, before onStart, with tag and state', async () => {
    const harness = await Harness.open({ config: {} });
    const id = await harness.market(1);
    await placeDistantOrders(harness, id);
    const live = new LiveFixture(
      harness,
      `markets: { ids: ["${id}"] }\nheartbeat_ms: none\nstrategy: adder\nparams: {}`,
    );
    mkdirSync(join(live.folder, 'strategies/adder'), { recursive: true });
    writeFileSync(join(live.folder, 'strategies/adder/strategy.ts'), STRATEGY);
    const run = () => startAndWait(['run', 'bot.yaml', '--json'], live.folder, /trading \d+ market/);
    const lines = (text: string) =>
      [...text.matchAll(/"fields":(\{[^}]*\}),"msg":"(starts|fill)"/g)].map(([, fields = '', name]) => ({
        name,
        ...JSON.parse(fields),
      }));
    const first = await run();
    await until(async () => (await accountAt(harness, live.key)).open.size === 1, 'the bot quotes');
    first.child.kill('SIGKILL');
    await first.end;
    const other = await harness.trader();
    for (const shares of [5, 3]) {
      await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 5_500, shares });
    }

    const second = await run();
    await until(() => lines(second.output()).length >= 3, 'the strategy has started');
    const fill = { name: 'fill', recovery: 'start', tag: 'low', held: 8 };
    expect(lines(second.output())).toEqual([
      { ...fill, size: 5 },
      { ...fill, size: 3 },
      { name: 'starts', bought: 8, held: 8 },
    ]);
    const orders = () => halfspread(['orders', 'bot.yaml'], live.folder);
    await until(async () => (await orders()).stdout !== 'no orders\n', 'the bot quotes again');
    second.child.kill('SIGKILL');
    await second.end;
    const shown = await halfspread(['state', 'show', 'bot.yaml', '--json'], live.folder);
    expect(JSON.parse(shown.stdout)).toMatchObject([{ strategy: 'adder', state: { bought: 8 } }]);

    const fills = await halfspread(['fills', 'bot.yaml', '--json'], live.folder);
    expect(JSON.parse(fills.stdout)).toMatchObject([{ tag: 'low' }, { tag: 'low' }]);
    expect((await orders()).stdout).toMatch(/ tag *\n.* low *\n/);

    const third = await run();
    await until(() => lines(third.output()).length > 0, 'the strategy has started again');
    expect(lines(third.output())).toEqual([{ name: 'starts', bought: 8, held: 8 }]);
    const shownFills = await halfspread(['fills', 'bot.yaml', '--json'], live.folder);
    expect(shownFills.stdout).toBe(fills.stdout);
    third.child.kill('SIGTERM');
    await third.end;
    await harness.close();
  }, 180_000);
});
