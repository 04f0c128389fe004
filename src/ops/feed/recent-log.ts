/** The last lines of a process's log, in bounded memory. */
import { tryParseJson } from '../../network/index.ts';
import type { LogReport } from '../control/bot-port.ts';

const MAX_LINES = 2_000;
/** Maximum length of a line's message, and of its other fields, characters. */
const MAX_TEXT = 2_000;
const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
/** Lowest number of each level in pino's log lines. */
const PINO_LEVELS = { DEBUG: 20, INFO: 30, WARN: 40, ERROR: 50 } as const;

export class RecentLog {
  #lines: { readonly seq: number; readonly line: string }[] = [];
  #seq = 0;

  /** @param line JSON text without secrets */
  add(line: string): void {
    this.#seq += 1;
    this.#lines.push({ seq: this.#seq, line });
    if (this.#lines.length > 2 * MAX_LINES) this.#lines = this.#lines.slice(-MAX_LINES);
  }

  /**
   * Returns lines, the newest first.
   * @param level minimum level
   * @param after only lines with a higher `seq`. A number above the last line's is of an earlier process: all lines
   */
  read(level: LogReport['level'], limit: number, after = 0): readonly LogReport[] {
    const reports: LogReport[] = [];
    const first = after > this.#seq ? 0 : after;
    for (let index = this.#lines.length - 1; index >= 0 && reports.length < limit; index -= 1) {
      const { seq, line } = this.#lines[index] ?? { seq: 0, line: '' };
      if (seq <= first) break;
      const report = lineReport(seq, line);
      if (LEVELS.indexOf(report.level) >= LEVELS.indexOf(level)) reports.push(report);
    }
    return reports;
  }
}

function lineReport(seq: number, line: string): LogReport {
  const parsed = tryParseJson(line);
  const entry = typeof parsed === 'object' && parsed !== null ? parsed : { msg: line };
  const { time, level, msg, ...fields }: Readonly<Record<string, unknown>> = { ...entry };
  const number = typeof level === 'number' ? level : 30;
  return {
    seq,
    time: typeof time === 'number' ? time : 0,
    level: LEVELS.findLast((name) => number >= PINO_LEVELS[name]) ?? 'DEBUG',
    message: String(msg ?? '').slice(0, MAX_TEXT),
    fields: JSON.stringify(fields).slice(0, MAX_TEXT),
  };
}
