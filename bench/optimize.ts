/**
 * Compares studies with bare loops: one worker on a core, and two workers on two cores. Also measures the memory of
 * many trials and the start of a worker. The search is random, so that no trial waits for another.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { RedisServer } from '../test/research/queue/redis-server.ts';
import { type Bench, row, summarise } from './harness.ts';
import { syntheticTape } from './workload/synthetic-tape.ts';

const ROUNDS = 3;
const TRIALS = 100;
const ROWS = 30_000;
const MANY_TRIALS = 10_000;
const FOLDER = resolve(import.meta.dirname, 'out', 'optimize');
const CHILD = join(import.meta.dirname, 'workload', 'optimize-child.ts');

/** The output of workload/optimize-child.ts. */
interface ChildRun {
  readonly seconds: number;
  /** Time without the start of a worker. */
  readonly readySeconds: number;
  readonly processorSeconds: number;
  readonly megabytes: number;
}

const bench: Bench = async () => {
  const [tapes, short] = [tapeFolder('tapes', ROWS), tapeFolder('short', 200)];
  const perSecond = {
    bare: [] as number[],
    one: [] as number[],
    twoBare: [] as number[],
    two: [] as number[],
    twoReady: [] as number[],
    redis: [] as number[],
  };
  const redis = await startRedisWorkers(tapes);
  const perProcessorSecond = { bare: [] as number[], one: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const [bare, single] = [await runChild('bare', tapes, TRIALS), await runChild('study', tapes, TRIALS, 1)];
    perSecond.bare.push(TRIALS / bare.seconds);
    perSecond.one.push(TRIALS / single.seconds);
    perProcessorSecond.bare.push(TRIALS / bare.processorSeconds);
    perProcessorSecond.one.push(TRIALS / single.processorSeconds);
    const bothBare = await Promise.all([runChild('bare', tapes, TRIALS, 1, 1), runChild('bare', tapes, TRIALS, 1, 2)]);
    perSecond.twoBare.push((2 * TRIALS) / Math.max(...bothBare.map(({ seconds }) => seconds)));
    const two = await runChild('study', tapes, 2 * TRIALS, 2);
    perSecond.two.push((2 * TRIALS) / two.seconds);
    perSecond.twoReady.push((2 * TRIALS) / two.readySeconds);
    perSecond.redis.push(
      (2 * TRIALS) / (await runChild('redis', tapes, 2 * TRIALS, 2, round + 3, redis.url)).readySeconds,
    );
  }
  await redis.close();
  const ratio = (of: readonly number[], to: readonly number[]) =>
    summarise(of.map((value, round) => value / (to[round] ?? value))).median;
  const starts: number[] = [];
  while (starts.length < ROUNDS) starts.push((await runChild('idle', short, 1, 1)).seconds);
  const start = summarise(starts);
  const idle = await runChild('idle', short, MANY_TRIALS, 2);
  return {
    results: [
      row('bare loop over backtests', summarise(perSecond.bare), 'trials/s'),
      row('study with one worker', summarise(perSecond.one), 'trials/s'),
      row('two bare loops at the same time', summarise(perSecond.twoBare), 'trials/s'),
      row('study with two workers', summarise(perSecond.two), 'trials/s'),
      row('study with two workers, without their start', summarise(perSecond.twoReady), 'trials/s'),
      row(
        'study with two Redis workers of one thread each, without their start',
        summarise(perSecond.redis),
        'trials/s',
      ),
      row('study of one short trial, including the start of its worker', start, 's'),
    ],
    ratios: {
      perCoreVsBareLoop: ratio(perSecond.one, perSecond.bare),
      processorTimeVsBareLoop: ratio(perProcessorSecond.one, perProcessorSecond.bare),
      twoWorkers: ratio(perSecond.two, perSecond.twoBare),
      redisVsThreads: ratio(perSecond.redis, perSecond.twoReady),
    },
    values: {
      startSeconds: start.median,
      manyTrials: MANY_TRIALS,
      manyMegabytes: idle.megabytes,
      manySeconds: idle.seconds,
    },
    notes: [
      `${TRIALS} trials of the strategy ladder per worker, on a tape of ${ROWS} rows; includes the start of a study, not its three controls`,
    ],
  };
};
export default bench;

async function runChild(
  mode: 'bare' | 'study' | 'idle' | 'redis',
  tapes: string,
  trials: number,
  workers = 1,
  seed = 1,
  redis = '',
): Promise<ChildRun> {
  const args = [CHILD, mode, tapes, `${trials}`, `${workers}`, `${seed}`, redis];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

/** Starts a Redis server and two workers with one thread each. */
async function startRedisWorkers(tapes: string) {
  const redis = await RedisServer.start('--appendfsync', 'everysec');
  const bin = resolve(import.meta.dirname, '../bin/halfspread.js');
  const workers = [1, 2].map(() =>
    spawn(process.execPath, [bin, 'worker', redis.url, '--tapes', tapes, '--threads', '1'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(workers.map(({ stdout }) => once(stdout, 'data')));
  return {
    url: redis.url,
    async close() {
      for (const worker of workers) worker.kill('SIGKILL');
      await redis.close();
    },
  };
}

function tapeFolder(name: string, events: number): string {
  const folder = join(FOLDER, name);
  mkdirSync(folder, { recursive: true });
  syntheticTape(join(folder, 'a.tape'), { events, seed: 1 });
  return folder;
}
