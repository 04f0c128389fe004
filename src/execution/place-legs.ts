import {
  type BotNo,
  column,
  complement,
  type MarketNo,
  type MicroShares,
  type OrderNo,
  type Outcome,
  type PlaceOrder,
  type PriceBps,
  type Side,
} from '../domain/index.ts';
import { type Legs, type LegTerms, legPrice } from './pool.ts';

/** What the orders of one plan have in common. */
export interface OrderForm {
  readonly bot: BotNo;
  readonly market: MarketNo;
  /** GTC for quotes, which are post-only, FAK for takings. */
  readonly timeInForce: 'GTC' | 'FAK';
  /** Draws the next order's number. */
  readonly draw: () => OrderNo;
}

/** Adds the orders of a line: what is sold first, each as large as may be. */
export function placeLegs(form: OrderForm, terms: LegTerms, { sold, bought }: Legs, orders: PlaceOrder[]): void {
  const { sign, largest } = terms;
  const buy = legPrice(sign, terms.price);
  for (let left: number = sold; left > 0; left -= largest) {
    orders.push(
      place(form, sign === 1 ? 'NO' : 'YES', 'SELL', complement(buy), column.shares(Math.min(left, largest))),
    );
  }
  for (let left: number = bought; left > 0; left -= largest) {
    orders.push(place(form, sign === 1 ? 'YES' : 'NO', 'BUY', buy, column.shares(Math.min(left, largest))));
  }
}

function place(form: OrderForm, outcome: Outcome, side: Side, price: PriceBps, shares: MicroShares): PlaceOrder {
  const { bot, market, timeInForce } = form;
  const postOnly = timeInForce === 'GTC';
  return {
    type: 'place',
    order: form.draw(),
    bot,
    market,
    outcome,
    side,
    price,
    shares,
    timeInForce,
    postOnly,
    expiration: 0,
  };
}
