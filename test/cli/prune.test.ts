import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { timeAfter } from '../../src/domain/index.ts';
import { takeLease } from '../../src/store/index.ts';
import { BotHarness, placedOrders, signedRecord } from '../store/bot/bot-harness.ts';
import { newFolder } from './halfspread.ts';
import { expectDocumented } from './json-page.ts';
import { runInProcess } from './trading.ts';

/** Writes the database of a bot with filled orders. @returns its folder and a time after the last order */
async function writeBot(orders: number): Promise<{ readonly folder: string; readonly end: string }> {
  const folder = newFolder();
  const harness = BotHarness.open({ file: join(folder, 'bot.db'), snapshotEvery: 10 });
  for (let count = 0; count < orders; count += 1) {
    const step = harness.apply({ kind: 'place', order: 1, amount: 1, market: 0 });
    harness.store.addSigned((step?.commands ?? []).flatMap(placedOrders).map(signedRecord));
    harness.apply({ kind: 'accepted', order: harness.lastOrder, amount: 1, market: 0 });
    harness.apply({ kind: 'filled', order: harness.lastOrder, amount: 0, market: 0 });
  }
  await harness.store.close(1);
  return { folder, end: new Date(timeAfter(harness.account.now, 1)).toISOString() };
}

describe('halfspread prune', () => {
  it('removes rows that ended before a time and prints their counts', async () => {
    const { folder, end } = await writeBot(40);
    const { code, stdout } = await runInProcess(['prune', '--db', 'bot.db', '--before', end, '--json'], folder);
    expect(code).toBe(0);
    expectDocumented('prune', JSON.parse(stdout));
    expect(JSON.parse(stdout)).toMatchObject({ orders: 40, fills: 40, steps: expect.any(Number) });
    const again = await runInProcess(['prune', '--db', 'bot.db', '--before', end, '--shrink'], folder);
    expect(again.stdout).toMatch(
      /^removed what is older than .*: 0 steps, 0 orders, 0 fills\. The file has [\d.]+ MB\n$/,
    );
    const fills = await runInProcess(['fills', '--db', 'bot.db', '--json'], folder);
    expect(JSON.parse(fills.stdout)).toEqual([]);
  });

  it('accepts the configuration of the bot as operand or with --config', async () => {
    const { folder, end } = await writeBot(2);
    const yaml = 'venue: { url: http://127.0.0.1:2 }\nmarkets: { slugs: [rain] }\nstrategy: ladder\ndb: bot.db\n';
    writeFileSync(join(folder, 'bot.yaml'), yaml);
    const pruned = await runInProcess(['prune', '--config', 'bot.yaml', '--before', end, '--json'], folder);
    expect(JSON.parse(pruned.stdout)).toMatchObject({ orders: 2 });
    const again = await runInProcess(['prune', 'bot.yaml', '--before', end, '--json'], folder);
    expect(JSON.parse(again.stdout)).toMatchObject({ orders: 0 });
    const both = await runInProcess(['prune', 'bot.yaml', '--config', 'other.yaml', '--before', end], folder);
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('--config: expected only one file') });
  });

  it('leaves the database of a running bot alone and names the alternative', async () => {
    const { folder } = await writeBot(2);
    const path = join(folder, 'bot.db.lock');
    const holder = { pid: 4_711, host: 'here', since: 'now', file: 'bot.db' };
    const release = takeLease([{ path, resource: 'the file bot.db' }], holder);
    const { code, stderr } = await runInProcess(['prune', '--db', 'bot.db', '--before', '2026-01-01'], folder);
    release();
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/process 4711 on here .* uses the database/);
    expect(stderr).toContain('store.keep_days');
  });

  it.each([
    ['tomorrow', 'an invalid time'],
    ['2999-01-01', 'a time in the future'],
    ['2026-02-31', 'a day that does not exist'],
  ])('refuses "%s", %s', async (before) => {
    const { folder } = await writeBot(1);
    const { code, stderr } = await runInProcess(['prune', '--db', 'bot.db', '--before', before], folder);
    expect(code).not.toBe(0);
    expect(stderr).toContain('a day (2026-10-01) or a time (2026-10-01T12:00:00Z) of the past');
  });

  it('names what is missing when the file does not exist or none is named', async () => {
    const folder = newFolder();
    const missing = await runInProcess(['prune', '--db', 'bot.db', '--before', '2026-01-01'], folder);
    expect(missing.stderr).toContain('there is no such file');
    const withoutFile = await runInProcess(['prune', '--before', '2026-01-01'], folder);
    expect(withoutFile.stderr).toContain("the bot's YAML file, or its database (--db)");
  });
});
