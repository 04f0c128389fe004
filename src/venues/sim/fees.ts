import {
  column,
  commission,
  InputFault,
  type MarketNo,
  type MicroShares,
  type MicroUsd,
  negUsd,
  type OrderFilled,
  ZERO_SHARES,
  ZERO_USD,
} from '../../domain/index.ts';
import type { Ledger, Settlement } from '../../ledger/index.ts';
import type { ExchangeEventTranslator } from './exchange-event-translator.ts';
import type { Replayed } from './replayed-exchange.ts';
import type { SimMarket } from './sim-market.ts';

/** What takers and winners pay (docs/spec/models.md#fees-commission-rewards). */
export interface FeeModel {
  readonly assumption: string;
  /** What takers pay by the exchange's rule, bps of 0..1000. */
  readonly rateBps: number;
  /** Commission on net winnings of a market at settlement. */
  commission(marketPnl: MicroUsd, market: MarketNo): MicroUsd;
  /** Fee of one own fill, not negative; absent where it is the exchange's rule. Called once a fill, in order. */
  fillFee?(fill: FeeFill): MicroUsd;
  /** What makers get of the taker fees on their fills: the rate of those, and the part; bps. Absent for nothing. */
  readonly rebate?: { readonly rateBps: number; readonly shareBps: number };
}

/** What a fee depends on. `price` in the terms of the order's outcome. */
export interface FeeFill extends Pick<OrderFilled, 'order' | 'market' | 'side' | 'liquidity' | 'price' | 'shares'> {
  /** What is left of the order after it. */
  readonly remaining: MicroShares;
}

/** No trading fees: assumes a venue with other income. `withCommission` adds the commission of winners. */
export function noFees(): FeeModel {
  return {
    assumption: 'Fees: none on trades.',
    rateBps: 0,
    commission: () => ZERO_USD,
  };
}

/**
 * Takers pay `floor(rateBps * lots * p * (10000 - p) / 10^8)` micro-USD a fill, makers nothing
 * (docs/spec/venue.md#reserves, docs/spec/models.md#fees-commission-rewards). Assumes one rate for the whole
 * run.
 * @param rateBps 0..1000
 * @throws InputFault otherwise
 */
export function takerFees(rateBps: number): FeeModel {
  rate('taker fee rate', rateBps, 1_000);
  return {
    assumption: `Fees: takers pay ${rateBps} bps of p(1-p) a share, makers nothing.`,
    rateBps,
    commission: () => ZERO_USD,
  };
}

/**
 * Adds commission on net winnings of a market, once, at its settlement (Betfair;
 * docs/spec/models.md#fees-commission-rewards).
 *
 * Assumes the base rate of the market: no discounts, no premium charges.
 * @param rates bps of 0..10000, one for all markets or one a market in the order of their numbers
 * @throws InputFault for a rate outside
 */
export function withCommission(fees: FeeModel, rates: number | readonly number[]): FeeModel {
  const list = typeof rates === 'number' ? [rates] : rates;
  for (const each of list) rate('commission', each, 10_000);
  const rateOf = (market: MarketNo): number => (typeof rates === 'number' ? rates : (rates[market] ?? 0));
  return {
    ...fees,
    assumption: `${fees.assumption} Commission: ${shownRates(list)} of a market's net winnings at settlement, no discounts.`,
    commission: (marketPnl, market) => commission(rateOf(market), marketPnl),
  };
}

function rate(name: string, value: number, most: number): void {
  if (!Number.isInteger(value) || value < 0 || value > most) {
    throw new InputFault(name, value, `whole basis points from 0 to ${most}`);
  }
}

function shownRates(rates: readonly number[]): string {
  const least = Math.min(...rates) / 100;
  const most = Math.max(...rates) / 100;
  return least === most ? `${most} %` : `${least} to ${most} %`;
}

export interface CommissionDeps {
  readonly replayed: Replayed;
  readonly ledger: Ledger;
  readonly events: ExchangeEventTranslator;
  readonly fees: FeeModel;
}

/**
 * Commission on a market's net winnings (docs/spec/models.md#fees-commission-rewards), which is no rule of the
 * exchange: it goes from our account to the outside. What the account cannot pay while its cash stands in orders is
 * owed and collected before its next command.
 */
export class Commission {
  readonly #deps: CommissionDeps;
  #owed: MicroUsd = ZERO_USD;

  constructor(of: CommissionDeps) {
    this.#deps = of;
  }

  /** What the account has not paid yet. */
  get owed(): MicroUsd {
    return this.#owed;
  }

  /**
   * The market is final. The claim pays the winnings less commission. If nothing is owed but there are net winnings
   * (all positions were closed before the end), no claim follows. Then the commission is taken at once and reported as
   * a claim.
   * @param received when the bot learns that the market is final: the claim must not be reported before
   */
  settle(market: SimMarket, settlement: Settlement, received: number): void {
    const { ledger, events } = this.#deps;
    ledger.resolve(market.no, settlement);
    if (ledger.market(market.no).owed > 0) return;
    const fee = this.take(market);
    if (fee === 0) return;
    events.delayUntil(received);
    const claim = { type: 'claim', bot: market.lastBot, market: market.no, shares: ZERO_SHARES } as const;
    events.publishConverted(claim, negUsd(fee), fee);
  }

  /** Books commission on net winnings, once a market; within a step of the tape, or after a claim. */
  take(market: SimMarket): MicroUsd {
    const { ledger, fees, replayed } = this.#deps;
    if (market.commissioned || replayed.exchange.view.market(market.no)?.status === 'CANCELLED') return ZERO_USD;
    market.commissioned = true;
    const fee = fees.commission(ledger.winnings(market.no), market.no);
    if (fee === 0) return ZERO_USD;
    ledger.commission(market.no, fee);
    this.#owed = column.usd(this.#owed + fee);
    this.collect();
    return fee;
  }

  collect(): void {
    if (this.#owed === 0) return;
    const { exchange, account } = this.#deps.replayed;
    const paid = column.usd(Math.min(this.#owed, exchange.view.account(account)?.available ?? 0));
    if (paid === 0) return;
    exchange.tape.charge(account, paid);
    this.#owed = column.usd(this.#owed - paid);
  }
}
