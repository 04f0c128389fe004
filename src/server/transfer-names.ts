import type { NameTransfer, Transfer, TransferKind } from '../exchange/index.ts';

/** Names of transfers that are neither ordinary deposits and withdrawals nor named by access control. */
export class TransferNames {
  readonly #names = new WeakMap<Transfer, TransferKind>();

  /** @returns the same command */
  call(transfer: Transfer, kind: TransferKind): Transfer {
    this.#names.set(transfer, kind);
    return transfer;
  }

  /** Falls back to `others` for unknown transfers. */
  over(others: NameTransfer): NameTransfer {
    return (transfer) => this.#names.get(transfer) ?? others(transfer);
  }
}
