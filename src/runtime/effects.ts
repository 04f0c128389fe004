/**
 * What strategies change beside their intents, until the step ends: saved states, which the step stores, and timers,
 * which the run arms after it.
 *
 * HOT: the core reads both fields after every message; they are undefined while nothing changed.
 */
import type { BotNo } from '../domain/index.ts';
import type { TimerSpec } from '../strategy/index.ts';
import type { StateChange } from './strategy-states.ts';

/** `begin` stops all timers of the bot and arms those of its strategy; `clear` does nothing for an unknown timer. */
export type TimerChange =
  | { readonly type: 'begin'; readonly bot: BotNo; readonly timers: readonly TimerSpec[] }
  | { readonly type: 'set'; readonly bot: BotNo; readonly name: string; readonly ms: number; readonly repeats: boolean }
  | { readonly type: 'clear'; readonly bot: BotNo; readonly name: string };

export class Effects {
  states: ReadonlyMap<BotNo, StateChange> | undefined;
  timers: TimerChange[] | undefined;

  /** The last state that a bot saves in a step counts. */
  saveState(bot: BotNo, change: StateChange): void {
    const others = [...(this.states ?? [])].filter(([each]) => each !== bot);
    this.states = new Map([...others, [bot, change]]);
  }

  changeTimer(change: TimerChange): void {
    this.timers ??= [];
    this.timers.push(change);
  }

  takeStates(): readonly StateChange[] | undefined {
    const { states } = this;
    this.states = undefined;
    return states === undefined ? undefined : [...states.values()];
  }

  /** Adds the changes of timers to an outbox, and keeps none. */
  publishTimers(out: { timers?: readonly TimerChange[] | undefined }): void {
    out.timers = [...(out.timers ?? []), ...(this.timers ?? [])];
    this.timers = undefined;
  }

  /** A handler of the bot failed: nothing that it changed counts. */
  drop(bot: BotNo): void {
    const states = [...(this.states ?? [])].filter(([each]) => each !== bot);
    const timers = this.timers?.filter((change) => change.bot !== bot) ?? [];
    this.states = states.length === 0 ? undefined : new Map(states);
    this.timers = timers.length === 0 ? undefined : timers;
  }
}
