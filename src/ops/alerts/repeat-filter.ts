/** Passes an alert on once: the same one within a stated time is counted, and the count is sent at its end. */
import type { Clock } from '../../clock/index.ts';
import { timeAfter } from '../../domain/index.ts';
import type { Alert, AlertKind } from './alert.ts';

interface Repeated {
  count: number;
  last: Alert;
  cancel: () => void;
}

/** Most texts that are remembered. Beyond it, the oldest one ends early. */
const MOST_KEYS = 200;
const MINUTE_MS = 60_000;
/** Kinds of which each one is a fact of its own, whatever its text. */
const NEVER_COUNTED: ReadonlySet<AlertKind> = new Set(['kill', 'watchdog', 'fault', 'end', 'summary', 'test']);

export class RepeatFilter {
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #pass: (alert: Alert) => void;
  readonly #known = new Map<string, Repeated>();

  /** @param windowMs ms; 0 passes everything on */
  constructor(clock: Clock, windowMs: number, pass: (alert: Alert) => void) {
    this.#clock = clock;
    this.#windowMs = windowMs;
    this.#pass = pass;
  }

  take(alert: Alert): void {
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
    if (this.#known.size > MOST_KEYS && oldest !== undefined) this.#end(oldest);
  }

  /** Sends the counts of all that was repeated. */
  close(): void {
    for (const key of [...this.#known.keys()]) this.#end(key);
  }

  #open(key: string, last: Alert): void {
    const cancel = this.#clock.schedule(timeAfter(this.#clock.now(), this.#windowMs), () => {
      const hadMore = this.#end(key);
      // One that goes on has one message in each window.
      if (hadMore) this.#open(key, last);
    });
    this.#known.set(key, { count: 0, last, cancel });
  }

  /** @returns whether it was repeated */
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
