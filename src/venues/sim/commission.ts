import { type MicroUsd, negUsd, unchecked, ZERO_SHARES, ZERO_USD } from '../../domain/index.ts';
import type { Ledger, Settlement } from '../../ledger/index.ts';
import type { ExchangeEventTranslator } from './exchange-event-translator.ts';
import type { FeeModel } from './fees.ts';
import { chargeAvailable, type ReplayedExchange } from './replayed-exchange.ts';
import type { SimMarket } from './sim-market.ts';

interface CommissionDeps {
  readonly replayed: ReplayedExchange;
  readonly ledger: Ledger;
  readonly events: ExchangeEventTranslator;
  readonly fees: FeeModel;
}

/**
 * Charges commission on a market's net winnings (docs/spec/models.md#fees-commission-rewards). The exchange has no rule
 * for commission, so the bot's account pays the account of the tape's traders. Commission beyond the available cash is
 * collected before the next command.
 */
export class Commission {
  readonly #deps: CommissionDeps;
  #owed: MicroUsd = ZERO_USD;

  constructor(deps: CommissionDeps) {
    this.#deps = deps;
  }

  /**
   * Settles a final market. A claim pays the winnings less commission. If all positions were closed before the end, no
   * claim follows. The commission on net winnings is then charged at once, and reported as a claim.
   * @param received when the bot receives the final status, before which the claim must not be reported
   */
  settle(market: SimMarket, settlement: Settlement, received: number): void {
    const { ledger, events } = this.#deps;
    ledger.resolve(market.number, settlement);
    if (ledger.market(market.number).owed > 0) return;
    const fee = this.charge(market);
    if (fee === 0) return;
    events.delayUntil(received);
    const claim = { type: 'claim', bot: market.lastFillInstance, market: market.number, shares: ZERO_SHARES } as const;
    events.publishConverted(claim, negUsd(fee), fee);
  }

  /** Books commission on net winnings, once per market. Call this within a step of the tape, or after a claim. */
  charge(market: SimMarket): MicroUsd {
    const { ledger, fees, replayed } = this.#deps;
    const status = replayed.exchange.view.market(market.number)?.status;
    if (market.isCommissionCharged || status === 'CANCELLED') return ZERO_USD;
    market.isCommissionCharged = true;
    const fee = fees.commission(ledger.winnings(market.number), market.number);
    if (fee === 0) return ZERO_USD;
    ledger.bookCommission(market.number, fee);
    this.#owed = unchecked.usd(this.#owed + fee);
    this.collect();
    return fee;
  }

  collect(): void {
    this.#owed = chargeAvailable(this.#deps.replayed, this.#owed);
  }
}
