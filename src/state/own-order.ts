import {
  addUsd,
  costAt,
  type EpochMs,
  type InstanceNo,
  type MarketNo,
  type MicroShares,
  type MicroUsd,
  OrderLifecycle,
  type OrderNo,
  type Outcome,
  type PlaceOrder,
  type PriceBps,
  type Side,
  type Sign,
  takerFee,
  yesPrice,
  yesSign,
  ZERO_USD,
} from '../domain/index.ts';
import type { OpenOrder, OrderPhase } from './view.ts';

export interface OwnOrderSnapshot extends Omit<OpenOrder, 'sign' | 'yesPrice' | 'phase'> {
  readonly postOnly: boolean;
  /** Whether the venue has accepted the order. */
  readonly known: boolean;
  readonly uncertain: boolean;
  readonly request: 'none' | 'reduce' | 'leave'; // snapshots store a cancel as 'leave'
  /** Reserved cash, micro-USD. */
  readonly held: MicroUsd;
}

type Terms = Omit<OwnOrderSnapshot, 'known' | 'uncertain' | 'request' | 'held'>;

/** An open order with fixed terms. `OwnOrders` changes the order's life cycle and reserve. */
export class OwnOrder implements OpenOrder {
  readonly order: OrderNo;
  readonly bot: InstanceNo;
  readonly market: MarketNo;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly price: PriceBps;
  readonly sign: Sign;
  readonly yesPrice: PriceBps;
  readonly since: EpochMs;
  readonly rests: boolean;
  readonly lifecycle: OrderLifecycle;
  readonly tag: string | undefined;
  readonly #postOnly: boolean;
  /** Cash that the order reserves now. Only `OwnOrders` writes the field. */
  reserved: MicroUsd = ZERO_USD;

  constructor(terms: Terms, lifecycle: OrderLifecycle = new OrderLifecycle(terms.remaining)) {
    this.order = terms.order;
    this.bot = terms.bot;
    this.market = terms.market;
    this.outcome = terms.outcome;
    this.side = terms.side;
    this.price = terms.price;
    this.sign = yesSign(terms.outcome, terms.side);
    this.yesPrice = yesPrice(terms.outcome, terms.price);
    this.since = terms.since;
    this.rests = terms.rests;
    this.#postOnly = terms.postOnly;
    this.tag = terms.tag;
    this.lifecycle = lifecycle;
  }

  static sent(place: PlaceOrder, since: EpochMs): OwnOrder {
    const { order, bot, market, outcome, side, price, timeInForce, postOnly, shares, tag } = place;
    const rests = timeInForce === 'GTC' || timeInForce === 'GTD';
    // Not a spread: V8 drops the shape of spread objects in a full garbage collection (docs/decisions/0019).
    return new OwnOrder({ order, bot, market, outcome, side, price, since, rests, postOnly, remaining: shares, tag });
  }

  static restored(snapshot: OwnOrderSnapshot): OwnOrder {
    const { known, uncertain, remaining, request } = snapshot;
    const unconfirmed = uncertain ? 'unknown' : 'sent';
    const status = known ? 'live' : unconfirmed;
    const lifecycle = new OrderLifecycle(remaining, status, request === 'leave' ? 'cancel' : request);
    const order = new OwnOrder(snapshot, lifecycle);
    order.reserved = snapshot.held;
    return order;
  }

  snapshot(): OwnOrderSnapshot {
    const { order, bot, market, outcome, side, price, since, rests, reserved, lifecycle, tag } = this;
    const { remaining, isLive: known, request } = lifecycle;
    const terms = { order, bot, market, outcome, side, price, since, rests, postOnly: this.#postOnly };
    return {
      ...terms,
      remaining,
      known,
      uncertain: lifecycle.status === 'unknown',
      request: request === 'cancel' ? 'leave' : request,
      held: reserved,
      ...(tag !== undefined && { tag }),
    };
  }

  get remaining(): MicroShares {
    return this.lifecycle.remaining;
  }

  get phase(): OrderPhase {
    const { status, request } = this.lifecycle;
    if (request === 'cancel') return 'cancelling';
    if (status === 'unknown') return 'unknown';
    if (status === 'sent') return 'new';
    return request === 'reduce' ? 'reducing' : 'live';
  }

  /** Returns the reserved cash, with the highest fee while the order may match (docs/spec/venue.md#reserves). */
  reserve(feeRateBps: number): MicroUsd {
    if (this.side === 'SELL') return ZERO_USD;
    const cost = costAt(this.lifecycle.remaining, this.price);
    const mayMatch = !this.rests || (!this.lifecycle.isLive && !this.#postOnly);
    return mayMatch ? addUsd(cost, takerFee(feeRateBps, this.lifecycle.remaining, this.price)) : cost;
  }
}
