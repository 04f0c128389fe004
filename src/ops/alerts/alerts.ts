/**
 * Sends alerts to all targets in the background. An alert passes the filter of repeats and the quiet hours, then goes
 * to the queue of each target whose level it reaches.
 */
import type { Clock } from '../../clock/index.ts';
import type { RecentAlert } from '../feed/report-types.ts';
import type { Log } from '../log/log.ts';
import type { Redactor } from '../log/redactor.ts';
import { type Alert, type AlertFields, type AlertKind, type AlertLevel, alertLevel, isAtLeast } from './alert.ts';
import { DeliveryQueue, type DeliveryQueueOptions } from './delivery-queue.ts';
import { QuietHours, type QuietTimes, RepeatFilter } from './filters.ts';
import type { AlertTarget } from './target.ts';

export interface AlertsOptions extends Pick<DeliveryQueueOptions, 'timeoutMs' | 'firstWaitMs'> {
  readonly targets: readonly AlertTarget[];
  readonly clock: Clock;
  readonly log: Log;
  readonly redactor: Redactor;
  /** Bot name at the start of each text. Default: none. */
  readonly name?: string | undefined;
  /** Time in which repeats of an alert are only counted, ms. Default 0: every alert is sent. */
  readonly repeatMs?: number;
  readonly quiet?: QuietTimes | undefined;
}

const MAX_RECENT = 100;
const LEVEL_NAMES = { critical: 'CRITICAL', warning: 'WARNING', info: 'INFO' } as const;
const CLOSE_TIMEOUT_MS = 10_000;

export class Alerts {
  readonly #options: AlertsOptions;
  readonly #queues: readonly (readonly [AlertTarget, DeliveryQueue])[];
  readonly #repeats: RepeatFilter;
  readonly #quiet: QuietHours | undefined;
  /** The last alerts by kind and text, the oldest first. */
  readonly #recent = new Map<string, RecentAlert>();
  #nextId = 1;

  constructor(options: AlertsOptions) {
    const { targets, clock, quiet, repeatMs = 0 } = options;
    this.#options = options;
    this.#queues = targets.map((target) => [target, new DeliveryQueue({ ...options, target })]);
    const deliver = (alert: Alert): void => {
      for (const [target, queue] of this.#queues) if (isAtLeast(alert.level, target.level)) queue.push(alert);
    };
    const quietHours = quiet === undefined ? undefined : new QuietHours(clock, quiet, deliver);
    this.#quiet = quietHours;
    this.#repeats = new RepeatFilter(clock, repeatMs, (alert) =>
      quietHours === undefined ? deliver(alert) : quietHours.accept(alert),
    );
  }

  /** Returns the last alerts, the newest first, even if there is no target. */
  recent(): readonly RecentAlert[] {
    return [...this.#recent.values()].toReversed();
  }

  send(kind: AlertKind, text: string, fields: AlertFields): void {
    const { targets, clock, redactor, name } = this.#options;
    const level = alertLevel(kind, fields);
    this.#remember(kind, level, redactor.text(text), clock.now());
    if (targets.length === 0) return;
    const namedText = name === undefined ? text : `[${name}] ${text}`;
    const redactedFields = Object.entries(fields).map(
      ([key, value]) => [key, typeof value === 'string' ? redactor.text(value) : value] as const,
    );
    const alert = { kind, level, text: redactor.text(namedText), fields: Object.fromEntries(redactedFields) };
    this.#repeats.accept({ ...alert, time: clock.now() });
  }

  /** Resolves when no alert waits for its delivery. Never rejects. */
  async settled(): Promise<void> {
    await Promise.all(this.#queues.map(([, queue]) => queue.settled()));
  }

  /** Waits for queued deliveries, but drops alerts that quiet hours hold back. Never rejects. */
  async close(timeoutMs = CLOSE_TIMEOUT_MS): Promise<void> {
    this.#repeats.close();
    const held = this.#quiet?.close() ?? 0;
    if (held > 0) this.#options.log.warn({ held }, 'the bot ended in quiet hours: these alerts are not sent');
    await Promise.all(this.#queues.map(([, queue]) => queue.close(timeoutMs)));
  }

  #remember(kind: AlertKind, level: AlertLevel, text: string, time: number): void {
    const key = `${kind}\n${text}`;
    const { id = String(this.#nextId++), count = 0 } = this.#recent.get(key) ?? {};
    this.#recent.delete(key);
    this.#recent.set(key, { id, kind, level: LEVEL_NAMES[level], text, time, count: count + 1 });
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > MAX_RECENT && oldest !== undefined) this.#recent.delete(oldest);
  }
}
