import { ANSWER } from '../matching/codes.ts';

/** Context of an order that is not placed alone: within a replacing set, or first in a new market. */
export interface BatchContext {
  /** A BUY with its own limit, for a market that does not exist yet. */
  readonly isInitial: boolean;
  /** The one market of all of them. */
  readonly market: number;
  /** Number of orders that the set has added so far. */
  readonly added: number;
  /** Whether the order must name this one in `replaces`: 0 for none. */
  mayReplace(order: number): boolean;
  /** Whether an order of the set has this id of the client's already. */
  hasClientId(clientOrderId: string): boolean;
  /** What `MatchingBook.refusal` would return for the book at that moment. */
  answer(kind: number, force: number, price: number, shares: number): number;
  /** Micro-shares that will rest at the price of such an order, before it. */
  standing(kind: number, price: number): number;
  /** Best price of the side that a bid (else an ask) would meet, in YES bps; 10000 (0) without orders. */
  opposite(isBid: boolean): number;
}

/** The first order of the market with that number. */
export function initialOrderContext(market: number): BatchContext {
  return {
    isInitial: true,
    market,
    added: 0,
    mayReplace: (order) => order === 0,
    hasClientId: () => false,
    answer: () => ANSWER.done,
    standing: () => 0,
    opposite: (isBid) => (isBid ? 10_000 : 0),
  };
}
