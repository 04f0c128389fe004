import fc from 'fast-check';
import { LOT, type Outcome, type Side } from '../../../src/domain/index.ts';
import { FORCE, orderKind, SELF_TRADE } from '../../../src/exchange/matching/codes.ts';
import { MatchingBook } from '../../../src/exchange/matching/matching-book.ts';
import { OrderSlots } from '../../../src/exchange/matching/order-slots.ts';

/** A resting order. Together the orders do not cross. */
export interface Resting {
  readonly kind: number;
  /** In the terms of the kind's outcome. */
  readonly price: number;
  readonly lots: number;
}

/** A matching book that records the fills of its last incoming order. */
export class RealBook {
  readonly fills: { readonly yesPrice: number; readonly shares: number }[] = [];
  readonly book: MatchingBook;
  #orders = 0;

  constructor(tickBps: number) {
    const sink = {
      filled: (_maker: number, yesPrice: number, shares: number): boolean => {
        this.fills.push({ yesPrice, shares });
        return false;
      },
      paused: () => 0,
      rested: () => {},
      reduced: () => {},
      closed: () => {},
      ended: () => {},
    };
    this.book = new MatchingBook({ slots: new OrderSlots(), sink, number: 0, tickBps });
  }

  rest({ kind, price, lots }: Resting): number {
    this.#orders += 1;
    this.book.enter(this.#orders, kind, FORCE.gtc, price, lots * LOT, 0, SELF_TRADE.cancelTaker);
    return this.#orders;
  }

  /** Executes a FAK without a price limit. */
  take(outcome: Outcome, side: Side, shares: number, tickBps: number): void {
    this.fills.length = 0;
    this.#orders += 1;
    const limit = side === 'BUY' ? 10_000 - tickBps : tickBps;
    this.book.enter(this.#orders, orderKind(outcome, side), FORCE.fak, limit, shares, 0, SELF_TRADE.cancelTaker);
  }
}

/** Up to 30 orders of all kinds that do not cross. */
export const anyOrders: fc.Arbitrary<{ readonly tickBps: number; readonly orders: readonly Resting[] }> = fc
  .constantFrom(1, 10, 500)
  .chain((tickBps) => {
    const levels = 10_000 / tickBps;
    return fc.integer({ min: 1, max: levels - 1 }).chain((middle) => {
      const order = fc
        .record({ at: fc.integer({ min: 1, max: levels - 1 }), isNo: fc.boolean(), lots: anyLots })
        .map(({ at, isNo, lots }): Resting => {
          const isBid = at < middle;
          const yesPrice = at * tickBps;
          return {
            kind: orderKind(isNo ? 'NO' : 'YES', isBid === isNo ? 'SELL' : 'BUY'),
            price: isNo ? 10_000 - yesPrice : yesPrice,
            lots,
          };
        });
      return fc.record({ tickBps: fc.constant(tickBps), orders: fc.array(order, { maxLength: 30 }) });
    });
  });

const anyLots = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20_000_000_000 }));
