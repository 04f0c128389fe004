import type { Clock } from '../clock/index.ts';
import { type EpochMs, type InstanceNo, timeAfter } from '../domain/index.ts';
import type { TimerChange } from './effects.ts';

/**
 * Schedules the timers of all strategy instances. A repeating timer fires at multiples of its interval after it was
 * set. A late firing does not delay the next one, and missed firings are skipped.
 */
export class TimerScheduler {
  readonly #clock: Clock;
  readonly #fire: (instance: InstanceNo, timer: string) => void;
  /** Cancel functions by instance and timer name. */
  readonly #armed = new Map<InstanceNo, Map<string, () => void>>();

  constructor(clock: Clock, fire: (instance: InstanceNo, timer: string) => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  apply(changes: readonly TimerChange[]): void {
    for (const change of changes) {
      switch (change.type) {
        case 'restart':
          this.stopInstance(change.bot);
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

  stopInstance(instance: InstanceNo): void {
    for (const cancel of this.#armed.get(instance)?.values() ?? []) cancel();
    this.#armed.delete(instance);
  }

  stopAll(): void {
    for (const instance of [...this.#armed.keys()]) this.stopInstance(instance);
  }

  #set(instance: InstanceNo, { name, ms, repeats }: { name: string; ms: number; repeats: boolean }): void {
    this.#clear(instance, name);
    this.#arm(instance, name, timeAfter(this.#clock.now(), ms), repeats ? ms : undefined);
  }

  #clear(instance: InstanceNo, name: string): void {
    const armed = this.#armed.get(instance);
    armed?.get(name)?.();
    armed?.delete(name);
  }

  #arm(instance: InstanceNo, name: string, fireAt: EpochMs, everyMs: number | undefined): void {
    const armed = this.#armed.get(instance) ?? new Map<string, () => void>();
    this.#armed.set(instance, armed);
    const cancel = this.#clock.schedule(fireAt, () => {
      armed.delete(name);
      if (everyMs !== undefined) {
        const passedIntervals = Math.floor((this.#clock.now() - fireAt) / everyMs);
        this.#arm(instance, name, timeAfter(fireAt, (passedIntervals + 1) * everyMs), everyMs);
      }
      this.#fire(instance, name);
    });
    armed.set(name, cancel);
  }
}
