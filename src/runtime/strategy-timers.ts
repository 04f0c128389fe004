/** The timers that a strategy sets and clears in its handlers, by name; those of `timers(params)` are among them. */
import { InputFault } from '../domain/index.ts';
import type { StrategyTimers, TimerDelay, TimerSpec } from '../strategy/index.ts';
import type { TimerChange } from './effects.ts';

type Change = TimerChange extends infer C ? (C extends { bot: unknown } ? Omit<C, 'bot'> : never) : never;

/** Most timers of one strategy at a time. A loop that sets them without end shows as an error. */
export const MOST_TIMERS = 100;
const MOST_NAME = 64;

export class TimerNames implements StrategyTimers {
  readonly #strategy: string;
  /** Whether each timer that is armed repeats. */
  readonly #armed = new Map<string, boolean>();
  #change: ((change: Change) => void) | undefined;

  constructor(strategy: string, timers: readonly TimerSpec[]) {
    this.#strategy = strategy;
    for (const { name } of timers) this.#armed.set(name, true);
  }

  /** @param change takes each change; before that, `set` and `clear` are errors */
  follow(change: (change: Change) => void): void {
    this.#change = change;
  }

  set(name: string, delay: TimerDelay): void {
    const change = this.#changing('set');
    const where = `timer ${JSON.stringify(name)} of strategy "${this.#strategy}"`;
    if (typeof name !== 'string' || name === '' || name.length > MOST_NAME) {
      throw new InputFault(`timer of strategy "${this.#strategy}"`, name, `a name of 1 to ${MOST_NAME} characters`);
    }
    const { everyMs, afterMs }: { everyMs?: unknown; afterMs?: unknown } = delay ?? {};
    if (everyMs !== undefined && afterMs !== undefined) {
      throw new TypeError(`${where} has both afterMs and everyMs: give afterMs to fire once, everyMs to repeat`);
    }
    const ms = everyMs ?? afterMs;
    if (typeof ms !== 'number' || !Number.isSafeInteger(ms) || ms < 1) {
      throw new InputFault(where, ms ?? delay, '{ afterMs } or { everyMs }, in whole milliseconds, at least 1');
    }
    if (!this.#armed.has(name) && this.#armed.size >= MOST_TIMERS) {
      const expected = `at most ${MOST_TIMERS} timers at a time: use one name again, or clear those that you no longer need`;
      throw new InputFault(where, MOST_TIMERS + 1, expected);
    }
    const repeats = everyMs !== undefined;
    this.#armed.set(name, repeats);
    change({ type: 'set', name, ms, repeats });
  }

  clear(name: string): void {
    const change = this.#changing('clear');
    if (this.#armed.delete(name)) change({ type: 'clear', name });
  }

  /** A timer that fires once is free again when its handler is called. */
  fired(name: string): void {
    if (this.#armed.get(name) === false) this.#armed.delete(name);
  }

  #changing(method: string): (change: Change) => void {
    if (this.#change !== undefined) return this.#change;
    throw new TypeError(`context.timers.${method} was called in \`create\`: call it in a handler, such as onStart`);
  }
}
