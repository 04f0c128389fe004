/** Everything is to be cancelled: what was sent here, or whatever the account has. */
import { OPERATIONS } from '../../../protocol/index.ts';
import { keepEpoch } from '../account/keep-epoch.ts';
import { Backoff, MOST_TRIES } from './backoff.ts';
import type { Cancels } from './cancels.ts';
import { change } from './change.ts';
import type { OrdersOf } from './orders-of.ts';
import type { SentOrders } from './sent-orders.ts';

export class Sweep {
  readonly #of: OrdersOf;
  readonly #sent: SentOrders;
  readonly #cancels: Cancels;
  readonly #backoff = new Backoff();
  #isWanted = false;

  constructor(of: OrdersOf, sent: SentOrders, cancels: Cancels) {
    this.#of = of;
    this.#sent = sent;
    this.#cancels = cancels;
  }

  /** Whether a cancel of the whole account waits for its answer. */
  get isWaiting(): boolean {
    return this.#isWanted;
  }

  /**
   * Cancels, and asks again until it is answered.
   * @param everyone also what others of the account placed; the epoch goes up, so that signed orders on their way are refused
   */
  cancelAll(everyone: boolean): void {
    const orders = this.#sent.list();
    for (const order of orders) order.unwanted = true;
    if (!everyone) {
      // Orders that nobody has heard of yet too: the way keeps its order.
      this.#cancels.want(orders, false);
      return;
    }
    for (const order of orders) this.#of.own.cancelling(order.hash);
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#backoff.reset();
    this.#ask();
  }

  #ask(): void {
    change(
      this.#of,
      OPERATIONS.cancelAllOrders,
      '{}',
      (data) => data.cancelAllOrders,
      (outcome) => {
        if (outcome.type === 'done') {
          this.#isWanted = false;
          const { records } = this.#of;
          // Somebody may have cancelled everything once more meanwhile.
          keepEpoch(records, outcome.payload.newEpoch, this.#of.log);
          return;
        }
        const { problem } = outcome;
        const command = 'cancelAllOrders';
        this.#of.log.warn({ problem }, 'cancelling all orders of the account is tried again');
        const wait = this.#backoff.next(outcome.type === 'refused' ? outcome.retryAfterMs : 0);
        this.#of.trouble({ type: 'repeated', command, problem });
        if (this.#backoff.tries === MOST_TRIES) this.#of.trouble({ type: 'stuck', command, problem, markets: [] });
        this.#of.timers.after(wait, () => this.#ask());
      },
    );
  }
}
