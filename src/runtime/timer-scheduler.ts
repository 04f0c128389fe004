import type { Clock } from '../clock/index.ts';
import { type BotNo, type EpochMs, timeAfter } from '../domain/index.ts';
import type { TimerChange } from './effects.ts';

/**
 * Schedules the timers of all strategy instances. A repeating timer fires at multiples of its interval after it was
 * set. A late firing does not delay the next one, and missed firings are skipped.
 */
export class TimerScheduler {
  readonly #clock: Clock;
  readonly #fire: (bot: BotNo, timer: string) => void;
  /** Cancel functions by bot and timer name. */
  readonly #armed = new Map<BotNo, Map<string, () => void>>();

  constructor(clock: Clock, fire: (bot: BotNo, timer: string) => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  apply(changes: readonly TimerChange[]): void {
    for (const change of changes) {
      switch (change.type) {
        case 'begin':
          this.stopBot(change.bot);
          for (const { name, everyMs } of change.timers) this.#set(change.bot, { name, ms: everyMs, repeats: true });
          break;
        case 'set':
          this.#set(change.bot, change);
          break;
        case 'clear':
          this.#clear(change.bot, change.name);
          break;
      }
    }
  }

  stopBot(bot: BotNo): void {
    for (const cancel of this.#armed.get(bot)?.values() ?? []) cancel();
    this.#armed.delete(bot);
  }

  stopAll(): void {
    for (const bot of [...this.#armed.keys()]) this.stopBot(bot);
  }

  #set(bot: BotNo, { name, ms, repeats }: { name: string; ms: number; repeats: boolean }): void {
    this.#clear(bot, name);
    this.#arm(bot, name, timeAfter(this.#clock.now(), ms), repeats ? ms : undefined);
  }

  #clear(bot: BotNo, name: string): void {
    const armed = this.#armed.get(bot);
    armed?.get(name)?.();
    armed?.delete(name);
  }

  #arm(bot: BotNo, name: string, fireAt: EpochMs, everyMs: number | undefined): void {
    const armed = this.#armed.get(bot) ?? new Map<string, () => void>();
    this.#armed.set(bot, armed);
    const cancel = this.#clock.schedule(fireAt, () => {
      armed.delete(name);
      if (everyMs !== undefined) {
        const passedIntervals = Math.floor((this.#clock.now() - fireAt) / everyMs);
        this.#arm(bot, name, timeAfter(fireAt, (passedIntervals + 1) * everyMs), everyMs);
      }
      this.#fire(bot, name);
    });
    armed.set(name, cancel);
  }
}
