/**
 * Delivers the alerts of one target in the background, in their order, one at a time.
 *
 * Invariants: `push` returns at once and never throws; the queue holds at most `MAX_WAITING` alerts and drops the least
 * urgent one first; no log line contains the URL of the target.
 */
import { type Clock, sleep, withTimeout } from '../../clock/index.ts';
import { HttpClient } from '../../network/index.ts';
import type { Log } from '../log/log.ts';
import { ALERT_LEVELS, type Alert } from './alert.ts';
import { type AlertTarget, attemptDelivery } from './target.ts';

export interface DeliveryQueueOptions {
  readonly target: AlertTarget;
  readonly clock: Clock;
  readonly log: Log;
  /** Timeout of one attempt, ms. Default 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Wait after the first failed attempt, ms. It doubles with each further attempt, up to a minute. Default 500. */
  readonly firstWaitMs?: number | undefined;
}

const MAX_WAITING = 100;
const LONGEST_WAIT_MS = 60_000;
/** Time from an alert's first attempt until the queue gives up, ms. */
const GIVE_UP_MS = 600_000;

export class DeliveryQueue {
  readonly #options: DeliveryQueueOptions;
  readonly #client: HttpClient;
  #waiting: Alert[] = [];
  #running: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(options: DeliveryQueueOptions) {
    this.#options = options;
    this.#client = new HttpClient({ clock: options.clock });
  }

  push(alert: Alert): void {
    if (this.#closing.signal.aborted) return;
    this.#waiting.push(alert);
    if (this.#waiting.length > MAX_WAITING) this.#drop();
    this.#running ??= this.#deliverAll();
  }

  /** Resolves when the queue is empty. Never rejects. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Waits for deliveries, then drops the remaining alerts. Never rejects. @param timeoutMs longest wait, ms */
  async close(timeoutMs: number): Promise<void> {
    const { clock, log, target } = this.#options;
    await withTimeout(clock, timeoutMs, this.settled(), () => {});
    const unsent = this.#waiting.length;
    if (unsent > 0) log.error({ target: target.name, alerts: unsent }, 'the bot ended before these alerts were sent');
    this.#waiting = [];
    this.#closing.abort();
    this.#client.close();
    await this.settled();
  }

  async #deliverAll(): Promise<void> {
    for (let alert = this.#waiting[0]; alert !== undefined; alert = this.#waiting[0]) {
      await this.#deliver(alert);
      // `close` can have removed the alert during the delivery.
      if (this.#waiting[0] === alert) this.#waiting.shift();
    }
    // Must run in the same turn as the last check of the queue, so that a later `push` starts a new loop.
    this.#running = undefined;
  }

  /** Retries until the target accepts or refuses the alert, or `GIVE_UP_MS` has passed. */
  async #deliver(alert: Alert): Promise<void> {
    const { target, clock, log, timeoutMs = 5_000, firstWaitMs = 500 } = this.#options;
    const { signal } = this.#closing;
    const end = clock.now() + GIVE_UP_MS;
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
      const result = await attemptDelivery(this.#client, target, alert, timeoutMs);
      if (result.type === 'sent' || signal.aborted) return;
      const fields = { target: target.name, kind: alert.kind, problem: result.problem };
      const retryWaitMs = Math.max(result.retryAfterMs ?? 0, waitMs);
      if (result.type === 'refused' || clock.now() + retryWaitMs > end) {
        log.error(fields, 'an alert could not be sent: check the address of its target and its permission to post');
        return;
      }
      if (waitMs === firstWaitMs) log.warn(fields, 'an alert could not be sent yet: trying again');
      await sleep(clock, retryWaitMs, signal);
      if (signal.aborted) return;
    }
  }

  /** Drops the oldest of the least urgent alerts, but never the alert that is being sent. */
  #drop(): void {
    const rest = this.#waiting.slice(1);
    const leastUrgent = ALERT_LEVELS.find((level) => rest.some((alert) => alert.level === level));
    const index = this.#waiting.findIndex((alert, position) => position > 0 && alert.level === leastUrgent);
    const [dropped] = this.#waiting.splice(index, 1);
    const fields = { target: this.#options.target.name, kind: dropped?.kind };
    this.#options.log.error(fields, `an alert was dropped: more than ${MAX_WAITING} alerts wait`);
  }
}
