/** The largest worst case of each market and each event during a run (docs/spec/models.md#worst-case). */
import { addUsd, type MarketNo, minShares, ZERO_USD } from '../../domain/index.ts';
import { askRisk, bidRisk, worstCase } from '../../ledger/index.ts';
import type { AccountState, MarketWorld } from '../../state/index.ts';

export class WorstCases {
  readonly #state: AccountState;
  /** Now, and the largest so far, by market. */
  readonly #now: number[] = [];
  readonly #most: number[] = [];
  /** Markets of each event. */
  readonly #eventNow = new Map<string, number>();
  readonly #eventMost = new Map<string, number>();

  constructor(state: AccountState) {
    this.#state = state;
    for (const world of state.markets) this.look(world);
  }

  /** After an event of a market: its holdings or orders may have changed. */
  look(world: MarketWorld): void {
    const { market, eventId } = world.info;
    const worst = worstNow(world);
    const change = worst - (this.#now[market] ?? 0);
    if (change === 0 && this.#most[market] !== undefined) return;
    this.#now[market] = worst;
    this.#most[market] = Math.max(worst, this.#most[market] ?? 0);
    if (eventId === undefined) return;
    const sum = (this.#eventNow.get(eventId) ?? 0) + change;
    this.#eventNow.set(eventId, sum);
    this.#eventMost.set(eventId, Math.max(sum, this.#eventMost.get(eventId) ?? 0));
  }

  /** Micro-USD; 0 for a market in which nothing happened. */
  of(market: number): number {
    return this.#most[market] ?? 0;
  }

  /** Sums over the markets of an event, which is too strict where only one of them can win; events of one market are left out. */
  events(): readonly { readonly event: string; readonly worstCaseMicros: number }[] {
    const markets = new Map<string, MarketNo[]>();
    for (const { info } of this.#state.markets) {
      if (info.eventId !== undefined) markets.set(info.eventId, [...(markets.get(info.eventId) ?? []), info.market]);
    }
    return [...this.#eventMost]
      .filter(([event]) => (markets.get(event)?.length ?? 0) > 1)
      .map(([event, worstCaseMicros]) => ({ event, worstCaseMicros }));
  }
}

/** Pairs held in a market that is not final, micro-shares. */
export function mergeable(state: AccountState, market: number): number {
  const position = state.markets[market]?.position;
  if (position === undefined || position.settlement !== undefined) return 0;
  return minShares(position.yes, position.no);
}

/** Nothing can be lost any more once a market is final. */
function worstNow({ position, orders }: MarketWorld): number {
  if (position.settlement !== undefined) return 0;
  let [bids, asks] = [ZERO_USD, ZERO_USD];
  for (const { sign, remaining, yesPrice } of orders) {
    if (sign === 1) bids = addUsd(bids, bidRisk(remaining, yesPrice));
    else asks = addUsd(asks, askRisk(remaining, yesPrice));
  }
  return worstCase(position, bids, asks).worst;
}
