import type { NameTransfer, Transfer, TransferKind } from '../exchange/index.ts';

/** Kinds of transfers that neither their sign nor access control determines. */
export class TransferNames {
  readonly #names = new WeakMap<Transfer, TransferKind>();

  /** Sets the kind of a transfer. @returns the same transfer */
  name(transfer: Transfer, kind: TransferKind): Transfer {
    this.#names.set(transfer, kind);
    return transfer;
  }

  /** Looks up transfers here first, then in `fallback`. */
  withFallback(fallback: NameTransfer): NameTransfer {
    return (transfer) => this.#names.get(transfer) ?? fallback(transfer);
  }
}
