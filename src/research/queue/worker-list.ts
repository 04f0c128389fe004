/** Which workers are there: each writes a key that expires by the clock of Redis, and no other clocks are compared. */
import { Redis } from 'ioredis';
import { z } from 'zod';
import type { RedisOptions } from './redis.ts';

const PREFIX = 'halfspread:worker:';
const ALIVE_SECONDS = 15;
const MOST_WORKERS = 10_000;

const workerSchema = z.object({
  /** Of host, process and start. */
  name: z.string().max(200),
  /** Later than others: a worker of an earlier version is found, too. */
  host: z.string().max(200).default(''),
  /** The queue that it works on, which names its version. */
  queue: z.string().max(200),
  threads: z.int().min(1),
  backtests: z.int().min(0),
  /** That its threads computed. */
  seconds: z.number().min(0),
  /** One that drains computes what it has, and takes nothing new. */
  state: z.enum(['working', 'draining', 'ended']).default('working'),
});

export type PresentWorker = z.infer<typeof workerSchema>;

export interface SeenWorker extends PresentWorker {
  /** Since it wrote its key. */
  readonly silentMs: number;
}

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

  /** At most 10,000; what is no worker's is left out. */
  async read(): Promise<readonly SeenWorker[]> {
    const keys: string[] = [];
    let cursor = '0';
    do {
      const [next, some] = await this.#redis.scan(cursor, 'MATCH', `${PREFIX}*`, 'COUNT', 1_000);
      keys.push(...some);
      cursor = next;
    } while (cursor !== '0' && keys.length < MOST_WORKERS);
    if (keys.length === 0) return [];
    const known = [...new Set(keys)].slice(0, MOST_WORKERS);
    const pipeline = this.#redis.pipeline().mget(known);
    for (const key of known) pipeline.pttl(key);
    const [texts, ...lefts] = (await pipeline.exec()) ?? [];
    return z
      .array(z.string().nullable())
      .parse(texts?.[1])
      .flatMap((text, at) => {
        const left = Number(lefts[at]?.[1]);
        const worker = workerSchema.safeParse(parsed(text ?? ''));
        return worker.success && left > 0 ? [{ ...worker.data, silentMs: ALIVE_SECONDS * 1_000 - left }] : [];
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
