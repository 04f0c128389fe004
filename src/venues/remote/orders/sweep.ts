/** Everything is to be cancelled: what was sent here, or whatever the account has. */
import { OPERATIONS, parseSafeUint } from '../../../protocol/index.ts';
import { keepEpoch } from '../account/keep-epoch.ts';
import type { Cancels } from './cancels.ts';
import { change } from './change.ts';
import type { OrdersOf } from './orders-of.ts';
import type { SentOrders } from './sent-orders.ts';

const RETRY_MS = 200;
const MOST_RETRY_MS = 2_000;

export class Sweep {
  readonly #of: OrdersOf;
  readonly #sent: SentOrders;
  readonly #cancels: Cancels;
  #retryMs = RETRY_MS;
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
    this.#retryMs = RETRY_MS;
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
          const epoch = parseSafeUint('newEpoch', outcome.payload.newEpoch);
          // Somebody may have cancelled everything once more meanwhile.
          keepEpoch(records, epoch, this.#of.log);
          return;
        }
        this.#of.log.warn({ problem: outcome.problem }, 'cancelling all orders of the account is tried again');
        const wait = Math.max(this.#retryMs, outcome.type === 'refused' ? outcome.retryAfterMs : 0);
        this.#retryMs = Math.min(2 * this.#retryMs, MOST_RETRY_MS);
        this.#of.timers.after(wait, () => this.#ask());
      },
    );
  }
}
