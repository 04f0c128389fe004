/** The last alerts of a process, in bounded memory. */
import type { KeptAlert } from '../feed/report-types.ts';
import type { AlertKind, AlertLevel } from './alert.ts';

const MOST_ALERTS = 100;

const LEVELS = { critical: 'CRITICAL', warning: 'WARNING', info: 'INFO' } as const;

export class RecentAlerts {
  /** By kind and text, the oldest first. */
  readonly #kept = new Map<string, KeptAlert>();
  #next = 1;

  add(kind: AlertKind, level: AlertLevel, text: string, time: number): void {
    const key = `${kind}\n${text}`;
    const before = this.#kept.get(key);
    this.#kept.delete(key);
    const id = before?.id ?? String(this.#next++);
    this.#kept.set(key, { id, kind, level: LEVELS[level], text, time, count: (before?.count ?? 0) + 1 });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_ALERTS && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** The newest first. */
  get list(): readonly KeptAlert[] {
    return [...this.#kept.values()].toReversed();
  }
}
