/** Kills workers, Redis and the process of a distributed study at random moments: `KILLS` times, by `SEED`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readStudyStatus } from '../../src/app/study-status.ts';
import { seededRandom } from '../../src/clock/index.ts';
import { RedisServer } from '../research/queue/redis-server.ts';
import { studyFixture } from '../research/study/study-fixture.ts';
import { ended, halfspread, start } from './halfspread.ts';
import { endAll, type Ready, startAndWait, until } from './trading.ts';

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 60_000 });

/** This seed kills a worker, Redis and the study, one after another. */
const { KILLS = '3', SEED = '6' } = process.env;
const COMMAND = ['optimize', 'study.yaml', '--json', '--quiet'];

let redis: RedisServer | undefined;
afterEach(async () => {
  endAll();
  await redis?.close();
});

function workerAt(url: string, folder: string, nodeArgs: readonly string[] = []): Promise<Ready> {
  return startAndWait(['worker', url, '--tapes', 'tapes', '--threads', '1'], folder, /takes backtests from/, nodeArgs);
}

/** Source of a strategy that runs `harm` in one of several trials. */
function harmfulStrategy(harm: string): string {
  return `
import { defineStrategy, makerHandlers, z } from 'halfspread';
export default defineStrategy({
  name: 'mine',
  summary: 'Does harm at width 3.',
  params: z.object({ width: z.number().default(1) }),
  create: ({ width }, context) => makerHandlers(context, () => {
    if (width === 3) { ${harm} }
    return [];
  }),
});
`;
}

describe('a study on other machines', () => {
  it('has every trial once and the result of a study on threads, whichever process is killed', async () => {
    const server = await RedisServer.start();
    redis = server;
    const fixture = studyFixture(2, 3_000);
    fixture.write({ trials: 40, objectives: [{ maximise: 'pnl' }, { minimise: 'drawdown' }] });
    const whole = await halfspread([...COMMAND, '--set', 'file=whole.study'], fixture.folder);
    expect({ code: whole.code, stderr: whole.stderr }).toEqual({ code: 0, stderr: '' });
    const workers = await Promise.all([workerAt(server.url, fixture.folder), workerAt(server.url, fixture.folder)]);
    const random = seededRandom(Number(SEED));
    const study = (startOption: string) => start([...COMMAND, startOption, '--workers', server.url], fixture.folder);
    let running = study('--new');
    let end = ended(running);
    for (let kill = 0; kill < Number(KILLS); kill += 1) {
      await Promise.race([end, pause(500 + random.int(4_000))]);
      const workerIndex = random.int(4);
      if (workerIndex === 0) {
        await server.kill();
        await pause(random.int(1_500));
        await server.start();
      } else if (workerIndex < 3) {
        const at = workerIndex - 1;
        workers[at]?.child.kill('SIGKILL');
        workers[at] = await workerAt(server.url, fixture.folder);
      } else running.kill('SIGKILL');
      if (running.exitCode === null && !running.killed) continue;
      const { code } = await end;
      // A study that ended before the kill is started again.
      running = study(code === 0 ? '--new' : '--resume');
      end = ended(running);
    }
    const last = await end;
    expect({ code: last.code, problem: last.code === 0 ? '' : last.stderr }).toEqual({ code: 0, problem: '' });
    expect(last.stdout).toBe(whole.stdout);
    const database = new Database(join(fixture.folder, 'study.study'), { readonly: true });
    expect(database.prepare('SELECT count(*) FROM trials').pluck().get()).toBe(40);
    expect(database.prepare('SELECT count(*) FROM runs').pluck().get()).toBe(86);
    database.close();
  });

  it('loses no backtest when a worker gets SIGTERM, because the worker first finishes its backtests', async () => {
    const server = await RedisServer.start();
    redis = server;
    const fixture = studyFixture(1, 3_000);
    fixture.write({ trials: 30 });
    const first = await workerAt(server.url, fixture.folder);
    const study = ended(start([...COMMAND, '--new', '--workers', server.url], fixture.folder));
    await until(async () => Number(await server.command('DBSIZE')) > 5, 'backtests are in Redis');
    await pause(1_000);
    first.child.kill('SIGTERM');
    expect(await first.end).toMatchObject({ code: 0 });
    expect(first.output()).toMatch(/ended after [1-9]\d* backtests?, /);
    const file = join(fixture.folder, 'study.study');
    const workers = () => readStudyStatus(file)?.remote?.workers.map(({ state, host }) => [state, host]);
    await expect.poll(workers, { timeout: 20_000 }).toEqual([['ended', hostname()]]);
    await workerAt(server.url, fixture.folder);
    const { code, stdout } = await study;
    expect(readStudyStatus(file)).toBeUndefined();
    expect([code, JSON.parse(stdout).trials]).toEqual([0, { done: 30, failed: 0 }]);
  });

  it.each([
    ['uses all memory', 'const used = []; for (;;) used.push(new Array(1e6).fill(used.length));', /memory/i],
    ['ends its thread', 'process.exit(3);', /exit|ended/i],
  ])(
    'counts a trial that %s as failed once, and continues with the others',
    async (_, harm, problem) => {
      const server = await RedisServer.start();
      redis = server;
      const fixture = studyFixture(1, 300);
      mkdirSync(join(fixture.folder, 'mine'));
      writeFileSync(join(fixture.folder, 'mine/strategy.ts'), harmfulStrategy(harm));
      const parameters = { 'params.width': { low: 1, high: 4, whole: true } };
      fixture.write({ trials: 4, search: { method: 'grid' }, parameters }, { strategy: './mine', params: {} });
      const worker = await workerAt(server.url, fixture.folder, ['--max-old-space-size=128']);
      const { code, stdout, stderr } = await halfspread([...COMMAND, '--new', '--workers', server.url], fixture.folder);
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: expect.stringMatching(/^1 worker, 1 thread: 7 backtests \(1 failed\) in /),
      });
      const { trials, problems } = JSON.parse(stdout);
      expect(trials).toEqual({ done: 3, failed: 1 });
      expect(JSON.stringify(problems)).toMatch(problem);
      expect(worker.child.exitCode).toBe(null);
    },
    120_000,
  );

  it('can be ended together with its workers while Redis is down', async () => {
    const server = await RedisServer.start();
    redis = server;
    const fixture = studyFixture(1, 3_000);
    fixture.write({ trials: 200 });
    const worker = await workerAt(server.url, fixture.folder);
    const child = start([...COMMAND, '--new', '--workers', server.url], fixture.folder);
    const study = ended(child);
    await until(async () => Number(await server.command('DBSIZE')) > 5, 'backtests are in Redis');
    await server.kill();
    await until(async () => /it cannot be reached/.test(worker.output()), 'the worker knows that Redis is gone');
    child.kill('SIGINT');
    worker.child.kill('SIGTERM');
    // The default drain timeout of a worker is ten minutes, longer than this test.
    expect(await worker.end).toMatchObject({ code: 0 });
    expect((await study).code).toBe(130);
  }, 120_000);
});
