import { type EpochMs, type OrderNo, type PlaceOrder, unchecked, withAdded } from '../../domain/index.ts';
import type { OrderTerms, Place, Replace } from '../../exchange/index.ts';

/**
 * A bot's order as a command of the exchange. HOT: reused for each placed order, because the exchange keeps no
 * reference (bench/replay.ts).
 */
export class PlaceCommand implements OrderTerms, Place {
  readonly type = 'place';
  time: EpochMs = unchecked.time(0);
  readonly account: Place['account'];
  readonly credential = unchecked.credential(0);
  market = unchecked.market(0);
  outcome: PlaceOrder['outcome'] = 'YES';
  side: PlaceOrder['side'] = 'BUY';
  price = unchecked.price(0);
  shares = unchecked.shares(0);
  timeInForce: PlaceOrder['timeInForce'] = 'GTC';
  postOnly = false;
  expiration: PlaceOrder['expiration'] = 0;
  timestampMs: EpochMs = unchecked.time(0);
  /** Order epoch of the account, which each `cancelAllOrders` raises (docs/spec/venue.md#cancel-all). */
  epoch = 0;
  readonly maxFeeBps = 10_000;
  /** -1 if the bot used the order's number before. The exchange then refuses the order with CONFLICT. */
  replaces: 0 | -1 = 0;
  readonly selfTrade = 'CANCEL_TAKER';
  readonly group = unchecked.group(0);
  readonly restriction = undefined;
  readonly hash = undefined;
  readonly clientOrderId = undefined;

  constructor(account: Place['account']) {
    this.account = account;
  }

  /** @param epoch the account's order epoch @param isNumberUsed whether the bot used the order's number before */
  set(place: PlaceOrder, now: EpochMs, epoch: number, isNumberUsed: boolean): this {
    this.time = now;
    this.timestampMs = now;
    this.epoch = epoch;
    this.replaces = isNumberUsed ? -1 : 0;
    this.market = place.market;
    this.outcome = place.outcome;
    this.side = place.side;
    this.price = place.price;
    this.shares = place.shares;
    this.timeInForce = place.timeInForce;
    this.postOnly = place.postOnly;
    this.expiration = place.expiration;
    return this;
  }
}

/** A bot's replace as a command of the exchange. Reused like `PlaceCommand`. */
export class ReplaceCommand implements Replace {
  readonly type = 'replace';
  time: EpochMs = unchecked.time(0);
  readonly account: Place['account'];
  readonly credential = unchecked.credential(0);
  market = unchecked.market(0);
  readonly cancel: OrderNo[] = [];
  readonly place: PlaceCommand[] = [];
  /** Objects that `place` reuses. */
  readonly placePool: PlaceCommand[] = [];
  /** -1 makes the exchange refuse the replace, because the bot has a wrong size for an order. */
  ifNoFillSince: number | undefined;
  readonly mustReplace = false;

  constructor(account: Place['account']) {
    this.account = account;
  }
}

const CHUNK_BITS = 16;
const CHUNK_LENGTH = 1 << CHUNK_BITS;

/**
 * The exchange's number of each accepted order, by the bot's number, an integer from 0. Arrays for 64k orders each
 * avoid a copy on growth. HOT: written once per accepted order, read once per cancel (bench/replay.ts).
 */
export class OrderNumbers {
  readonly #chunks: Int32Array[] = [];

  /** Returns 0 for an order that was never accepted. */
  get(order: number): number {
    const chunk = this.#chunks[order >>> CHUNK_BITS];
    return chunk === undefined ? 0 : chunk[order & (CHUNK_LENGTH - 1)]!;
  }

  set(order: number, number: number): void {
    while (this.#chunks.length <= order >>> CHUNK_BITS) this.#chunks.push(new Int32Array(CHUNK_LENGTH));
    this.#chunks[order >>> CHUNK_BITS]![order & (CHUNK_LENGTH - 1)] = number;
  }
}

/** Returns the order numbers. An optimized `map` changes the elements kind, which makes V8 recompile readers. */
export function toOrderNumbers(orders: readonly { readonly order: OrderNo }[]): readonly OrderNo[] {
  let numbers: OrderNo[] | undefined;
  for (const { order } of orders) numbers = withAdded(numbers, order);
  return numbers ?? [];
}
