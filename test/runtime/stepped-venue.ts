import type { SimClock } from '../../src/clock/index.ts';
import {
  type CloseReason,
  type EpochMs,
  type MarketNo,
  type MicroShares,
  microShares,
  minShares,
  type OrderCommand,
  type OrderNo,
  type PlaceOrder,
  type RejectReason,
  subShares,
  type VenueEvent,
  ZERO_USD,
} from '../../src/domain/index.ts';
import type { Venue, VenueSession, VenueSink } from '../../src/runtime/index.ts';

interface Open {
  readonly place: PlaceOrder;
  remaining: MicroShares;
}

type Answer = VenueEvent extends infer E ? (E extends VenueEvent ? Omit<E, 'time' | 'venueTime'> : never) : never;

/**
 * A venue that processes commands and delivers answers one at a time when the test calls it, with fills in between.
 * It does not match own orders and has no funds.
 */
export class SteppedVenue implements Venue {
  readonly open = new Map<OrderNo, Open>();
  readonly #clock: SimClock;
  readonly #commands: OrderCommand[] = [];
  readonly #answers: Answer[] = [];
  #sink: VenueSink | undefined;
  /** True if the next place or replace is refused. */
  refusesNext = false;
  /** Types of all reported events. */
  readonly reported: string[] = [];
  /** Types of all processed commands. */
  readonly processed: string[] = [];

  constructor(clock: SimClock) {
    this.#clock = clock;
  }

  connect(sink: VenueSink): Promise<VenueSession> {
    this.#sink = sink;
    return Promise.resolve({
      send: (commands) => void this.#commands.push(...commands),
      close: () => Promise.resolve(),
    });
  }

  get sink(): VenueSink {
    if (this.#sink === undefined) throw new Error('not connected');
    return this.#sink;
  }

  /** Processes the next command. @returns false if there was none */
  processCommand(): boolean {
    const command = this.#commands.shift();
    if (command !== undefined) this.#process(command);
    return command !== undefined;
  }

  /** Delivers the next answer. @returns false if there was none */
  deliverAnswer(): boolean {
    const answer = this.#answers.shift();
    const time: EpochMs = this.#clock.now();
    if (answer !== undefined) this.sink.event({ ...answer, time, venueTime: time });
    return answer !== undefined;
  }

  /** Fills `percent` of an open order's remaining size, at least one lot. */
  fill(index: number, percent: number): void {
    const found = [...this.open.values()][index % Math.max(1, this.open.size)];
    if (found === undefined) return;
    const { order, market, outcome, side, price } = found.place;
    const lots = Math.max(1, Math.floor((found.remaining / 10_000) * (percent / 100)));
    const shares = minShares(found.remaining, microShares(lots * 10_000));
    found.remaining = subShares(found.remaining, shares);
    const { remaining } = found;
    if (remaining === 0) this.open.delete(order);
    const terms = { order, market, outcome, side, price, shares, remaining, fee: ZERO_USD } as const;
    this.#report({ type: 'orderFilled', ...terms, liquidity: 'maker', basis: 'queue', inside: false });
  }

  #process(command: OrderCommand): void {
    this.processed.push(command.type);
    switch (command.type) {
      case 'place':
        this.#place(command);
        return;
      case 'cancel':
        if (this.open.has(command.order)) this.#close(command.order, 'USER');
        else this.#refuseCancel(command.order, command.market);
        return;
      case 'reduce':
        this.#reduce(command.order, command.market, command.by);
        return;
      case 'replace':
        this.#replace(command);
        return;
      case 'cancelAll':
        for (const order of [...this.open.keys()]) this.#close(order, 'USER');
        return;
      default:
        throw new Error('no conversions here');
    }
  }

  #place(place: PlaceOrder): void {
    const { order, market, shares } = place;
    if (this.refusesNext) {
      this.refusesNext = false;
      this.#report({ type: 'orderRejected', order, market, reason: 'POST_ONLY_WOULD_CROSS' });
      return;
    }
    this.open.set(order, { place, remaining: shares });
    this.#report({ type: 'orderAccepted', order, market });
  }

  #reduce(order: OrderNo, market: MarketNo, by: MicroShares): void {
    const open = this.open.get(order);
    if (open === undefined) this.#refuseCancel(order, market);
    else if (by >= open.remaining) this.#close(order, 'USER');
    else {
      open.remaining = subShares(open.remaining, by);
      this.#report({ type: 'orderReduced', order, market, remaining: open.remaining });
    }
  }

  #replace({ market, cancels, places }: Extract<OrderCommand, { type: 'replace' }>): void {
    const fits = cancels.every(({ order, remaining }) => this.open.get(order)?.remaining === remaining);
    if (!fits || this.refusesNext) {
      this.refusesNext = false;
      for (const { order } of cancels) this.#refuseCancel(order, market, 'CONFLICT');
      for (const { order } of places) this.#report({ type: 'orderRejected', order, market, reason: 'CONFLICT' });
      return;
    }
    for (const { order } of cancels) this.open.delete(order);
    for (const place of places) this.open.set(place.order, { place, remaining: place.shares });
    const [closed, accepted] = [cancels.map(({ order }) => order), places.map(({ order }) => order)];
    this.#report({ type: 'ordersReplaced', market, closed, accepted });
  }

  #close(order: OrderNo, reason: CloseReason): void {
    const open = this.open.get(order);
    this.open.delete(order);
    if (open !== undefined) this.#report({ type: 'orderClosed', order, market: open.place.market, reason });
  }

  #refuseCancel(order: OrderNo, market: MarketNo, reason: RejectReason = 'ALREADY_FINAL'): void {
    this.#report({ type: 'cancelRejected', order, market, reason });
  }

  #report(answer: Answer): void {
    this.reported.push(answer.type);
    this.#answers.push(answer);
  }
}
