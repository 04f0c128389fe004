import type { EpochMs } from '../../domain/index.ts';
import type { MarketCommand } from '../market-command.ts';

/** Commands that chain and resolver will send, in order of time; of one moment, in the order added. */
export class Agenda {
  readonly #waiting: MarketCommand[] = [];

  /** Number of waiting commands. */
  get size(): number {
    return this.#waiting.length;
  }

  /** When the next command is to be sent; undefined when none waits. */
  get next(): EpochMs | undefined {
    return this.#waiting[0]?.time;
  }

  /** Puts commands where their `time` wants them. */
  add(commands: readonly MarketCommand[]): void {
    for (const command of commands) this.#waiting.splice(this.#placeOf(command.time), 0, command);
  }

  /** Removes the next command that is due, with the present time if it is late; undefined if none is due. */
  take(now: EpochMs): MarketCommand | undefined {
    const [command] = this.#waiting;
    if (command === undefined || command.time > now) return undefined;
    this.#waiting.shift();
    return { ...command, time: now };
  }

  /** The first place whose command comes after `time`. */
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
