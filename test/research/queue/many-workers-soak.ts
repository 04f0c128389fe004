/**
 * A study on 200 workers whose backtests are sleeps of a second: `npm run soak:many-workers -- 100000`. Fails when the
 * coordinator needs more than half a core or 500 MB. Redis, workers and coordinator are processes of this machine.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { RedisServer } from './redis-server.ts';

const MAX_CORES = 0.5;
const MAX_MEGABYTES = 500;

export interface ManyWorkers {
  readonly trials: number;
  readonly seconds: number;
  /** Processor time of the coordinator per second. */
  readonly cores: number;
  readonly megabytes: number;
}

/** @param trials number of jobs with different seeds @param workers number of single-threaded workers in one process */
export async function manyWorkers(trials: number, workers: number, sleepMs: number): Promise<ManyWorkers> {
  const redis = await RedisServer.start('--appendfsync', 'everysec');
  const children: ChildProcess[] = [];
  const child = async (part: string, ...args: readonly (string | number)[]) => {
    const forked = fork(new URL('./many-workers-child.ts', import.meta.url), [part, redis.url, ...args.map(String)]);
    children.push(forked);
    const [message] = await once(forked, 'message');
    return message;
  };
  try {
    await child('workers', workers, sleepMs);
    const result = await child('coordinator', trials);
    // After it has closed its workers, nothing keeps the coordinator alive.
    const coordinator = children.at(-1);
    if (coordinator?.exitCode === null) await once(coordinator, 'exit');
    return result;
  } finally {
    for (const forked of children) forked.kill('SIGKILL');
    await redis.close();
  }
}

if (import.meta.main) {
  const result = await manyWorkers(Number(process.argv[2] ?? 100_000), 200, 1_000);
  process.stdout.write(`${JSON.stringify(result)}\n`);
  if (result.cores > MAX_CORES || result.megabytes > MAX_MEGABYTES)
    throw new Error(`more than ${MAX_CORES} cores or ${MAX_MEGABYTES} MB`);
}
