/**
 * Reads: whatever may be requested twice. Paced within the venue's `read` bucket, tried again with jitter, behind a
 * breaker.
 *
 * What is refused for good (errors) and what no retry can change (blocked) is answered at once; a page of HTML with
 * status 200 may be one broken proxy of several, so it is repeated before it counts; the same holds for an answer that
 * is not as requested.
 */
import Bottleneck from 'bottleneck';
import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhenResult } from 'cockatiel';
import retry from 'p-retry';
import type { Clock } from '../../../clock/index.ts';
import { timeAfter } from '../../../domain/index.ts';
import { type Answer, type Lost, problemOf } from './answer.ts';

/** Bounds of trying. */
export interface ReadSettings {
  readonly retries: number;
}

const FIRST_WAIT_MS = 150;
const LONGEST_WAIT_MS = 3_000;
/** After this number of consecutive requests without an answer, sending pauses. */
const FAILURES = 8;
const HALF_OPEN_MS = 2_000;
/** The pace is kept in steps of this. */
const STEP_MS = 100;
const OK = 200;

class RetryableAnswer extends Error {
  readonly answer: Answer<unknown>;

  constructor(answer: Exclude<Answer<unknown>, { readonly type: 'data' }>) {
    super(problemOf(answer));
    this.answer = answer;
  }
}

export class Reads {
  readonly #settings: ReadSettings;
  readonly #clock: Clock;
  readonly #limiter = new Bottleneck();
  /** Tokens that the bucket holds when it is full: no request can weigh more. */
  #capacity = Number.POSITIVE_INFINITY;
  readonly #breaker = circuitBreaker(
    handleWhenResult(
      (answer) => typeof answer === 'object' && answer !== null && 'type' in answer && answer.type === 'lost',
    ),
    { halfOpenAfter: HALF_OPEN_MS, breaker: new ConsecutiveBreaker(FAILURES) },
  );
  #isClosed = false;

  constructor(settings: ReadSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Keeps within a bucket from now on. */
  pace({ capacity, refillPerSecond }: { readonly capacity: number; readonly refillPerSecond: number }): void {
    this.#capacity = capacity;
    this.#limiter.updateSettings({
      reservoir: capacity,
      reservoirIncreaseAmount: Math.max(1, Math.floor((refillPerSecond * STEP_MS) / 1_000)),
      reservoirIncreaseInterval: STEP_MS,
      reservoirIncreaseMaximum: capacity,
    });
  }

  /** Never rejects. @param weight tokens of the bucket */
  async run<Data>(attempt: () => Promise<Answer<Data>>, weight: number): Promise<Answer<Data>> {
    let last: Answer<Data> = { type: 'lost', problem: 'closed', sent: false };
    const once = async (): Promise<Answer<Data>> => {
      last = await this.#limiter.schedule({ weight: Math.min(weight, this.#capacity) }, () => this.#guarded(attempt));
      if (isWorthAgain(last)) throw new RetryableAnswer(last);
      return last;
    };
    try {
      return await retry(once, {
        retries: this.#settings.retries,
        minTimeout: FIRST_WAIT_MS,
        maxTimeout: LONGEST_WAIT_MS,
        randomize: true,
        shouldRetry: () => !this.#isClosed,
        onFailedAttempt: ({ error }) => this.#waitTold(error),
      });
    } catch (error) {
      if (error instanceof RetryableAnswer) return last;
      const problem = error instanceof Error ? error.message : String(error);
      return { type: 'lost', problem: this.#isClosed ? 'the way to the venue was closed' : problem, sent: false };
    }
  }

  /** Waiting reads are reported as lost. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#limiter.stop({ dropWaitingJobs: true }).then(() => this.#limiter.disconnect());
  }

  async #guarded<Data>(attempt: () => Promise<Answer<Data>>): Promise<Answer<Data>> {
    try {
      return await this.#breaker.execute(attempt);
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      const broken: Lost = {
        type: 'lost',
        problem: `no answer to the last ${FAILURES} requests: waiting`,
        sent: false,
      };
      return broken;
    }
  }

  /** The venue has said how long. */
  async #waitTold(error: Error): Promise<void> {
    if (!(error instanceof RetryableAnswer) || error.answer.type !== 'errors') return;
    const wait = error.answer.retryAfterMs;
    if (wait === undefined || this.#isClosed) return;
    await new Promise<void>((resolve) => void this.#clock.schedule(timeAfter(this.#clock.now(), wait), resolve));
  }
}

function isWorthAgain(answer: Answer<unknown>): answer is Exclude<Answer<unknown>, { readonly type: 'data' }> {
  if (answer.type === 'lost' || answer.type === 'malformed') return true;
  if (answer.type === 'blocked') return answer.status === OK;
  return answer.type === 'errors' && answer.retryAfterMs !== undefined;
}
