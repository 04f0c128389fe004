/** The running timers of a strategy, by name: the timers of `timers(params)`, and the timers that handlers set. */
import { InputFault } from '../domain/index.ts';
import type { StrategyTimers, TimerDelay, TimerSpec } from '../strategy/index.ts';
import type { TimerChange } from './effects.ts';

type WithoutInstance<Change> = Change extends unknown ? Omit<Change, 'bot'> : never;

/** Maximum number of running timers of a strategy. The limit turns an endless loop into an error. */
export const MAX_TIMERS = 100;
const MAX_NAME_LENGTH = 64;

export class RunningTimers implements StrategyTimers {
  readonly #strategy: string;
  readonly #repeatsByName = new Map<string, boolean>();
  #change: ((change: WithoutInstance<TimerChange>) => void) | undefined;

  constructor(strategy: string, timers: readonly TimerSpec[]) {
    this.#strategy = strategy;
    for (const { name } of timers) this.#repeatsByName.set(name, true);
  }

  /** Enables `set` and `clear`. @param change receives each change */
  onChange(change: (change: WithoutInstance<TimerChange>) => void): void {
    this.#change = change;
  }

  set(name: string, delay: TimerDelay): void {
    const change = this.#changeHandler('set');
    const where = `timer ${JSON.stringify(name)} of strategy "${this.#strategy}"`;
    if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_LENGTH) {
      throw new InputFault(
        `timer of strategy "${this.#strategy}"`,
        name,
        `a name of 1 to ${MAX_NAME_LENGTH} characters`,
      );
    }
    const { everyMs, afterMs }: { everyMs?: unknown; afterMs?: unknown } = delay ?? {};
    if (everyMs !== undefined && afterMs !== undefined) {
      throw new TypeError(`${where} has both afterMs and everyMs: give afterMs to fire once, everyMs to repeat`);
    }
    const ms = everyMs ?? afterMs;
    if (typeof ms !== 'number' || !Number.isSafeInteger(ms) || ms < 1) {
      throw new InputFault(where, ms ?? delay, '{ afterMs } or { everyMs }, in whole milliseconds, at least 1');
    }
    if (!this.#repeatsByName.has(name) && this.#repeatsByName.size >= MAX_TIMERS) {
      const expected = `at most ${MAX_TIMERS} timers at a time: reuse a name, or clear timers that you do not need`;
      throw new InputFault(where, MAX_TIMERS + 1, expected);
    }
    const repeats = everyMs !== undefined;
    this.#repeatsByName.set(name, repeats);
    change({ type: 'set', name, ms, repeats });
  }

  clear(name: string): void {
    const change = this.#changeHandler('clear');
    if (this.#repeatsByName.delete(name)) change({ type: 'clear', name });
  }

  /** Removes a timer that fires only once. Call this before the handler. */
  onFired(name: string): void {
    if (this.#repeatsByName.get(name) === false) this.#repeatsByName.delete(name);
  }

  #changeHandler(method: string): (change: WithoutInstance<TimerChange>) => void {
    if (this.#change !== undefined) return this.#change;
    throw new TypeError(`context.timers.${method} was called in \`create\`: call it in a handler, such as onStart`);
  }
}
