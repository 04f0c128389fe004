/** A bot whose log is on a full disk, with the real programs and a webhook receiver. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NO_SMALL_DISK, SmallDisk } from '../small-disk.ts';
import { ended, halfspread, ROOT } from './halfspread.ts';
import { endAll, openVenue, TestBot, until, type VenueProcess } from './trading.ts';
import { openWebhook } from './webhook.ts';

vi.setConfig({ hookTimeout: 60_000 });

let alerts: string[] = [];
let venue: VenueProcess;
beforeAll(async () => {
  alerts = await openWebhook('LOG_WEBHOOK');
  venue = await openVenue();
});

let disk: SmallDisk | undefined;
afterAll(async () => {
  await venue.close();
  endAll();
  disk?.unmount();
});

/** The parsed lines of a log. */
function linesOf(path: string): readonly Readonly<Record<string, unknown>>[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('a bot whose log is on a full disk', () => {
  it('keeps trading and obeying commands, reports the problem in `status` and one alert, and logs again when there is room', async ({
    skip,
  }) => {
    disk = SmallDisk.mount(1) ?? skip(NO_SMALL_DISK);
    const path = join(disk.folder, 'bot.log');
    const bot = new TestBot(venue.url, 'alerts: { targets: [{ type: webhook, url: { env: LOG_WEBHOOK } }] }');
    const { child, output, end } = await bot.run('--set', `log.file=${path}`);
    const statusField = async (key: string): Promise<unknown> => Reflect.get(await bot.status(), key);
    await until(async () => (await bot.status()).openOrders > 0, 'the bot quotes');
    expect(await statusField('logProblem')).toBeNull();

    const over = Promise.withResolvers<void>();
    const isFull = disk.keepFull(over.promise);
    await until(async () => {
      // Each command writes a line to the log.
      await bot.request('pause');
      await bot.request('resume');
      return (await statusField('logProblem')) !== null;
    }, 'the log is lost');
    const problem = `log.file ${path} cannot be written (ENOSPC: no space left on device, write): the log goes to standard error`;
    expect(await statusField('logProblem')).toBe(problem);
    const { stdout } = await halfspread(['status', 'bot.yaml'], bot.folder);
    expect(stdout).toMatch(/^log problem {2,}log\.file \S+ cannot be written \(ENOSPC/m);

    await until(async () => (await bot.status()).openOrders > 0, 'the bot quotes without a log');
    expect(await bot.request('kill', { reason: 'a test' })).toMatchObject({ mode: 'KILLED' });
    expect(await bot.status()).toMatchObject({ killVerified: true, openOrders: 0 });
    // A short line may still fit into the last block of the file.
    await until(() => (output() + readFileSync(path, 'utf8')).includes('"reason":"a test"'), 'the kill is logged');
    await bot.request('resume');
    const logAlerts = () => alerts.map((body) => JSON.parse(body)).filter(({ kind }) => kind === 'log');
    await until(() => logAlerts().length > 0, 'the alert arrives');
    expect(logAlerts()).toMatchObject([{ kind: 'log', text: expect.stringContaining(problem), problem }]);

    over.resolve();
    await isFull;
    disk.freeSpace();
    await until(async () => (await statusField('logProblem')) === null, 'the log is written again');
    await until(() => /the log is written again/.test(readFileSync(path, 'utf8')), 'the log reports it');
    await until(async () => (await bot.status()).openOrders > 0, 'the bot still quotes');
    child.kill('SIGTERM');
    expect((await end).code).toBe(0);
    expect(linesOf(path).at(-1)?.['msg']).toBe('ended');
    expect(logAlerts()).toHaveLength(1);
  });
});

describe('a bot whose standard error is on a full disk', () => {
  it.runIf(existsSync('/dev/full'))('keeps trading, shows the problem in `status`, and exits with code 0', async () => {
    const bot = new TestBot(venue.url);
    const args = ['-c', 'exec "$@" 2>/dev/full', 'sh', process.execPath, join(ROOT, 'bin/halfspread.js')];
    const child = spawn('sh', [...args, 'run', 'bot.yaml', '--json'], {
      cwd: bot.folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const end = ended(child);
      await until(() => existsSync(bot.socket), 'the bot has its control socket');
      await until(async () => (await bot.status()).openOrders > 0, 'the bot quotes');
      expect(await bot.status()).toMatchObject({
        mode: 'ACTIVE',
        logProblem: 'standard error cannot be written (ENOSPC: no space left on device, write)',
      });
      child.kill('SIGTERM');
      const { code, stdout } = await end;
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ openOrdersAtVenue: 0 });
    } finally {
      child.kill('SIGKILL');
    }
  });
});
