import type { Clock } from '../../clock/index.ts';
import { formatTime, timeAfter } from '../../domain/index.ts';
import type { Log } from '../log/log.ts';
import type { LiveBotParts } from './live-bot-parts.ts';

/** Interval of log lines that test whether the log can be written again. */
const TRY_MS = 10_000;

export interface LogWatchDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly alert: LiveBotParts['alert'];
  /** Why the log cannot be written; else undefined. */
  readonly problem: () => string | undefined;
}

/** Reports once when the log is lost, and when it is written again. */
export class LogWatch {
  readonly #deps: LogWatchDeps;
  #lost: { readonly since: string; next: number } | undefined;

  constructor(deps: LogWatchDeps) {
    this.#deps = deps;
  }

  check(): void {
    const { clock, log, alert, problem: problemOf } = this.#deps;
    const problem = problemOf();
    const now = clock.now();
    if (this.#lost === undefined) {
      if (problem === undefined) return;
      this.#lost = { since: formatTime(now), next: timeAfter(now, TRY_MS) };
      alert('log', `halfspread: ${problem}. Trading continues. The log resumes when it can be written`, { problem });
      return;
    }
    if (now < this.#lost.next) return;
    const { since } = this.#lost;
    this.#lost = problem === undefined ? undefined : { since, next: timeAfter(now, TRY_MS) };
    if (problem === undefined) log.warn({ since }, 'the log is written again: lines since `since` may be missing');
    else log.warn({ since, problem }, 'the log is not written');
  }
}
