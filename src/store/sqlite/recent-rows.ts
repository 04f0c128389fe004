/**
 * HOT: the last commit's new orders and their fills, read from the written rows. Lookups of a new order then need no
 * database query (bench/server.ts).
 *
 * Invariant: a batch contains the complete final row of each new order, and all its fills.
 */
import { unchecked } from '../../domain/index.ts';
import {
  cancelReasonOfCode,
  type FillRow,
  fromCode,
  ORDER_KINDS,
  ORDER_STATUSES,
  type OrderRow,
  type RowBatch,
  RowCursor,
  timeInForceOfCode,
  toFillRow,
} from '../../exchange/index.ts';

/** Offsets of an order's numbers, texts and fills in the batch. */
interface OrderOffsets {
  readonly at: number;
  readonly textAt: number;
  fills: number[] | undefined;
}

interface Index {
  readonly offsetsByOrder: Map<number, OrderOffsets>;
  /** Number of the batch's first trade; infinity for a batch without trades. */
  readonly firstTrade: number;
  readonly hasReversals: boolean;
}

const NO_FILLS: readonly FillRow[] = [];

export class RecentRows {
  #batch: RowBatch | undefined;
  /** Built at the first lookup. */
  #index: Index | undefined;

  /** Replaces the rows with those of a newly durable batch. */
  replace(batch: RowBatch): void {
    this.#batch = batch;
    this.#index = undefined;
  }

  /** Returns an order; undefined if the order is not new in the batch. */
  order(order: number): OrderRow | undefined {
    const offsets = this.#offsets(order);
    return offsets === undefined || this.#batch === undefined ? undefined : orderAt(this.#batch, offsets);
  }

  /** Returns an order's fills, oldest first; undefined if the order is not new in the batch. */
  fillsOf(order: number): readonly FillRow[] | undefined {
    const offsets = this.#offsets(order);
    if (offsets === undefined || this.#batch === undefined) return undefined;
    const { numbers } = this.#batch;
    return offsets.fills?.map((at) => fillAt(numbers, at)) ?? NO_FILLS;
  }

  /** Returns whether the batch contains a trade and reverses no trades. */
  isUnreversed(trade: number): boolean {
    if (this.#batch === undefined) return false;
    this.#index ??= buildIndex(this.#batch);
    return trade >= this.#index.firstTrade && !this.#index.hasReversals;
  }

  #offsets(order: number): OrderOffsets | undefined {
    if (this.#batch === undefined) return undefined;
    this.#index ??= buildIndex(this.#batch);
    return this.#index.offsetsByOrder.get(order);
  }
}

function buildIndex(batch: RowBatch): Index {
  const { numbers } = batch;
  const offsetsByOrder = new Map<number, OrderOffsets>();
  const fills: number[] = [];
  let firstFill = Number.POSITIVE_INFINITY;
  let hasReversals = false;
  for (const row = new RowCursor(batch); row.next(); ) {
    const { kind, at, textAt } = row;
    if (kind === 'order') offsetsByOrder.set(numbers[at]!, { at, textAt, fills: undefined });
    else if (kind === 'fill') {
      fills.push(at);
      firstFill = Math.min(firstFill, numbers[at]!);
    } else if (kind === 'reversal') hasReversals = true;
  }
  // An order's row follows the rows of its fills, so assign fills after all rows are read.
  for (const at of fills) {
    const offsets = offsetsByOrder.get(numbers[at + 1]!);
    if (offsets !== undefined) {
      offsets.fills ??= [];
      offsets.fills.push(at);
    }
  }
  // The fills of a trade are numbered 2 * trade and 2 * trade + 1.
  return { offsetsByOrder, firstTrade: Math.floor(firstFill / 2), hasReversals };
}

/** Reads numbers in the order of `ROW.order`. */
function orderAt({ numbers, texts }: RowBatch, { at, textAt }: OrderOffsets): OrderRow {
  const expiration = numbers[at + 11]!;
  const { outcome, side } = fromCode(ORDER_KINDS, numbers[at + 3]!);
  return {
    shares: numbers[at + 5]!,
    filled: numbers[at + 6]!,
    amount: numbers[at + 7]!,
    fee: numbers[at + 8]!,
    status: fromCode(ORDER_STATUSES, numbers[at + 12]!),
    cancelReason: cancelReasonOfCode(numbers[at + 13]!),
    outcome,
    side,
    order: numbers[at]!,
    id: texts[textAt] ?? '',
    account: numbers[at + 1]!,
    market: numbers[at + 2]!,
    price: numbers[at + 4]!,
    timeInForce: timeInForceOfCode(numbers[at + 9]!),
    postOnly: numbers[at + 10] === 1,
    expiration: expiration === 0 ? 0 : unchecked.time(expiration),
    group: numbers[at + 14]!,
    clientOrderId: texts[textAt + 1] ?? undefined,
    seq: numbers[at + 15]!,
    createdAt: unchecked.time(numbers[at + 16]!),
    updatedAt: unchecked.time(numbers[at + 17]!),
  };
}

/** Reads numbers in the order of `ROW.fill`. */
function fillAt(numbers: Float64Array, at: number): FillRow {
  return toFillRow({
    id: numbers[at]!,
    order: numbers[at + 1]!,
    account: numbers[at + 2]!,
    market: numbers[at + 3]!,
    kind: numbers[at + 4]!,
    price: numbers[at + 5]!,
    shares: numbers[at + 6]!,
    fee: numbers[at + 7]!,
    match: numbers[at + 8]!,
    at: numbers[at + 9]!,
  });
}
