/**
 * Fills, and reversals of fills, that arrived while no strategy ran: while the bot was down, and after `stopped`. The
 * account state contains these fills at once, but strategies receive them at the next `started`.
 *
 * Invariant: the step of `started` also contains the states that strategies save while they receive these fills. Thus
 * each fill is received once, even if the process is killed before or after that step is stored.
 */
import type { FillReversed, InputEvent, InstanceNo, OrderFilled } from '../domain/index.ts';
import type { AccountState } from '../state/index.ts';

export interface MissedFill {
  readonly event: OrderFilled | FillReversed;
  /** The instance that sent the order. */
  readonly bot: InstanceNo;
  /** Tag of the order's quote. The account state may delete the tag earlier. */
  readonly tag?: string;
}

export class MissedFills {
  #fills: readonly MissedFill[];
  #isRunning: boolean;

  /** @param snapshot result of `snapshot` in an earlier run */
  constructor(snapshot: readonly MissedFill[] | undefined) {
    this.#fills = snapshot ?? [];
    this.#isRunning = snapshot === undefined;
  }

  /** @param state account state after the event */
  apply(event: InputEvent, state: AccountState): void {
    if (event.type === 'started') this.#isRunning = true;
    else if (event.type === 'stopped') this.#isRunning = false;
    else if (!this.#isRunning && (event.type === 'orderFilled' || event.type === 'fillReversed')) {
      const [instance, tag] = [state.findInstance(event.order), state.findTag(event.order)];
      if (instance !== undefined)
        this.#fills = [...this.#fills, { event, bot: instance, ...(tag !== undefined && { tag }) }];
    }
  }

  /** Call this when the process that ran the strategies has ended. */
  onProcessEnded(): void {
    this.#isRunning = false;
  }

  /** Removes and returns the missed fills, oldest first. */
  take(): readonly MissedFill[] {
    const fills = this.#fills;
    this.#fills = [];
    return fills;
  }

  /** Returns plain data; undefined while strategies run. */
  snapshot(): readonly MissedFill[] | undefined {
    return this.#isRunning ? undefined : this.#fills;
  }
}
