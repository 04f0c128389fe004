/** Filters before delivery: `RepeatFilter` counts repeats, `QuietHours` delays all alerts that are not critical. */
import type { Clock } from '../../clock/index.ts';
import { counted, type EpochMs, timeAfter } from '../../domain/index.ts';
import type { Alert, AlertKind } from './alert.ts';
import type { LocalTime } from './local-time.ts';

interface RepeatWindow {
  count: number;
  last: Alert;
  cancel: () => void;
}

/** Maximum number of open windows. A further window ends the oldest window early. */
const MAX_WINDOWS = 200;
const MINUTE_MS = 60_000;
const ALWAYS_SENT: ReadonlySet<AlertKind> = new Set(['kill', 'watchdog', 'fault', 'end', 'summary', 'test']);

/** Passes an alert once within a window. Counts its repeats, and sends the count at the end of the window. */
export class RepeatFilter {
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #pass: (alert: Alert) => void;
  readonly #windows = new Map<string, RepeatWindow>();

  /** @param windowMs ms; 0 passes every alert */
  constructor(clock: Clock, windowMs: number, pass: (alert: Alert) => void) {
    this.#clock = clock;
    this.#windowMs = windowMs;
    this.#pass = pass;
  }

  accept(alert: Alert): void {
    if (this.#windowMs === 0 || ALWAYS_SENT.has(alert.kind)) {
      this.#pass(alert);
      return;
    }
    const key = `${alert.kind}\n${alert.text}`;
    const window = this.#windows.get(key);
    if (window !== undefined) {
      window.count += 1;
      window.last = alert;
      return;
    }
    this.#pass(alert);
    this.#openWindow(key, alert);
    const oldest = this.#windows.keys().next().value;
    if (this.#windows.size > MAX_WINDOWS && oldest !== undefined) this.#endWindow(oldest);
  }

  close(): void {
    for (const key of [...this.#windows.keys()]) this.#endWindow(key);
  }

  #openWindow(key: string, last: Alert): void {
    const cancel = this.#clock.schedule(timeAfter(this.#clock.now(), this.#windowMs), () => {
      if (this.#endWindow(key)) this.#openWindow(key, last);
    });
    this.#windows.set(key, { count: 0, last, cancel });
  }

  /** Ends a window and returns whether its alert was repeated. */
  #endWindow(key: string): boolean {
    const window = this.#windows.get(key);
    if (window === undefined) return false;
    const { count, last, cancel } = window;
    this.#windows.delete(key);
    cancel();
    if (count === 0) return false;
    const text = `${last.text} (and ${count} more within ${windowText(this.#windowMs)})`;
    this.#pass({ ...last, text, fields: { ...last.fields, more: count } });
    return true;
  }
}

function windowText(ms: number): string {
  if (ms % MINUTE_MS !== 0) return `${ms / 1_000} s`;
  return ms === MINUTE_MS ? 'a minute' : `${ms / MINUTE_MS} minutes`;
}

export interface QuietTimes {
  readonly localTime: LocalTime;
  /** Minutes since local midnight. If `from` is after `to`, the quiet hours last past midnight. */
  readonly from: number;
  readonly to: number;
}

/** Maximum number of held alerts. Further alerts are only counted. */
const MAX_HELD = 30;
const MAX_TEXT_LENGTH = 300;

/** In quiet hours, passes only critical alerts. Combines the others in one alert afterwards. */
export class QuietHours {
  readonly #clock: Clock;
  readonly #times: QuietTimes;
  readonly #pass: (alert: Alert) => void;
  #held: Alert[] = [];
  #count = 0;
  #cancel: () => void = () => {};

  constructor(clock: Clock, times: QuietTimes, pass: (alert: Alert) => void) {
    this.#clock = clock;
    this.#times = times;
    this.#pass = pass;
  }

  accept(alert: Alert): void {
    if (alert.level === 'critical' || !this.#isQuiet(alert.time)) {
      this.#pass(alert);
      return;
    }
    const { localTime, to } = this.#times;
    if (this.#count === 0) this.#cancel = this.#clock.schedule(localTime.next(alert.time, to), () => this.#sendHeld());
    this.#count += 1;
    if (this.#held.length < MAX_HELD) this.#held.push(alert);
  }

  /** Returns the number of held alerts. They are not sent. */
  close(): number {
    this.#cancel();
    return this.#count;
  }

  #isQuiet(time: EpochMs): boolean {
    const { localTime, from, to } = this.#times;
    const minute = localTime.minuteOfDay(time);
    return from < to ? minute >= from && minute < to : minute >= from || minute < to;
  }

  #sendHeld(): void {
    const [held, count] = [this.#held, this.#count];
    this.#held = [];
    this.#count = 0;
    const lines = held.map(
      ({ text }) => `- ${text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text}`,
    );
    const more = count > held.length ? [`and ${count - held.length} more, which are in the log`] : [];
    const level = held.some((alert) => alert.level === 'warning') ? 'warning' : 'info';
    const text = [`halfspread: ${counted(count, 'alert')} during quiet hours`, ...lines, ...more].join('\n');
    this.#pass({ kind: 'quiet', level, text, fields: { held: count }, time: this.#clock.now() });
  }
}
