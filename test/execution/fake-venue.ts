/**
 * A venue under the control of a test. The test decides when commands arrive, orders fill, requests are refused, and
 * events are delivered. The venue matches nothing, and records each invalid command as a fault.
 */
import {
  type CloseReason,
  costAt,
  epochMs,
  LOT,
  type MicroShares,
  marketNo,
  type OrderCommand,
  type OrderNo,
  type PlaceOrder,
  type RejectReason,
  type ReplaceOrders,
  SHARE,
  type Sign,
  unchecked,
  type VenueEvent,
  yesPrice,
  yesSign,
} from '../../src/domain/index.ts';

export interface VenueOrder {
  readonly place: PlaceOrder;
  readonly sign: Sign;
  /** In YES terms. */
  readonly price: number;
  remaining: MicroShares;
}

const MARKET = marketNo(0);
const COMMON = { time: epochMs(0), venueTime: epochMs(0), market: MARKET };

export class FakeVenue {
  readonly open = new Map<OrderNo, VenueOrder>();
  readonly faults: string[] = [];
  yes = 0;
  no = 0;
  cash: number;
  /** Number of next requests to refuse. */
  refusals = 0;
  readonly #delaysPlaces: boolean;
  readonly #commands: OrderCommand[] = [];
  readonly #delayed: PlaceOrder[] = [];
  readonly #events: VenueEvent[] = [];

  constructor(cash: number, delaysPlaces: boolean) {
    this.cash = cash;
    this.#delaysPlaces = delaysPlaces;
  }

  get isIdle(): boolean {
    return this.#commands.length + this.#delayed.length + this.#events.length === 0;
  }

  send(commands: readonly OrderCommand[]): void {
    this.#commands.push(...commands);
  }

  /** Executes the next command, or delays it. */
  receive(): void {
    const command = this.#commands.shift();
    if (command === undefined) return;
    if (command.type === 'place' && this.#delaysPlaces) this.#delayed.push(command);
    else if (command.type === 'place') this.#place(command);
    else if (command.type === 'replace') this.#replace(command);
    else if (command.type === 'cancel' || command.type === 'reduce') this.#cancelOrReduce(command);
    else this.faults.push(`unexpected ${command.type}`);
  }

  /** Executes the next delayed place. */
  placeDelayed(): void {
    const place = this.#delayed.shift();
    if (place !== undefined) this.#place(place);
  }

  /** Returns the next event of the venue. */
  nextEvent(): VenueEvent | undefined {
    return this.#events.shift();
  }

  /** Fills part or all of an open order. */
  fill(pick: number, part: number): void {
    const order = [...this.open.values()][pick % Math.max(1, this.open.size)];
    if (order === undefined) return;
    const lots = Math.max(1, Math.ceil((order.remaining / LOT) * part));
    this.#trade(order, unchecked.shares(lots * LOT));
  }

  #place(place: PlaceOrder): void {
    const order = venueOrder(place);
    const reason = this.#takeRefusal();
    if (reason !== undefined) {
      this.#events.push({ ...COMMON, type: 'orderRejected', order: place.order, reason });
      return;
    }
    this.#check(order);
    this.open.set(place.order, order);
    this.#events.push({ ...COMMON, type: 'orderAccepted', order: place.order });
    if (place.timeInForce === 'FAK') this.#fillHalf(order);
  }

  #fillHalf(order: VenueOrder): void {
    const lots = Math.ceil(order.remaining / LOT / 2);
    this.#trade(order, unchecked.shares(lots * LOT));
    if (order.remaining > 0) this.#close(order, 'FAK_REMAINDER');
  }

  #replace({ cancels, places }: ReplaceOrders): void {
    if (this.#delaysPlaces) this.faults.push('a replace although places are delayed');
    const isUnchanged = cancels.every(({ order, remaining }) => this.open.get(order)?.remaining === remaining);
    const reason = this.#takeRefusal() ?? (isUnchanged ? undefined : 'CONFLICT');
    if (reason !== undefined) {
      for (const { order } of cancels) this.#events.push({ ...COMMON, type: 'cancelRejected', order, reason });
      for (const { order } of places) this.#events.push({ ...COMMON, type: 'orderRejected', order, reason });
      return;
    }
    for (const { order } of cancels) this.#close(this.open.get(order), 'REPLACED');
    for (const place of places) this.#place(place);
  }

  #cancelOrReduce(command: OrderCommand & { readonly type: 'cancel' | 'reduce' }): void {
    const order = this.open.get(command.order);
    const reason = this.#takeRefusal() ?? (order === undefined ? 'ALREADY_FINAL' : undefined);
    if (order === undefined || reason !== undefined) {
      const why = reason ?? 'ALREADY_FINAL';
      this.#events.push({ ...COMMON, type: 'cancelRejected', order: command.order, reason: why });
    } else if (command.type === 'cancel' || command.by >= order.remaining) this.#close(order, 'USER');
    else {
      order.remaining = unchecked.shares(order.remaining - command.by);
      this.#events.push({ ...COMMON, type: 'orderReduced', order: command.order, remaining: order.remaining });
    }
  }

  /** Records a fault if an order crosses an own order, costs or sells more than is free, or is too small. */
  #check(order: VenueOrder): void {
    const { side, outcome, shares, price, order: number } = order.place;
    let [cash, yes, no] = [this.cash, this.yes, this.no];
    for (const other of this.open.values()) {
      const crosses = other.sign !== order.sign && order.sign * (order.price - other.price) >= 0;
      if (crosses) this.faults.push(`#${number} crosses own #${other.place.order}`);
      if (other.place.side === 'BUY') cash -= costAt(other.remaining, other.place.price);
      else if (other.place.outcome === 'YES') yes -= other.remaining;
      else no -= other.remaining;
    }
    const held = outcome === 'YES' ? yes : no;
    if (side === 'SELL' && shares > held) this.faults.push(`#${number} sells ${shares} of ${held}`);
    if (side === 'BUY' && costAt(shares, price) > cash) this.faults.push(`#${number} costs more than ${cash}`);
    if (side === 'BUY' && shares < SHARE) this.faults.push(`#${number} is too small`);
    if (this.open.has(number)) this.faults.push(`#${number} was used twice`);
  }

  #trade(order: VenueOrder, shares: MicroShares): void {
    const { outcome, side, price, timeInForce } = order.place;
    const sign = side === 'BUY' ? 1 : -1;
    order.remaining = unchecked.shares(order.remaining - shares);
    this.cash -= sign * costAt(shares, price);
    if (outcome === 'YES') this.yes += sign * shares;
    else this.no += sign * shares;
    const liquidity = timeInForce === 'FAK' ? 'taker' : 'maker';
    const { remaining } = order;
    if (remaining === 0) this.open.delete(order.place.order);
    const traded = { outcome, side, price, shares, remaining, fee: unchecked.usd(0), liquidity } as const;
    this.#events.push({
      ...COMMON,
      type: 'orderFilled',
      order: order.place.order,
      ...traded,
      basis: 'real',
      inside: false,
    });
  }

  #close(order: VenueOrder | undefined, reason: CloseReason): void {
    if (order === undefined) return;
    this.open.delete(order.place.order);
    this.#events.push({ ...COMMON, type: 'orderClosed', order: order.place.order, reason });
  }

  #takeRefusal(): RejectReason | undefined {
    if (this.refusals === 0) return undefined;
    this.refusals -= 1;
    return 'RATE_LIMITED';
  }
}

function venueOrder(place: PlaceOrder): VenueOrder {
  const { outcome, side, price, shares } = place;
  return { place, sign: yesSign(outcome, side), price: yesPrice(outcome, price), remaining: shares };
}
