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

/** An open order at one moment. */
export interface OwnOrderSnapshot {
  readonly order: OrderNo;
  readonly bot: BotNo;
  readonly market: MarketNo;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly price: PriceBps;
  readonly since: EpochMs;
  readonly rests: boolean;
  readonly postOnly: boolean;
  readonly remaining: MicroShares;
  readonly known: boolean;
  readonly uncertain: boolean;
  readonly request: Request;
  readonly held: MicroUsd;
}

/** What of an order never changes. */
type Terms = Pick<
  OwnOrderSnapshot,
  'order' | 'bot' | 'market' | 'outcome' | 'side' | 'price' | 'since' | 'rests' | 'postOnly' | 'remaining'
>;

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
  /** Whether no answer came to it, and nothing was heard of it since. */
  uncertain = false;
  request: Request = 'none';
  /** Cash held for it as last counted. Written by `OwnOrders`. */
  held: MicroUsd = ZERO_USD;

  constructor(terms: Terms) {
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
    this.remaining = terms.remaining;
  }

  static sent(place: PlaceOrder, since: EpochMs): OwnOrder {
    const { order, bot, market, outcome, side, price, timeInForce, postOnly, shares } = place;
    const rests = timeInForce === 'GTC' || timeInForce === 'GTD';
    // Member by member: of a spread's shape nothing remains when all garbage is collected (docs/decisions/0019).
    return new OwnOrder({ order, bot, market, outcome, side, price, since, rests, postOnly, remaining: shares });
  }

  static restored(snapshot: OwnOrderSnapshot): OwnOrder {
    const order = new OwnOrder(snapshot);
    order.known = snapshot.known;
    order.uncertain = snapshot.uncertain;
    order.request = snapshot.request;
    order.held = snapshot.held;
    return order;
  }

  snapshot(): OwnOrderSnapshot {
    const { order, bot, market, outcome, side, price, since, rests, remaining, known, uncertain, request, held } = this;
    const moving = { remaining, known, uncertain, request, held };
    return { order, bot, market, outcome, side, price, since, rests, postOnly: this.#postOnly, ...moving };
  }

  get phase(): OrderPhase {
    if (this.request === 'leave') return 'leaving';
    if (this.uncertain) return 'unknown';
    if (!this.known) return 'new';
    return this.request === 'reduce' ? 'reducing' : 'live';
  }

  /**
   * Cash the venue holds for it (docs/spec/venue.md#reserves): a BUY's price times shares, while it may still match on
   * arrival the highest fee of that; a SELL holds shares.
   */
  reserve(feeRateBps: number): MicroUsd {
    if (this.side === 'SELL') return ZERO_USD;
    const cost = costAt(this.remaining, this.price);
    const matching = this.rests ? !this.known && !this.#postOnly : true;
    return matching ? addUsd(cost, takerFee(feeRateBps, this.remaining, this.price)) : cost;
  }
}
