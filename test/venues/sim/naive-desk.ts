/** The venue's side of commands, as plainly as venue.md 2 reads: what is refused, what is held, what a replace undoes. */
import {
  type Conversion,
  type OrderCommand,
  type PlaceOrder,
  type ReplaceOrders,
  yesPrice,
  yesSign,
} from '../../../src/domain/index.ts';
import { SIDE } from '../../../src/tape/index.ts';
import { LOT, lots } from './naive-book.ts';
import { FINAL, NaiveSim, type Own } from './naive-sim.ts';

export type Arrival = { stale: boolean; interrupted: boolean };
const TICK = 10;
const worth = (shares: number, price: number): number => (shares / LOT) * price;

export class NaiveDesk extends NaiveSim {
  command(command: OrderCommand, arrival: Arrival): void {
    if (command.type === 'cancelAll') {
      this.closeAll(undefined, 'USER');
      this.epoch += 1;
      return;
    }
    if (command.type === 'place') {
      const reason = this.refusal(command, arrival, false);
      if (reason !== undefined) this.reject(command, reason);
      else this.enter(command);
    } else if (command.type === 'replace') this.replace(command, arrival);
    else if (command.type === 'cancel' || command.type === 'reduce') this.shorten(command);
    else this.convert(command);
    if (this.touched.length > 0) this.finish(command.market);
  }
  shorten(command: { order: number; market: number; by?: number }): void {
    const { order, market, by } = command;
    const own = this.orders.find(({ place }) => place.order === order);
    if (own === undefined)
      this.emit({
        type: 'cancelRejected',
        order,
        market,
        reason: this.known.has(order) ? 'ALREADY_FINAL' : 'NOT_FOUND',
      });
    else if (by === undefined || by >= own.left) this.close(own, 'USER');
    else {
      own.left -= by;
      this.emit({ type: 'orderReduced', order, market: own.place.market, remaining: own.left });
    }
  }
  replace({ cancels, places, market }: ReplaceOrders, arrival: Arrival): void {
    const before = this.orders;
    const bad = new Map<number, string>();
    for (const { order, remaining } of cancels) {
      const own = this.orders.find(({ place }) => place.order === order);
      if (own === undefined) bad.set(order, this.known.has(order) ? 'ALREADY_FINAL' : 'NOT_FOUND');
      else if (own.left !== remaining) bad.set(order, 'CONFLICT');
      else this.orders = this.orders.filter((other) => other !== own);
    }
    const kept = this.orders;
    for (const place of places) {
      const reason = bad.size > 0 ? undefined : this.refusal(place, arrival, true);
      if (reason !== undefined) bad.set(place.order, reason);
      this.orders = [...this.orders, this.resting(place, this.feeOf(place))];
    }
    this.orders = bad.size > 0 ? before : kept;
    if (bad.size === 0) {
      for (const { order } of cancels) this.emit({ type: 'orderClosed', order, market, reason: 'REPLACED' });
      for (const place of places) this.enter(place);
      return;
    }
    for (const { order } of cancels)
      this.emit({ type: 'cancelRejected', order, market, reason: bad.get(order) ?? 'CONFLICT' });
    for (const place of places) this.reject(place, bad.get(place.order) ?? 'CONFLICT');
  }
  convert({ type, market, shares, bot }: Conversion): void {
    const at = this.markets[market]!;
    const final = FINAL.includes(at.status);
    const pairs = Math.min(at.yes - this.held(market, 'YES'), at.no - this.held(market, 'NO'));
    let reason: string | undefined;
    if (type === 'claim') reason = final ? undefined : 'CONFLICT';
    else if (type === 'split')
      reason = at.status !== 'OPEN' ? 'MARKET_NOT_OPEN' : shares > this.free() ? 'INSUFFICIENT_BALANCE' : undefined;
    else reason = final ? 'ALREADY_FINAL' : shares > pairs ? 'INSUFFICIENT_SHARES' : undefined;
    if (reason !== undefined) {
      this.emit({ type: 'conversionRejected', conversion: type, bot, market, reason });
      return;
    }
    const paid = type === 'claim' ? at.owed : type === 'split' ? -shares : shares;
    this.cash += paid;
    at.owed = 0;
    at.paid -= paid;
    if (type !== 'claim') Object.assign(at, { yes: at.yes - paid, no: at.no - paid });
    this.emit({ type: 'converted', conversion: type, bot, market, shares, paid, fee: 0 });
  }

  refusal(place: PlaceOrder, { stale, interrupted }: Arrival, restsOnly: boolean): string | undefined {
    const at = this.markets[place.market]!;
    const { timeInForce: tif, postOnly, expiration, shares, side, outcome, market, price } = place;
    const [sign, yes, rests] = [yesSign(outcome, side), yesPrice(outcome, price), tif === 'GTC' || tif === 'GTD'];
    const cost = worth(shares, price);
    if (this.known.has(place.order)) return 'CONFLICT';
    if (at.status !== 'OPEN') return 'MARKET_NOT_OPEN';
    if (at.halted || interrupted) return 'MARKET_HALTED';
    if ((!rests && (postOnly || restsOnly)) || (tif === 'GTD') !== expiration > 0) return 'INVALID_ORDER';
    if (yes % TICK !== 0) return 'INVALID_TICK';
    if (shares <= 0 || shares % LOT !== 0) return 'INVALID_LOT';
    if (tif === 'GTD' && expiration <= this.now) return 'EXPIRED_PARAMS';
    if (stale) return 'STALE_EPOCH';
    if (side === 'BUY') {
      if (shares < 1_000_000 || cost < 100_000) return 'BELOW_MIN';
      if (Math.max(0, at.paid - Math.min(at.yes, at.no)) + this.buys(market) + cost > this.rules.maxExposure)
        return 'EXPOSURE_LIMIT';
      if (cost + this.feeOf(place) > this.free()) return 'INSUFFICIENT_BALANCE';
    } else if (shares > (outcome === 'YES' ? at.yes : at.no) - this.held(market, outcome)) return 'INSUFFICIENT_SHARES';
    const best = this.prices(market, sign > 0 ? SIDE.ask : SIDE.bid)[0];
    const rival = this.own(market, sign > 0 ? -1 : 1)[0]?.price;
    const reached = (other: number | undefined): boolean => other !== undefined && sign * (yes - other) >= 0;
    if (postOnly && (reached(best) || reached(rival))) return 'POST_ONLY_WOULD_CROSS';
    const own = this.resting(place, 0);
    return tif === 'FOK' && this.steps(own).reduce((sum, { size }) => sum + size, 0) < shares
      ? 'FOK_NOT_FILLABLE'
      : undefined;
  }
  enter(place: PlaceOrder): void {
    const { order, market, timeInForce, postOnly } = place;
    const own = this.resting(place, 0);
    this.known.add(order);
    this.emit({ type: 'orderAccepted', order, market });
    const side = own.sign > 0 ? SIDE.ask : SIDE.bid;
    const taken: [number, number][] = [];
    if (!postOnly) {
      for (const { price, size } of this.steps(own)) {
        const part = Math.min(own.left, size);
        if (part === 0) continue;
        if (this.rules.immutable) taken.push([price, part]);
        else this.take([market, side, price], part);
        this.fill(own, part, price, 'taker');
      }
      const rival = this.own(market, own.sign > 0 ? -1 : 1)[0];
      const met = rival !== undefined && own.sign * (own.price - rival.price) >= 0;
      if (own.left > 0 && (met || timeInForce === 'FAK')) this.close(own, met ? 'SELF_TRADE' : 'FAK_REMAINDER');
      else if (own.left > 0) for (const [price, part] of taken) this.take([market, side, price], part);
      else taken.length = 0;
      if (own.left === 0 || met || timeInForce === 'FAK') return;
    }
    this.orders = [...this.orders, this.resting({ ...place }, 0, own.left)];
  }
  /** Outside levels that an order may take, best first, up to the first own order in its way. */
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
    return { place, sign, price, left, front, printed, fee };
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
  reject({ order, market }: PlaceOrder, reason: string): void {
    this.emit({ type: 'orderRejected', order, market, reason });
  }
}
