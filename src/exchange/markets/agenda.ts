import type { EpochMs } from '../../domain/index.ts';
import type { MarketCommand } from '../market-command.ts';

/** Future commands of chain and resolver, ordered by time, then by insertion. */
export class Agenda {
  readonly #waiting: MarketCommand[] = [];

  /** Number of waiting commands. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Time of the next command; undefined if there is none. */
  get next(): EpochMs | undefined {
    return this.#waiting[0]?.time;
  }

  /** Inserts commands by their `time`. */
  add(commands: readonly MarketCommand[]): void {
    for (const command of commands) this.#waiting.splice(this.#placeOf(command.time), 0, command);
  }

  /** Removes and returns the next due command, with its time set to `now`; undefined if none is due. */
  take(now: EpochMs): MarketCommand | undefined {
    const [command] = this.#waiting;
    if (command === undefined || command.time > now) return undefined;
    this.#waiting.shift();
    return { ...command, time: now };
  }

  /** Returns the index of the first command after `time`. */
  #placeOf(time: EpochMs): number {
    let [from, to] = [0, this.#waiting.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const at = this.#waiting[middle]?.time;
      if (at !== undefined && at <= time) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
