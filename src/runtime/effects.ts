/**
 * Side effects of strategies during a step: saved states and timer changes. The step stores the states. The run applies
 * the timer changes after the step.
 *
 * HOT: the core reads both fields after every message (bench/core.ts). Both are undefined without changes.
 */
import type { InstanceNo } from '../domain/index.ts';
import type { TimerSpec } from '../strategy/index.ts';
import type { StateChange } from './strategy-states.ts';

/** `restart` stops all timers of the instance and starts the strategy's `timers`. `clear` ignores an unknown timer. */
export type TimerChange =
  | { readonly type: 'restart'; readonly bot: InstanceNo; readonly timers: readonly TimerSpec[] }
  | {
      readonly type: 'set';
      readonly bot: InstanceNo;
      readonly name: string;
      readonly ms: number;
      readonly repeats: boolean;
    }
  | { readonly type: 'clear'; readonly bot: InstanceNo; readonly name: string };

export class Effects {
  states: Map<InstanceNo, StateChange> | undefined;
  timers: TimerChange[] | undefined;

  /** Saves a state, which replaces an earlier state of the instance in this step. */
  saveState(instance: InstanceNo, change: StateChange): void {
    this.states ??= new Map();
    this.states.delete(instance);
    this.states.set(instance, change);
  }

  changeTimer(change: TimerChange): void {
    this.timers ??= [];
    this.timers.push(change);
  }

  takeStates(): readonly StateChange[] | undefined {
    const { states } = this;
    this.states = undefined;
    return states && [...states.values()];
  }

  publishTimers(out: { timers?: readonly TimerChange[] | undefined }): void {
    out.timers = [...(out.timers ?? []), ...(this.timers ?? [])];
    this.timers = undefined;
  }

  /** Drops all changes of an instance whose handler failed. */
  drop(instance: InstanceNo): void {
    this.states?.delete(instance);
    if (this.states?.size === 0) this.states = undefined;
    const timers = this.timers?.filter((change) => change.bot !== instance) ?? [];
    this.timers = timers.length === 0 ? undefined : timers;
  }
}
