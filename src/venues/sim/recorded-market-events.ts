import { type DurationMs, isFinal, unchecked } from '../../domain/index.ts';
import type { Settlement } from '../../ledger/index.ts';
import { CANCELLED_PAYOUT, KIND, STATUS_CODES } from '../../tape/index.ts';
import type { Commission } from './commission.ts';
import type { ReplayedExchange } from './replayed-exchange.ts';
import type { SimMarket } from './sim-market.ts';

/**
 * Applies rows other than levels and trades to a market: halts, the placing delay, snapshots, the end
 * (docs/spec/venue.md#market-states).
 *
 * A snapshot (`clear`) does not reset queues. The size ahead of own orders stays, and the snapshot's levels can only
 * reduce that size. A gap resets the queues (docs/spec/models.md#gaps).
 */
export class RecordedMarketEvents {
  readonly #replayed: ReplayedExchange;
  readonly #commission: Commission;

  constructor(replayed: ReplayedExchange, commission: Commission) {
    this.#replayed = replayed;
    this.#commission = commission;
  }

  /**
   * Applies a row, within a step of the tape. `kind` determines the meaning of `price` and `shares`.
   * @param received when the bot will receive the row
   * @throws RangeError for an unknown kind or an invalid value
   */
  apply(
    market: SimMarket,
    { kind, price, shares }: Readonly<Record<'kind' | 'price' | 'shares', number>>,
    received: number,
  ): void {
    if (kind === KIND.clear) market.outside.clear();
    else if (kind === KIND.gap) market.outside.beginGap();
    else if (kind === KIND.placeDelay) market.placeDelay = toPlaceDelay(shares);
    else if (kind === KIND.status) this.#setStatus(market, price);
    else if (kind === KIND.resolution) this.#resolve(market, price, received);
    else throw new RangeError(`Invariant: unknown row kind ${kind}`);
  }

  #setStatus(market: SimMarket, code: number): void {
    const status = STATUS_CODES[code];
    if (status === undefined) throw new RangeError(`Invariant: unknown status code ${code}`);
    if (this.#isFinal(market)) return;
    market.acceptsOrders = status === 'OPEN';
    if (!market.acceptsOrders) market.stopCount += 1;
    // All statuses on the way to a market's end stop trading in the same way.
    const exchangeStatus = market.acceptsOrders || status === 'HALTED' ? 'OPEN' : 'PENDING_RESOLUTION';
    this.#replayed.exchange.tape.setState(market.number, { status: exchangeStatus, halted: status === 'HALTED' });
  }

  #resolve(market: SimMarket, payout: number, received: number): void {
    const settlement: Settlement = payout === CANCELLED_PAYOUT ? 'CANCELLED' : unchecked.price(payout);
    market.acceptsOrders = false;
    market.stopCount += 1;
    if (!this.#isFinal(market))
      this.#replayed.exchange.tape.settle(market.number, settlement === 'CANCELLED' ? undefined : settlement);
    this.#commission.settle(market, settlement, received);
  }

  #isFinal({ number }: SimMarket): boolean {
    const record = this.#replayed.exchange.view.market(number);
    return record !== undefined && isFinal(record.status);
  }
}

function toPlaceDelay(shares: number): DurationMs {
  if (!(shares >= 0)) throw new RangeError(`Invariant: a placing delay of ${shares} ms`);
  return unchecked.duration(shares);
}
