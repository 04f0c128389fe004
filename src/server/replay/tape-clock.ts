/** The time of a tape that is played: it goes on with the clock, so many times faster, and stands while nobody plays. */
import { column, type EpochMs } from '../../domain/index.ts';

export class TapeClock {
  readonly #speed: number;
  /** At this moment of the clock the tape stood at that one of its own. */
  #now: EpochMs;
  #tape: number;

  /** @param speed milliseconds of the tape in one of the clock, above 0 */
  constructor(speed: number, now: EpochMs, tape: number) {
    this.#speed = speed;
    this.#now = now;
    this.#tape = tape;
  }

  /** When something on the tape is due, in whole milliseconds, **up**; perhaps in the past. */
  dueAt(tape: number): EpochMs {
    return column.time(this.#now + Math.ceil((tape - this.#tape) / this.#speed));
  }

  /** The tape stood still: it is at that moment only now. */
  set(now: EpochMs, tape: number): void {
    this.#now = now;
    this.#tape = tape;
  }
}
