import {
  addShares,
  column,
  gridAbove,
  gridBelow,
  type MicroShares,
  type PriceBps,
  type Quote,
  type QuoteIntent,
  type Sign,
} from '../domain/index.ts';
import type { MarketView, OpenOrder } from '../state/index.ts';
import type { Legs } from './pool.ts';

const NONE: readonly never[] = [];

/**
 * All that is wished at one price of a side, and what stands for it already. It may be carried out by several orders, none
 * of which is larger than the largest level that was wished there.
 */
export class Line {
  readonly sign: Sign;
  /** YES terms; as wished, or one step short of the outside touch. */
  readonly price: PriceBps;
  #shares: MicroShares;
  #largest: MicroShares;
  #levels = 1;
  #kept = 0;
  #pending = false;
  /** What is to be placed for it now; undefined for nothing. Written by the sizing. */
  legs: Legs | undefined;

  constructor(sign: Sign, price: PriceBps, shares: MicroShares) {
    this.sign = sign;
    this.price = price;
    this.#shares = shares;
    this.#largest = shares;
  }

  get shares(): MicroShares {
    return this.#shares;
  }
  /** Most that one order of the line may have, micro-shares. */
  get largest(): MicroShares {
    return this.#largest;
  }
  /** How many orders it can take to carry the whole line out. */
  get mostOrders(): number {
    return this.#levels + 1;
  }

  /** Micro-shares of the orders that stand for it; more than `shares` until it is trimmed. */
  get kept(): number {
    return this.#kept;
  }
  /** Whether a request for one of them is in flight. */
  get pending(): boolean {
    return this.#pending;
  }
  /** What is missing, micro-shares; negative for too much. */
  get gap(): number {
    return this.shares - this.#kept;
  }
  /** What is missing; nothing when there is too much. */
  get missing(): MicroShares {
    return column.shares(Math.max(0, this.gap));
  }

  /** Another level at the same price. */
  add(shares: MicroShares): void {
    this.#shares = addShares(this.#shares, shares);
    if (shares > this.#largest) this.#largest = shares;
    this.#levels += 1;
  }

  hold(order: OpenOrder): void {
    this.#kept += order.remaining;
    if (order.phase !== 'live') this.#pending = true;
  }

  /** Gives up part or all of a live order. */
  release(shares: number): void {
    this.#kept -= shares;
  }
}

/** The lines of one side, in the order of the wish. A level whose capped price is off the grid is not shown. */
export function quoteLines(intent: QuoteIntent, market: MarketView, sign: Sign): readonly Line[] {
  let lines: Line[] | undefined;
  const side: Quote['side'] = sign === 1 ? 'bid' : 'ask';
  for (const quote of intent.quotes) {
    if (quote.side !== side) continue;
    const price = capped(quote.price, market, sign);
    const line = lines === undefined ? undefined : lineAt(lines, price);
    if (line !== undefined) line.add(quote.shares);
    else if (price !== undefined) lines = added(lines, new Line(sign, price, quote.shares));
  }
  return lines ?? NONE;
}

/** The line at a YES price. */
export function lineAt(lines: readonly Line[], price: number | undefined): Line | undefined {
  for (const line of lines) if (line.price === price) return line;
  return undefined;
}

/**
 * Post-only prices are capped one grid step short of the opposite outside touch (docs/spec/models.md#signs-and-units).
 */
function capped(price: PriceBps, { book, info }: MarketView, sign: Sign): PriceBps | undefined {
  if (sign === 1) {
    const touch = book.bestAsk();
    return touch !== undefined && price >= touch ? gridBelow(info.grid, touch) : price;
  }
  const touch = book.bestBid();
  return touch !== undefined && price <= touch ? gridAbove(info.grid, touch) : price;
}

/**
 * Adds to a list that begins with its first item; the answer is the list from now on. Most lists of a plan hold one or two
 * items, and a plan makes a dozen of them: an empty array takes seventeen places with its first item, these are as long as
 * they need to be.
 */
export function added<T>(list: T[] | undefined, item: T): T[] {
  if (list === undefined) return [item];
  const only = list[0];
  if (list.length === 1 && only !== undefined) return [only, item];
  list.push(item);
  return list;
}
