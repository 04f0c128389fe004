/** Tracks the largest worst-case loss of each market and event in a run (docs/spec/models.md#worst-case). */
import { addUsd, costAt, legPrice, minShares, ZERO_USD } from '../../domain/index.ts';
import { worstCase } from '../../ledger/index.ts';
import type { AccountState, TradedMarket } from '../../state/index.ts';

export class WorstCases {
  readonly #state: AccountState;
  /** Current and largest worst case of each market, micro-USD. */
  readonly #current: number[] = [];
  readonly #largest: number[] = [];
  /** Current and largest sum over the markets of each event, micro-USD. */
  readonly #eventCurrent = new Map<string, number>();
  readonly #eventLargest = new Map<string, number>();

  constructor(state: AccountState) {
    this.#state = state;
    for (const tradedMarket of state.markets) this.update(tradedMarket);
  }

  update(tradedMarket: TradedMarket): void {
    const { market, eventId } = tradedMarket.info;
    const worstLoss = computeWorstCase(tradedMarket);
    const change = worstLoss - (this.#current[market] ?? 0);
    if (change === 0 && this.#largest[market] !== undefined) return;
    this.#current[market] = worstLoss;
    this.#largest[market] = Math.max(worstLoss, this.#largest[market] ?? 0);
    if (eventId === undefined) return;
    const sum = (this.#eventCurrent.get(eventId) ?? 0) + change;
    this.#eventCurrent.set(eventId, sum);
    this.#eventLargest.set(eventId, Math.max(sum, this.#eventLargest.get(eventId) ?? 0));
  }

  /** Returns the largest worst case of a market, micro-USD. */
  getLargest(market: number): number {
    return this.#largest[market] ?? 0;
  }

  /** Returns the largest sums of events with several markets. A sum is too high if only one of the markets can win. */
  events(): readonly { readonly event: string; readonly worstCaseMicros: number }[] {
    const markets = Map.groupBy(this.#state.markets, ({ info }) => info.eventId);
    return [...this.#eventLargest]
      .filter(([event]) => (markets.get(event)?.length ?? 0) > 1)
      .map(([event, worstCaseMicros]) => ({ event, worstCaseMicros }));
  }
}

/** Returns the pairs of YES and NO held in a market, micro-shares; 0 once the market is final. */
export function mergeablePairs(state: AccountState, market: number): number {
  const position = state.markets[market]?.position;
  if (position === undefined || position.settlement !== undefined) return 0;
  return minShares(position.yes, position.no);
}

/** Returns the current worst case, micro-USD; 0 once the market is final. */
function computeWorstCase({ position, orders }: TradedMarket): number {
  if (position.settlement !== undefined) return 0;
  let [bids, asks] = [ZERO_USD, ZERO_USD];
  for (const { sign, remaining, yesPrice } of orders) {
    const cost = costAt(remaining, legPrice(sign, yesPrice));
    if (sign === 1) bids = addUsd(bids, cost);
    else asks = addUsd(asks, cost);
  }
  return worstCase(position, bids, asks).worstLoss;
}
