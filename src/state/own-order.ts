import {
  addUsd,
  type BotNo,
  costAt,
  type EpochMs,
  type MarketNo,
  type MicroShares,
  type MicroUsd,
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

/** What a request about an order still waits for. */
export type Request = 'none' | 'reduce' | 'leave';

/** One open order. Terms are fixed; `OwnOrders` moves the rest. */
export class OwnOrder implements OpenOrder {
  readonly order: OrderNo;
  readonly bot: BotNo;
  readonly market: MarketNo;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly price: PriceBps;
  readonly sign: Sign;
  readonly yesPrice: PriceBps;
  readonly since: EpochMs;
  readonly rests: boolean;
  readonly #postOnly: boolean;
  remaining: MicroShares;
  /** The venue has accepted it, or something of it has traded. */
  known = false;
  request: Request = 'none';
  /** Cash held for it as last counted. Written by `OwnOrders`. */
  held: MicroUsd = ZERO_USD;

  constructor(place: PlaceOrder, time: EpochMs) {
    this.order = place.order;
    this.bot = place.bot;
    this.market = place.market;
    this.outcome = place.outcome;
    this.side = place.side;
    this.price = place.price;
    this.sign = yesSign(place.outcome, place.side);
    this.yesPrice = yesPrice(place.outcome, place.price);
    this.since = time;
    this.rests = place.timeInForce === 'GTC' || place.timeInForce === 'GTD';
    this.#postOnly = place.postOnly;
    this.remaining = place.shares;
  }

  get phase(): OrderPhase {
    if (this.request === 'leave') return 'leaving';
    if (!this.known) return 'new';
    return this.request === 'reduce' ? 'reducing' : 'live';
  }

  /**
   * Cash the venue holds for it (venue.md 2): a BUY's price times shares, while it may still match on arrival the
   * highest fee of that; a SELL holds shares.
   */
  reserve(feeRateBps: number): MicroUsd {
    if (this.side === 'SELL') return ZERO_USD;
    const cost = costAt(this.remaining, this.price);
    const matching = this.rests ? !this.known && !this.#postOnly : true;
    return matching ? addUsd(cost, takerFee(feeRateBps, this.remaining, this.price)) : cost;
  }
}
