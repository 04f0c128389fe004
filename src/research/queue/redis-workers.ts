/**
 * The coordinator's side of a study on many machines: backtests go to workers through a queue in Redis, and their results
 * come back.
 *
 * Invariants: each backtest that waits here is in Redis, or is put there again by the next look; one that was computed
 * twice has the same bytes, and counts once.
 */
import { Queue, QueueEvents } from 'bullmq';
import { backgroundTimer } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import type { TrialJob, TrialOutcome, TrialWorkers } from '../study/trial-pool.ts';
import { checkRedis, isRefusal, LONGEST_WAIT_MS, type RedisOptions, redisFault, settledWithin } from './redis.ts';
import { JobMaker, jobId, type Places, type RemoteJob } from './remote-job.ts';
import { parseAnswer } from './worker-answer.ts';
import { WorkerList } from './worker-list.ts';
import { isThere, type StudyWorker, WorkerTally } from './worker-tally.ts';

/** Backtests that are in Redis at the same time: what many workers need, and little enough for its memory. */
const AHEAD = 1_000;
const LOOK_MS = 15_000;
const WORKERS_MS = 5_000;
const CLOSE_MS = 5_000;
/** Workers that cannot run a job give it back so often, all together, before the study ends with the reason. */
const MOST_RETURNS = 20;
const NO_WORKER = 'no worker is connected. Start some: npx halfspread worker redis://…';
const KEPT_RESULTS = { age: 86_400, count: 100_000 } as const;
const KEPT_FAILURES = { age: 604_800, count: 1_000 } as const;

export interface RedisWorkersOptions extends Places {
  readonly redis: RedisOptions;
  /** From `queueName`. */
  readonly queue: string;
  /** What the user should know while the study runs. */
  readonly notice: (text: string) => void;
}

interface Waiting {
  readonly job: RemoteJob;
  readonly outcome: Promise<TrialOutcome>;
  readonly resolve: (outcome: TrialOutcome) => void;
  readonly reject: (fault: unknown) => void;
  returns: number;
}

export class RedisWorkers implements TrialWorkers {
  readonly ahead = AHEAD;
  readonly #options: RedisWorkersOptions;
  readonly #list: WorkerList;
  readonly #maker: JobMaker;
  readonly #tally = new WorkerTally();
  #queue: Queue | undefined;
  #events: QueueEvents | undefined;
  readonly #waiting = new Map<string, Waiting>();
  readonly #timers: (() => void)[] = [];
  readonly #said = new Set<string>();
  /** Why Redis does not answer. */
  #outage: string | undefined;
  #isLooking = false;
  /** Looks at workers of which the first ones say nothing about who is gone. */
  #looksToSkip = 0;
  #hasWorkers = true;
  #isClosed = false;
  /** What the workers did for this study. */
  readonly done = {
    backtests: 0,
    /** Backtests that ended with a problem. */
    failed: 0,
    /** How often a worker gave one back, as it lacks something. */
    returned: 0,
    /** How often a worker was lost while it computed one. */
    lost: 0,
    /** Of all threads of all workers. */
    seconds: 0,
  };

  constructor(options: RedisWorkersOptions) {
    this.#options = options;
    this.#list = new WorkerList(options.redis);
    this.#maker = new JobMaker(options);
  }

  /** Backtests that are in Redis, waiting or running. */
  get queued(): number {
    return this.#waiting.size;
  }

  get workers(): readonly StudyWorker[] {
    return this.#tally.workers;
  }

  /** What the study waits for; undefined while it goes on. */
  get problem(): string | undefined {
    return this.#outage ?? (this.#hasWorkers ? undefined : NO_WORKER);
  }

  /** @throws Fault REDIS for one that cannot be used */
  async ready(): Promise<void> {
    const { redis, queue: name } = this.#options;
    await checkRedis(redis);
    // Both reconnect by themselves for as long as it takes.
    const [queue, events] = [
      new Queue(name, { connection: { ...redis } }),
      new QueueEvents(name, { connection: { ...redis }, blockingTimeout: LONGEST_WAIT_MS }),
    ];
    [this.#queue, this.#events] = [queue, events];
    queue.on('error', (error) => this.#onError(error));
    events.on('error', (error) => this.#onError(error));
    events.on('completed', ({ jobId: id, returnvalue }) => this.#completed(id, returnvalue));
    events.on('failed', ({ jobId: id, failedReason }) => this.#failed(id, failedReason));
    events.on('duplicated', ({ jobId: id }) => this.#spawn(this.#look(id, true)));
    events.on('progress', ({ jobId: id, data }) => this.#returned(id, data));
    events.on('stalled', ({ jobId: id }) => {
      if (this.#waiting.has(id)) this.done.lost += 1;
    });
    await events.waitUntilReady();
    this.#timers.push(
      backgroundTimer(LOOK_MS, () => this.#spawn(this.#lookAtAll())),
      backgroundTimer(WORKERS_MS, () => {
        if (this.#isLooking) this.#gone(new Error(`no answer for ${WORKERS_MS / 1_000} s`));
        else this.#spawn(this.#lookAtWorkers());
      }),
    );
    await this.#lookAtWorkers();
  }

  async run(job: TrialJob, signal: AbortSignal): Promise<TrialOutcome> {
    const remote = await this.#maker.remoteJob(job);
    const id = jobId(remote);
    const known = this.#waiting.get(id);
    if (known !== undefined) return known.outcome;
    const stop = (): void => this.#reject(id, new Fault('ABORTED', 'the study was stopped'));
    const { promise: outcome, resolve, reject } = Promise.withResolvers<TrialOutcome>();
    this.#waiting.set(id, { job: remote, outcome, resolve, reject, returns: 0 });
    signal.addEventListener('abort', stop);
    try {
      if (signal.aborted) stop();
      else this.#spawn(this.#add(id, remote));
      return await outcome;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#waiting.delete(id);
    }
  }

  /** Takes back what no worker has begun. */
  async close(): Promise<void> {
    for (const stop of this.#timers) stop();
    const left = [...this.#waiting.keys()];
    for (const id of left) this.#reject(id, new Fault('ABORTED', 'the study was stopped'));
    // A job that a worker computes is locked and stays: its result is there for the next start.
    if (this.#outage === undefined)
      await settledWithin(
        CLOSE_MS,
        left.map((id) => this.#queue?.remove(id)),
      );
    this.#isClosed = true;
    this.#list.close();
    // `disconnect` alone would read events again every five seconds, forever.
    await settledWithin(CLOSE_MS, [this.#events?.close(), this.#queue?.disconnect()]);
  }

  async #add(id: string, job: RemoteJob): Promise<void> {
    await this.#queue?.add('backtest', job, {
      jobId: id,
      // At once: a pause would compare clocks.
      attempts: 3,
      removeOnComplete: KEPT_RESULTS,
      removeOnFail: KEPT_FAILURES,
    });
  }

  #completed(id: string, value: unknown): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    try {
      const { outcome, seconds, worker } = parseAnswer(value);
      const isFailed = 'problem' in outcome;
      this.done.backtests += 1;
      this.done.seconds += seconds;
      if (isFailed) this.done.failed += 1;
      this.#tally.onAnswer(worker, isFailed);
      waiting.resolve(outcome);
    } catch (cause) {
      waiting.reject(new Fault('REDIS', `a result of a worker cannot be read (${String(cause)})`, { cause }));
    }
    // Another study that waits for the same backtest puts it there again.
    this.#queue?.remove(id).catch(() => undefined);
  }

  /** The failed job stays in Redis for a week, with its reason. */
  #failed(id: string, reason: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.done.failed += 1;
    const problem = /\bstalled more than\b/.test(reason) ? 'each worker that ran it ended meanwhile' : reason;
    waiting.resolve({ problem: `no worker could run it: ${problem}` });
  }

  /** A worker gave a job back. */
  #returned(id: string, data: unknown): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined || typeof data !== 'object' || data === null || !('returned' in data)) return;
    const reason = String(data.returned).slice(0, 500);
    const worker = 'worker' in data ? String(data.worker).slice(0, 200) : 'a worker';
    waiting.returns += 1;
    this.done.returned += 1;
    this.#tally.onReturn(worker);
    this.#sayOnce(`${worker} gave a backtest back: ${reason}`);
    if (waiting.returns > MOST_RETURNS) waiting.reject(new Fault('FILE', `no worker can run a backtest: ${reason}`));
  }

  /** Events can be lost with a connection, and jobs with a Redis that forgets: what waits is looked at now and then. */
  async #lookAtAll(): Promise<void> {
    for (const id of this.#waiting.keys()) await this.#look(id, false);
  }

  /** @param isNew whether it was in Redis before this start asked for it: then a failure is tried again */
  async #look(id: string, isNew: boolean): Promise<void> {
    // The state first: a job that was read before it ended has no result.
    const state = await this.#queue?.getJobState(id);
    const job = await this.#queue?.getJob(id);
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    if (job === undefined) await this.#add(id, waiting.job);
    else if (state === 'completed' && job.returnvalue !== null) this.#completed(id, job.returnvalue);
    else if (state === 'failed' && isNew) await job.retry('failed');
    else if (state === 'failed') this.#failed(id, job.failedReason);
  }

  async #lookAtWorkers(): Promise<void> {
    const { queue: name, notice } = this.#options;
    this.#isLooking = true;
    const workers = await this.#list.read().finally(() => {
      this.#isLooking = false;
    });
    const useful = workers.filter(({ queue }) => queue === name);
    if (this.#outage !== undefined) {
      notice('Redis is back');
      this.#outage = undefined;
      this.#looksToSkip = 2;
    }
    // What workers wrote may have expired meanwhile: each writes again within some seconds.
    if (this.#looksToSkip > 0) {
      this.#looksToSkip -= 1;
      return;
    }
    const [lost, ...more] = this.#tally.onPresent(useful);
    if (more.length > 0) notice(`${more.length + 1} workers are gone: others compute what they had`);
    else if (lost !== undefined) notice(`worker ${lost} is gone: others compute what it had`);
    const hadWorkers = this.#hasWorkers;
    this.#hasWorkers = useful.some(({ state }) => state === 'working');
    if (hadWorkers && !this.#hasWorkers) notice(NO_WORKER);
    for (const { queue } of workers.filter((worker) => isThere(worker) && !useful.includes(worker)))
      this.#sayOnce(`workers of another version are connected and get nothing of this study: ${queue}, not ${name}`);
  }

  /** Takes the errors of work that is not awaited. */
  #spawn(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#onError(error));
  }

  /** When Redis refuses something, the study ends; when Redis is gone, the study waits for it. */
  #onError(error: unknown): void {
    if (!isRefusal(error)) {
      this.#gone(error);
      return;
    }
    const fault = redisFault(this.#options.redis, error);
    for (const { reject } of this.#waiting.values()) reject(fault);
  }

  #gone(error: unknown): void {
    if (this.#outage !== undefined || this.#isClosed) return;
    this.#outage = `Redis is gone (${error instanceof Error ? error.message : String(error)}): waiting for it`;
    this.#options.notice(`${this.#outage}. Trials that ended are kept`);
  }

  #reject(id: string, fault: Fault): void {
    this.#waiting.get(id)?.reject(fault);
  }

  #sayOnce(text: string): void {
    if (this.#said.has(text)) return;
    this.#said.add(text);
    this.#options.notice(text);
  }
}
