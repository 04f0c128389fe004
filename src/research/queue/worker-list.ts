/** The list of workers. Each worker writes a key that expires by the clock of Redis, so other clocks do not matter. */
import { Redis } from 'ioredis';
import { z } from 'zod';
import { tryParseJson } from '../../network/index.ts';
import type { RedisOptions } from './redis.ts';

const KEY_PREFIX = 'halfspread:worker:';
const ALIVE_SECONDS = 15;
const MAX_WORKERS = 10_000;

const workerSchema = z.object({
  /** Made of host, process id and a random number. */
  name: z.string().max(200),
  /** Default for workers of earlier versions. */
  host: z.string().max(200).default(''),
  /** Name of the worker's queue, which contains the version. */
  queue: z.string().max(200),
  threads: z.int().min(1),
  backtests: z.int().min(0),
  /** Computing time of all threads, s. */
  seconds: z.number().min(0),
  /** A `draining` worker finishes its backtests and takes no more. */
  state: z.enum(['working', 'draining', 'ended']).default('working'),
});

export type ListedWorker = z.infer<typeof workerSchema>;

export interface SeenWorker extends ListedWorker {
  /** Time since the worker wrote its key. */
  readonly silentMs: number;
}

export class WorkerList {
  readonly #redis: Redis;

  constructor(options: RedisOptions) {
    this.#redis = new Redis({ ...options, lazyConnect: true, enableOfflineQueue: true });
    // The job queue reports the errors of the same Redis.
    this.#redis.on('error', () => undefined);
  }

  async write(worker: ListedWorker): Promise<void> {
    await this.#redis.set(`${KEY_PREFIX}${worker.name}`, JSON.stringify(worker), 'EX', ALIVE_SECONDS);
  }

  /** Returns at most 10,000 workers. Ignores invalid keys. */
  async read(): Promise<readonly SeenWorker[]> {
    const keys: string[] = [];
    let cursor = '0';
    do {
      const [next, found] = await this.#redis.scan(cursor, 'MATCH', `${KEY_PREFIX}*`, 'COUNT', 1_000);
      keys.push(...found);
      cursor = next;
    } while (cursor !== '0' && keys.length < MAX_WORKERS);
    if (keys.length === 0) return [];
    const unique = [...new Set(keys)].slice(0, MAX_WORKERS);
    const pipeline = this.#redis.pipeline().mget(unique);
    for (const key of unique) pipeline.pttl(key);
    const [texts, ...remainingTimes] = (await pipeline.exec()) ?? [];
    return z
      .array(z.string().nullable())
      .parse(texts?.[1])
      .flatMap((text, index) => {
        const remainingMs = Number(remainingTimes[index]?.[1]);
        const worker = workerSchema.safeParse(tryParseJson(text ?? ''));
        if (!worker.success || !(remainingMs > 0)) return [];
        return [{ ...worker.data, silentMs: ALIVE_SECONDS * 1_000 - remainingMs }];
      });
  }

  close(): void {
    this.#redis.disconnect();
  }
}
