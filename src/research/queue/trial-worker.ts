/** A worker that takes backtests of studies from Redis and computes them on threads of this machine. */
import { type Job, WaitingError, Worker } from 'bullmq';
import type { RunSpec } from '../../backtest/index.ts';
import { backgroundTimer, monotonic, sleep, wallClock } from '../../clock/index.ts';
import { Fault, InputFault } from '../../domain/index.ts';
import { type ThreadResult, TrialPool, type TrialWorkers } from '../study/trial-pool.ts';
import { checkRedis, LONGEST_WAIT_MS, type RedisOptions, redisFault, waitUntilSettled } from './redis.ts';
import { type BacktestFolders, JobFactory, remoteJobSchema, toLocalSpec, type WorkerAnswer } from './remote-job.ts';
import { type ListedWorker, WorkerList } from './worker-list.ts';

/** A dead worker loses its jobs after this time. Backtests run in other threads, so a busy worker renews its locks. */
const LOCK_MS = 10_000;
const STALL_CHECK_MS = 5_000;
/** Number of times that a worker may die with the same backtest before the backtest fails. */
const MAX_DEATHS = 5;
const PUBLISH_PERIOD_MS = 5_000;
/** Delay before a worker returns a job that it cannot run, because it may take the same job again at once. */
const RETURN_DELAY_MS = 2_000;
const MAX_CLOSE_MS = 10_000;

export interface TrialWorkerOptions extends BacktestFolders {
  readonly redis: RedisOptions;
  readonly version: string;
  /** Name from `makeQueueName`. */
  readonly queue: string;
  readonly name: string;
  readonly host: string;
  readonly threads: number;
  /** Returns the path of a tape with this content. @throws FileFault when this machine cannot get it */
  readonly findTape: (contentHash: string) => Promise<string>;
  readonly log: (text: string) => void;
  /** Replaces the thread pool in tests. */
  readonly pool?: TrialWorkers;
}

export class TrialWorker {
  readonly #options: TrialWorkerOptions;
  readonly #list: WorkerList;
  readonly #jobs: JobFactory;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<ThreadResult>>();
  #pool: TrialWorkers | undefined;
  #worker: Worker | undefined;
  #stopPublishing = (): void => {};
  #backtests = 0;
  #seconds = 0;
  #isRedisGone = false;
  readonly #logged = new Set<string>();
  #state: ListedWorker['state'] = 'working';

  constructor(options: TrialWorkerOptions) {
    this.#options = options;
    this.#list = new WorkerList(options.redis);
    this.#jobs = new JobFactory(options);
  }

  get status(): ListedWorker {
    const { name, host, queue, threads } = this.#options;
    return { name, host, queue, threads, backtests: this.#backtests, seconds: this.#seconds, state: this.#state };
  }

  /** Starts taking backtests. @throws Fault REDIS for an unusable Redis; INSTALL when no thread can start */
  async start(): Promise<void> {
    const { redis, queue, threads, pool } = this.#options;
    await checkRedis(redis);
    this.#pool = pool ?? new TrialPool(threads);
    await this.#pool.ready();
    this.#worker = new Worker(queue, (job, token) => this.#runJob(job, token), {
      connection: { ...redis },
      concurrency: threads,
      drainDelay: LONGEST_WAIT_MS / 1_000,
      lockDuration: LOCK_MS,
      stalledInterval: STALL_CHECK_MS,
      maxStalledCount: MAX_DEATHS,
    });
    this.#worker.on('error', (error) => this.#onOutage(error));
    this.#worker.on('ready', () => this.#onRecovered());
    await this.#worker.waitUntilReady();
    this.#stopPublishing = backgroundTimer(PUBLISH_PERIOD_MS, () => this.#publish());
    this.#publish();
  }

  /** Takes no more backtests and waits at most `maxMs` for the running backtests. Other workers run the rest. */
  async drain(maxMs: number): Promise<void> {
    const ended = this.#worker?.close();
    this.#state = 'draining';
    if (this.#worker !== undefined) this.#publish();
    await waitUntilSettled(maxMs, this.#running);
    this.#stop.abort();
    await waitUntilSettled(MAX_CLOSE_MS, [ended]);
    this.#stopPublishing();
    this.#state = 'ended';
    if (this.#isRedisGone) this.#worker?.disconnect().catch(() => undefined);
    else if (this.#worker !== undefined) await waitUntilSettled(MAX_CLOSE_MS, [this.#list.write(this.status)]);
    this.#list.close();
    await this.#pool?.close();
  }

  async #runJob(job: Job, token: string | undefined): Promise<WorkerAnswer> {
    const start = monotonic();
    let result: ThreadResult;
    const running = this.#compute(job.data);
    this.#running.add(running);
    try {
      result = await running;
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      result = { fault: fault.message };
    } finally {
      this.#running.delete(running);
    }
    if ('fault' in result) return this.#returnJob(job, token, result.fault);
    const seconds = (monotonic() - start) / 1_000;
    this.#backtests += 1;
    this.#seconds += seconds;
    return { outcome: result, seconds, worker: this.#options.name };
  }

  /** @throws Fault for a job that this machine cannot run */
  async #compute(data: unknown): Promise<ThreadResult> {
    const { findTape, version, baseDir, strategyFolders } = this.#options;
    const job = remoteJobSchema.parse(data);
    const paths: string[] = [];
    for (const hash of job.tapes) paths.push(await findTape(hash));
    try {
      const spec = toLocalSpec(job, paths);
      if ((await this.#jobs.getSourcesHash(spec)) !== job.sources) {
        const problem = `the sources of ${strategyNames(spec)} differ from the study's`;
        return { fault: `${problem}. Copy the study's strategies and files to ${baseDir}` };
      }
      const trial = { spec, baseDir, strategyFolders, version, hashes: job.tapes, detailed: job.detailed };
      if (this.#pool === undefined) throw new Error('Invariant: a worker computes only after its start');
      return await this.#pool.run(trial, this.#stop.signal);
    } catch (fault) {
      if (!(fault instanceof InputFault)) throw fault;
      return { problem: fault.message };
    }
  }

  /** Returns a job to the queue for another worker. Uses no delayed job, because the clocks of machines differ. */
  async #returnJob(job: Job, token: string | undefined, reason: string): Promise<never> {
    if (!this.#logged.has(reason)) this.#options.log(`returns backtests: ${reason}`);
    this.#logged.add(reason);
    await job.updateProgress({ returned: reason, worker: this.#options.name });
    await sleep(wallClock(), RETURN_DELAY_MS);
    await job.moveToWait(token);
    // `moveToWait` puts the job at the head of the queue. `changePriority` moves it to the end.
    await job.changePriority({ priority: 0 });
    throw new WaitingError();
  }

  #publish(): void {
    const written = this.#list.write(this.status).then(() => this.#onRecovered());
    written.catch((error: unknown) => this.#onOutage(error));
  }

  #onOutage(error: unknown): void {
    if (error instanceof Error && /^Missing lock for job/.test(error.message)) {
      this.#options.log('did not reach Redis for too long: another worker repeats a backtest of this worker');
      return;
    }
    if (this.#isRedisGone) return;
    this.#isRedisGone = true;
    this.#options.log(`${redisFault(this.#options.redis, error).message}. Waiting for it`);
  }

  #onRecovered(): void {
    if (this.#isRedisGone) this.#options.log('Redis is back');
    this.#isRedisGone = false;
  }
}

function strategyNames({ strategy, strategies = [] }: RunSpec): string {
  return [strategy, ...strategies.map((entry) => entry.strategy)].filter((name) => name !== undefined).join(', ');
}
