import { ANSWER } from '../matching/codes.ts';

/** Context of an order within a replace, or of the initial order of a new market. */
export interface BatchContext {
  /** Whether it is the initial order of a market that does not exist yet. */
  readonly isInitial: boolean;
  /** The market of all its orders. */
  readonly market: number;
  /** Net number of orders added so far. */
  readonly added: number;
  /** Returns whether an order may have this value of `replaces`, 0 for none. */
  mayReplace(order: number): boolean;
  /** Returns whether an earlier order of the batch has this client id. */
  hasClientId(clientOrderId: string): boolean;
  /** Returns `MatchingBook.refusal` for the book after the batch so far. */
  answer(kind: number, force: number, price: number, shares: number): number;
  /** Micro-shares that will rest at this price before the order. */
  openShares(kind: number, price: number): number;
  /** Best price for a bid (else an ask) to match, in YES bps; 10000 (0) without orders. */
  opposite(isBid: boolean): number;
}

export function initialOrderContext(market: number): BatchContext {
  return {
    isInitial: true,
    market,
    added: 0,
    mayReplace: (order) => order === 0,
    hasClientId: () => false,
    answer: () => ANSWER.done,
    openShares: () => 0,
    opposite: (isBid) => (isBid ? 10_000 : 0),
  };
}
