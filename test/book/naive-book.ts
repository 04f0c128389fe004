/** The naive twin of the ladder: two maps, sorted at each query. */
export class NaiveBook {
  readonly bids = new Map<number, number>();
  readonly asks = new Map<number, number>();

  set(side: number, price: number, shares: number): void {
    const levels = side === 0 ? this.bids : this.asks;
    if (shares === 0) levels.delete(price);
    else levels.set(price, shares);
  }

  clear(): void {
    this.bids.clear();
    this.asks.clear();
  }

  /** Best first. */
  side(side: 'bid' | 'ask'): { price: number; shares: number }[] {
    const levels = side === 'bid' ? this.bids : this.asks;
    const sorted = [...levels].sort(([a], [b]) => (side === 'bid' ? b - a : a - b));
    return sorted.map(([price, shares]) => ({ price, shares }));
  }

  best(side: 'bid' | 'ask'): number | undefined {
    return this.side(side)[0]?.price;
  }

  nextBid(price: number): number | undefined {
    return this.side('bid').find((level) => level.price < price)?.price;
  }

  nextAsk(price: number): number | undefined {
    return this.side('ask').find((level) => level.price > price)?.price;
  }
}
