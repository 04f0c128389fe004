import type { NameTransfer, Transfer, TransferKind } from '../exchange/index.ts';

/** What transfers are called that are neither what they look like by their sign nor of access. */
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
