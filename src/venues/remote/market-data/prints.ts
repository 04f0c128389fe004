/**
 * Trades on their way to being rows: each once, before the levels that they changed, and none of our own.
 *
 * A trade that comes before its book waits until the book comes, or the burst of frames it came in is over. One that may be
 * ours (an order of ours stands, or is on its way, where it happened) waits until our own stream has told as much, or for a
 * while: then nobody claimed it.
 */
import { FULL_BPS, SHARE, yesSign } from '../../../domain/index.ts';
import type { TradeFieldsFragment } from '../../../protocol/index.ts';
import { SIDE } from '../../../tape/index.ts';

/** For so long a trade may turn out to be ours. ms. */
export const DOUBT_MS = 250;

/** A print in YES terms. */
export interface Print {
  readonly id: string;
  readonly seq: number;
  /** Of the taker, as rows have it. */
  readonly taker: number;
  readonly price: number;
  readonly shares: number;
  readonly at: number;
  /** Our time of hearing of it. */
  readonly heardAt: number;
  /** May be ours. */
  isDoubtful: boolean;
}

/** Reads a trade. @returns undefined for one that cannot be */
export function printOf(trade: TradeFieldsFragment, heardAt: number): Print | undefined {
  const { id, outcome, side, lastTradePriceBps: price } = trade;
  if (outcome === 'CANCELLED') return undefined;
  const [seq, shares, at] = [Number(trade.seq), Math.round(trade.shares * SHARE), Date.parse(trade.executedAt)];
  if (!(Number.isSafeInteger(seq) && shares > 0 && price > 0 && price < FULL_BPS) || Number.isNaN(at)) return undefined;
  const taker = yesSign(outcome, side) === 1 ? SIDE.bid : SIDE.ask;
  return { id, seq, taker, price, shares, at, heardAt, isDoubtful: false };
}

/** What was seen last, so much of it: to know again what is told twice. */
export class Recent<Key> {
  readonly #most: number;
  readonly #keys = new Set<Key>();

  constructor(most: number) {
    this.#most = most;
  }

  has(key: Key): boolean {
    return this.#keys.has(key);
  }

  /** @returns whether it is new */
  add(key: Key): boolean {
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    if (this.#keys.size > this.#most) this.#forgetOldest();
    return true;
  }

  #forgetOldest(): void {
    for (const oldest of this.#keys) {
      this.#keys.delete(oldest);
      return;
    }
  }
}
