/** A worker: takes backtests of studies from Redis, and computes them on threads of this machine. */
import { type Job, WaitingError, Worker } from 'bullmq';
import type { RunSpec } from '../../backtest/index.ts';
import { backgroundTimer, monotonic, sleep, wallClock } from '../../clock/index.ts';
import { Fault, InputFault } from '../../domain/index.ts';
import { type ThreadAnswer, type TrialOutcome, TrialPool } from '../study/trial-pool.ts';
import { checkRedis, LONGEST_WAIT_MS, type RedisOptions, redisFault, settledWithin } from './redis.ts';
import { JobMaker, localSpec, type Places, parseRemoteJob } from './remote-job.ts';
import type { WorkerAnswer } from './worker-answer.ts';
import { type PresentWorker, WorkerList } from './worker-list.ts';

/** A worker that ended loses its job after this; one that computes renews its lock, as another thread does the computing. */
const LOCK_MS = 10_000;
const STALLED_MS = 5_000;
/** A backtest whose worker died so often is parked. */
const MOST_DEATHS = 5;
const PRESENT_MS = 5_000;
/** A worker that cannot run a job holds it for so long, so that another one has the time to take the next. */
const RETURN_MS = 2_000;
/** For a result, or a backtest given back, to reach Redis when the worker ends. */
const LEAVE_MS = 10_000;

export interface TrialWorkerOptions extends Places {
  readonly redis: RedisOptions;
  readonly version: string;
  /** From `queueName`. */
  readonly queue: string;
  /** Of this worker, among all. */
  readonly name: string;
  readonly host: string;
  readonly threads: number;
  /** The path of a tape with this content. @throws FileFault when this machine cannot have it */
  readonly findTape: (contentHash: string) => Promise<string>;
  /** For the worker's own user. */
  readonly log: (text: string) => void;
  /** For tests. */
  readonly run?: (job: Parameters<TrialPool['run']>[0], signal: AbortSignal) => Promise<TrialOutcome>;
}

export class TrialWorker {
  readonly #options: TrialWorkerOptions;
  readonly #list: WorkerList;
  readonly #maker: JobMaker;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<ThreadAnswer>>();
  #pool: TrialPool | undefined;
  #worker: Worker | undefined;
  #stopShowing = (): void => {};
  #backtests = 0;
  #seconds = 0;
  #isGone = false;
  readonly #said = new Set<string>();
  #state: PresentWorker['state'] = 'working';

  constructor(options: TrialWorkerOptions) {
    this.#options = options;
    this.#list = new WorkerList(options.redis);
    this.#maker = new JobMaker(options);
  }

  get present(): PresentWorker {
    return {
      name: this.#options.name,
      host: this.#options.host,
      queue: this.#options.queue,
      threads: this.#options.threads,
      backtests: this.#backtests,
      seconds: this.#seconds,
      state: this.#state,
    };
  }

  /** Begins to take backtests. @throws Fault REDIS for one that cannot be used; INSTALL when no thread can start */
  async start(): Promise<void> {
    const { redis, queue, threads, run } = this.#options;
    await checkRedis(redis);
    if (run === undefined) {
      this.#pool = new TrialPool(threads);
      await this.#pool.ready();
    }
    this.#worker = new Worker(queue, (job, token) => this.#work(job, token), {
      connection: { ...redis },
      concurrency: threads,
      drainDelay: LONGEST_WAIT_MS / 1_000,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_MS,
      maxStalledCount: MOST_DEATHS,
    });
    this.#worker.on('error', (error) => this.#gone(error));
    this.#worker.on('ready', () => this.#back());
    await this.#worker.waitUntilReady();
    this.#stopShowing = backgroundTimer(PRESENT_MS, () => this.#show());
    this.#show();
  }

  /** Takes nothing new, and ends when what runs has ended; at the latest after `patienceMs`, and others do the rest. */
  async drain(patienceMs: number): Promise<void> {
    const ended = this.#worker?.close();
    this.#state = 'draining';
    if (this.#worker !== undefined) this.#show();
    await settledWithin(patienceMs, this.#running);
    this.#stop.abort();
    await settledWithin(LEAVE_MS, [ended]);
    this.#stopShowing();
    this.#state = 'ended';
    if (this.#isGone) this.#worker?.disconnect().catch(() => undefined);
    else if (this.#worker !== undefined) await settledWithin(LEAVE_MS, [this.#list.write(this.present)]);
    this.#list.close();
    await this.#pool?.close();
  }

  async #work(job: Job, token: string | undefined): Promise<WorkerAnswer> {
    const start = monotonic();
    let answer: ThreadAnswer;
    const running = this.#answer(job.data);
    this.#running.add(running);
    try {
      answer = await running;
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      answer = { fault: fault.message };
    } finally {
      this.#running.delete(running);
    }
    if ('fault' in answer) return this.#giveBack(job, token, answer.fault);
    const seconds = (monotonic() - start) / 1_000;
    this.#backtests += 1;
    this.#seconds += seconds;
    return { outcome: answer, seconds, worker: this.#options.name };
  }

  /** @throws Fault for what this machine lacks */
  async #answer(data: unknown): Promise<ThreadAnswer> {
    const { findTape, version, baseDir, strategyFolders, run } = this.#options;
    const job = parseRemoteJob(data);
    const paths: string[] = [];
    for (const hash of job.tapes) paths.push(await findTape(hash));
    try {
      const spec = localSpec(job, paths);
      if ((await this.#maker.sourcesOf(spec)) !== job.sources)
        return {
          fault: `the sources of ${named(spec)} differ from the study's. Copy its strategies and files to ${baseDir}`,
        };
      const trial = { spec, baseDir, strategyFolders, version, hashes: job.tapes, detailed: job.detailed };
      return await (run ?? this.#pool?.run.bind(this.#pool) ?? missing)(trial, this.#stop.signal);
    } catch (fault) {
      if (!(fault instanceof InputFault)) throw fault;
      return { problem: fault.message };
    }
  }

  /** For another worker. No clock is asked when that is: clocks of machines differ. */
  async #giveBack(job: Job, token: string | undefined, reason: string): Promise<never> {
    if (!this.#said.has(reason)) this.#options.log(`gives backtests back: ${reason}`);
    this.#said.add(reason);
    await job.updateProgress({ returned: reason, worker: this.#options.name });
    await sleep(wallClock(), RETURN_MS);
    await job.moveToWait(token);
    throw new WaitingError();
  }

  #show(): void {
    this.#list.write(this.present).then(
      () => this.#back(),
      (error: unknown) => this.#gone(error),
    );
  }

  #gone(error: unknown): void {
    if (error instanceof Error && /^Missing lock for job/.test(error.message)) {
      this.#options.log('did not reach Redis for too long: another worker computes a backtest of this one again');
      return;
    }
    if (this.#isGone) return;
    this.#isGone = true;
    this.#options.log(`${redisFault(this.#options.redis, error).message}. Waiting for it`);
  }

  #back(): void {
    if (this.#isGone) this.#options.log('Redis is back');
    this.#isGone = false;
  }
}

function named({ strategy, strategies = [] }: RunSpec): string {
  return [strategy, ...strategies.map((each) => each.strategy)].filter((name) => name !== undefined).join(', ');
}

function missing(): never {
  throw new Error('Invariant: a worker computes only after its start');
}
