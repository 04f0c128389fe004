import {
  addShares,
  addUsd,
  type Conversion,
  type MarketNo,
  type MicroShares,
  type MicroUsd,
  type OrderCommand,
  payoutAt,
  payoutBps,
  ZERO_SHARES,
  ZERO_USD,
} from '../domain/index.ts';

const PAYOUT_PER_PAIR = payoutBps(10_000);

/** The fields of an answer that identify its request. */
export type ConversionAnswer = Pick<Conversion, 'bot' | 'market'> & { readonly conversion: Conversion['type'] };

/** Splits, merges and claims that the venue has not answered yet. */
export class Conversions {
  readonly #waiting: Conversion[] = [];
  #reserved = ZERO_USD;

  /** Cash that unanswered splits reserve. */
  get reserved(): MicroUsd {
    return this.#reserved;
  }

  onSent(conversion: Conversion): void {
    this.#waiting.push(conversion);
    this.#updateReserve();
  }

  /** Removes the oldest request that matches the answer. An answer without a request changes nothing. */
  onAnswered({ conversion, bot, market }: ConversionAnswer): void {
    const index = this.#waiting.findIndex(
      (sent) => sent.type === conversion && sent.bot === bot && sent.market === market,
    );
    if (index >= 0) this.#waiting.splice(index, 1);
    this.#updateReserve();
  }

  isWaitingIn(market: MarketNo): boolean {
    // The check avoids a closure: each fill calls this method, and the list is nearly always empty.
    return this.#waiting.length > 0 && this.#inMarket(market);
  }

  /** Returns the micro-shares of a market's pairs in unanswered merges. */
  mergingShares(market: MarketNo): MicroShares {
    return this.#waiting
      .filter((request) => request.type === 'merge' && request.market === market)
      .reduce((sum, { shares }) => addShares(sum, shares), ZERO_SHARES);
  }

  isClaiming(market: MarketNo): boolean {
    return this.#waiting.some((request) => request.type === 'claim' && request.market === market);
  }

  /** Oldest first. */
  snapshot(): readonly Conversion[] {
    return [...this.#waiting];
  }

  /** Restores a snapshot into an empty list. */
  restore(waiting: readonly Conversion[]): void {
    this.#waiting.push(...waiting);
    this.#updateReserve();
  }

  #inMarket(market: MarketNo): boolean {
    return this.#waiting.some((request) => request.market === market);
  }

  #updateReserve(): void {
    this.#reserved = this.#waiting
      .filter(({ type }) => type === 'split')
      .reduce((sum, { shares }) => addUsd(sum, payoutAt(shares, PAYOUT_PER_PAIR)), ZERO_USD);
  }
}

export function isConversion(command: OrderCommand): command is Conversion {
  return command.type === 'split' || command.type === 'merge' || command.type === 'claim';
}
