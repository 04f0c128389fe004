/** Invariants of single events: prices, priority, fees, times in force, claims. */
import type { Call } from '../twin/world.ts';
import { assertSame, assertTrue } from './asserts.ts';
import type { ReadModel, ReadOrder } from './read-model.ts';

/** Checks each event against the model before the event. */
export class EventInvariants {
  readonly #claimed = new Set<string>();
  /** Orders that the current command placed. */
  readonly #placed = new Set<number>();
  readonly #reversed = new Set<number>();
  readonly #feeRateOf: (market: number) => number;

  constructor(feeRateOf: (market: number) => number) {
    this.#feeRateOf = feeRateOf;
  }

  /** @param model before the call */
  check(call: Call, model: ReadModel): void {
    if (call[0] === 'accepted') this.#placed.add(call[2]);
    else if (call[0] === 'traded') this.#trade(call, model);
    else if (call[0] === 'closed') this.#closed(call, model);
    else if (call[0] === 'rareEvent' && call[2].type === 'claimed') {
      const key = `${call[2].account} ${call[2].market}`;
      assertTrue(!this.#claimed.has(key), `second claim of ${key}`);
      this.#claimed.add(key);
      assertTrue(call[2].paid > 0, `a claim of ${key} that paid nothing`);
    } else if (call[0] === 'rareEvent' && call[2].type === 'tradeReversed') {
      const { type: _, trade, ...terms } = call[2];
      assertTrue(!this.#reversed.has(trade), `trade ${trade} is reversed a second time`);
      this.#reversed.add(trade);
      const { seq: __, ...traded } = model.trades.find(({ seq }) => seq === trade) ?? { seq: 0 };
      assertSame(terms, traded, `terms of the reversed trade ${trade}`);
    }
  }

  /** Checks that each placed order that is still open has a time in force that may rest. */
  commandEnded(model: ReadModel): void {
    for (const number of this.#placed) {
      const terms = model.orders.get(number)?.terms;
      if (terms !== undefined) assertTrue(/^GT/.test(terms.timeInForce), `${terms.timeInForce} order ${number} rests`);
    }
    this.#placed.clear();
  }

  #trade(
    [, , market, makerNo, takerNo, yesPrice, shares, , fee]: Extract<Call, ['traded', ...unknown[]]>,
    model: ReadModel,
  ): void {
    const maker = found(model, makerNo);
    const taker = found(model, takerNo);
    assertSame([maker.market, taker.market], [market, market], 'markets of a trade');
    assertTrue(maker.account !== taker.account, `${maker.account} trades with itself`);
    assertSame(yesPrice, yesPriceOf(maker), 'the maker sets the price');
    const takerSaves = isBid(taker) ? yesPriceOf(taker) - yesPrice : yesPrice - yesPriceOf(taker);
    assertTrue(takerSaves >= 0, `${takerNo} trades worse than its limit`);
    assertTrue(isBid(maker) !== isBid(taker), 'maker and taker are on the same side');
    assertTrue(this.#placed.has(takerNo), `taker ${takerNo} is not new`);
    assertTrue(!taker.terms.postOnly, `post-only order ${takerNo} is a taker`);
    assertTrue(
      shares > 0 && shares % 10_000 === 0 && shares <= Math.min(maker.remaining, taker.remaining),
      `size ${shares}`,
    );
    const first = [...model.orders.values()]
      .filter((order) => order.market === market && isBid(order) === isBid(maker) && order.order !== takerNo)
      .sort((a, b) => (isBid(maker) ? -1 : 1) * (yesPriceOf(a) - yesPriceOf(b)) || a.order - b.order)[0];
    assertSame(makerNo, first?.order, 'first in price and time');
    const price = BigInt(taker.terms.outcome === 'YES' ? yesPrice : 10_000 - yesPrice);
    const rate = BigInt(this.#feeRateOf(market));
    const expectedFee = (rate * BigInt(shares / 10_000) * price * (10_000n - price)) / 100_000_000n;
    assertSame(fee, Number(expectedFee), 'fee');
  }

  #closed([, , number, unfilled, reason]: Extract<Call, ['closed', ...unknown[]]>, model: ReadModel): void {
    const order = found(model, number);
    assertSame(unfilled, order.remaining, `remaining shares of order ${number}`);
    assertSame(unfilled === 0, reason === 'FILLED', `order ${number} ended ${reason}`);
    if (order.terms.timeInForce === 'FOK') assertSame(reason, 'FILLED', 'a FOK fills completely');
  }
}

function found(model: ReadModel, number: number): ReadOrder {
  const order = model.orders.get(number);
  if (order === undefined) throw new Error(`order ${number} is not open`);
  return order;
}

function isBid({ terms }: ReadOrder): boolean {
  return (terms.outcome === 'YES') === (terms.side === 'BUY');
}

function yesPriceOf({ terms }: ReadOrder): number {
  return terms.outcome === 'YES' ? terms.price : 10_000 - terms.price;
}
