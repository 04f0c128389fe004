/** Executes commands by the rules of docs/spec/venue.md#the-book, in the plainest form. */
import type { Conversion, OrderCommand, PlaceOrder, ReplaceOrders } from '../../../src/domain/index.ts';
import { SIDE } from '../../../src/tape/index.ts';
import { type Arrival, NaiveRefusals } from './naive-refusals.ts';
import { FINAL } from './naive-sim.ts';

export class NaiveCommandHandler extends NaiveRefusals {
  command(command: OrderCommand, arrival: Arrival): void {
    if (command.type === 'cancelAll') {
      this.closeAll(undefined, 'USER');
      this.epoch += 1;
      return;
    }
    if (command.type === 'place') {
      const reason = this.refusal(command, arrival, { restsOnly: false });
      if (reason !== undefined) this.reject(command, reason);
      else {
        this.emit({ type: 'orderAccepted', order: command.order, market: command.market });
        this.enter(command);
      }
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
    const cancelErrors = new Map<number, string>();
    const placeErrors = new Map<number, string>();
    for (const { order, remaining } of cancels) {
      const own = this.orders.find(({ place }) => place.order === order);
      if (own === undefined) cancelErrors.set(order, this.known.has(order) ? 'ALREADY_FINAL' : 'NOT_FOUND');
      else if (own.left !== remaining || own.place.market !== market) cancelErrors.set(order, 'CONFLICT');
      else this.orders = this.orders.filter((other) => other !== own);
    }
    const afterCancels = this.orders;
    for (const place of places) {
      const reason =
        cancelErrors.size + placeErrors.size > 0 ? undefined : this.refusal(place, arrival, { restsOnly: true });
      if (reason !== undefined) placeErrors.set(place.order, reason);
      this.orders = [...this.orders, this.resting(place, this.feeOf(place))];
    }
    const succeeds = cancelErrors.size + placeErrors.size === 0;
    this.orders = succeeds ? afterCancels : before;
    if (succeeds) {
      const closed = cancels.map(({ order }) => order);
      const accepted = places.map(({ order }) => order);
      this.emit({ type: 'ordersReplaced', market, closed, accepted });
      for (const place of places) this.enter(place);
      return;
    }
    for (const { order } of cancels)
      this.emit({ type: 'cancelRejected', order, market, reason: cancelErrors.get(order) ?? 'CONFLICT' });
    for (const place of places) this.reject(place, placeErrors.get(place.order) ?? 'CONFLICT');
  }
  convert({ type, market, shares, bot }: Conversion): void {
    const state = this.markets[market]!;
    const final = FINAL.includes(state.status);
    const pairs = Math.min(state.yes - this.held(market, 'YES'), state.no - this.held(market, 'NO'));
    let reason: string | undefined;
    if (type === 'claim') reason = final ? undefined : 'CONFLICT';
    else if (type === 'split')
      reason = state.status !== 'OPEN' ? 'MARKET_NOT_OPEN' : shares > this.free() ? 'INSUFFICIENT_BALANCE' : undefined;
    else reason = final ? 'MARKET_NOT_OPEN' : shares > pairs ? 'INSUFFICIENT_SHARES' : undefined;
    if (reason !== undefined) {
      this.emit({ type: 'conversionRejected', conversion: type, bot, market, reason });
      return;
    }
    const paid = type === 'claim' ? state.owed : type === 'split' ? -shares : shares;
    this.cash += paid;
    state.owed = 0;
    state.paid -= paid;
    if (type !== 'claim') Object.assign(state, { yes: state.yes - paid, no: state.no - paid });
    this.emit({ type: 'converted', conversion: type, bot, market, shares, paid, fee: 0 });
  }

  enter(place: PlaceOrder): void {
    const { order, market, timeInForce, postOnly } = place;
    const own = this.resting(place, 0);
    this.known.add(order);
    const side = own.sign > 0 ? SIDE.ask : SIDE.bid;
    const taken: [number, number][] = [];
    if (!postOnly) {
      for (const { price, size } of this.steps(own)) {
        const part = Math.min(own.left, size);
        if (part === 0) continue;
        if (this.rules.immutable) taken.push([price, part]);
        else this.consume([market, side, price], part);
        this.fill(own, part, price, 'taker');
      }
      const rival = this.own(market, own.sign > 0 ? -1 : 1)[0];
      const meetsOwn = rival !== undefined && own.sign * (own.price - rival.price) >= 0;
      if (own.left > 0 && (meetsOwn || timeInForce === 'FAK'))
        this.close(own, meetsOwn ? 'SELF_TRADE' : 'FAK_REMAINDER');
      else if (own.left > 0) for (const [price, part] of taken) this.consume([market, side, price], part);
      else taken.length = 0;
      if (own.left === 0 || meetsOwn || timeInForce === 'FAK') return;
    }
    this.orders = [...this.orders, this.resting({ ...place }, 0, own.left)];
  }
  reject({ order, market }: PlaceOrder, reason: string): void {
    this.emit({ type: 'orderRejected', order, market, reason });
  }
}
