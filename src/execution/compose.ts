import {
  type BotNo,
  type CancelExpecting,
  column,
  complement,
  FULL_BPS,
  type MarketNo,
  type MicroShares,
  type OrderCommand,
  type OrderNo,
  type Outcome,
  type PlaceOrder,
  type PriceBps,
  type Refused,
  type Side,
  type Sign,
} from '../domain/index.ts';
import type { AccountView, MarketView } from '../state/index.ts';
import { added, type Line } from './line.ts';
import type { Plan } from './planner.ts';
import { type Legs, type LegTerms, legPrice, Pool } from './pool.ts';
import type { Resting, SideDraft } from './side-draft.ts';

const NONE: readonly never[] = [];

/** Nothing to do. */
export const NOTHING_TO_DO: Plan = { commands: NONE, deferred: false, dropped: NONE };

/** The commands of a sized plan: cancels of their own, reduces, then one replace, or places where nothing gives way. */
export function composePlan(base: SizingBase, sizing: Sizing, draw: () => OrderNo): Plan {
  const { market, sides, atomic } = base;
  const number = market.info.market;
  let commands: OrderCommand[] | undefined;
  let replaced: CancelExpecting[] | undefined;
  let deferred = sizing.deferred;
  let waiting = false;
  for (const side of sides) {
    let unanswered = false;
    let cancelsAlone = false;
    const adds = side.adds(atomic);
    for (const { order, cancelled } of side.resting) {
      if (order.phase !== 'live') waiting = true;
      if (order.phase === 'new') unanswered = true;
      if (!cancelled) continue;
      if (adds && sizing.orders > 0) {
        replaced = added(replaced, { order: order.order, remaining: order.remaining });
      } else {
        commands = added(commands, { type: 'cancel', order: order.order, market: number });
        cancelsAlone = true;
      }
    }
    if (side.deferred || (side.lacking && !adds)) deferred = true;
    // After a stopped replace the refusals come one by one: what was to take this order's place may be refused next.
    if (cancelsAlone && unanswered) deferred = true;
  }
  for (const side of sides) for (const reduce of side.reduces) commands = added(commands, reduce);
  // Cash may come back from what leaves now or is on its way.
  if (sizing.short && (waiting || commands !== undefined)) deferred = true;
  for (const { order } of sizing.outgrown) {
    replaced = added(replaced, { order: order.order, remaining: order.remaining });
  }
  const places = sizing.orders > 0 ? placesOf(base, draw) : NONE;
  if (replaced !== undefined) {
    commands = added(commands, { type: 'replace', market: number, cancels: replaced, places });
  } else for (const place of places) commands = added(commands, place);
  return { commands: commands ?? NONE, deferred, dropped: sizing.dropped };
}

/** The orders of the sized lines, in the order in which they were sized. */
function placesOf({ market, bot, sides }: SizingBase, draw: () => OrderNo): readonly PlaceOrder[] {
  const form: OrderForm = { bot, market: market.info.market, timeInForce: 'GTC', draw };
  const levels = Math.max(sides[0].lines.length, sides[1].lines.length);
  let places: PlaceOrder[] | undefined;
  for (let level = 0; level < levels; level += 1) {
    for (const { lines } of sides) {
      const line = lines[level];
      if (line?.legs !== undefined) places = placeLegs(form, line, line.legs, places);
    }
  }
  return places ?? NONE;
}

/** What the orders of one plan have in common. */
interface OrderForm {
  readonly bot: BotNo;
  readonly market: MarketNo;
  /** GTC for quotes, which are post-only, FAK for takings. */
  readonly timeInForce: 'GTC' | 'FAK';
  /** Draws the next order's number. */
  readonly draw: () => OrderNo;
}

/**
 * Adds the orders of a line to those before: what is sold first, each as large as may be. Answers the list from now on;
 * undefined while there are none.
 */
export function placeLegs(
  form: OrderForm,
  { sign, price, largest }: LegTerms,
  { sold, bought }: Legs,
  before: PlaceOrder[] | undefined,
): PlaceOrder[] | undefined {
  const buy = legPrice(sign, price);
  let orders = before;
  for (let left: number = sold; left > 0; left -= largest) {
    const shares = column.shares(Math.min(left, largest));
    orders = added(orders, place(form, sign === 1 ? 'NO' : 'YES', 'SELL', complement(buy), shares));
  }
  for (let left: number = bought; left > 0; left -= largest) {
    const shares = column.shares(Math.min(left, largest));
    orders = added(orders, place(form, sign === 1 ? 'YES' : 'NO', 'BUY', buy, shares));
  }
  return orders;
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

/** Most places of one replace (docs/spec/venue.md#batches). */
const MAX_REPLACE_PLACES = 20;

/** What lines are sized with. */
interface SizingBase {
  readonly view: AccountView;
  readonly market: MarketView;
  readonly bot: BotNo;
  /** The side that shrinks the position, or the bids from flat, and the other. */
  readonly sides: readonly [SideDraft, SideDraft];
  /** Whether cancels and places may go in one step. */
  readonly atomic: boolean;
}

/**
 * How much of each line that lacks something can be placed now, and by which legs: from the inside out, a level of both
 * sides at a time, until the cash is used up.
 */
export class Sizing {
  readonly #base: SizingBase;
  readonly #pool: Pool;
  #outgrown: Resting[] | undefined;
  #dropped: Refused[] | undefined;
  #orders = 0;
  #replaces = false;
  #deferred = false;
  #short = false;

  constructor(base: SizingBase) {
    this.#base = base;
    this.#pool = new Pool(base.view, base.market, false);
    const [first, second] = base.sides;
    const firstLimit = this.#open(first, second);
    const secondLimit = this.#open(second, first);
    const levels = Math.max(first.lines.length, second.lines.length);
    for (let level = 0; level < levels; level += 1) {
      this.#size(first.lines[level], first, firstLimit);
      this.#size(second.lines[level], second, secondLimit);
    }
  }

  /** How many orders are to be placed: those of the lines' legs. */
  get orders(): number {
    return this.#orders;
  }
  /** Orders that give way to larger ones, beside those already cancelled. */
  get outgrown(): readonly Resting[] {
    return this.#outgrown ?? NONE;
  }
  get dropped(): readonly Refused[] {
    return this.#dropped ?? NONE;
  }
  /** Whether a line has to wait for what is in flight or goes now. */
  get deferred(): boolean {
    return this.#deferred;
  }
  /** Whether cash ran out. */
  get short(): boolean {
    return this.#short;
  }

  /** Micro-shares left that a line of this side could sell. */
  free(sign: Sign): number {
    return this.#pool.free(sign);
  }

  /** The own price that new orders of the side keep clear of; undefined when the side adds none. */
  #open(side: SideDraft, opposite: SideDraft): number | undefined {
    const { atomic } = this.#base;
    if (!side.adds(atomic)) return undefined;
    if (side.cancels > 0) this.#replaces = true;
    for (const each of side.resting) if (each.cancelled) this.#pool.release(each.order);
    return barrier(opposite, this.#base);
  }

  #size(line: Line | undefined, side: SideDraft, limit: number | undefined): void {
    if (line !== undefined) line.legs = undefined;
    if (line === undefined || limit === undefined || !side.lacks(line)) return;
    const crosses = line.sign * (limit - line.price) <= 0;
    const full = this.#orders + line.mostOrders > MAX_REPLACE_PLACES;
    if (crosses || (full && this.#replaces)) this.#deferred = true;
    else if (line.kept === 0) this.#placeWhole(line);
    else if (!this.#base.atomic) this.#placeBehind(line, side);
    else if (line.pending || full) this.#deferred = true;
    else this.#outgrow(line, side);
  }

  #placeWhole(line: Line): void {
    const legs = this.#pool.legs(line, line.shares);
    if (legs.lacking !== undefined) {
      this.#dropped = added(this.#dropped, legs.lacking);
      this.#note(legs);
    }
    this.#use(line, legs);
  }

  /** Where places are delayed a replace would leave the level empty for as long: what is missing queues up behind. */
  #placeBehind(line: Line, side: SideDraft): void {
    const legs = this.#pool.legs(line, line.missing);
    this.#note(legs);
    if (side.worthwhile(line, legs.sold + legs.bought)) this.#use(line, legs);
  }

  /** Replaces the orders of a line by larger ones, if cash and holdings make them larger. */
  #outgrow(line: Line, side: SideDraft): void {
    const standing = side.resting.filter((each) => each.line === line);
    for (const each of standing) this.#pool.release(each.order);
    const legs = this.#pool.legs(line, line.shares);
    this.#note(legs);
    if (side.worthwhile(line, legs.sold + legs.bought - line.kept)) {
      this.#use(line, legs);
      for (const each of standing) this.#outgrown = added(this.#outgrown, each);
      this.#replaces = true;
    } else for (const each of standing) this.#pool.keep(each.order);
  }

  #note({ lacking }: Legs): void {
    if (lacking?.code === 'INSUFFICIENT_BALANCE') this.#short = true;
  }

  #use(line: Line, legs: Legs): void {
    if (legs.sold === 0 && legs.bought === 0) return;
    this.#pool.spend(line, legs);
    line.legs = legs;
    this.#orders += Math.ceil(legs.sold / line.largest) + Math.ceil(legs.bought / line.largest);
  }
}

/**
 * The own price nearest to the other side that may still be open after this plan's replace. What is cancelled by a
 * command of its own may come too late, so it counts.
 */
function barrier(opposite: SideDraft, { market, bot, atomic }: SizingBase): number {
  const { sign } = opposite;
  let nearest = sign === 1 ? 0 : FULL_BPS;
  for (const order of market.orders) {
    if (order.bot === bot || order.sign !== sign || !order.rests) continue;
    if (sign * (order.yesPrice - nearest) > 0) nearest = order.yesPrice;
  }
  const replaced = opposite.adds(atomic);
  for (const { order, cancelled } of opposite.resting) {
    if (!(cancelled && replaced) && sign * (order.yesPrice - nearest) > 0) nearest = order.yesPrice;
  }
  return nearest;
}
