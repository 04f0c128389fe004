/**
 * Open orders in the state: by market, price and place in the queue.
 *
 * HOT: a snapshot writes a million of them.
 *
 * An account's orders of a market stand in order of their numbers, and so does every queue: so when orders come back by
 * number, both are as they were.
 */
import { ascending, Fault } from '../../domain/index.ts';
import type { Clearing } from '../accounts/clearing.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { FORCE, inYesTerms, SELF_TRADE } from '../matching/codes.ts';
import { NOTE, noteOf, type OrderSlots } from '../matching/order-slots.ts';
import type { StateReader, StateWriter } from '../state-writer.ts';
import type { BookKeeper } from './book-keeper.ts';
import type { OrderOwners } from './order-owners.ts';

/** Where open orders are. */
export interface OpenOrdersOf {
  readonly slots: OrderSlots;
  readonly clearing: Clearing;
  readonly keeper: BookKeeper;
  readonly owners: OrderOwners;
  /** All markets, by number. */
  readonly records: readonly MarketRecord[];
}

/** See state.ts, 8. */
export function writeOpenOrders({ slots, clearing, records }: OpenOrdersOf, writer: StateWriter): void {
  const { notes } = slots;
  const { account } = clearing.holdings;
  writer.number(slots.size);
  for (const { no, book } of records) {
    for (let price = book.priceAbove(0); price < 10_000; price = book.priceAbove(price)) {
      for (let slot = book.firstAt(price); slot !== 0; slot = slots.behind(slot)) {
        writer.number(no);
        writer.number(price);
        writer.number(slots.order(slot));
        writer.number(account[slots.holding(slot)]!);
        writer.number(slots.kind(slot));
        writer.number(slots.remaining(slot));
        writer.number(notes[noteOf(slot) + NOTE.expiration]!);
        writer.number(notes[noteOf(slot) + NOTE.credential]!);
        writer.number(notes[noteOf(slot) + NOTE.group]!);
        writer.number(notes[noteOf(slot) + NOTE.lastFill]!);
      }
    }
  }
}

const WIDTH = 10;

/** Puts back what `writeOpenOrders` wrote; what the orders reserve is there already. @throws Fault when it is damaged */
export function readOpenOrders({ clearing, keeper, owners, records }: OpenOrdersOf, reader: StateReader): void {
  const count = reader.number();
  const rows = new Float64Array(WIDTH * count);
  for (let at = 0; at < rows.length; at++) rows[at] = reader.number();
  const byNumber = Float64Array.from({ length: count }, (_, row) => row).sort((a, b) =>
    ascending(rows[WIDTH * a + 2]!, rows[WIDTH * b + 2]!),
  );
  for (const row of byNumber) {
    const [no, yesPrice, order, account, kind, remaining] = rows.subarray(WIDTH * row);
    const [expiration, credential, group, lastFill] = rows.subarray(WIDTH * row + 6);
    const market = records[no!];
    const holding = clearing.holdings.find(account!, no!);
    if (market === undefined || holding === 0 || owners.of(order!) !== account) {
      throw new Fault('SNAPSHOT', `order ${order} in this snapshot is damaged: use an older one`);
    }
    // Resting reserves it once more.
    clearing.release(holding, kind!, yesPrice!, remaining!);
    keeper.order = order!;
    keeper.market = no!;
    keeper.kind = kind!;
    keeper.holding = holding;
    keeper.credential = credential!;
    keeper.group = group!;
    keeper.expiration = expiration!;
    keeper.lastFill = lastFill!;
    const price = inYesTerms(kind!, yesPrice!);
    market.book.enter(order!, kind!, FORCE.gtc, price, remaining!, holding, SELF_TRADE.cancelTaker);
  }
}
