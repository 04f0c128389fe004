/** A sink that applies rows like the core and records books, prints, states and messages. */
import { Ladder } from '../../../../src/book/index.ts';
import type { Fault, MarketLimits, MarketNo } from '../../../../src/domain/index.ts';
import { type Block, FLAG, KIND, SIDE, STATUS_CODES } from '../../../../src/tape/index.ts';
import type { MarketDataSink } from '../../../../src/venues/base/index.ts';

export interface SeenPrint {
  readonly market: number;
  readonly taker: 'BUY' | 'SELL';
  readonly price: number;
  readonly shares: number;
}

export class CoreBooks implements MarketDataSink {
  readonly prints: SeenPrint[] = [];
  /** Prints that filled our resting orders. */
  readonly ownPrints: SeenPrint[] = [];
  readonly statuses: string[] = [];
  readonly states: string[] = [];
  readonly limits: { readonly market: MarketNo; readonly limits: MarketLimits }[] = [];
  readonly failures: Fault[] = [];
  /** Rows of each message, as text. */
  readonly messages: string[] = [];
  /** Messages and venue events in order, as text. */
  readonly reported: string[] = [];
  readonly errors: unknown[] = [];
  /** Called after each message with its market. */
  onMessage: (market: number) => void = () => {};
  readonly #books = new Map<number, Ladder>();
  #lastTx = 0;

  book(market: number): Ladder {
    const known = this.#books.get(market) ?? new Ladder(1);
    this.#books.set(market, known);
    return known;
  }

  /** `price:shares` of both sides, best first. */
  levels(market: number, depth = 50): { readonly bids: readonly string[]; readonly asks: readonly string[] } {
    const lines = (side: 'bid' | 'ask') =>
      this.book(market)
        .depth(side, depth)
        .map(({ price, shares }) => `${price}:${shares / 1e6}`);
    return { bids: lines('bid'), asks: lines('ask') };
  }

  rows(block: Block, from: number, to: number): void {
    const rows: string[] = [];
    for (let row = from; row < to; row += 1) {
      const tx = block.tx[row] ?? 0;
      if (tx < this.#lastTx) throw new Error(`time went back to ${tx}`);
      this.#lastTx = tx;
      const isLast = ((block.flags[row] ?? 0) & FLAG.last) !== 0;
      if (isLast !== (row === to - 1)) throw new Error('a message without its last-row flag');
      rows.push(this.#row(block, row));
    }
    this.messages.push(rows.join(' '));
    this.reported.push(rows.join(' '));
    this.onMessage(block.market[from] ?? -1);
  }

  onLimitsChanged(market: MarketNo, limits: MarketLimits): void {
    this.limits.push({ market, limits });
  }

  onVenueChanged({ mode, link }: { readonly mode: string; readonly link: string }): void {
    this.states.push(`${mode} ${link}`);
    this.reported.push(`venue ${mode} ${link}`);
  }

  onMarketFailed(_market: MarketNo, fault: Fault): void {
    this.failures.push(fault);
  }

  onFailed(error: unknown): void {
    this.errors.push(error);
  }

  #row(block: Block, row: number): string {
    const market = block.market[row] ?? -1;
    const isOwn = ((block.flags[row] ?? 0) & FLAG.own) !== 0;
    const [kind, side, price, shares] = [
      block.kind[row],
      block.side[row] ?? 0,
      block.price[row] ?? 0,
      block.shares[row] ?? 0,
    ];
    switch (kind) {
      case KIND.level:
        this.book(market).set(side, price, shares);
        return `${side === SIDE.bid ? 'bid' : 'ask'} ${price}=${shares / 1e6}`;
      case KIND.clear:
        this.book(market).clear();
        return 'clear';
      case KIND.gap:
        this.statuses.push('gap');
        return 'gap';
      case KIND.trade:
        return this.#print({ market, taker: side === SIDE.bid ? 'BUY' : 'SELL', price, shares: shares / 1e6 }, isOwn);
      case KIND.status:
        this.statuses.push(`${STATUS_CODES[price]}`);
        return `status ${STATUS_CODES[price]}`;
      default:
        this.statuses.push(`resolution ${price}`);
        return `resolution ${price}`;
    }
  }

  #print(print: SeenPrint, isOwn: boolean): string {
    (isOwn ? this.ownPrints : this.prints).push(print);
    return `${isOwn ? 'own trade' : 'trade'} ${print.price}x${print.shares}`;
  }
}
