/** Quiet hours: only critical alerts pass. The others are held, and sent as one alert when the quiet hours end. */
import type { Clock } from '../../clock/index.ts';
import type { EpochMs } from '../../domain/index.ts';
import type { Alert } from './alert.ts';
import type { LocalTime } from './local-time.ts';

export interface QuietTimes {
  readonly local: LocalTime;
  /** Minutes since local midnight. If `from` is after `to`, the quiet hours last past midnight. */
  readonly from: number;
  readonly to: number;
}

/** Most alerts that are held. Further ones are only counted. */
const MAX_HELD = 30;
const LONGEST_TEXT = 300;

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
    const { local, to } = this.#times;
    if (this.#count === 0) this.#cancel = this.#clock.schedule(local.next(alert.time, to), () => this.#end());
    this.#count += 1;
    if (this.#held.length < MAX_HELD) this.#held.push(alert);
  }

  /** @returns number of held alerts, which are not sent */
  close(): number {
    this.#cancel();
    return this.#count;
  }

  #isQuiet(time: EpochMs): boolean {
    const { local, from, to } = this.#times;
    const minute = local.minuteOf(time);
    return from < to ? minute >= from && minute < to : minute >= from || minute < to;
  }

  #end(): void {
    const [held, count] = [this.#held, this.#count];
    this.#held = [];
    this.#count = 0;
    const lines = held.map(({ text }) => `- ${text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text}`);
    const more = count > held.length ? [`and ${count - held.length} more, which are in the log`] : [];
    const level = held.some((alert) => alert.level === 'warning') ? 'warning' : 'info';
    const text = [
      `halfspread: ${count} ${count === 1 ? 'alert' : 'alerts'} during quiet hours`,
      ...lines,
      ...more,
    ].join('\n');
    this.#pass({ kind: 'quiet', level, text, fields: { held: count }, time: this.#clock.now() });
  }
}
