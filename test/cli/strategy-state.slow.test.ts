import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { halfspread } from './halfspread.ts';
import { endAll, openVenue, TestBot, until, type VenueProcess } from './trading.ts';

let venue: VenueProcess;
beforeAll(async () => {
  venue = await openVenue();
}, 60_000);
afterAll(async () => {
  await venue.close();
  endAll();
});

/** @param schema of the state */
function writeStrategy({ folder }: TestBot, schema: string): void {
  mkdirSync(join(folder, 'strategies/counter'), { recursive: true });
  writeFileSync(
    join(folder, 'strategies/counter/strategy.ts'),
    `import { defineStrategy, z } from 'halfspread';
export default defineStrategy({
  name: 'counter',
  summary: 'Counts its runs and its timers.',
  params: z.strictObject({}),
  state: ${schema},
  create: (_params, { state, log, timers }) => ({
    onStart() {
      log.info('begins', state.get());
      state.set({ ...state.get(), runs: state.get().runs + 1 });
      timers.set('tick', { everyMs: 20 });
    },
    onTimer() {
      state.set({ ...state.get(), ticks: state.get().ticks + 1 });
      log.info('ticks', { ticks: state.get().ticks });
    },
  }),
});
`,
  );
}

const PENALTIES = 'will-the-cup-final-go-to-penalties';
const COUNTERS = 'z.strictObject({ runs: z.int().default(0), ticks: z.int().default(0) })';

describe('the state of a strategy', () => {
  it('survives SIGKILL up to the last logged step', async () => {
    const bot = new TestBot(venue.url, 'strategy: counter');
    writeStrategy(bot, COUNTERS);
    const first = await bot.run();
    const ticks = (text: string) =>
      [...text.matchAll(/"ticks":(\d+)\},"msg":"ticks"/g)].map(([, count]) => Number(count));
    await until(() => Math.max(0, ...ticks(first.output())) >= 10, 'ten timers have fired');
    expect(first.output()).toMatch(
      /"strategy":"counter","market":"[\w-]+","fields":\{"runs":0,"ticks":0\},"msg":"begins"/,
    );
    first.child.kill('SIGKILL');
    await first.end;
    const last = Math.max(...ticks(first.output()));

    const second = await bot.run();
    const begins = [...second.output().matchAll(/"fields":\{"runs":(\d+),"ticks":(\d+)\},"msg":"begins"/g)];
    expect(begins.map(([, runs]) => runs)).toEqual(['1', '1']);
    // The handler writes its line before the step is stored, so the last line may be ahead of the state.
    expect(Math.max(...begins.map(([, , stored]) => Number(stored)))).toBeGreaterThanOrEqual(last - 1);
    second.child.kill('SIGKILL');
    await second.end;

    writeStrategy(bot, 'z.strictObject({ runs: z.int().default(0), ticks: z.string().default("") })');
    const refused = await halfspread(['run', 'bot.yaml', '--json'], bot.folder);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(
      'the state that an earlier run stored does not fit its schema (state.ticks: expected',
    );
    expect(refused.stderr).toContain('.catch() to start without state');

    writeStrategy(bot, `${COUNTERS}.extend({ wins: z.int().default(0) })`);
    const third = await bot.run();
    expect(third.output()).toMatch(/"fields":\{"runs":2,"ticks":\d+,"wins":0\},"msg":"begins"/);
    third.child.kill('SIGTERM');
    await third.end;
  }, 240_000);

  it('is kept while another strategy trades, until it is cleared', async () => {
    const bot = new TestBot(venue.url, 'strategy: counter');
    writeStrategy(bot, COUNTERS);
    const runOnce = async (sections: string): Promise<string> => {
      bot.configure(sections);
      const run = await bot.run();
      run.child.kill('SIGTERM');
      await run.end;
      return run.output();
    };
    const hasBegun = (text: string) =>
      [...text.matchAll(/"market":"([\w-]+)","fields":\{"runs":(\d+),/g)]
        .map(([, market = '', runs]) => `${market.split('-').at(-1)} ${runs}`)
        .toSorted();
    expect(hasBegun(await runOnce('strategy: counter'))).toEqual(['final 0', 'penalties 0']);
    await runOnce('');
    await runOnce(`strategies: [{ strategy: counter, markets: [${PENALTIES}] }]`);
    expect(hasBegun(await runOnce('strategy: counter'))).toEqual(['final 1', 'penalties 2']);

    const shown = await halfspread(['state', 'show', 'bot.yaml', '--json'], bot.folder);
    expect(
      JSON.parse(shown.stdout)
        .map(({ state }: { state: { runs: number } }) => state.runs)
        .toSorted(),
    ).toEqual([2, 3]);
    const run = await bot.run();
    const refused = await halfspread(['state', 'clear', 'bot.yaml', '--yes'], bot.folder);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('Stop it first')]);
    run.child.kill('SIGTERM');
    await run.end;
    const clear = ['state', 'clear', 'bot.yaml', '--market', PENALTIES, '--yes'];
    expect((await halfspread(clear, bot.folder)).stdout).toBe(`removed the saved state of counter on ${PENALTIES}\n`);
    expect(hasBegun(await runOnce('strategy: counter'))).toEqual(['final 3', 'penalties 0']);
  }, 240_000);
});
