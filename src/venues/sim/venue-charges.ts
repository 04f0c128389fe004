/** A venue's charges and payments outside the exchange's rules: fee schedule and maker rebates. */
import { DAY_MS, feeUnits, type MarketNo, type MicroUsd, unchecked, ZERO_USD } from '../../domain/index.ts';
import type { FeeFill, FeeModel } from './fees.ts';
import { chargeAvailable, type ReplayedExchange } from './replayed-exchange.ts';
import type { UnsettledTrade } from './trade-settlement.ts';

/** A day pays nothing if its total rebate is smaller, micro-USD. */
const MIN_REBATE = 1_000_000;

/**
 * Charges the difference between the venue's fees and the exchange's fees at the end of each step of the tape. If the
 * available cash is too small, the rest is charged later.
 */
export class VenueCharges {
  readonly #replayed: ReplayedExchange;
  readonly #fees: FeeModel;
  readonly #rebates: MakerRebates;
  #owed: MicroUsd = ZERO_USD;

  constructor(replayed: ReplayedExchange, fees: FeeModel) {
    this.#replayed = replayed;
    this.#fees = fees;
    this.#rebates = new MakerRebates(fees);
  }

  get isPending(): boolean {
    return this.#owed !== 0;
  }

  /** Books and returns a fill's fee. @param exchangeFee fee that the exchange charged @param now exchange time */
  bookFee(fill: FeeFill, exchangeFee: MicroUsd, now: number): MicroUsd {
    const fee = this.#fees.fillFee?.(fill) ?? exchangeFee;
    this.#owed = unchecked.usd(this.#owed + fee - exchangeFee);
    this.#rebates.add(fill, now);
    return fee;
  }

  reverse({ fill, liquidity, exchangeFee, filledAt }: UnsettledTrade): void {
    this.#owed = unchecked.usd(this.#owed - (fill.fee - exchangeFee));
    this.#rebates.add({ ...fill, liquidity }, filledAt, -1);
  }

  /** Returns the rebates of the whole run, by market. */
  rebates(): ReadonlyMap<MarketNo, MicroUsd> {
    return this.#rebates.payments();
  }

  /** Charges the owed amount, within a step of the tape. */
  collect(): void {
    this.#owed = chargeAvailable(this.#replayed, this.#owed);
  }
}

/** The rebates of one account: a share of the taker fees on its maker fills, by market and UTC day. */
export class MakerRebates {
  readonly #rebate: FeeModel['rebate'];
  /** By day, then by market: rate times shares times p(1-p), in 10^-8 micro-USD. */
  readonly #days = new Map<number, Map<MarketNo, bigint>>();

  constructor({ rebate }: Pick<FeeModel, 'rebate'>) {
    this.#rebate = rebate;
  }

  /** Adds a fill (`sign` 1), or removes a reversed fill (-1). @param time of the fill */
  add(fill: Pick<FeeFill, 'market' | 'liquidity' | 'shares' | 'price'>, time: number, sign: 1 | -1 = 1): void {
    if (this.#rebate === undefined || fill.liquidity === 'taker') return;
    const day = Math.floor(time / DAY_MS);
    const markets = this.#days.get(day) ?? new Map<MarketNo, bigint>();
    this.#days.set(day, markets);
    const units = feeUnits(this.#rebate.rateBps, fill.shares, fill.price) * BigInt(sign);
    markets.set(fill.market, (markets.get(fill.market) ?? 0n) + units);
  }

  /** Returns each market's sum over all paid days, rounded **down** to micro-USD a day and market. */
  payments(): ReadonlyMap<MarketNo, MicroUsd> {
    const paid = new Map<MarketNo, MicroUsd>();
    const shareBps = BigInt(this.#rebate?.shareBps ?? 0);
    for (const markets of this.#days.values()) {
      const rebates = new Map<MarketNo, number>();
      for (const [market, units] of markets) rebates.set(market, Number((units * shareBps) / 1_000_000_000_000n));
      const total = [...rebates.values()].reduce((sum, micros) => sum + micros, 0);
      if (total < MIN_REBATE) continue;
      for (const [market, micros] of rebates) paid.set(market, unchecked.usd((paid.get(market) ?? 0) + micros));
    }
    return paid;
  }
}
