/** Cancels everything: what was sent here, or all that the account has. */
import { OPERATIONS } from '../../../protocol/index.ts';
import { keepEpoch } from '../account/keep-epoch.ts';
import type { Cancels } from './cancels.ts';
import type { ExecutionDeps } from './execution-deps.ts';
import { type Outcome, takeOutcome } from './requests.ts';
import { Backoff, MOST_TRIES } from './timers.ts';

export class MassCancel {
  readonly #deps: ExecutionDeps;
  readonly #cancels: Cancels;
  readonly #backoff = new Backoff();
  #isWanted = false;

  constructor(deps: ExecutionDeps, cancels: Cancels) {
    this.#deps = deps;
    this.#cancels = cancels;
  }

  /** Whether a cancel of the whole account waits for its answer. */
  get isWaiting(): boolean {
    return this.#isWanted;
  }

  /**
   * Cancels, and repeats it until it is answered.
   * @param everyone also what others of the account placed; the epoch goes up, so that signed orders on their way are refused
   */
  cancelAll(everyone: boolean): void {
    const orders = this.#deps.orders.open();
    for (const order of orders) order.cancelIfSeen();
    if (!everyone) {
      // Orders without an event too: requests keep their order.
      this.#cancels.want(orders, false);
      return;
    }
    for (const order of orders) this.#deps.orders.cancelling(order);
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#backoff.reset();
    this.#ask();
  }

  #ask(): void {
    const take = (outcome: Outcome<{ readonly newEpoch: string }>): void => {
      if (outcome.type === 'done') {
        this.#isWanted = false;
        // Everything may have been cancelled once more meanwhile.
        keepEpoch(this.#deps.records, outcome.payload.newEpoch, this.#deps.log);
        return;
      }
      const { problem } = outcome;
      const command = 'cancelAllOrders';
      this.#deps.log.warn({ problem }, 'cancelling all orders of the account is tried again');
      const wait = this.#backoff.next(outcome.type === 'refused' ? outcome.retryAfterMs : 0);
      this.#deps.trouble({ type: 'repeated', command, problem });
      if (this.#backoff.tries === MOST_TRIES) this.#deps.trouble({ type: 'stuck', command, problem, markets: [] });
      this.#deps.timers.after(wait, () => this.#ask());
    };
    this.#deps.transport.send(
      OPERATIONS.cancelAllOrders,
      '{}',
      takeOutcome(this.#deps, OPERATIONS.cancelAllOrders, take),
    );
  }
}
