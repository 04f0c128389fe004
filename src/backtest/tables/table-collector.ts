/** Collects own fills and own best prices for the tables of a run. Memory grows with fills and requotes. */
import type { InputEvent, MarketNo } from '../../domain/index.ts';
import type { AccountState, TradedMarket } from '../../state/index.ts';
import type { ObservedFill, RunObserver } from '../collect/run-observer.ts';

/** Best own prices of a market after a change, and the best prices of others at that time; bps, 0 without a price. */
export interface QuoteRow {
  readonly time: number;
  readonly market: MarketNo;
  readonly bid: number;
  /** Micro-shares at the best own bid. */
  readonly bidShares: number;
  readonly ask: number;
  readonly askShares: number;
  readonly outsideBid: number;
  readonly outsideAsk: number;
}

export class TableCollector implements RunObserver {
  readonly #state: AccountState;
  /** A reversed fill becomes undefined. */
  readonly #fills: (ObservedFill | undefined)[] = [];
  /** Indexes of fills that the venue may still reverse, by trade. */
  readonly #provisional = new Map<string, number>();
  readonly #quotes: QuoteRow[] = [];
  readonly #lastQuotes: (QuoteRow | undefined)[] = [];

  constructor(state: AccountState) {
    this.#state = state;
  }

  get fills(): readonly ObservedFill[] {
    return this.#fills.filter((fill) => fill !== undefined);
  }

  get quotes(): readonly QuoteRow[] {
    return this.#quotes;
  }

  onFill(fill: ObservedFill): void {
    if (fill.trade !== undefined) this.#provisional.set(fill.trade, this.#fills.length);
    this.#fills.push(fill);
  }

  onFillSettled(trade: string): void {
    this.#provisional.delete(trade);
  }

  onFillReversed(trade: string): void {
    const index = this.#provisional.get(trade);
    this.#provisional.delete(trade);
    if (index !== undefined) this.#fills[index] = undefined;
  }

  onMessage(): void {}

  onEvent(event: InputEvent): void {
    if (!('market' in event)) return;
    const tradedMarket = this.#state.markets[event.market];
    if (tradedMarket === undefined) return;
    const row = currentQuote(tradedMarket, event.time);
    const last = this.#lastQuotes[event.market];
    if (last === undefined ? row.bid === 0 && row.ask === 0 : hasSameQuote(row, last)) return;
    this.#lastQuotes[event.market] = row;
    this.#quotes.push(row);
  }

  onSteps(): void {}
}

function currentQuote({ info, orders, book }: TradedMarket, time: number): QuoteRow {
  let [bid, bidShares, ask, askShares] = [0, 0, 0, 0];
  for (const { phase, rests, sign, yesPrice, remaining } of orders) {
    if (phase === 'new' || !rests) continue;
    if (sign === 1) {
      if (yesPrice > bid) [bid, bidShares] = [yesPrice, 0];
      if (yesPrice === bid) bidShares += remaining;
    } else {
      if (ask === 0 || yesPrice < ask) [ask, askShares] = [yesPrice, 0];
      if (yesPrice === ask) askShares += remaining;
    }
  }
  return {
    time,
    market: info.market,
    bid,
    bidShares,
    ask,
    askShares,
    outsideBid: book.bestBid() ?? 0,
    outsideAsk: book.bestAsk() ?? 0,
  };
}

function hasSameQuote(one: QuoteRow, other: QuoteRow): boolean {
  return (
    one.bid === other.bid &&
    one.bidShares === other.bidShares &&
    one.ask === other.ask &&
    one.askShares === other.askShares
  );
}
