/** Own orders from the moment they are signed until the venue's own stream has told their end. */
import { type Kept, Numbered, type OrderNo } from '../../../domain/index.ts';
import type { SignedRecord } from '../../../runtime/index.ts';

/** A replace on its way: its cancels and places happen in one step, or nothing does. */
export interface SentReplace {
  readonly cancels: readonly SentOrder[];
  readonly places: readonly SentOrder[];
  /** The stream has told that it happened. */
  committed: boolean;
}

/** A cancel on its way. */
export interface WantedCancel {
  /** The core asked for it, and is to be told that it could not be done. */
  isAsked: boolean;
  inFlight: boolean;
  /** How often it was sent: of a second one, `ALREADY_FINAL` may be what the first one did. */
  sendings: number;
}

/** One own order, as far as has been told. */
export class SentOrder {
  readonly record: SignedRecord;
  /** The core knows that the venue has it. */
  accepted = false;
  /** Position in the own stream of the last that was told of it; 0 before. */
  seq = 0;
  /** Micro-shares left, as told. */
  remaining: number;
  /** Micro-shares filled, as told. */
  filled = 0;
  /** How many reduces have been told. */
  reduces = 0;
  /** Its end has been told. */
  gone = false;
  /** The core was told that nobody knows whether the venue has it. */
  uncertain = false;
  /** Nobody wants it to stand any more: it is not sent again, and cancelled when it turns up. */
  unwanted = false;
  /** The core holds it for gone: what turns up of it is cancelled at once. */
  revenant = false;
  /** The venue did not find it for a command, though it had accepted it: it is looked for, and no command names it. */
  isMissing = false;
  /** A cancel that is wanted until it is answered. */
  cancel: WantedCancel | undefined;
  cameBy: SentReplace | undefined;
  leavesBy: SentReplace | undefined;

  constructor(record: SignedRecord) {
    this.record = record;
    this.remaining = record.command.shares;
  }

  get hash(): string {
    return this.record.hash;
  }

  /** Whether it is one that stays until it is cancelled. */
  get rests(): boolean {
    const { timeInForce } = this.record.command;
    return timeInForce === 'GTC' || timeInForce === 'GTD';
  }
}

/** Those whose end is not told yet. */
export class SentOrders {
  readonly #byHash = new Map<string, SentOrder>();
  readonly #byNumber = new Numbered<SentOrder>();
  readonly #kept: Kept = { last: undefined };

  get size(): number {
    return this.#byHash.size;
  }

  add(record: SignedRecord): SentOrder {
    const order = new SentOrder(record);
    this.#kept.last = order;
    this.#byHash.set(record.hash, order);
    this.#byNumber.set(record.order, order);
    return order;
  }

  find(hash: string): SentOrder | undefined {
    return this.#byHash.get(hash);
  }

  numbered(order: OrderNo): SentOrder | undefined {
    return this.#byNumber.get(order);
  }

  /** Its end is told. */
  end(order: SentOrder): void {
    order.gone = true;
    this.#byHash.delete(order.hash);
    this.#byNumber.delete(order.record.order);
  }

  /** All of them, oldest first. */
  list(): readonly SentOrder[] {
    return [...this.#byHash.values()];
  }
}
