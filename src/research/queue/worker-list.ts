/** Which workers are there: each writes a key that expires, and no clock of one machine is compared with another's. */
import { Redis } from 'ioredis';
import { z } from 'zod';
import type { RedisOptions } from './redis.ts';

const PREFIX = 'halfspread:worker:';
const ALIVE_SECONDS = 15;
const MOST_WORKERS = 10_000;

const workerSchema = z.object({
  /** Of host, process and start. */
  name: z.string().max(200),
  /** The queue that it works on, which names its version. */
  queue: z.string().max(200),
  threads: z.int().min(1),
  backtests: z.int().min(0),
  /** That its threads computed. */
  seconds: z.number().min(0),
});

export type PresentWorker = z.infer<typeof workerSchema>;

export class WorkerList {
  readonly #redis: Redis;

  constructor(options: RedisOptions) {
    this.#redis = new Redis({ ...options, lazyConnect: true, enableOfflineQueue: true });
    // The queue on the same Redis says what is wrong.
    this.#redis.on('error', () => undefined);
  }

  /** Says that this worker is there for the next 15 seconds. */
  async write(worker: PresentWorker): Promise<void> {
    await this.#redis.set(`${PREFIX}${worker.name}`, JSON.stringify(worker), 'EX', ALIVE_SECONDS);
  }

  async remove({ name }: PresentWorker): Promise<void> {
    await this.#redis.del(`${PREFIX}${name}`);
  }

  /** At most 10,000; what is no worker's is left out. */
  async read(): Promise<readonly PresentWorker[]> {
    const keys: string[] = [];
    let cursor = '0';
    do {
      const [next, some] = await this.#redis.scan(cursor, 'MATCH', `${PREFIX}*`, 'COUNT', 1_000);
      keys.push(...some);
      cursor = next;
    } while (cursor !== '0' && keys.length < MOST_WORKERS);
    if (keys.length === 0) return [];
    const texts = await this.#redis.mget([...new Set(keys)].slice(0, MOST_WORKERS));
    return texts.flatMap((text) => {
      if (text === null) return [];
      const worker = workerSchema.safeParse(parsed(text));
      return worker.success ? [worker.data] : [];
    });
  }

  close(): void {
    this.#redis.disconnect();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
