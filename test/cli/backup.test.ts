import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeLease } from '../../src/store/index.ts';
import { BotHarness } from '../store/bot/bot-harness.ts';
import { newFolder } from './halfspread.ts';
import { expectDocumented } from './json-page.ts';
import { runInProcess } from './trading.ts';

const YAML = 'venue: { url: http://127.0.0.1:2 }\nmarkets: { slugs: [rain] }\nstrategy: ladder\ndb: bot.db\n';

/** @returns a folder with the database of a bot that ended */
async function stoppedBot(): Promise<string> {
  const folder = newFolder();
  writeFileSync(join(folder, 'bot.yaml'), YAML);
  const harness = BotHarness.open({ file: join(folder, 'bot.db') });
  for (let count = 0; count < 5; count += 1) harness.apply({ kind: 'place', order: 1, amount: 1, market: 0 });
  await harness.store.close(1);
  return folder;
}

describe('halfspread backup and restore', () => {
  it('accept the configuration or the database of the bot, and print what the backup has', async () => {
    const folder = await stoppedBot();
    const backup = await runInProcess(['backup', 'bot.yaml', 'copy.db', '--json'], folder);
    expect(backup).toMatchObject({ code: 0, stderr: '' });
    const report = JSON.parse(backup.stdout);
    expectDocumented('backup', report);
    expect(report).toMatchObject({ lastStep: 5, killed: false, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const text = await runInProcess(['backup', 'bot.db', 'other.db'], folder);
    expect(text.stdout).toMatch(
      /^backed up \S+bot\.db to \S+other\.db: account 0xab .*, up to step 5, .* sha256 [0-9a-f]{64}\n$/,
    );
    const restored = await runInProcess(['restore', 'copy.db', 'new.db', '--sha256', report.sha256, '--json'], folder);
    expectDocumented('restore', JSON.parse(restored.stdout));
    expect(JSON.parse(restored.stdout)).toMatchObject({ lastStep: 5, sha256: report.sha256 });
    expect(existsSync(join(folder, 'new.db.killed'))).toBe(false);
    expect((await runInProcess(['journal', 'check', 'new.db'], folder)).stdout).toContain('ok: new.db');
  });

  it('keep a bot killed if its watchdog killed it', async () => {
    const folder = await stoppedBot();
    writeFileSync(join(folder, 'bot.db.killed'), '{"reason":"WATCHDOG: silent"}\n');
    const { stdout } = await runInProcess(['backup', 'bot.yaml', 'copy.db'], folder);
    expect(stdout).toContain('killed until `resume`');
    await runInProcess(['restore', 'copy.db', 'new.db'], folder);
    expect(readFileSync(join(folder, 'new.db.killed'), 'utf8')).toBe('{"reason":"WATCHDOG: silent"}\n');
  });

  it('leave no lock file when a restore is refused', async () => {
    const folder = await stoppedBot();
    writeFileSync(join(folder, 'text'), 'not a backup');
    expect(await runInProcess(['restore', 'text', 'new.db'], folder)).toMatchObject({ code: 3 });
    expect(existsSync(join(folder, 'new.db.lock'))).toBe(false);
  });

  it('create a file that `journal check` names as a backup', async () => {
    const folder = await stoppedBot();
    await runInProcess(['backup', 'bot.yaml', 'copy.db'], folder);
    const { code, stderr } = await runInProcess(['journal', 'check', 'copy.db'], folder);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('it is a backup of a bot') });
  });

  it('refuse to restore over a database, or while a bot runs on the target', async () => {
    const folder = await stoppedBot();
    await runInProcess(['backup', 'bot.yaml', 'copy.db'], folder);
    const refused = await runInProcess(['restore', 'copy.db', 'bot.yaml'], folder);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('bot.db: it exists already') });
    const path = join(folder, 'new.db.lock');
    const release = takeLease([{ path, resource: 'it' }], { pid: 4_711, host: 'here', since: 'now', file: 'new.db' });
    const running = await runInProcess(['restore', 'copy.db', 'new.db'], folder);
    release();
    expect(running).toMatchObject({ code: 3, stderr: expect.stringContaining('process 4711 on here') });
    expect(running.stderr).toContain('Stop that bot first');
  });

  it('explain a missing folder, a file that is not a backup and an invalid hash', async () => {
    const folder = await stoppedBot();
    const missingFolder = await runInProcess(['backup', 'bot.yaml', 'missing/copy.db'], folder);
    expect(missingFolder).toMatchObject({ code: 3, stderr: expect.stringContaining('mkdir -p') });
    const foreign = await runInProcess(['restore', 'bot.yaml', 'new.db'], folder);
    expect(foreign.code).toBe(3);
    expect(foreign.stderr).not.toContain('    at ');
    const hash = await runInProcess(['restore', 'copy.db', 'new.db', '--sha256', 'abc'], folder);
    expect(hash).toMatchObject({ code: 2, stderr: expect.stringContaining('64 hexadecimal digits') });
  });
});
