/** The last lines of a process's log, in bounded memory. */
import { tryParseJson } from '../../network/index.ts';
import type { LogReport } from '../control/bot-port.ts';

const MAX_LINES = 2_000;
/** Maximum length of a line's message, and of its other fields, characters. */
const MAX_TEXT = 2_000;
const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;

export class RecentLog {
  #lines: { readonly seq: number; readonly line: string }[] = [];
  #seq = 0;

  /** @param line JSON text without secrets */
  add(line: string): void {
    this.#seq += 1;
    this.#lines.push({ seq: this.#seq, line });
    if (this.#lines.length > 2 * MAX_LINES) this.#lines = this.#lines.slice(-MAX_LINES);
  }

  /** Returns lines, the newest first. @param level minimum level @param after only lines with a higher `seq` */
  read(level: LogReport['level'], limit: number, after = 0): readonly LogReport[] {
    const found: LogReport[] = [];
    for (let at = this.#lines.length - 1; at >= 0 && found.length < limit; at -= 1) {
      const { seq, line } = this.#lines[at] ?? { seq: 0, line: '' };
      if (seq <= after) break;
      const report = lineReport(seq, line);
      if (LEVELS.indexOf(report.level) >= LEVELS.indexOf(level)) found.push(report);
    }
    return found;
  }
}

function lineReport(seq: number, line: string): LogReport {
  const parsed = tryParseJson(line);
  const shown = typeof parsed === 'object' && parsed !== null ? parsed : { msg: line };
  const { time, level, msg, ...fields }: Readonly<Record<string, unknown>> = { ...shown };
  const number = typeof level === 'number' ? level : 30;
  return {
    seq,
    time: typeof time === 'number' ? time : 0,
    level: number < 30 ? 'DEBUG' : number < 40 ? 'INFO' : number < 50 ? 'WARN' : 'ERROR',
    message: String(msg ?? '').slice(0, MAX_TEXT),
    fields: JSON.stringify(fields).slice(0, MAX_TEXT),
  };
}
