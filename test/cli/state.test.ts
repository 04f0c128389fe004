import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unchecked } from '../../src/domain/index.ts';
import { takeLease } from '../../src/store/index.ts';
import { setup } from '../state/world.ts';
import { BotHarness } from '../store/bot/bot-harness.ts';
import { newFolder } from './halfspread.ts';
import { expectAllDocumented } from './json-page.ts';
import { runInProcess } from './trading.ts';

const [home, away] = [0, 1].map((number) => setup(number).info);
if (home === undefined || away === undefined) throw new Error('two markets');

/** Writes the database of a bot with three saved states. @param isKilled leaves the last entries in the log (WAL) */
async function writeSavedStates({ isKilled = false } = {}): Promise<string> {
  const folder = newFolder();
  const harness = BotHarness.open({ file: join(folder, 'bot.db') });
  harness.apply({ kind: 'place', order: 1, amount: 1, market: 0 });
  harness.saveStates([
    { strategy: 'counter', market: unchecked.market(0), value: '{"runs":1}' },
    { strategy: 'counter', market: unchecked.market(1), value: '{"runs":2}' },
    { strategy: 'pair', value: '{"sum":3}' },
  ]);
  harness.saveStates([{ strategy: 'counter', market: unchecked.market(0), value: '{"runs":4}' }]);
  if (!isKilled) await harness.store.close(1);
  return folder;
}

async function runState(folder: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await runInProcess(['state', ...args, '--db', 'bot.db'], folder);
  return { code, stdout, stderr };
}

describe('halfspread state show', () => {
  it('lists the saved states, last changed first', async () => {
    const folder = await writeSavedStates();
    const { code, stdout } = await runState(folder, 'show', '--json');
    expect(code).toBe(0);
    const printed: unknown = JSON.parse(stdout);
    expectAllDocumented(
      'state',
      (printed as object[]).map((row) => ({ ...row, state: null })),
    );
    expect(printed).toEqual([
      { strategy: 'counter', market: home.slug, savedAt: expect.any(Number), state: { runs: 4 } },
      { strategy: 'pair', market: null, savedAt: expect.any(Number), state: { sum: 3 } },
      { strategy: 'counter', market: away.slug, savedAt: expect.any(Number), state: { runs: 2 } },
    ]);
    const text = await runState(folder, 'show', '--strategy', 'pair');
    expect(text.stdout).toMatch(/^strategy +market +saved +state\npair +\(all\) +\d{4}-\S+ +\{"sum":3\}\n$/);
  });

  it('reads the entries that a killed bot left in its write-ahead log', async () => {
    const { stdout } = await runState(
      await writeSavedStates({ isKilled: true }),
      'show',
      '--market',
      away.id,
      '--json',
    );
    expect(JSON.parse(stdout)).toMatchObject([{ market: away.slug, state: { runs: 2 } }]);
  });

  it('names the strategies and markets with a saved state', async () => {
    const folder = await writeSavedStates();
    const strategy = await runState(folder, 'show', '--strategy', 'conter');
    expect([strategy.code, strategy.stderr]).toEqual([2, expect.stringContaining('counter, pair')]);
    const market = await runState(folder, 'show', '--market', 'nowhere');
    expect(market.stderr).toContain(
      `expected the slug or id of a market with a saved state: ${home.slug}, ${away.slug}`,
    );
    const missing = await runInProcess(['state', 'show', '--db', 'none.db'], folder);
    expect(missing.stderr).toContain('there is no such file');
  });
});

describe('halfspread state clear', () => {
  it('removes the selected states, and only with --yes', async () => {
    const folder = await writeSavedStates();
    const unconfirmed = await runState(folder, 'clear', '--strategy', 'counter');
    expect(unconfirmed.code).not.toBe(0);
    expect(unconfirmed.stderr).toContain(`the saved state of counter on ${home.slug}, counter on ${away.slug}`);
    expect(JSON.parse((await runState(folder, 'show', '--json')).stdout)).toHaveLength(3);

    const single = await runState(folder, 'clear', '--strategy', 'counter', '--market', home.slug, '--yes');
    expect([single.code, single.stdout]).toEqual([0, `removed the saved state of counter on ${home.slug}\n`]);
    const remaining = await runState(folder, 'clear', '--yes', '--json');
    expectAllDocumented('state', JSON.parse(remaining.stdout));
    expect(JSON.parse(remaining.stdout)).toEqual({
      cleared: [
        { strategy: 'pair', market: null },
        { strategy: 'counter', market: away.slug },
      ],
    });
    expect((await runState(folder, 'show')).stdout).toBe('no saved state\n');
    expect((await runState(folder, 'clear', '--yes')).stdout).toBe('there is no saved state to remove\n');
    const check = await runInProcess(['journal', 'check', 'bot.db'], folder);
    expect([check.code, check.stderr]).toEqual([0, '']);
  });

  it('removes the state for the next start of the bot, which continues its steps', async () => {
    const folder = await writeSavedStates();
    await runState(folder, 'clear', '--strategy', 'pair', '--yes');
    const harness = BotHarness.open({ file: join(folder, 'bot.db') });
    harness.apply({ kind: 'place', order: 1, amount: 1, market: 0 });
    expect(harness.roster.states.entries.map(({ strategy }) => strategy)).toEqual(['counter', 'counter']);
    await harness.store.close(2);
  });

  it('is refused while the bot runs, and prints what to do', async () => {
    const folder = await writeSavedStates();
    const holder = { pid: 4_711, host: 'here', since: 'now', file: 'bot.db' };
    const release = takeLease([{ path: join(folder, 'bot.db.lock'), resource: 'the file bot.db' }], holder);
    const refused = await runState(folder, 'clear', '--yes');
    const read = await runState(folder, 'show', '--json');
    release();
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/process 4711 on here .* uses the database/);
    expect(refused.stderr).toContain('Stop it first: a running bot has its states in memory');
    expect(JSON.parse(read.stdout)).toHaveLength(3);
  });
});
