/**
 * Outside liquidity for takers (docs/spec/models.md#outside-flow, docs/spec/models.md#queue). It is the available size
 * V of the recorded book, or any size at an assumed price if the tape has no book. Bids take asks, and asks take bids.
 */
import { FULL_BPS, gridDown, gridUp, type PriceGrid } from '../domain/index.ts';
import { SIDE } from '../tape/index.ts';
import type { OutsideBook } from './outside-book.ts';
import type { Replay } from './replay.ts';

const ANY_SIZE = Number.MAX_SAFE_INTEGER;

/** Prices are YES bps, sizes micro-shares. `isBid` is the taker's side. */
export class Liquidity {
  readonly #market: number;
  readonly #grid: PriceGrid;
  readonly #outside: OutsideBook;
  readonly #replay: Replay;

  constructor(market: number, grid: PriceGrid, outside: OutsideBook, replay: Replay) {
    this.#market = market;
    this.#grid = grid;
    this.#outside = outside;
    this.#replay = replay;
  }

  /** Returns the best price that the taker can take. Without one, returns 10000 for a bid and 0 for an ask. */
  top(isBid: boolean): number {
    if (this.#replay.tradesOnly !== undefined) return this.#assumedPrice(isBid);
    return isBid ? this.#outside.ladder.topAsk : this.#outside.ladder.topBid;
  }

  /** Returns the next best price after `price`. Without one, returns 10000 for a bid and 0 for an ask. */
  next(isBid: boolean, price: number): number {
    const end = isBid ? FULL_BPS : 0;
    if (this.#replay.tradesOnly !== undefined) return end;
    const { ladder } = this.#outside;
    return (isBid ? ladder.nextAsk(price) : ladder.nextBid(price)) ?? end;
  }

  sizeAt(isBid: boolean, price: number): number {
    if (this.#replay.tradesOnly !== undefined) return price === this.#assumedPrice(isBid) ? ANY_SIZE : 0;
    return this.#outside.available(isBid ? SIDE.ask : SIDE.bid, price);
  }

  /** Takes shares from a level. @returns `shares` if the level still shows them (nothing is consumed), otherwise 0 */
  take(isBid: boolean, price: number, shares: number): number {
    const { isImmutable, tradesOnly } = this.#replay;
    if (isImmutable || tradesOnly !== undefined) return shares;
    this.consume(isBid ? SIDE.ask : SIDE.bid, price, shares);
    return 0;
  }

  /** Consumes all size within a limit, so that a resting order cannot take immutable liquidity again. */
  takeAll(isBid: boolean, limit: number): void {
    if (this.#replay.tradesOnly !== undefined) return;
    const side = isBid ? SIDE.ask : SIDE.bid;
    for (let price = this.top(isBid); isBid ? price <= limit : price >= limit; price = this.top(isBid))
      this.consume(side, price, this.#outside.available(side, price));
  }

  /** Adds to the consumed size of a level. @param side a value of `SIDE` */
  consume(side: number, price: number, shares: number): void {
    this.#outside.consume(side, price, shares);
    this.#replay.changes.push({ market: this.#market, side, price });
  }

  #assumedPrice(isBid: boolean): number {
    const halfSpread = this.#replay.tradesOnly?.assumed_half_spread_bps;
    const { lastPrint } = this.#outside;
    if (halfSpread === undefined || lastPrint === 0) return isBid ? FULL_BPS : 0;
    return isBid
      ? (gridUp(this.#grid, lastPrint + halfSpread) ?? FULL_BPS)
      : (gridDown(this.#grid, lastPrint - halfSpread) ?? 0);
  }
}
