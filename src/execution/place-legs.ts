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
import { added } from './short-list.ts';

/** What the orders of one plan have in common. */
export interface OrderForm {
  readonly bot: BotNo;
  readonly market: MarketNo;
  /** GTC for quotes, which are post-only, FAK for takings. */
  readonly timeInForce: 'GTC' | 'FAK';
  /** Draws the next order's number. */
  readonly draw: () => OrderNo;
}

/**
 * Adds the orders of a line to those before: what is sold first, each as large as may be. Answers the list from now on;
 * undefined while there are none.
 */
export function placeLegs(
  form: OrderForm,
  { sign, price, largest }: LegTerms,
  { sold, bought }: Legs,
  before: PlaceOrder[] | undefined,
): PlaceOrder[] | undefined {
  const buy = legPrice(sign, price);
  let orders = before;
  for (let left: number = sold; left > 0; left -= largest) {
    const shares = column.shares(Math.min(left, largest));
    orders = added(orders, place(form, sign === 1 ? 'NO' : 'YES', 'SELL', complement(buy), shares));
  }
  for (let left: number = bought; left > 0; left -= largest) {
    const shares = column.shares(Math.min(left, largest));
    orders = added(orders, place(form, sign === 1 ? 'YES' : 'NO', 'BUY', buy, shares));
  }
  return orders;
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
