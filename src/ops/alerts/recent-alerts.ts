/** The last alerts of a process, in bounded memory. */
import type { KeptAlert } from '../feed/report-types.ts';

const MOST_ALERTS = 100;

/** Alerts that want an operator at once. */
const CRITICAL: ReadonlySet<string> = new Set(['kill', 'fault', 'stuck', 'watchdog', 'disagrees', 'trade_conflict']);
/** Alerts that only inform. */
const INFORMS: ReadonlySet<string> = new Set(['start', 'end', 'market', 'resumed', 'recovered']);

export class RecentAlerts {
  /** By kind and text, the oldest first. */
  readonly #kept = new Map<string, KeptAlert>();
  #next = 1;

  add(kind: string, text: string, time: number): void {
    const key = `${kind}\n${text}`;
    const before = this.#kept.get(key);
    this.#kept.delete(key);
    const level = CRITICAL.has(kind) ? 'CRITICAL' : INFORMS.has(kind) ? 'INFO' : 'WARNING';
    const id = before?.id ?? String(this.#next++);
    this.#kept.set(key, { id, kind, level, text, time, count: (before?.count ?? 0) + 1 });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_ALERTS && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** The newest first. */
  get list(): readonly KeptAlert[] {
    return [...this.#kept.values()].toReversed();
  }
}
