import { column, type DurationMs, FULL_BPS, isFinal, type Resolution } from '../../domain/index.ts';
import type { Settlement } from '../../ledger/index.ts';
import { CANCELLED_PAYOUT, KIND, STATUS_CODES } from '../../tape/index.ts';
import type { Account } from './account.ts';
import type { Conversions } from './conversions.ts';
import type { SimMarket } from './sim-market.ts';

/** What such a row says; the meaning of `price` and `shares` depends on `kind`. */
export interface LifecycleRow {
  readonly kind: number;
  readonly price: number;
  readonly shares: number;
}

/**
 * What rows other than levels and trades do to a market: halts, the placing delay, fresh images, the end (venue.md 4).
 *
 * A fresh image (`clear`) says nothing about queues: fronts stay as they are, and the image's own sets can only shorten
 * them.
 */
export class Lifecycle {
  readonly #account: Account;
  readonly #conversions: Conversions;

  constructor(account: Account, conversions: Conversions) {
    this.#account = account;
    this.#conversions = conversions;
  }

  /**
   * @param received when the bot will receive the row
   * @throws RangeError for a row that means nothing
   */
  row(market: SimMarket, { kind, price, shares }: LifecycleRow, received: number): void {
    if (kind === KIND.clear) market.outside.clear();
    else if (kind === KIND.placeDelay) market.placeDelay = delayOf(shares);
    else if (kind === KIND.status) this.#turn(market, price);
    else if (kind === KIND.resolution) this.#resolve(market, price, received);
    else throw new RangeError(`Invariant: a row of kind ${kind} means nothing`);
  }

  #turn(market: SimMarket, code: number): void {
    const status = STATUS_CODES[code];
    if (status === undefined) throw new RangeError(`Invariant: ${code} is no status code`);
    if (isFinal(market.status)) return;
    market.status = status === 'HALTED' ? 'OPEN' : status;
    market.accepting = status === 'OPEN';
    if (market.accepting) return;
    market.stops += 1;
    this.#account.closeAll(market, status === 'HALTED' ? 'MARKET_HALTED' : 'MARKET_NOT_OPEN');
  }

  #resolve(market: SimMarket, payout: number, received: number): void {
    const settlement: Settlement = payout === CANCELLED_PAYOUT ? 'CANCELLED' : column.price(payout);
    market.status = resolutionOf(settlement);
    market.accepting = false;
    market.stops += 1;
    this.#account.closeAll(market, 'MARKET_NOT_OPEN');
    this.#conversions.settle(market, settlement, received);
  }
}

function delayOf(shares: number): DurationMs {
  if (!(shares >= 0)) throw new RangeError(`Invariant: a placing delay of ${shares} ms`);
  return column.duration(shares);
}

function resolutionOf(settlement: Settlement): Resolution {
  if (settlement === 'CANCELLED') return 'CANCELLED';
  if (settlement === FULL_BPS) return 'RESOLVED_YES';
  return settlement === 0 ? 'RESOLVED_NO' : 'RESOLVED_UNCERTAIN';
}
