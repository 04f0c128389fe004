/**
 * Delivers the alerts of one target in the background, in their order, one at a time.
 *
 * Invariants: `push` returns at once and never throws; at most `MOST_WAITING` alerts wait, and the least urgent one is
 * dropped first; no log line contains the URL of the target.
 */
import type { Clock } from '../../clock/index.ts';
import { timeAfter } from '../../domain/index.ts';
import { HttpClient } from '../../network/index.ts';
import type { Log } from '../log/log.ts';
import { ALERT_LEVELS, type Alert } from './alert.ts';
import { type AlertTarget, attempt } from './target.ts';

export interface DeliveryQueueOptions {
  readonly target: AlertTarget;
  readonly clock: Clock;
  readonly log: Log;
  /** Timeout of one attempt, ms. Default 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Wait after the first failed attempt, ms. It doubles with each further attempt, up to a minute. Default 500. */
  readonly firstWaitMs?: number | undefined;
}

const MOST_WAITING = 100;
const LONGEST_WAIT_MS = 60_000;
/** An alert is given up this long after its first attempt, ms. */
const GIVE_UP_MS = 600_000;

export class DeliveryQueue {
  readonly #options: DeliveryQueueOptions;
  readonly #client: HttpClient;
  #waiting: Alert[] = [];
  #running: Promise<void> | undefined;
  #wake: () => void = () => {};
  #isClosed = false;

  constructor(options: DeliveryQueueOptions) {
    this.#options = options;
    this.#client = new HttpClient({ clock: options.clock });
  }

  push(alert: Alert): void {
    if (this.#isClosed) return;
    this.#waiting.push(alert);
    if (this.#waiting.length > MOST_WAITING) this.#drop();
    this.#running ??= this.#deliverAll();
  }

  /** Resolves when nothing waits. Never rejects. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Waits for deliveries, then gives up what is left. Never rejects. @param patienceMs longest wait, ms */
  async close(patienceMs: number): Promise<void> {
    const { clock, log, target } = this.#options;
    const late = Promise.withResolvers<void>();
    const cancel = clock.schedule(timeAfter(clock.now(), patienceMs), late.resolve);
    await Promise.race([this.settled(), late.promise]);
    cancel();
    this.#isClosed = true;
    const left = this.#waiting.length;
    if (left > 0) log.error({ target: target.name, alerts: left }, 'the bot ended before these alerts were sent');
    this.#waiting = [];
    this.#wake();
    this.#client.close();
    await this.settled();
  }

  async #deliverAll(): Promise<void> {
    for (let alert = this.#waiting[0]; alert !== undefined; alert = this.#waiting[0]) {
      await this.#deliver(alert);
      // While it was sent, `#drop` or `close` may have removed it.
      if (this.#waiting[0] === alert) this.#waiting.shift();
    }
    // In the same turn as the last look at the queue: what is pushed later starts another run.
    this.#running = undefined;
  }

  /** Tries until the target takes it, refuses it, or it is given up. */
  async #deliver(alert: Alert): Promise<void> {
    const { target, clock, log, timeoutMs = 5_000, firstWaitMs = 500 } = this.#options;
    const end = clock.now() + GIVE_UP_MS;
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
      const result = await attempt(this.#client, target, alert, timeoutMs);
      if (result.type === 'sent' || this.#isClosed) return;
      const fields = { target: target.name, kind: alert.kind, problem: result.problem };
      const wait = Math.max(result.retryAfterMs ?? 0, waitMs);
      if (result.type === 'refused' || clock.now() + wait > end) {
        log.error(fields, 'an alert could not be sent: check the address of its target and its permission to post');
        return;
      }
      if (waitMs === firstWaitMs) log.warn(fields, 'an alert was not sent yet and is tried again');
      await this.#pause(wait);
      if (this.#isClosed) return;
    }
  }

  /** Ends early when the queue closes. */
  async #pause(ms: number): Promise<void> {
    const { clock } = this.#options;
    const over = Promise.withResolvers<void>();
    const cancel = clock.schedule(timeAfter(clock.now(), ms), over.resolve);
    this.#wake = over.resolve;
    await over.promise;
    cancel();
  }

  /** Drops the oldest of the least urgent alerts, but not the one that is being sent. */
  #drop(): void {
    const rest = this.#waiting.slice(1);
    const least = ALERT_LEVELS.find((level) => rest.some((alert) => alert.level === level));
    const at = this.#waiting.findIndex((alert, place) => place > 0 && alert.level === least);
    const [dropped] = this.#waiting.splice(at, 1);
    const fields = { target: this.#options.target.name, kind: dropped?.kind };
    this.#options.log.error(fields, `an alert was dropped, as more than ${MOST_WAITING} wait`);
  }
}
