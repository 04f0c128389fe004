import type { Clock } from '../clock/index.ts';
import { type BotNo, type EpochMs, timeAfter } from '../domain/index.ts';
import type { TimerSpec } from '../strategy/index.ts';
import type { Bot } from './bot.ts';

/**
 * Timers of all bots. Each fires at multiples of its interval after the bot's start: a late firing does not shift the next,
 * and missed firings are skipped.
 */
export class BotTimers {
  readonly #clock: Clock;
  readonly #fire: (bot: BotNo, timer: string) => void;
  /** Functions that cancel the timers of each bot. */
  readonly #armed = new Map<BotNo, Set<() => void>>();

  constructor(clock: Clock, fire: (bot: BotNo, timer: string) => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  /** Starts the timers of a bot and stops those it had. */
  begin({ bot, timers }: Bot, start: EpochMs): void {
    this.endOf(bot);
    const armed = new Set<() => void>();
    this.#armed.set(bot, armed);
    for (const timer of timers) this.#arm(bot, timer, timeAfter(start, timer.everyMs), armed);
  }

  /** Stops the timers of a bot. */
  endOf(bot: BotNo): void {
    for (const cancel of this.#armed.get(bot) ?? []) cancel();
    this.#armed.delete(bot);
  }

  end(): void {
    for (const bot of [...this.#armed.keys()]) this.endOf(bot);
  }

  #arm(bot: BotNo, timer: TimerSpec, due: EpochMs, armed: Set<() => void>): void {
    const cancel = this.#clock.schedule(due, () => {
      armed.delete(cancel);
      const passed = Math.floor((this.#clock.now() - due) / timer.everyMs);
      this.#arm(bot, timer, timeAfter(due, (passed + 1) * timer.everyMs), armed);
      this.#fire(bot, timer.name);
    });
    armed.add(cancel);
  }
}
