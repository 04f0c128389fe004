/**
 * An `OrderBookEvent` of the wire, as a replica takes it.
 *
 * HOT: every change of every book. Objects are used again; only what JSON.parse made is new.
 */
import type { BookDelta, BookLevel } from '../../../book/index.ts';
import { column, FULL_BPS, LOT, SHARE } from '../../../domain/index.ts';
import type { DataOf, OPERATIONS } from '../../../protocol/index.ts';

/** As it stands under `orderBookUpdated`. */
export type WireBook = NonNullable<DataOf<typeof OPERATIONS.orderBookUpdated>['orderBookUpdated']>;
type WireLevels = WireBook['bids'];

interface Level {
  price: number;
  shares: number;
}

const HEX = 16;

export class BookFrame implements BookDelta {
  seq = 0;
  prevSeq = 0;
  checksum = 0;
  isSnapshot = false;
  /** A price was none of the grid. */
  isOffGrid = false;
  /** Venue's time, epoch ms. */
  at = 0;
  readonly bids: BookLevel[] = [];
  readonly asks: BookLevel[] = [];
  /** Levels that were made once, by side. */
  readonly #bids: Level[] = [];
  readonly #asks: Level[] = [];

  /** Levels have changed, as against a snapshot or a frame that says that nothing has. */
  get isChange(): boolean {
    return !this.isSnapshot && this.bids.length + this.asks.length > 0;
  }

  /** @returns what is wrong with the frame; undefined when all is well. @param tickBps every price is a multiple of it */
  read(wire: WireBook, tickBps: number): string | undefined {
    this.seq = Number(wire.seq);
    this.prevSeq = Number(wire.prevSeq);
    this.checksum = Number.parseInt(wire.checksum, HEX);
    this.isSnapshot = wire.kind === 'SNAPSHOT';
    this.at = Date.parse(wire.at);
    if (!(Number.isSafeInteger(this.seq) && Number.isSafeInteger(this.prevSeq)))
      return `seq ${wire.seq} after ${wire.prevSeq}`;
    if (Number.isNaN(this.at) || Number.isNaN(this.checksum)) return `time ${wire.at}, checksum ${wire.checksum}`;
    this.isOffGrid = !(areOnGrid(wire.bids, tickBps) && areOnGrid(wire.asks, tickBps));
    if (this.isOffGrid) return `a price off the grid of ${tickBps} bps`;
    return readLevels(wire.bids, this.#bids, this.bids) ?? readLevels(wire.asks, this.#asks, this.asks);
  }
}

function areOnGrid(levels: WireLevels, tickBps: number): boolean {
  for (let at = 0; at < levels.length; at += 1) {
    const { priceBps } = levels[at]!;
    if (!(priceBps > 0 && priceBps < FULL_BPS && priceBps % tickBps === 0)) return false;
  }
  return true;
}

function readLevels(wire: WireLevels, made: Level[], levels: BookLevel[]): string | undefined {
  const count = wire.length;
  for (let at = 0; at < count; at += 1) {
    const { priceBps, shares } = wire[at]!;
    const micro = Math.round(shares * SHARE);
    if (!(micro >= 0 && micro % LOT === 0 && Number.isSafeInteger(micro))) return `${shares} shares at ${priceBps} bps`;
    const level = made[at] ?? newLevel(made);
    level.price = priceBps;
    level.shares = micro;
    levels[at] = level as BookLevel;
  }
  levels.length = count;
  return undefined;
}

function newLevel(made: Level[]): Level {
  const level = { price: column.price(0), shares: column.shares(0) };
  made.push(level);
  return level;
}
