/**
 * The rules of docs/spec/models.md#outside-flow, docs/spec/models.md#queue and docs/spec/venue.md#the-book in the
 * plainest form: maps and arrays, everything recomputed.
 */
import type { PlaceOrder, Sign } from '../../../src/domain/index.ts';
import type { QueueModel } from '../../../src/replay/index.ts';
import { KIND, SIDE } from '../../../src/tape/index.ts';
import { LOT, lots, NaiveBook } from './naive-book.ts';

/** `own` marks a print that filled the bot that recorded the tape, `late` one that was recorded after its level. */
export type Row = {
  kind: number;
  market: number;
  side: number;
  price: number;
  shares: number;
  own?: true;
  late?: true;
};
type Resting = { left: number; front: number; printed: number; fee: number; sets: PastSet[]; since: number };
type PastSet = { front: number; printed: number; before: number; after: number; ahead: number };
export type Own = { place: PlaceOrder; sign: Sign; price: number } & Resting;
const INITIAL = {
  status: 'OPEN',
  halted: false,
  delay: 0,
  stops: 0,
  mark: 0,
  yes: 0,
  no: 0,
  paid: 0,
  owed: 0,
  inGap: false,
  afterGap: false,
};
type Market = typeof INITIAL & { touch: [number, number] };
export type Rules = { queue: QueueModel; feeBps: number; immutable: boolean; maxExposure: number };
type Replaced = { closed?: readonly number[]; accepted?: readonly number[] };
type Numbers = { order?: number; shares?: number; remaining?: number; mark?: number; time?: number };
export type NaiveEvent = { type: string } & Numbers & Replaced;
type EventFields = NaiveEvent & Record<string, unknown>;

export const FINAL = ['RESOLVED_YES', 'RESOLVED_NO', 'RESOLVED_UNCERTAIN', 'CANCELLED'];

export class NaiveSim extends NaiveBook {
  orders: Own[] = [];
  known = new Set<number>();
  markets: Market[];
  epoch = 0;
  now = 0;
  rules: Rules;
  cash: number;
  emit: (event: EventFields) => void;
  constructor(count: number, rules: Rules, cash: number, emit: (event: EventFields) => void) {
    super();
    this.markets = Array.from({ length: count }, () => ({ ...INITIAL, touch: [0, 10_000] }));
    this.rules = rules;
    this.cash = cash;
    this.emit = emit;
  }

  own(market: number, sign: Sign): Own[] {
    return this.orders
      .filter((own) => own.place.market === market && own.sign === sign)
      .sort((a, b) => sign * (b.price - a.price));
  }

  /** Returns the shares ahead of each order, in order of arrival. */
  queues(): number[] {
    return this.orders.map(({ place, price, front }, at) => {
      const before = this.orders.slice(0, at).filter((own) => own.place.market === place.market && own.price === price);
      return front + before.reduce((sum, { left }) => sum + left, 0);
    });
  }

  message(rows: readonly Row[]): void {
    for (const [at, row] of rows.entries()) this.row(row, rows[at + 1]);
    for (const market of new Set(rows.map((row) => row.market))) this.finish(market);
  }
  ownPrints: Row[] = [];
  /** Shares of the previous row if it was an `ahead` row. */
  ahead: number | undefined;
  row(row: Row, next: Row | undefined): void {
    const { kind, market, side, price, shares, own: isOwn } = row;
    const state = this.markets[market]!;
    const ahead = this.ahead ?? Number.POSITIVE_INFINITY;
    this.ahead = kind === KIND.ahead ? shares : undefined;
    if (state.inGap && (kind === KIND.trade || kind === KIND.level)) return;
    if (isOwn) {
      this.ownPrints.push({ ...row });
      if (next?.own && next.market === market && next.side === side) return;
      this.sweep(market, side === SIDE.bid ? -1 : 1, this.ownPrints);
      this.ownPrints = [];
    } else if (row.late) this.latePrint(market, side, price, shares);
    else if (kind === KIND.trade) this.print(market, side, price, shares);
    else if (kind === KIND.level) {
      const key = `${market}/${side}/${price}`;
      const before = this.recorded.get(key) ?? 0;
      // Own takers took the first shares of the level.
      const taken = this.consumed.get(key) ?? 0;
      for (const own of this.own(market, side === SIDE.bid ? 1 : -1).filter((own) => own.price === price)) {
        this.move(own, before, shares, ahead - taken);
      }
      this.set([market, side, price], shares);
    } else if (kind === KIND.clear || kind === KIND.gap) {
      this.clear(market);
      Object.assign(state, {
        inGap: kind === KIND.gap,
        afterGap: kind === KIND.clear && (state.inGap || state.afterGap),
      });
    } else if (kind === KIND.status && !FINAL.includes(state.status)) {
      Object.assign(state, { status: price === 2 ? 'PENDING_RESOLUTION' : 'OPEN', halted: price === 1 });
      state.stops += price > 0 ? 1 : 0;
      if (price > 0) this.closeAll(market, price === 1 ? 'MARKET_HALTED' : 'MARKET_NOT_OPEN');
    } else if (kind === KIND.resolution) {
      state.status = price === 0 ? 'RESOLVED_NO' : price === 10_000 ? 'RESOLVED_YES' : 'RESOLVED_UNCERTAIN';
      this.closeAll(market, 'MARKET_NOT_OPEN');
      Object.assign(state, {
        owed: (state.yes * price + state.no * (10_000 - price)) / LOT,
        yes: 0,
        no: 0,
        stops: state.stops + 1,
      });
    } else if (kind === KIND.placeDelay) state.delay = shares;
  }
  move(own: Own, before: number, after: number, ahead: number): void {
    own.sets.push({ front: own.front, printed: own.printed, before, after, ahead });
    own.front = this.rules.queue.frontAfter(own.front, before, after, own.printed, ahead);
    own.printed = 0;
  }
  /**
   * Applies the print as if it had come before the latest of eight sets that fell by its size, else before the set that
   * fell most. Orders younger than these sets get nothing at its price; orders of the last 250 ms get nothing.
   */
  latePrint(market: number, taker: number, price: number, shares: number): void {
    const atPrice = this.orders.filter((own) => own.place.market === market && own.price === price);
    const isOlder = ({ since }: Own): boolean => since <= this.now - 250;
    const explaining = atPrice.map((own) => {
      const last = (isOlder(own) ? own.sets : []).slice(-8).reverse();
      const fall = (set: PastSet): number => set.before - set.after - set.printed;
      const largest = last.toSorted((a, b) => fall(b) - fall(a))[0];
      const set = last.find((each) => fall(each) >= shares) ?? largest;
      const was = { front: own.front, printed: own.printed };
      own.front = set === undefined ? Number.POSITIVE_INFINITY : set.front;
      return { own, set, was };
    });
    this.print(market, taker, price, shares, isOlder);
    for (const { own, set, was } of explaining) {
      const late = own.printed - was.printed;
      Object.assign(own, set === undefined ? was : { printed: 0 });
      if (set === undefined) continue;
      set.printed += late;
      for (const each of own.sets.slice(own.sets.indexOf(set))) {
        if (each !== set) own.front = Math.max(0, own.front - each.printed);
        each.front = own.front;
        own.front = this.rules.queue.frontAfter(each.front, each.before, each.after, each.printed, each.ahead);
      }
      Object.assign(own, { front: Math.max(0, own.front - was.printed), printed: was.printed });
    }
  }
  print(market: number, taker: number, price: number, shares: number, reaches = (_own: Own): boolean => true): void {
    for (const sign of [-1, 1] as const) {
      if (taker === (sign > 0 ? SIDE.bid : SIDE.ask)) continue;
      let left = shares;
      for (const own of this.own(market, sign).filter((own) => sign * (own.price - price) > 0 && reaches(own))) {
        const given = Math.min(left, own.left);
        left -= given;
        if (given > 0) this.fill(own, given, own.price, 'through');
      }
      let isServed = true;
      for (const own of this.own(market, sign).filter((own) => own.price === price && taker !== SIDE.unknown)) {
        const given = isServed ? lots(Math.min(own.left, left - own.front)) : 0;
        if (given > 0) this.fill(own, given, own.price, 'queue');
        own.front = Math.max(0, own.front - left);
        own.printed += shares;
        left -= given;
        isServed &&= own.left === 0;
      }
    }
  }
  /**
   * Fills own orders of a sign, best first, from prints at or beyond their price. Prints that reach the fewest orders
   * come first.
   */
  sweep(market: number, sign: Sign, prints: Row[]): void {
    for (const own of this.own(market, sign)) {
      for (const print of prints.filter(({ price }) => price === own.price)) {
        const part = Math.min(print.shares, own.left);
        print.shares -= part;
        if (part > 0) this.fill(own, part, own.price, 'queue');
      }
      const beyond = prints
        .filter(({ price }) => sign * (own.price - price) > 0)
        .sort((a, b) => sign * (b.price - a.price));
      let given = 0;
      for (const print of beyond) {
        const part = Math.min(print.shares, own.left - given);
        print.shares -= part;
        given += part;
      }
      if (given > 0) this.fill(own, given, own.price, 'through');
      if (own.left > 0) return;
    }
  }
  finish(market: number): void {
    if (this.markets[market]!.afterGap) {
      this.markets[market]!.afterGap = false;
      for (const own of this.orders.filter(({ place }) => place.market === market)) {
        own.front = this.size(market, own.sign > 0 ? SIDE.bid : SIDE.ask, own.price);
        own.printed = 0;
        own.sets = [];
      }
    }
    for (const sign of [-1, 1] as const) {
      const side = sign > 0 ? SIDE.ask : SIDE.bid;
      for (const own of this.own(market, sign)) {
        let given = 0;
        for (const price of this.prices(market, side).filter((level) => sign * (own.price - level) >= 0)) {
          const part = lots(Math.min(own.left - given, this.size(market, side, price)));
          this.consume([market, side, price], part);
          given += part;
        }
        if (given > 0) this.fill(own, given, own.price, 'cross');
      }
    }
    const state = this.markets[market]!;
    const [bid, ask] = [this.prices(market, SIDE.bid)[0], this.prices(market, SIDE.ask)[0]];
    state.touch = [
      this.prices(market, SIDE.bid, { all: true })[0] ?? 0,
      this.prices(market, SIDE.ask, { all: true })[0] ?? 10_000,
    ];
    if (state.status === 'OPEN' && !state.halted && bid !== undefined && ask !== undefined) state.mark = bid + ask;
  }
  fill(own: Own, shares: number, yes: number, tag: string): void {
    const { order, market, outcome, side } = own.place;
    const state = this.markets[market]!;
    const price = outcome === 'YES' ? yes : 10_000 - yes;
    const fee = tag === 'taker' ? Math.floor((this.rules.feeBps * (shares / LOT) * price * (10_000 - price)) / 1e8) : 0;
    const worth = (side === 'BUY' ? 1 : -1) * (shares / LOT) * price;
    this.cash -= worth + fee;
    state.paid += worth;
    state[outcome === 'YES' ? 'yes' : 'no'] += side === 'BUY' ? shares : -shares;
    own.left -= shares;
    const inside = tag !== 'taker' && (own.sign > 0 ? own.price > state.touch[0]! : own.price < state.touch[1]!);
    const liquidity = tag === 'taker' ? 'taker' : 'maker';
    const fields = {
      order,
      market,
      outcome,
      side,
      price,
      shares,
      remaining: own.left,
      fee,
      liquidity,
      basis: tag,
      inside,
    };
    this.emit({ type: 'orderFilled', ...fields });
    this.emit({ type: 'mark', mark: state.mark > 0 ? state.mark : 2 * yes });
    if (own.left === 0) this.orders = this.orders.filter((other) => other !== own);
  }
  close(own: Own, reason: string): void {
    this.orders = this.orders.filter((other) => other !== own);
    this.emit({ type: 'orderClosed', order: own.place.order, market: own.place.market, reason });
  }
  closeAll(market: number | undefined, reason: string): void {
    for (const own of this.orders) if (market === undefined || own.place.market === market) this.close(own, reason);
  }
  expire(): void {
    for (const own of this.orders.filter(({ place }) => place.expiration > 0 && place.expiration <= this.now))
      this.close(own, 'EXPIRED');
  }
}
