/**
 * The coordinator of a study on many machines: sends backtests to workers through a queue in Redis, and gets results.
 *
 * Invariants: each pending backtest is in Redis, or the next check adds it again. A backtest that was computed twice
 * has equal results and is counted once.
 */
import { Queue, QueueEvents } from 'bullmq';
import { backgroundTimer } from '../../clock/index.ts';
import { errorMessage, Fault } from '../../domain/index.ts';
import type { TrialJob, TrialOutcome, TrialWorkers } from '../study/trial-pool.ts';
import { checkRedis, isRefusal, LONGEST_WAIT_MS, type RedisOptions, redisFault, waitUntilSettled } from './redis.ts';
import { type BacktestFolders, computeJobId, JobFactory, parseAnswer, type RemoteJob } from './remote-job.ts';
import { WorkerList } from './worker-list.ts';
import { isConnected, type StudyWorker, WorkerTally } from './worker-tally.ts';

/** Maximum number of backtests in Redis at a time: enough for many workers, but little for the memory of Redis. */
const MAX_PENDING = 1_000;
const CHECK_PERIOD_MS = 15_000;
const LIST_PERIOD_MS = 5_000;
const MAX_CLOSE_MS = 5_000;
/** A job returned more often than this fails the study, unless some working worker has not returned it yet. */
const MAX_RETURNS = 20;
const NO_WORKER = 'no worker is connected. Start some: npx halfspread worker redis://…';
/** Limits on the finished jobs that Redis keeps; `age` is in seconds. */
const RESULT_RETENTION = { age: 86_400, count: 100_000 } as const;
const FAILURE_RETENTION = { age: 604_800, count: 1_000 } as const;

export interface RedisWorkersOptions extends BacktestFolders {
  readonly redis: RedisOptions;
  /** Name from `makeQueueName`. */
  readonly queue: string;
  readonly notice: (text: string) => void;
}

interface PendingBacktest {
  readonly job: RemoteJob;
  readonly outcome: Promise<TrialOutcome>;
  readonly resolve: (outcome: TrialOutcome) => void;
  readonly reject: (fault: unknown) => void;
  returns: number;
  readonly returnedBy: Set<string>;
}

export class RedisWorkers implements TrialWorkers {
  readonly maxPending = MAX_PENDING;
  readonly #options: RedisWorkersOptions;
  readonly #list: WorkerList;
  readonly #jobs: JobFactory;
  readonly #tally = new WorkerTally();
  #queue: Queue | undefined;
  #events: QueueEvents | undefined;
  readonly #pending = new Map<string, PendingBacktest>();
  readonly #timers: (() => void)[] = [];
  readonly #notices = new Set<string>();
  /** Why Redis does not answer; undefined while Redis answers. */
  #outage: string | undefined;
  #isListing = false;
  /** Number of worker updates to ignore, because the workers' keys may have expired during an outage. */
  #updatesToSkip = 0;
  #hasWorkers = true;
  #isClosed = false;
  readonly totals = {
    backtests: 0,
    failed: 0,
    /** Backtests that a worker returned because it cannot run them. */
    returned: 0,
    /** Backtests whose worker died. */
    lost: 0,
    /** Computing time of all threads, s. */
    seconds: 0,
  };

  constructor(options: RedisWorkersOptions) {
    this.#options = options;
    this.#list = new WorkerList(options.redis);
    this.#jobs = new JobFactory(options);
  }

  get queued(): number {
    return this.#pending.size;
  }

  get workers(): readonly StudyWorker[] {
    return this.#tally.workers;
  }

  /** Why the study waits; undefined while it computes. */
  get problem(): string | undefined {
    return this.#outage ?? (this.#hasWorkers ? undefined : NO_WORKER);
  }

  /** @throws Fault REDIS for an unusable Redis */
  async ready(): Promise<void> {
    const { redis, queue: name } = this.#options;
    await checkRedis(redis);
    // Both connections reconnect without a limit.
    const queue = new Queue(name, { connection: { ...redis } });
    const events = new QueueEvents(name, { connection: { ...redis }, blockingTimeout: LONGEST_WAIT_MS });
    [this.#queue, this.#events] = [queue, events];
    queue.on('error', (error) => this.#onError(error));
    events.on('error', (error) => this.#onError(error));
    events.on('completed', ({ jobId: id, returnvalue }) => this.#onCompleted(id, returnvalue));
    events.on('failed', ({ jobId: id, failedReason }) => this.#onFailed(id, failedReason));
    events.on('duplicated', ({ jobId: id }) => this.#runInBackground(this.#check(id, { wasInRedis: true })));
    events.on('progress', ({ jobId: id, data }) => this.#onReturned(id, data));
    events.on('stalled', ({ jobId: id }) => {
      if (this.#pending.has(id)) this.totals.lost += 1;
    });
    await events.waitUntilReady();
    this.#timers.push(
      backgroundTimer(CHECK_PERIOD_MS, () => this.#runInBackground(this.#checkAll())),
      backgroundTimer(LIST_PERIOD_MS, () => {
        if (this.#isListing) this.#onOutage(new Error(`no answer for ${LIST_PERIOD_MS / 1_000} s`));
        else this.#runInBackground(this.#updateWorkers());
      }),
    );
    await this.#updateWorkers();
  }

  async run(job: TrialJob, signal: AbortSignal): Promise<TrialOutcome> {
    const remote = await this.#jobs.makeJob(job);
    const id = computeJobId(remote);
    const pending = this.#pending.get(id);
    if (pending !== undefined) return pending.outcome;
    const { promise: outcome, resolve, reject } = Promise.withResolvers<TrialOutcome>();
    const stop = (): void => reject(stoppedFault());
    this.#pending.set(id, { job: remote, outcome, resolve, reject, returns: 0, returnedBy: new Set() });
    signal.addEventListener('abort', stop);
    try {
      if (signal.aborted) stop();
      else this.#runInBackground(this.#add(id, remote));
      return await outcome;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#pending.delete(id);
    }
  }

  /** Rejects pending backtests, removes those that no worker has started from Redis, and disconnects. */
  async close(): Promise<void> {
    for (const stop of this.#timers) stop();
    const ids = [...this.#pending.keys()];
    for (const { reject } of this.#pending.values()) reject(stoppedFault());
    // A job that a worker computes is locked and stays. The next start finds its result.
    const removed = this.#outage === undefined ? ids.map((id) => this.#queue?.remove(id)) : [];
    await waitUntilSettled(MAX_CLOSE_MS, removed);
    this.#isClosed = true;
    this.#list.close();
    // After `disconnect` alone, the queue events would reconnect every five seconds, forever.
    await waitUntilSettled(MAX_CLOSE_MS, [this.#events?.close(), this.#queue?.disconnect()]);
  }

  async #add(id: string, job: RemoteJob): Promise<void> {
    await this.#queue?.add('backtest', job, {
      jobId: id,
      // No delay between attempts, because it would depend on the clocks of different machines.
      attempts: 3,
      removeOnComplete: RESULT_RETENTION,
      removeOnFail: FAILURE_RETENTION,
    });
  }

  #onCompleted(id: string, value: unknown): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    try {
      const { outcome, seconds, worker } = parseAnswer(value);
      const isFailed = 'problem' in outcome;
      this.totals.backtests += 1;
      this.totals.seconds += seconds;
      if (isFailed) this.totals.failed += 1;
      this.#tally.onAnswer(worker, isFailed);
      pending.resolve(outcome);
    } catch (cause) {
      pending.reject(new Fault('REDIS', `a result of a worker cannot be read (${String(cause)})`, { cause }));
    }
    // Another study that waits for the same backtest adds it again.
    this.#queue?.remove(id).catch(() => undefined);
  }

  /** A failed job stays in Redis for a week with its reason. */
  #onFailed(id: string, reason: string): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.totals.failed += 1;
    const problem = /\bstalled more than\b/.test(reason) ? 'each worker that ran it ended during the backtest' : reason;
    pending.resolve({ problem: `no worker could run it: ${problem}` });
  }

  #onReturned(id: string, data: unknown): void {
    const pending = this.#pending.get(id);
    if (pending === undefined || typeof data !== 'object' || data === null || !('returned' in data)) return;
    const reason = String(data.returned).slice(0, 500);
    const worker = 'worker' in data ? String(data.worker).slice(0, 200) : 'a worker';
    pending.returns += 1;
    pending.returnedBy.add(worker);
    this.totals.returned += 1;
    this.#tally.onReturn(worker);
    this.#noticeOnce(`${worker} returned a backtest: ${reason}`);
    if (pending.returns <= MAX_RETURNS) return;
    if (this.workers.some(({ name, state }) => state === 'working' && !pending.returnedBy.has(name))) return;
    pending.reject(new Fault('FILE', `no worker can run a backtest: ${reason}`));
  }

  /** Checks all pending backtests, because Redis may lose jobs, and a connection may lose events. */
  async #checkAll(): Promise<void> {
    for (const id of this.#pending.keys()) await this.#check(id, { wasInRedis: false });
  }

  /** Handles the state of a job. @param options `wasInRedis`: Redis already had the job, so retry it if it failed */
  async #check(id: string, { wasInRedis }: { readonly wasInRedis: boolean }): Promise<void> {
    // Reads the state first, because a job that was read before it finished has no result.
    const state = await this.#queue?.getJobState(id);
    const job = await this.#queue?.getJob(id);
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (job === undefined) await this.#add(id, pending.job);
    else if (state === 'completed' && job.returnvalue !== null) this.#onCompleted(id, job.returnvalue);
    else if (state === 'failed' && wasInRedis) await job.retry('failed');
    else if (state === 'failed') this.#onFailed(id, job.failedReason);
  }

  async #updateWorkers(): Promise<void> {
    const { queue: name, notice } = this.#options;
    this.#isListing = true;
    const workers = await this.#list.read().finally(() => (this.#isListing = false));
    const ownWorkers = workers.filter(({ queue }) => queue === name);
    if (this.#outage !== undefined) {
      notice('Redis is back');
      this.#outage = undefined;
      this.#updatesToSkip = 2;
    }
    if (this.#updatesToSkip > 0) {
      this.#updatesToSkip -= 1;
      return;
    }
    const [lost, ...more] = this.#tally.onWorkers(ownWorkers);
    if (more.length > 0) notice(`${more.length + 1} workers are gone: others compute their backtests`);
    else if (lost !== undefined) notice(`worker ${lost} is gone: others compute its backtests`);
    const hadWorkers = this.#hasWorkers;
    this.#hasWorkers = ownWorkers.some(({ state }) => state === 'working');
    if (hadWorkers && !this.#hasWorkers) notice(NO_WORKER);
    for (const worker of workers) {
      if (!isConnected(worker) || ownWorkers.includes(worker)) continue;
      const problem = 'workers of another version are connected and get no backtests of this study';
      this.#noticeOnce(`${problem}: ${worker.queue}, not ${name}`);
    }
  }

  #runInBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#onError(error));
  }

  /** Fails the study if Redis refuses a command. Waits if Redis does not answer. */
  #onError(error: unknown): void {
    if (!isRefusal(error)) {
      this.#onOutage(error);
      return;
    }
    const fault = redisFault(this.#options.redis, error);
    for (const { reject } of this.#pending.values()) reject(fault);
  }

  #onOutage(error: unknown): void {
    if (this.#outage !== undefined || this.#isClosed) return;
    this.#outage = `Redis is gone (${errorMessage(error)}): waiting for it`;
    this.#options.notice(`${this.#outage}. Finished backtests are kept`);
  }

  #noticeOnce(text: string): void {
    if (this.#notices.has(text)) return;
    this.#notices.add(text);
    this.#options.notice(text);
  }
}

function stoppedFault(): Fault {
  return new Fault('ABORTED', 'the study was stopped');
}
