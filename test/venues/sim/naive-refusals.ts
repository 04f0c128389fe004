/** Refusals and reserves of orders (docs/spec/venue.md#refusals), in the plainest form. */
import { type PlaceOrder, yesPrice, yesSign } from '../../../src/domain/index.ts';
import { SIDE } from '../../../src/tape/index.ts';
import { LOT, lots } from './naive-book.ts';
import { NaiveSim, type Own } from './naive-sim.ts';

export type Arrival = { stale: boolean; interrupted: boolean };
const TICK = 10;
const worth = (shares: number, price: number): number => (shares / LOT) * price;

export class NaiveRefusals extends NaiveSim {
  refusal(
    place: PlaceOrder,
    { stale, interrupted }: Arrival,
    { restsOnly }: { restsOnly: boolean },
  ): string | undefined {
    const state = this.markets[place.market]!;
    const { timeInForce: tif, postOnly, expiration, shares, side, outcome, market, price } = place;
    const [sign, yes, rests] = [yesSign(outcome, side), yesPrice(outcome, price), tif === 'GTC' || tif === 'GTD'];
    const cost = worth(shares, price);
    if (this.known.has(place.order)) return 'CONFLICT';
    if (state.status !== 'OPEN') return 'MARKET_NOT_OPEN';
    if (state.halted || interrupted) return 'MARKET_HALTED';
    if ((!rests && (postOnly || restsOnly)) || (tif === 'GTD') !== expiration > 0) return 'INVALID_ORDER';
    if (yes % TICK !== 0) return 'INVALID_TICK';
    if (shares <= 0 || shares % LOT !== 0) return 'INVALID_LOT';
    if (tif === 'GTD' && expiration <= this.now) return 'EXPIRED_PARAMS';
    if (stale) return 'STALE_EPOCH';
    if (side === 'BUY') {
      if (shares < 1_000_000 || cost < 100_000) return 'BELOW_MIN';
      if (Math.max(0, state.paid - Math.min(state.yes, state.no)) + this.buys(market) + cost > this.rules.maxExposure)
        return 'EXPOSURE_LIMIT';
      if (cost + this.feeOf(place) > this.free()) return 'INSUFFICIENT_BALANCE';
    } else if (shares > (outcome === 'YES' ? state.yes : state.no) - this.held(market, outcome))
      return 'INSUFFICIENT_SHARES';
    const best = this.prices(market, sign > 0 ? SIDE.ask : SIDE.bid)[0];
    const rival = this.own(market, sign > 0 ? -1 : 1)[0]?.price;
    const reached = (other: number | undefined): boolean => other !== undefined && sign * (yes - other) >= 0;
    if (postOnly && (reached(best) || reached(rival))) return 'POST_ONLY_WOULD_CROSS';
    const own = this.resting(place, 0);
    return tif === 'FOK' && this.steps(own).reduce((sum, { size }) => sum + size, 0) < shares
      ? 'FOK_NOT_FILLABLE'
      : undefined;
  }
  /** Returns the outside levels that an order may take, best first, up to the first own order of the other side. */
  steps({ place: { market }, sign, price }: Own): { price: number; size: number }[] {
    const side = sign > 0 ? SIDE.ask : SIDE.bid;
    const rival = this.own(market, sign > 0 ? -1 : 1)[0]?.price ?? (sign > 0 ? 10_000 : 0);
    const reached = this.prices(market, side).filter(
      (level) => sign * (price - level) >= 0 && sign * (rival - level) > 0,
    );
    return reached.map((level) => ({ price: level, size: lots(this.size(market, side, level)) }));
  }
  resting(place: PlaceOrder, fee: number, left: number = place.shares): Own {
    const [sign, price] = [yesSign(place.outcome, place.side), yesPrice(place.outcome, place.price)];
    const front = this.size(place.market, sign > 0 ? SIDE.bid : SIDE.ask, price);
    const printed = this.own(place.market, sign).find((own) => own.price === price)?.printed ?? 0;
    return { place, sign, price, left, front, printed, sets: [], fee, since: this.now };
  }
  feeOf({ side, postOnly, shares, price }: PlaceOrder): number {
    return side === 'BUY' && !postOnly
      ? Math.floor((this.rules.feeBps * (shares / LOT) * price * (10_000 - price)) / 1e8)
      : 0;
  }
  buys(market: number | undefined): number {
    const buying = this.orders.filter(
      ({ place }) => place.side === 'BUY' && (market === undefined || place.market === market),
    );
    return buying.reduce((sum, { left, place }) => sum + worth(left, place.price), 0);
  }
  held(market: number, outcome: string): number {
    const selling = this.orders.filter(
      ({ place }) => place.side === 'SELL' && place.market === market && place.outcome === outcome,
    );
    return selling.reduce((sum, { left }) => sum + left, 0);
  }
  free(): number {
    return this.cash - this.buys(undefined) - this.orders.reduce((sum, { fee }) => sum + fee, 0);
  }
}
