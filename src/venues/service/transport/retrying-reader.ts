/**
 * Executes idempotent requests: paced within the venue's `read` bucket, repeated with jitter, behind a circuit breaker.
 *
 * Errors that state no wait, and blocked requests, are returned at once. An HTML page with status 200 and a malformed
 * answer are repeated, because one of several proxies may be broken.
 */
import Bottleneck from 'bottleneck';
import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhenResult } from 'cockatiel';
import retry from 'p-retry';
import { type Clock, sleep } from '../../../clock/index.ts';
import { errorMessage } from '../../../domain/index.ts';
import { getMember } from '../../../network/index.ts';
import { type Answer, describeProblem } from './answer.ts';

const FIRST_WAIT_MS = 150;
const LONGEST_WAIT_MS = 3_000;
/** Consecutive lost requests after which sending pauses, and the length of the pause. */
const [MAX_LOST, PAUSE_MS] = [8, 2_000];
const REFILL_INTERVAL_MS = 100;
const OK = 200;

class RetryableAnswer extends Error {
  readonly answer: Answer<unknown>;

  constructor(answer: Exclude<Answer<unknown>, { readonly type: 'data' }>) {
    super(describeProblem(answer));
    this.answer = answer;
  }
}

export class RetryingReader {
  readonly #retries: number;
  readonly #clock: Clock;
  readonly #limiter = new Bottleneck();
  /** Number of tokens in a full bucket, which limits the weight of a request. */
  #capacity = Number.POSITIVE_INFINITY;
  readonly #breaker = circuitBreaker(
    handleWhenResult((answer) => getMember(answer, 'type') === 'lost'),
    { halfOpenAfter: PAUSE_MS, breaker: new ConsecutiveBreaker(MAX_LOST) },
  );
  /** Aborts when the reader is closed. */
  readonly #closing = new AbortController();

  /** @param retries largest number of repeats of one request */
  constructor(retries: number, clock: Clock) {
    this.#retries = retries;
    this.#clock = clock;
  }

  /** Sets the bucket that limits later reads. */
  pace({ capacity, refillPerSecond }: { readonly capacity: number; readonly refillPerSecond: number }): void {
    this.#capacity = capacity;
    this.#limiter.updateSettings({
      reservoir: capacity,
      reservoirIncreaseAmount: Math.max(1, Math.floor((refillPerSecond * REFILL_INTERVAL_MS) / 1_000)),
      reservoirIncreaseInterval: REFILL_INTERVAL_MS,
      reservoirIncreaseMaximum: capacity,
    });
  }

  /** Runs a read. Never rejects. @param weight tokens that the read takes from the bucket */
  async run<Data>(attempt: () => Promise<Answer<Data>>, weight: number): Promise<Answer<Data>> {
    let lastAnswer: Answer<Data> = { type: 'lost', problem: 'the connection to the venue was closed', isSent: false };
    const attemptOnce = async (): Promise<Answer<Data>> => {
      lastAnswer = await this.#limiter.schedule({ weight: Math.min(weight, this.#capacity) }, () =>
        this.#runBehindBreaker(attempt),
      );
      if (isRetryable(lastAnswer)) throw new RetryableAnswer(lastAnswer);
      return lastAnswer;
    };
    try {
      return await retry(attemptOnce, {
        retries: this.#retries,
        minTimeout: FIRST_WAIT_MS,
        maxTimeout: LONGEST_WAIT_MS,
        randomize: true,
        signal: this.#closing.signal,
        onFailedAttempt: ({ error, retriesLeft }) => (retriesLeft === 0 ? undefined : this.#waitRetryAfter(error)),
      });
    } catch (error) {
      if (error instanceof RetryableAnswer || this.#closing.signal.aborted) return lastAnswer;
      return { type: 'lost', problem: errorMessage(error), isSent: false };
    }
  }

  /** Ends all waits: reads without an answer so far are lost, repeated reads get their last answer. */
  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    void this.#limiter.stop({ dropWaitingJobs: true }).then(() => this.#limiter.disconnect());
  }

  async #runBehindBreaker<Data>(attempt: () => Promise<Answer<Data>>): Promise<Answer<Data>> {
    try {
      return await this.#breaker.execute(attempt);
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      return { type: 'lost', problem: `no answer to the last ${MAX_LOST} requests: waiting`, isSent: false };
    }
  }

  async #waitRetryAfter(error: Error): Promise<void> {
    if (!(error instanceof RetryableAnswer) || error.answer.type !== 'errors') return;
    const wait = error.answer.retryAfterMs;
    if (wait === undefined) return;
    await sleep(this.#clock, wait, this.#closing.signal);
  }
}

function isRetryable(answer: Answer<unknown>): answer is Exclude<Answer<unknown>, { readonly type: 'data' }> {
  if (answer.type === 'lost' || answer.type === 'malformed') return true;
  if (answer.type === 'blocked') return answer.status === OK;
  return answer.type === 'errors' && answer.retryAfterMs !== undefined;
}
