/** Charges and payments of a venue outside the exchange's rules: its fee schedule, and rebates to makers. */
import { column, feeUnits, type MarketNo, type MicroUsd, ZERO_USD } from '../../domain/index.ts';
import type { FeeFill, FeeModel } from './fees.ts';
import type { Replayed } from './replayed-exchange.ts';
import type { UnsettledTrade } from './trade-settlement.ts';

const DAY_MS = 86_400_000;
/** Micro-USD below which nothing is paid for a day. */
const LEAST_REBATE = 1_000_000;

/**
 * The difference between the venue's fees and those that the exchange took. It is charged at the end of the step; what
 * the account cannot pay while its cash stands in orders is owed.
 */
export class VenueCharges {
  readonly #replayed: Replayed;
  readonly #fees: FeeModel;
  readonly #rebates: MakerRebates;
  #due: MicroUsd = ZERO_USD;

  constructor(replayed: Replayed, fees: FeeModel) {
    this.#replayed = replayed;
    this.#fees = fees;
    this.#rebates = new MakerRebates(fees);
  }

  get pending(): boolean {
    return this.#due !== 0;
  }

  /** The fee of a fill. @param taken what the exchange took of it @param now exchange time */
  feeOf(fill: FeeFill, taken: MicroUsd, now: number): MicroUsd {
    const fee = this.#fees.fillFee?.(fill) ?? taken;
    this.#due = column.usd(this.#due + fee - taken);
    this.#rebates.add(fill, now);
    return fee;
  }

  /** A fill was taken back: so are its fee and its rebate. */
  reverse({ fill, liquidity, taken, filledAt }: UnsettledTrade): void {
    this.#due = column.usd(this.#due - (fill.fee - taken));
    this.#rebates.add({ ...fill, liquidity }, filledAt, -1);
  }

  /** Rebates of the whole run, by market. */
  rebates(): ReadonlyMap<MarketNo, MicroUsd> {
    return this.#rebates.payments();
  }

  /** Within a step of the tape. */
  collect(): void {
    if (this.#due === 0) return;
    const { exchange, account } = this.#replayed;
    const paid = column.usd(Math.min(this.#due, exchange.view.account(account)?.available ?? 0));
    if (paid === 0) return;
    exchange.tape.charge(account, paid);
    this.#due = column.usd(this.#due - paid);
  }
}

/** Rebates of one account: a part of the taker fees on its maker fills, by market and UTC day. */
export class MakerRebates {
  readonly #rebate: FeeModel['rebate'];
  /** By day, then by market: rate times shares times p(1-p). */
  readonly #days = new Map<number, Map<MarketNo, bigint>>();

  constructor({ rebate }: Pick<FeeModel, 'rebate'>) {
    this.#rebate = rebate;
  }

  /** @param times -1 for a fill that was taken back, at the time of the fill */
  add(fill: Pick<FeeFill, 'market' | 'liquidity' | 'shares' | 'price'>, time: number, times: 1 | -1 = 1): void {
    if (this.#rebate === undefined || fill.liquidity === 'taker') return;
    const day = Math.floor(time / DAY_MS);
    const markets = this.#days.get(day) ?? new Map<MarketNo, bigint>();
    this.#days.set(day, markets);
    const units = feeUnits(this.#rebate.rateBps, fill.shares, fill.price) * BigInt(times);
    markets.set(fill.market, (markets.get(fill.market) ?? 0n) + units);
  }

  /**
   * What each market pays over all days: rounded **down** to micro-USD a day and market. A day on which all markets
   * together are below $1 pays nothing.
   */
  payments(): ReadonlyMap<MarketNo, MicroUsd> {
    const paid = new Map<MarketNo, MicroUsd>();
    const part = BigInt(this.#rebate?.shareBps ?? 0);
    for (const markets of this.#days.values()) {
      const ofDay = [...markets].map(
        ([market, units]) => [market, Number((units * part) / 1_000_000_000_000n)] as const,
      );
      if (ofDay.reduce((sum, [, micros]) => sum + micros, 0) < LEAST_REBATE) continue;
      for (const [market, micros] of ofDay) paid.set(market, column.usd((paid.get(market) ?? 0) + micros));
    }
    return paid;
  }
}
