/**
 * Open orders in the state: by market, price and position in the queue.
 *
 * HOT: a snapshot writes a million of them.
 *
 * Queues and the order lists of holdings are sorted by order number, so restoring orders by number restores both.
 */
import { Fault } from '../../domain/index.ts';
import type { Clearing } from '../accounts/clearing.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { FORCE, inYesTerms, SELF_TRADE } from '../matching/codes.ts';
import type { OrderSlots } from '../matching/order-slots.ts';
import type { StateReader, StateWriter } from '../state-writer.ts';
import type { BookKeeper } from './book-keeper.ts';
import { isOnTick, isWholeLots } from './order-form.ts';
import type { OrderOwners } from './order-owners.ts';

export interface OpenOrdersDeps {
  readonly slots: OrderSlots;
  readonly clearing: Clearing;
  readonly keeper: BookKeeper;
  readonly owners: OrderOwners;
  /** All markets, by number. */
  readonly records: readonly MarketRecord[];
}

/** See state.ts, 8. */
export function writeOpenOrders({ slots, clearing, records }: OpenOrdersDeps, writer: StateWriter): void {
  writer.number(slots.size);
  for (const { no, book } of records) {
    for (let price = book.priceAbove(0); price < 10_000; price = book.priceAbove(price)) {
      for (let slot = book.firstAt(price); slot !== 0; slot = slots.behind(slot)) {
        writer.number(no);
        writer.number(price);
        writer.number(slots.order(slot));
        writer.number(clearing.holdings.accountOf(slots.holding(slot)));
        writer.number(slots.kind(slot));
        writer.number(slots.remaining(slot));
        writer.number(slots.expiration(slot));
        writer.number(slots.credential(slot));
        writer.number(slots.group(slot));
        writer.number(slots.lastFill(slot));
      }
    }
  }
}

/** Numbers of a written row. */
const WIDTH = 10;
const [MARKET, PRICE, ORDER, ACCOUNT, KIND, REMAINING, EXPIRATION, CREDENTIAL, GROUP, LAST_FILL] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
] as const;

/** Restores the output of `writeOpenOrders`; the accounts already have the reserves. @throws Fault if it is damaged */
export function readOpenOrders(context: OpenOrdersDeps, reader: StateReader): void {
  const { owners } = context;
  const count = reader.number();
  if (!(count >= 0 && count <= owners.count)) throw damaged(`${count} open orders`);
  const rows = new Float64Array(WIDTH * count);
  for (let at = 0; at < rows.length; at++) rows[at] = reader.number();
  // Start of each order's row + 1, by order number: avoids a sort.
  const startOf = new Int32Array(owners.count + 1);
  for (let row = 0; row < count; row++) {
    const order = rows[WIDTH * row + ORDER]!;
    if (owners.of(order) !== rows[WIDTH * row + ACCOUNT] || startOf[order] !== 0) throw damaged(`order ${order}`);
    startOf[order] = WIDTH * row + 1;
  }
  for (let order = 1; order <= owners.count; order++) {
    const begin = startOf[order]!;
    if (begin !== 0) restoreOrder(context, rows, begin - 1);
  }
}

function restoreOrder({ clearing, keeper, records }: OpenOrdersDeps, rows: Float64Array, at: number): void {
  const order = rows[at + ORDER]!;
  const no = rows[at + MARKET]!;
  const yesPrice = rows[at + PRICE]!;
  const kind = rows[at + KIND]!;
  const remaining = rows[at + REMAINING]!;
  const market = records[no];
  const holding = clearing.holdings.find(rows[at + ACCOUNT]!, no);
  if (market === undefined || holding === 0) throw damaged(`order ${order}`);
  if (!isOnTick(yesPrice, market.tickBps) || !isWholeLots(remaining)) throw damaged(`order ${order}`);
  // The book reserves it again when the order rests.
  clearing.release(holding, kind, yesPrice, remaining);
  keeper.order = order;
  keeper.market = no;
  keeper.kind = kind;
  keeper.holding = holding;
  keeper.credential = rows[at + CREDENTIAL]!;
  keeper.group = rows[at + GROUP]!;
  keeper.expiration = rows[at + EXPIRATION]!;
  keeper.lastFill = rows[at + LAST_FILL]!;
  const price = inYesTerms(kind, yesPrice);
  market.book.enter(order, kind, FORCE.gtc, price, remaining, holding, SELF_TRADE.cancelTaker);
}

export function damaged(what: string): Fault {
  return new Fault('SNAPSHOT', `${what} in this snapshot is invalid: use an older one`);
}
