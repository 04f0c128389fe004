/** The frames of a made-up book: ten levels a side, of which the best bid, and now and then the best ask, comes and goes. */
import { BOOK_SIDE, bookChecksum, formatChecksum, Ladder } from '../../../book/index.ts';
import { column, type MarketInfo } from '../../../domain/index.ts';

const STEP_BPS = 100;
const LEVELS = 10;
const BID_BPS = 4_500;
const ASK_BPS = 5_500;
const SHARES = 25;
const MICRO = 1_000_000;
/** The ask moves with every fourth move of the bid. */
const ASK_EVERY = 4;

export class WarmupBook {
  readonly #ladder: Ladder;
  #seq = 0;
  #moves = 0;

  readonly #marketId: string;

  constructor({ id, grid }: Pick<MarketInfo, 'id' | 'grid'>) {
    this.#marketId = id;
    this.#ladder = Ladder.forGrid(grid);
  }

  /** The whole book, as the socket brings it. */
  snapshot(at: string, seq: number): Buffer {
    const prices = Array.from({ length: LEVELS }, (_, level) => STEP_BPS * (level + 1));
    const bids = prices.map((away) => this.#level(BOOK_SIDE.bid, BID_BPS - away, SHARES));
    const asks = prices.map((away) => this.#level(BOOK_SIDE.ask, ASK_BPS + away, SHARES));
    return this.#frame('SNAPSHOT', at, seq, bids, asks);
  }

  /** The next change. */
  move(at: string, seq: number): Buffer {
    this.#moves += 1;
    const shares = this.#moves % 2 === 1 ? SHARES : 0;
    const bids = [this.#level(BOOK_SIDE.bid, BID_BPS, shares)];
    const withAsk = this.#moves % ASK_EVERY < 2;
    const asks = withAsk ? [this.#level(BOOK_SIDE.ask, ASK_BPS, this.#moves % ASK_EVERY === 1 ? SHARES : 0)] : [];
    return this.#frame('DELTA', at, seq, bids, asks);
  }

  #level(side: 0 | 1, priceBps: number, shares: number) {
    this.#ladder.set(side, column.price(priceBps), column.shares(shares * MICRO));
    return { priceBps, shares };
  }

  #frame(kind: string, at: string, seq: number, bids: readonly object[], asks: readonly object[]): Buffer {
    const prevSeq = String(this.#seq);
    this.#seq = seq;
    const checksum = formatChecksum(bookChecksum(this.#ladder));
    const orderBookUpdated = { kind, marketId: this.#marketId, seq: String(seq), prevSeq, checksum, at, bids, asks };
    return Buffer.from(JSON.stringify({ id: '1', type: 'next', payload: { data: { orderBookUpdated } } }));
  }
}
