/** A market that follows a tape, and the rows of tapes. */
import { KIND, SIDE } from '../../src/tape/index.ts';
import { Harness, SHARE } from '../exchange/engine/harness.ts';

export const TERMS = { tape: 'abc', grid: { type: 'tick', tickBps: 10 }, models: { queue: { model: 'risk-averse' } } };
const STATES = { open: 0, halted: 1, pending: 2 } as const;

export const bidLevel = (price: number, shares: number) => [KIND.level, SIDE.bid, price, shares * SHARE];
export const askLevel = (price: number, shares: number) => [KIND.level, SIDE.ask, price, shares * SHARE];
export const buyPrint = (price: number, shares: number) => [KIND.trade, SIDE.bid, price, shares * SHARE];
export const sellPrint = (price: number, shares: number) => [KIND.trade, SIDE.ask, price, shares * SHARE];
export const status = (state: keyof typeof STATES) => [KIND.status, 0, STATES[state], 0];
export const resolution = (bps: number) => [KIND.resolution, 0, bps, 0];

/** Account 1 trades with the outside flow, account 2, in market 0 with bids 6000 and 5990 and asks 6100 and 6110. */
export class FollowedMarket extends Harness {
  #row = 0;

  static open(models: object = TERMS.models): FollowedMarket {
    const harness = new FollowedMarket();
    harness.account(1000);
    harness.unlimitedAccount();
    harness.market();
    harness.follow(
      [...bidLevel(6000, 100), ...bidLevel(5990, 50), ...askLevel(6100, 100), ...askLevel(6110, 50)],
      models,
    );
    return harness;
  }

  follow(rows: readonly number[], models: object = TERMS.models) {
    return this.send('followTape', { ...TERMS, models, market: 0, account: 2, row: 0, recordedAt: 1000, rows });
  }

  play(...rows: readonly (readonly number[])[]) {
    this.#row += 1;
    this.time += 10;
    return this.send('playTape', { market: 0, row: this.#row, recordedAt: 1000 + this.#row, rows: rows.flat() });
  }

  /** Levels as `6000 100 1`: price, shares, number of orders; bids first. */
  book(): readonly string[] {
    const book = this.view.book(0);
    if (book === undefined) return [];
    const level = (price: number) => `${price} ${book.sharesAt(price) / SHARE} ${book.orderCountAt(price)}`;
    const lines: string[] = [];
    for (let price = book.bestBid; price > 0; price = book.priceBelow(price)) lines.push(level(price));
    lines.push('|');
    for (let price = book.bestAsk; price < 10_000; price = book.priceAbove(price)) lines.push(level(price));
    return lines;
  }

  get record() {
    const record = this.view.market(0);
    if (record === undefined) throw new Error('no market');
    return record;
  }
}
