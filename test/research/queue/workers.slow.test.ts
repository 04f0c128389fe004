/** Studies on workers with a real Redis server. Study and workers run in this process. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createWorker } from '../../../src/app/trial-worker.ts';
import { parseRunSpec } from '../../../src/backtest/index.ts';
import { FileFault } from '../../../src/domain/index.ts';
import { PACKAGE_ROOT, STRATEGIES_FOLDER } from '../../../src/package-files.ts';
import { makeQueueName, parseRedisUrl, RedisWorkers, TrialWorker } from '../../../src/research/queue/index.ts';
import { FreezingProxy } from '../../cli/freezing-proxy.ts';
import { outcomeOf, type StudyFixture, studyFixture } from '../study/study-fixture.ts';
import { manyWorkers } from './many-workers-soak.ts';
import { RedisServer } from './redis-server.ts';

const QUEUE = makeQueueName('test', process.versions.node);

let redis: RedisServer;
const open: (TrialWorker | RedisWorkers)[] = [];
let notices: string[] = [];
let logged: string[] = [];

beforeEach(async () => {
  redis = await RedisServer.start();
  [notices, logged] = [[], []];
});
afterEach(async () => {
  for (const opened of open.splice(0)) await ('drain' in opened ? opened.drain(0) : opened.close());
  await redis.close();
});

async function worker(fixture: StudyFixture, options: { tapes?: string; version?: string; baseDir?: string } = {}) {
  const { tapes = 'tapes', version = 'test', baseDir = fixture.folder } = options;
  const started = createWorker({
    url: redis.url,
    tapes: [tapes],
    baseDir,
    strategyFolders: [STRATEGIES_FOLDER],
    version,
    threads: 1,
    remoteTapes: {},
    log: (text) => void logged.push(text),
  });
  open.push(started);
  await started.start();
  return started;
}

function redisWorkers(fixture: StudyFixture): () => RedisWorkers {
  return () => {
    const workers = new RedisWorkers({
      redis: parseRedisUrl('--workers', redis.url, undefined),
      baseDir: fixture.folder,
      strategyFolders: [STRATEGIES_FOLDER],
      queue: QUEUE,
      notice: (text) => void notices.push(text),
    });
    open.push(workers);
    return workers;
  };
}

/** Opens the queue without a study. `run` sends a backtest on a tape with this hash. */
async function coordinator() {
  const options = { baseDir: join(PACKAGE_ROOT, 'config'), strategyFolders: [STRATEGIES_FOLDER] };
  const redisOptions = parseRedisUrl('redis', redis.url, undefined);
  const workers = new RedisWorkers({ ...options, redis: redisOptions, queue: QUEUE, notice: () => undefined });
  open.push(workers);
  await workers.ready();
  const spec = parseRunSpec({ strategy: 'ladder', params: {}, tapes: ['tapes'] });
  const queue = new Queue(QUEUE, { connection: { port: redis.port } });
  onTestFinished(() => queue.close());
  const { signal } = new AbortController();
  return {
    workers,
    queue,
    waiting: () => queue.getWaitingCount(),
    run: (hash: string) => workers.run({ ...options, spec, version: 'test', hashes: [hash] }, signal),
  };
}

/** Starts a worker that lacks the tapes in `missing`, and whose backtests end when `ended` resolves. */
async function workerWithout(missing: readonly string[], ended: Promise<void>) {
  const taken: string[] = [];
  const started = new TrialWorker({
    redis: parseRedisUrl('redis', redis.url, undefined),
    baseDir: join(PACKAGE_ROOT, 'config'),
    strategyFolders: [STRATEGIES_FOLDER],
    version: 'test',
    queue: QUEUE,
    name: 'partial',
    host: 'test',
    threads: 1,
    findTape: async (hash) => {
      taken.push(hash);
      if (missing.includes(hash)) throw new FileFault(hash, undefined, 'there is no such tape', 'Copy it there');
      return 'a.tape';
    },
    log: (text) => void logged.push(text),
    pool: {
      maxPending: 1,
      ready: async () => undefined,
      run: async () => {
        await ended;
        return { problem: 'ended' };
      },
      close: async () => undefined,
    },
  });
  open.push(started);
  await started.start();
  return taken;
}

describe('a study on workers of other machines', () => {
  it('has exactly the same result as on threads', async () => {
    const fixture = studyFixture(3, 1_000);
    const whole = outcomeOf(await fixture.run({ workers: 2, begun: 'replace' }));
    await Promise.all([worker(fixture), worker(fixture)]);
    expect(outcomeOf(await fixture.run({ workers: redisWorkers(fixture), begun: 'replace' }))).toEqual(whole);
    expect(await redis.command('KEYS', 'bull:*:trials-*:*[0-9a-f][0-9a-f][0-9a-f][0-9a-f]')).toEqual([]);
  });

  it('reports once that it waits for workers', async () => {
    const fixture = studyFixture(1, 300);
    const ended = fixture.run({ workers: redisWorkers(fixture), begun: 'replace' });
    await expect.poll(() => notices, { timeout: 30_000 }).toEqual([expect.stringMatching(/^no worker is connected/)]);
    await worker(fixture);
    expect((await ended).scores.every(({ problem }) => problem === undefined)).toBe(true);
    expect(notices).toHaveLength(1);
  });

  it('runs a backtest on a worker with the tapes after a worker without them returned it', async () => {
    const fixture = studyFixture(1, 300);
    const empty = studyFixture(1, 301);
    await worker(empty);
    const ended = fixture.run({ workers: redisWorkers(fixture), begun: 'replace' });
    await expect
      .poll(() => notices.join('\n'), { timeout: 30_000 })
      .toMatch(/returned a backtest: .*no tape with content/);
    await worker(fixture);
    expect((await ended).scores.every(({ problem }) => problem === undefined)).toBe(true);
    expect(logged[0]).toMatch(/no tape with content [0-9a-f]{64}\. Copy it there/);
  });

  it('runs the waiting backtests before a worker takes one again that it returned', async () => {
    const { workers, run, waiting } = await coordinator();
    const [missing, present] = ['a'.repeat(64), 'b'.repeat(64)];
    const runs = [run(missing)];
    await expect.poll(waiting).toBe(1);
    runs.push(run(present));
    await expect.poll(waiting).toBe(2);
    const taken = await workerWithout([missing], Promise.resolve());
    await expect.poll(() => taken.length, { timeout: 20_000 }).toBeGreaterThan(2);
    expect(taken.slice(0, 3)).toEqual([missing, present, missing]);
    const ended = Promise.allSettled(runs);
    await workers.close();
    expect(await ended).toMatchObject([{ status: 'rejected' }, { value: { problem: 'ended' } }]);
  });

  it('waits for a busy worker when another worker keeps returning a backtest', async () => {
    const { workers, run, waiting, queue } = await coordinator();
    const release = Promise.withResolvers<void>();
    const taken = await workerWithout([], release.promise);
    await expect.poll(() => workers.workers, { timeout: 10_000 }).toMatchObject([{ name: 'partial' }]);
    const first = run('a'.repeat(64));
    await expect.poll(() => taken.length).toBe(1);
    const second = run('b'.repeat(64));
    await expect.poll(waiting).toBe(1);
    const [job] = await queue.getWaiting();
    for (let time = 1; time <= 30; time += 1) await job?.updateProgress({ returned: 'no tape', worker: 'another' });
    await expect.poll(() => workers.totals.returned).toBe(30);
    release.resolve();
    expect([await first, await second]).toEqual([{ problem: 'ended' }, { problem: 'ended' }]);
  });

  it('does not run on a worker whose sources of the strategy differ', async () => {
    const [fixture, other] = [studyFixture(1, 300), studyFixture(1, 300)];
    for (const [study, text] of [
      [fixture, 'export { default } from "./one.ts";'],
      [other, 'export { default } from "./one.ts"; // other'],
    ] as const) {
      mkdirSync(join(study.folder, 'mine'));
      writeFileSync(join(study.folder, 'mine/strategy.ts'), text);
      writeFileSync(join(study.folder, 'mine/one.ts'), STRATEGY);
      study.write(
        { parameters: { 'params.width': { low: 1, high: 9, whole: true } } },
        { strategy: './mine', params: {} },
      );
    }
    await worker(other);
    const ended = fixture.run({ workers: redisWorkers(fixture), begun: 'replace' });
    await expect
      .poll(() => notices.join('\n'), { timeout: 30_000 })
      .toMatch(/the sources of \.\/mine differ from the study's/);
    await worker(fixture);
    expect((await ended).scores.every(({ problem }) => problem === undefined)).toBe(true);
  });

  it('reports workers of another version and gives them no backtests', async () => {
    const fixture = studyFixture(1, 300);
    const other = await worker(fixture, { version: 'other' });
    const ended = fixture.run({ workers: redisWorkers(fixture), begun: 'replace' });
    await expect
      .poll(() => notices.join('\n'), { timeout: 30_000 })
      .toMatch(/workers of another version are connected.*trials-other/);
    await worker(fixture);
    await ended;
    expect(other.status.backtests).toBe(0);
  });

  it('continues after Redis restarted and lost all data', async () => {
    const fixture = studyFixture(2, 1_000);
    const whole = outcomeOf(await fixture.run({ begun: 'replace' }));
    await worker(fixture);
    let isFlushed = false;
    const ended = fixture.run({
      workers: redisWorkers(fixture),
      begun: 'replace',
      onProgress: (done) => {
        if (done < 2 || isFlushed) return;
        isFlushed = true;
        void redis
          .command('FLUSHALL')
          .then(() => redis.kill())
          .then(() => pause(1_000))
          .then(() => redis.start());
      },
    });
    expect(outcomeOf(await ended)).toEqual(whole);
    expect(notices.join('\n')).toMatch(/Redis is gone \(.*\): waiting for it[\s\S]*Redis is back/);
  });

  it('continues after its connections froze without being closed', async () => {
    const proxy = await FreezingProxy.open(redis.url);
    const fixture = studyFixture(1, 300);
    const workers = new RedisWorkers({
      redis: { ...parseRedisUrl('--workers', proxy.url.replace('http', 'redis'), undefined), socketTimeout: 6_000 },
      baseDir: fixture.folder,
      strategyFolders: [STRATEGIES_FOLDER],
      queue: QUEUE,
      notice: (text) => void notices.push(text),
    });
    open.push(workers);
    await worker(fixture);
    let isFrozen = false;
    const ended = fixture.run({
      workers: () => workers,
      begun: 'replace',
      onProgress: () => {
        if (!isFrozen) proxy.killSilently();
        isFrozen = true;
      },
    });
    expect((await ended).scores.every(({ problem }) => problem === undefined)).toBe(true);
    expect(notices[0]).toMatch(/Redis is gone \(Socket timeout\..*\): waiting for it/);
    proxy.close();
  });

  it('fails a malformed job and runs the others', async () => {
    const fixture = studyFixture(1, 300);
    const queue = new Queue(QUEUE, { connection: { port: redis.port } });
    await queue.add('backtest', { spec: 7 }, { jobId: 'malformed', attempts: 1 });
    await worker(fixture);
    await fixture.run({ workers: redisWorkers(fixture), begun: 'replace' });
    expect((await queue.getJob('malformed'))?.failedReason).toMatch(/expected record/);
    await queue.close();
  });

  it('ends with a remedy when Redis is full, and can be resumed when it has memory', async () => {
    const fixture = studyFixture(1, 300);
    await worker(fixture);
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');
    await expect(fixture.run({ workers: redisWorkers(fixture), begun: 'replace' })).rejects.toThrow(
      /Redis at 127\.0\.0\.1:\d+: it is full \(maxmemory\) \(.*OOM .*\)\. Give it more memory, then --resume/,
    );
    await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    expect((await fixture.run({ workers: redisWorkers(fixture) })).scores.length).toBeGreaterThan(0);
  });

  it.each([
    ['cannot write to its disk', () => redis.loseDisk(), /it cannot write to its disk \(MISCONF .*Make room there/],
    [
      'is a replica',
      () => redis.command('REPLICAOF', '127.0.0.1', '1'),
      /it is a replica, which takes no writes \(.*READONLY .*Name the main server/,
    ],
    [
      'has a user without rights',
      () => redis.command('ACL', 'SETUSER', 'default', '-@scripting'),
      /its user may not do this \(NOPERM .*Give the user all commands/,
    ],
  ])('ends with a remedy when Redis %s', async (_, change, message) => {
    const fixture = studyFixture(1, 300);
    await worker(fixture);
    await change();
    await expect(fixture.run({ workers: redisWorkers(fixture), begun: 'replace' })).rejects.toThrow(message);
  });

  it('refuses a Redis that drops keys when it is full', async () => {
    const fixture = studyFixture(1, 300);
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    await expect(fixture.run({ workers: redisWorkers(fixture), begun: 'replace' })).rejects.toThrow(
      /maxmemory-policy noeviction/,
    );
  });

  it('does not start without Redis', async () => {
    const fixture = studyFixture(1, 300);
    await redis.kill();
    await expect(fixture.run({ workers: redisWorkers(fixture), begun: 'replace' })).rejects.toThrow(
      /^Redis at 127\.0\.0\.1:\d+: it cannot be reached \(.*ECONNREFUSED.*\)\. Start it/,
    );
    await expect(worker(fixture)).rejects.toThrow(/cannot be reached/);
  });

  it('reports a wrong or missing password', async () => {
    const fixture = studyFixture(1, 300);
    await redis.command('CONFIG', 'SET', 'requirepass', 'secret');
    const failing = fixture.run({ workers: redisWorkers(fixture), begun: 'replace' });
    await expect(failing).rejects.toThrow(/it refuses the password \(NOAUTH .*Set HALFSPREAD_REDIS_PASSWORD/);
    const wrong = new RedisWorkers({
      redis: parseRedisUrl('--workers', redis.url, 'another'),
      baseDir: fixture.folder,
      strategyFolders: [STRATEGIES_FOLDER],
      queue: QUEUE,
      notice: () => undefined,
    });
    await expect(wrong.ready()).rejects.toThrow(/it refuses the password \(WRONGPASS .*Set HALFSPREAD_REDIS_PASSWORD/);
  });

  it('runs each of 500 backtests once on 20 workers and then exits', async () => {
    expect(await manyWorkers(500, 20, 20)).toMatchObject({ trials: 500 });
  });

  it('keeps finished backtests for a coordinator that resumes the study', async () => {
    const fixture = studyFixture(2, 1_000);
    const whole = outcomeOf(await fixture.run({ begun: 'replace' }));
    await worker(fixture);
    await expect(fixture.run({ workers: redisWorkers(fixture), begun: 'replace', stopAfter: 3 })).rejects.toThrow(
      'stopped',
    );
    expect(outcomeOf(await fixture.run({ workers: redisWorkers(fixture) }))).toEqual(whole);
  });
});

const STRATEGY = `
import { defineStrategy, makerHandlers, z } from 'halfspread';
export default defineStrategy({
  name: 'mine',
  summary: 'Quotes nothing.',
  params: z.object({ width: z.number().default(1) }),
  create: (_, context) => makerHandlers(context, () => []),
});
`;
