/** The workers of a study on other machines: status, summary and metrics. */
import process from 'node:process';
import { Registry } from 'prom-client';
import { counted } from '../domain/index.ts';
import { createMetrics } from '../network/metrics/index.ts';
import { serveMetrics } from '../ops/index.ts';
import { isConnected, makeQueueName, parseRedisUrl, REDIS_PASSWORD, RedisWorkers } from '../research/queue/index.ts';
import { MAX_WORKERS, type StudyStatus } from './study-status.ts';

const LOOPBACK = '127.0.0.1';

export interface StudyWorkersOptions {
  readonly url: string;
  readonly baseDir: string;
  readonly strategyFolders: readonly string[];
  readonly version: string;
  /** USD per hour of a thread; undefined shows no cost. */
  readonly pricePerHour: number | undefined;
  /** Port of metrics on the loopback address; undefined serves none. */
  readonly metricsPort: number | undefined;
  readonly notice: (text: string) => void;
}

export class StudyWorkers {
  readonly #options: StudyWorkersOptions;
  readonly workers: RedisWorkers;
  #server: { close(): Promise<void> } | undefined;

  /** @throws InputFault for a URL that cannot be used */
  constructor(options: StudyWorkersOptions) {
    this.#options = options;
    this.workers = new RedisWorkers({
      ...options,
      queue: makeQueueName(options.version, process.versions.node),
      redis: parseRedisUrl('--workers', options.url, process.env[REDIS_PASSWORD]),
    });
  }

  /** @throws InputFault for a port in use */
  async start(status: () => StudyStatus): Promise<void> {
    const { metricsPort } = this.#options;
    if (metricsPort !== undefined) this.#server = await serveMetrics(createStudyMetrics(status), metricsPort, LOOPBACK);
  }

  async stop(): Promise<void> {
    await this.#server?.close();
  }

  get status(): Pick<StudyStatus, 'threads' | 'remote'> {
    const { workers: all, problem = null, queued, totals } = this.workers;
    const { returned, lost, seconds: computingSeconds } = totals;
    const connected = all.filter(isConnected);
    const counts = { connected: connected.length, queued, returned, lost, computingSeconds, costUsd: this.#cost };
    return {
      threads: connected.reduce((sum, { threads }) => sum + threads, 0),
      remote: { problem, ...counts, workers: all.slice(0, MAX_WORKERS) },
    };
  }

  /** Such as `3 workers, 12 threads`. */
  get text(): string {
    const { threads, remote } = this.status;
    return `${counted(remote?.connected ?? 0, 'worker')}, ${counted(threads, 'thread')}`;
  }

  get summary(): string {
    const { backtests, failed, returned, lost, seconds } = this.workers.totals;
    const counts = [
      failed > 0 && `${failed} failed`,
      returned > 0 && `${returned} returned`,
      lost > 0 && `${lost} lost with their worker`,
    ].filter((text) => text !== false);
    const notes = counts.length === 0 ? '' : ` (${counts.join(', ')})`;
    const cost = this.#cost === null ? '' : `, $${this.#cost.toFixed(4)}`;
    return `${this.text}: ${counted(backtests, 'backtest')}${notes} in ${seconds.toFixed(1)} s of computing time${cost}`;
  }

  /** Cost so far, USD; null without a price. */
  get #cost(): number | null {
    const { pricePerHour } = this.#options;
    return pricePerHour === undefined ? null : (this.workers.totals.seconds / 3_600) * pricePerHour;
  }
}

function createStudyMetrics(status: () => StudyStatus): Registry {
  const registry = new Registry();
  const { add } = createMetrics(registry, 'halfspread_study');
  const gauge = (name: string, help: string, value: (status: StudyStatus) => number | null | undefined): void =>
    add('gauge', name, help, [], () => {
      const current = value(status());
      return current === null || current === undefined ? [] : [[current]];
    });
  gauge('backtests_done', 'Backtests of the study that have ended.', ({ done }) => done);
  gauge('backtests_planned', 'Approximate number of backtests of the study.', ({ total }) => total);
  gauge('backtests_per_second', 'Backtests that end each second.', ({ perSecond }) => perSecond);
  gauge('backtests_failed', 'Backtests that ended with a problem.', ({ failed }) => failed);
  gauge('backtests_queued', 'Backtests that are in Redis.', ({ remote }) => remote?.queued);
  gauge('backtests_returned', 'Times that a worker returned a backtest.', ({ remote }) => remote?.returned);
  gauge('backtests_lost', 'Times that a worker was lost with its backtest.', ({ remote }) => remote?.lost);
  gauge('computing_seconds', 'Seconds that threads computed for this study.', ({ remote }) => remote?.computingSeconds);
  gauge('cost_usd', 'Cost of the computing time, with --price-per-hour.', ({ remote }) => remote?.costUsd);
  gauge('waits', '1 while no worker is connected or Redis is gone.', ({ remote }) => (remote?.problem == null ? 0 : 1));
  gauge('workers', 'Workers that are connected.', ({ remote }) => remote?.connected);
  gauge('threads', 'Threads of these workers.', ({ threads }) => threads);
  return registry;
}
