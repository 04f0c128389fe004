/** What market data has to be told about own orders, so that its books are outside books. */
import type { MarketNo, MicroShares, PriceBps } from '../../../domain/index.ts';

/** A place in a book that an own order takes, in YES terms. */
export interface OwnPlace {
  readonly market: MarketNo;
  readonly side: 'bid' | 'ask';
  readonly price: PriceBps;
  readonly shares: MicroShares;
}

/**
 * The facts about own orders, by the order's hash, in whatever order they become known; each may be told twice. What a book
 * shows otherwise because of them goes to the core with `reveal`, after the facts themselves.
 */
export interface OwnFacts {
  /** An order is about to be sent, or was found at the venue: what grows at its price may be it. Takers too. */
  placing(order: string, place: OwnPlace): void;
  /** From the venue's event `seq` on so much of it rests; 0 when it is gone. Only for orders that were `placing`. */
  rests(order: string, seq: number, remaining: MicroShares): void;
  /** A cancel or reduce is about to be sent: what shrinks at its price may be it. */
  cancelling(order: string): void;
  /** It never came in (refused, never found), or nothing of it will ever be told again. */
  never(order: string): void;
  /** Sends the core the levels that show another size since the last call. */
  reveal(): void;
  /** A trade of ours, by `Fill.tradeId`: it is no `trade` row. */
  traded(tradeId: string): void;
  /** Every own event up to `seq` has been told. */
  caughtUp(seq: number): void;
}
