/** A study on other machines whose workers, Redis and own process are killed at random moments. `KILLS` sets how often, `SEED` when. */
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { seededRandom } from '../../src/clock/index.ts';
import { RedisServer } from '../research/queue/redis-server.ts';
import { studyScene } from '../research/study/scene.ts';
import { ended, halfspread, start } from './halfspread.ts';
import { endAll, type Ready, ready, until } from './trading.ts';

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 60_000 });

const { KILLS = '5', SEED = '1' } = process.env;
const COMMAND = ['optimize', 'study.yaml', '--json', '--quiet'];

let redis: RedisServer | undefined;
afterEach(async () => {
  endAll();
  await redis?.close();
});

function workerAt(url: string, folder: string): Promise<Ready> {
  return ready(['worker', url, '--tapes', 'tapes', '--threads', '1'], folder, /takes backtests from/);
}

describe('a study on other machines', () => {
  it('has every trial once, and the result of one on threads, whatever is killed', async () => {
    const server = await RedisServer.start();
    redis = server;
    const scene = studyScene(2, 3_000);
    scene.write({ trials: 40, objectives: [{ maximise: 'pnl' }, { minimise: 'drawdown' }] });
    const whole = await halfspread([...COMMAND, '--set', 'file=whole.study'], scene.folder);
    expect({ code: whole.code, stderr: whole.stderr }).toEqual({ code: 0, stderr: '' });
    const workers = await Promise.all([workerAt(server.url, scene.folder), workerAt(server.url, scene.folder)]);
    const random = seededRandom(Number(SEED));
    const study = (begins: string) => start([...COMMAND, begins, '--workers', server.url], scene.folder);
    let running = study('--new');
    let end = ended(running);
    for (let kill = 0; kill < Number(KILLS); kill += 1) {
      await Promise.race([end, pause(500 + random.int(4_000))]);
      const victim = random.int(4);
      if (victim === 0) {
        await server.kill();
        await pause(random.int(1_500));
        await server.start();
      } else if (victim < 3) {
        const at = victim - 1;
        workers[at]?.child.kill('SIGKILL');
        workers[at] = await workerAt(server.url, scene.folder);
      } else running.kill('SIGKILL');
      if (running.exitCode === null && !running.killed) continue;
      const { code } = await end;
      // One that was done before is begun again.
      running = study(code === 0 ? '--new' : '--resume');
      end = ended(running);
    }
    const last = await end;
    expect({ code: last.code, problem: last.code === 0 ? '' : last.stderr }).toEqual({ code: 0, problem: '' });
    expect(last.stdout).toBe(whole.stdout);
    const database = new Database(join(scene.folder, 'study.study'), { readonly: true });
    expect(database.prepare('SELECT count(*) FROM trials').pluck().get()).toBe(40);
    expect(database.prepare('SELECT count(*) FROM runs').pluck().get()).toBe(86);
    database.close();
  });

  it('loses nothing when a worker is told to end: it finishes what it has, and takes nothing new', async () => {
    const server = await RedisServer.start();
    redis = server;
    const scene = studyScene(1, 3_000);
    scene.write({ trials: 30 });
    const first = await workerAt(server.url, scene.folder);
    const study = ended(start([...COMMAND, '--new', '--workers', server.url], scene.folder));
    await until(async () => Number(await server.command('DBSIZE')) > 5, 'backtests are in Redis');
    await pause(1_000);
    first.child.kill('SIGTERM');
    expect(await first.end).toMatchObject({ code: 0 });
    expect(first.said()).toMatch(/ended after [1-9]\d* backtests?, /);
    await workerAt(server.url, scene.folder);
    const { code, stdout } = await study;
    expect([code, JSON.parse(stdout).trials]).toEqual([0, { done: 30, failed: 0 }]);
  });

  it('can be ended, as its workers can, while Redis is gone', async () => {
    const server = await RedisServer.start();
    redis = server;
    const scene = studyScene(1, 3_000);
    scene.write({ trials: 200 });
    const worker = await workerAt(server.url, scene.folder);
    const child = start([...COMMAND, '--new', '--workers', server.url], scene.folder);
    const study = ended(child);
    await until(async () => Number(await server.command('DBSIZE')) > 5, 'backtests are in Redis');
    await server.kill();
    await until(async () => /Redis is gone/.test(worker.said()), 'the worker knows that Redis is gone');
    child.kill('SIGINT');
    worker.child.kill('SIGTERM');
    // Of a worker the default drain is ten minutes, more than this test has.
    expect(await worker.end).toMatchObject({ code: 0 });
    expect((await study).code).toBe(130);
  }, 120_000);
});
