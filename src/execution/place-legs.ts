import {
  type BotNo,
  complement,
  type MarketNo,
  type MicroShares,
  type OrderNo,
  type Outcome,
  type PlaceOrder,
  type PriceBps,
  type Side,
  type Sign,
} from '../domain/index.ts';
import { type Legs, legPrice } from './pool.ts';

/** What the orders of one plan have in common. */
export interface OrderForm {
  readonly bot: BotNo;
  readonly market: MarketNo;
  /** GTC for quotes, which are post-only, FAK for takings. */
  readonly timeInForce: 'GTC' | 'FAK';
  /** Draws the next order's number. */
  readonly draw: () => OrderNo;
}

/** Adds the orders of a line: what is sold first. `price` in YES terms. */
export function placeLegs(form: OrderForm, sign: Sign, price: PriceBps, legs: Legs, orders: PlaceOrder[]): void {
  const buy = legPrice(sign, price);
  if (legs.sold > 0) orders.push(place(form, sign === 1 ? 'NO' : 'YES', 'SELL', complement(buy), legs.sold));
  if (legs.bought > 0) orders.push(place(form, sign === 1 ? 'YES' : 'NO', 'BUY', buy, legs.bought));
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
