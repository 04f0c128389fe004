/**
 * Decodes an `OrderBookEvent` of the wire for a replica. Every field is validated. Nothing throws, whatever the venue
 * sends, and a valid frame can be applied to a book.
 *
 * HOT: decodes every change of every book (bench/market-data.ts).
 */
import type { BookDelta, BookLevel } from '../../../book/index.ts';
import { FULL_BPS, LOT, MAX_ORDER_SHARES, SHARE, unchecked, yesSign } from '../../../domain/index.ts';
import { shortLine } from '../../../network/index.ts';
import type { DataOf, OPERATIONS } from '../../../protocol/index.ts';
import { SIDE } from '../../../tape/index.ts';
import type { PublicTrade } from '../../base/index.ts';

/** A valid value of `orderBookUpdated`. */
export type WireBook = NonNullable<DataOf<typeof OPERATIONS.orderBookUpdated>['orderBookUpdated']>;
export type WireTrade = NonNullable<DataOf<typeof OPERATIONS.tradeExecuted>['tradeExecuted']>;

const HEX_RADIX = 16;
const MAX_LEVELS = FULL_BPS - 1;
/** Length that no number, time or checksum exceeds. */
const MAX_TEXT_LENGTH = 40;
const [ZERO_CODE, NINE_CODE] = [48, 57];

export class BookFrame implements BookDelta {
  seq = 0;
  prevSeq = 0;
  checksum = 0;
  isSnapshot = false;
  /** Whether a price was off the grid. */
  isOffGrid = false;
  /** Venue's time, epoch ms. */
  at = 0;
  readonly bids: BookLevel[] = [];
  readonly asks: BookLevel[] = [];

  /** Whether the frame changes levels; false for a snapshot or an idle frame. */
  get isChange(): boolean {
    return !this.isSnapshot && this.bids.length + this.asks.length > 0;
  }

  /**
   * @param event any JSON value
   * @param marketId expected market
   * @param tickBps tick of the market's prices
   * @returns the invalid field and its value; undefined if the frame is valid
   */
  read(event: unknown, marketId: string, tickBps: number): string | undefined {
    this.isOffGrid = false;
    if (typeof event !== 'object' || event === null) return `expected an object, got ${describeValue(event)}`;
    const { kind, marketId: market, seq, prevSeq, bids, asks, checksum, at } = event as Record<keyof WireBook, unknown>;
    if (kind !== 'DELTA' && kind !== 'SNAPSHOT') return `kind: expected DELTA or SNAPSHOT, got ${describeValue(kind)}`;
    if (market !== marketId && !(isShort(market) && market.toLowerCase() === marketId))
      return `marketId: expected ${marketId}, got ${describeValue(market)}`;
    this.isSnapshot = kind === 'SNAPSHOT';
    this.seq = parseUint(seq);
    if (this.seq < 0) return `seq: expected an unsigned integer within 2^53 - 1, got ${describeValue(seq)}`;
    this.prevSeq = parseUint(prevSeq);
    if (this.prevSeq < 0) return `prevSeq: expected an unsigned integer within 2^53 - 1, got ${describeValue(prevSeq)}`;
    this.checksum = isShort(checksum) ? Number.parseInt(checksum, HEX_RADIX) : Number.NaN;
    if (Number.isNaN(this.checksum)) return `checksum: expected hex digits, got ${describeValue(checksum)}`;
    this.at = isShort(at) ? Date.parse(at) : Number.NaN;
    if (Number.isNaN(this.at)) return `at: expected a time, got ${describeValue(at)}`;
    const problem = readLevels(bids, this.bids) ?? readLevels(asks, this.asks);
    if (problem !== undefined) return problem;
    this.isOffGrid = !(areOnGrid(this.bids, tickBps) && areOnGrid(this.asks, tickBps));
    return this.isOffGrid ? `priceBps: a price off the grid of ${tickBps} bps` : undefined;
  }
}

function areOnGrid(levels: readonly BookLevel[], tickBps: number): boolean {
  for (let at = 0; at < levels.length; at += 1) if (levels[at]!.price % tickBps !== 0) return false;
  return true;
}

/** Reads `wire` into `levels`. Returns the invalid field and its value; undefined if all levels are valid. */
function readLevels(wire: unknown, levels: BookLevel[]): string | undefined {
  if (!Array.isArray(wire)) return `bids or asks: expected a list, got ${describeValue(wire)}`;
  const count = wire.length;
  if (count > MAX_LEVELS) return `bids or asks: expected at most ${MAX_LEVELS} levels, got ${count}`;
  for (let at = 0; at < count; at += 1) {
    const entry: unknown = wire[at];
    if (typeof entry !== 'object' || entry === null)
      return `level ${at}: expected an object, got ${describeValue(entry)}`;
    const { priceBps, shares } = entry as { readonly priceBps: unknown; readonly shares: unknown };
    if (typeof priceBps !== 'number' || !Number.isInteger(priceBps) || priceBps < 1 || priceBps > MAX_LEVELS)
      return `level ${at}, priceBps: expected basis points from 1 to ${MAX_LEVELS}, got ${describeValue(priceBps)}`;
    if (typeof shares !== 'number') return `level ${at}, shares: expected a number, got ${describeValue(shares)}`;
    const microShares = Math.round(shares * SHARE);
    if (!(microShares >= 0 && microShares % LOT === 0 && microShares <= MAX_ORDER_SHARES))
      return `level ${at}, shares: expected whole lots, from 0 to a billion shares, got ${shares}`;
    levels[at] = { price: unchecked.price(priceBps), shares: unchecked.shares(microShares) };
  }
  levels.length = count;
  return undefined;
}

/** Parses an unsigned integer of at most 2^53 - 1. Returns -1 for any other value. */
function parseUint(value: unknown): number {
  if (typeof value !== 'string' || value.length === 0 || value.length > MAX_TEXT_LENGTH) return -1;
  let number = 0;
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (code < ZERO_CODE || code > NINE_CODE) return -1;
    number = 10 * number + (code - ZERO_CODE);
  }
  return Number.isSafeInteger(number) ? number : -1;
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH;
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shortLine(value));
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}

export function toPublicTrade(trade: WireTrade): PublicTrade | undefined {
  const { id, outcome, side, lastTradePriceBps: price } = trade;
  if (outcome === 'CANCELLED') return undefined;
  const [seq, shares, at] = [Number(trade.seq), Math.round(trade.shares * SHARE), Date.parse(trade.executedAt)];
  if (!(Number.isSafeInteger(seq) && shares > 0 && price > 0 && price < FULL_BPS) || Number.isNaN(at)) return undefined;
  return { id, seq, taker: yesSign(outcome, side) === 1 ? SIDE.bid : SIDE.ask, price, shares, at };
}
