/** Passes an alert once within a window. Counts its repeats, and sends the count at the end of the window. */
import type { Clock } from '../../clock/index.ts';
import { timeAfter } from '../../domain/index.ts';
import type { Alert, AlertKind } from './alert.ts';

interface Repeated {
  count: number;
  last: Alert;
  cancel: () => void;
}

/** Most open windows. Beyond it, the oldest one ends early. */
const MAX_KEYS = 200;
const MINUTE_MS = 60_000;
/** Kinds whose alerts are always sent. */
const NEVER_COUNTED: ReadonlySet<AlertKind> = new Set(['kill', 'watchdog', 'fault', 'end', 'summary', 'test']);

export class RepeatFilter {
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #pass: (alert: Alert) => void;
  readonly #known = new Map<string, Repeated>();

  /** @param windowMs ms; 0 passes every alert */
  constructor(clock: Clock, windowMs: number, pass: (alert: Alert) => void) {
    this.#clock = clock;
    this.#windowMs = windowMs;
    this.#pass = pass;
  }

  accept(alert: Alert): void {
    if (this.#windowMs === 0 || NEVER_COUNTED.has(alert.kind)) {
      this.#pass(alert);
      return;
    }
    const key = `${alert.kind}\n${alert.text}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      known.count += 1;
      known.last = alert;
      return;
    }
    this.#pass(alert);
    this.#open(key, alert);
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > MAX_KEYS && oldest !== undefined) this.#end(oldest);
  }

  /** Ends all windows and sends their counts. */
  close(): void {
    for (const key of [...this.#known.keys()]) this.#end(key);
  }

  #open(key: string, last: Alert): void {
    const cancel = this.#clock.schedule(timeAfter(this.#clock.now(), this.#windowMs), () => {
      const isRepeated = this.#end(key);
      if (isRepeated) this.#open(key, last);
    });
    this.#known.set(key, { count: 0, last, cancel });
  }

  /** @returns whether the alert was repeated in the window */
  #end(key: string): boolean {
    const known = this.#known.get(key);
    if (known === undefined) return false;
    const { count, last, cancel } = known;
    this.#known.delete(key);
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
