/**
 * Follows withdrawals on the chain until each is final, across restarts.
 *
 * Status changes of one withdrawal are written in order, and clients see only durable changes. FAILED refunds the
 * amount. The row and the refund are one transaction. If a crash prevents both, the chain reports the failure again.
 */
import { unchecked } from '../../domain/index.ts';
import type { Transfer } from '../../exchange/index.ts';
import { readCents } from '../../protocol/index.ts';
import { assertAccepted } from '../command-queue-types.ts';
import { syncRegistry } from '../registry-rows.ts';
import type { AccessDeps, PayoutStatusChange } from './ports.ts';
import { isFinal, type Withdrawal, type Withdrawals } from './withdrawals.ts';

export interface PayoutsDeps extends AccessDeps {
  readonly withdrawals: Withdrawals;
}

export class Payouts {
  readonly #deps: PayoutsDeps;
  /** The newest pending write of each withdrawal. */
  readonly #writing = new Map<string, Promise<void>>();

  constructor(deps: PayoutsDeps) {
    this.#deps = deps;
  }

  /** Continues every unfinished withdrawal. Call this once, after the start. */
  resume(): void {
    for (const withdrawal of this.#deps.withdrawals.listUnfinished()) this.start(withdrawal);
  }

  start({ id, chainId, toAddress, amountCents }: Withdrawal): void {
    this.#deps.chain.pay({ id, chainId, toAddress, amountCents }, (change) => this.#onStatusChange(id, change));
  }

  /** Resolves when all received changes are written. */
  async waitForWrites(): Promise<void> {
    while (this.#writing.size > 0) await Promise.all(this.#writing.values());
  }

  #onStatusChange(id: string, change: PayoutStatusChange): void {
    const earlierWrites = this.#writing.get(id) ?? Promise.resolve();
    const writing = earlierWrites
      .then(() => this.#write(id, change))
      .catch((err: unknown) => {
        const message = 'the status of a withdrawal could not be stored: the next start requests it again';
        this.#deps.log.error({ err, withdrawal: id, status: change.status }, message);
      })
      .finally(() => {
        if (this.#writing.get(id) === writing) this.#writing.delete(id);
      });
    this.#writing.set(id, writing);
  }

  async #write(id: string, change: PayoutStatusChange): Promise<void> {
    const { withdrawals, registry, clock } = this.#deps;
    const withdrawal = withdrawals.get(id);
    if (withdrawal === undefined || isFinal(withdrawal.status) || withdrawal.status === change.status) return;
    const updatedAt = clock.now();
    if (change.status === 'FAILED') {
      this.#deps.log.warn({ withdrawal: id, reason: change.reason }, 'a withdrawal failed: its amount is refunded');
      await this.#refund({ ...withdrawal, status: 'FAILED', updatedAt });
      return;
    }
    const { status, transactionHash } = change;
    withdrawals.replace({ ...withdrawal, status, transactionHash, updatedAt });
    await syncRegistry(registry);
  }

  async #refund(failed: Withdrawal): Promise<void> {
    const { withdrawals, queue, clock, transferKinds } = this.#deps;
    const amount = readCents('amountCents', failed.amountCents);
    await queue.run({
      command: () => {
        const account = unchecked.account(queue.view.accountOf(failed.account));
        const transfer: Transfer = { type: 'transfer', time: clock.now(), account, amount };
        transferKinds.set(transfer, 'REFUND');
        return transfer;
      },
      onApplied: () => withdrawals.replace(failed),
      answer: (events) => assertAccepted(events, 'REFUND_REFUSED', `withdrawal ${failed.id} cannot be refunded now`),
    });
  }
}
