/** The workers of a study on other machines, as its user sees them: a line of text, a sum at the end, metrics. */
import process from 'node:process';
import { Gauge, Registry } from 'prom-client';
import { serveMetrics } from '../ops/index.ts';
import { type PresentWorker, queueName, REDIS_PASSWORD, RedisWorkers, redisOptions } from '../research/queue/index.ts';

const LOOPBACK = '127.0.0.1';

export interface StudyWorkersOptions {
  /** Of Redis. */
  readonly url: string;
  readonly baseDir: string;
  readonly strategyFolders: readonly string[];
  readonly version: string;
  /** Of a thread, in USD; undefined: no cost is shown. */
  readonly pricePerHour: number | undefined;
  /** Serves metrics on this port of the loopback. */
  readonly metricsPort: number | undefined;
  readonly notice: (text: string) => void;
}

export class StudyWorkers {
  readonly #options: StudyWorkersOptions;
  readonly #workers: RedisWorkers;
  #present: readonly PresentWorker[] = [];
  #progress = { done: 0, total: 0 };
  #server: { close(): Promise<void> } | undefined;

  /** @throws InputFault for a URL that cannot be used */
  constructor(options: StudyWorkersOptions) {
    this.#options = options;
    this.#workers = new RedisWorkers({
      ...options,
      queue: queueName(options.version, process.versions.node),
      redis: redisOptions('--workers', options.url, process.env[REDIS_PASSWORD]),
      onWorkers: (workers) => {
        this.#present = workers;
      },
    });
  }

  get workers(): RedisWorkers {
    return this.#workers;
  }

  /** @throws InputFault for a port that is taken */
  async start(): Promise<void> {
    const { metricsPort } = this.#options;
    if (metricsPort !== undefined) this.#server = await serveMetrics(this.#registry(), metricsPort, LOOPBACK);
  }

  async stop(): Promise<void> {
    await this.#server?.close();
  }

  /** For the metrics: backtests that have ended, of about so many. */
  follow(done: number, total: number): void {
    this.#progress = { done, total };
  }

  /** `3 workers, 12 threads`. */
  get text(): string {
    const threads = this.#present.reduce((sum, { threads: own }) => sum + own, 0);
    return `${counted(this.#present.length, 'worker')}, ${counted(threads, 'thread')}`;
  }

  /** What the workers did, and what it costs. */
  get summary(): string {
    const { backtests, failed, seconds } = this.#workers.done;
    const { pricePerHour } = this.#options;
    const cost = pricePerHour === undefined ? '' : `, $${((seconds / 3_600) * pricePerHour).toFixed(4)}`;
    const problems = failed === 0 ? '' : `, ${failed} failed`;
    return `${this.text}: ${counted(backtests, 'backtest')}${problems} in ${seconds.toFixed(1)} s of computing${cost}`;
  }

  #registry(): Registry {
    const registry = new Registry();
    const gauge = (name: string, help: string, value: () => number): void => {
      new Gauge({
        name: `halfspread_study_${name}`,
        help,
        registers: [registry],
        collect() {
          this.set(value());
        },
      });
    };
    gauge('backtests_done', 'Backtests of the study that have ended.', () => this.#progress.done);
    gauge('backtests_planned', 'About how many backtests the study has.', () => this.#progress.total);
    gauge('backtests_failed', 'Backtests that ended with a problem.', () => this.#workers.done.failed);
    gauge('backtests_queued', 'Backtests that are in Redis.', () => this.#workers.queued);
    gauge('computing_seconds', 'Seconds that threads computed for this study.', () => this.#workers.done.seconds);
    gauge('workers', 'Workers that are connected.', () => this.#present.length);
    gauge('threads', 'Threads of these workers.', () => this.#present.reduce((sum, { threads }) => sum + threads, 0));
    return registry;
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
