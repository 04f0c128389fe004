import { type BotNo, FULL_BPS, type Refused, type Sign } from '../domain/index.ts';
import type { AccountView, MarketView } from '../state/index.ts';
import type { Line } from './line.ts';
import type { Resting } from './matching.ts';
import { type Legs, Pool } from './pool.ts';
import { added } from './short-list.ts';
import type { SideDraft } from './side-draft.ts';

const NONE: readonly never[] = [];

/** Most places of one replace (docs/spec/venue.md#batches). */
const MAX_REPLACE_PLACES = 20;

/** What lines are sized with. */
export interface SizingBase {
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
