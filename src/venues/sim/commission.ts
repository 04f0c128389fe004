import { column, type MicroUsd, negUsd, ZERO_SHARES, ZERO_USD } from '../../domain/index.ts';
import type { Ledger, Settlement } from '../../ledger/index.ts';
import type { ExchangeEventTranslator } from './exchange-event-translator.ts';
import type { FeeModel } from './fees.ts';
import type { Replayed } from './replayed-exchange.ts';
import type { SimMarket } from './sim-market.ts';

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
