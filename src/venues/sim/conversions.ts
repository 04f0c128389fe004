import {
  type Conversion,
  column,
  isFinal,
  LOT,
  type MicroUsd,
  negUsd,
  type RejectReason,
  subUsd,
  ZERO_SHARES,
  ZERO_USD,
} from '../../domain/index.ts';
import type { Settlement } from '../../ledger/index.ts';
import type { Account } from './account.ts';
import type { Answers } from './answers.ts';
import { freeShares } from './placement.ts';
import type { SimMarket } from './sim-market.ts';

/** Splits, merges, claims and the end of a market (venue.md 4; commission: models 8). */
export class Conversions {
  readonly #account: Account;
  readonly #answers: Answers;

  constructor(account: Account, answers: Answers) {
    this.#account = account;
    this.#answers = answers;
  }

  /** @param market undefined for a number that no market has */
  convert(command: Conversion, market: SimMarket | undefined): void {
    const reason = market === undefined ? 'NOT_FOUND' : this.#refusal(command, market);
    if (market === undefined || reason !== undefined) {
      this.#answers.conversionRejected(command, reason ?? 'NOT_FOUND');
      return;
    }
    const { shares } = command;
    const { ledger } = this.#account;
    if (command.type === 'split') {
      ledger.split(market.no, shares);
      this.#answers.converted(command, negUsd(column.usd(shares)), ZERO_USD);
    } else if (command.type === 'merge') {
      ledger.merge(market.no, shares);
      this.#answers.converted(command, column.usd(shares), ZERO_USD);
    } else {
      const fee = this.#commission(market);
      this.#answers.converted(command, subUsd(ledger.claim(market.no), fee), fee);
    }
  }

  /**
   * The market is final. Commission is held back at the claim; where nothing is owed but net winnings stand (all positions
   * closed before the end), nobody would claim, so it is taken at once and told as a claim.
   * @param received when the bot learns that the market is final: the claim must not be told before
   */
  settle(market: SimMarket, settlement: Settlement, received: number): void {
    const { ledger } = this.#account;
    ledger.resolve(market.no, settlement);
    if (ledger.market(market.no).owed > 0) return;
    const fee = this.#commission(market);
    if (fee === 0) return;
    this.#answers.notBefore(received);
    const claim: Conversion = { type: 'claim', bot: market.lastBot, market: market.no, shares: ZERO_SHARES };
    this.#answers.converted(claim, negUsd(fee), fee);
  }

  /** Books commission on net winnings, once a market. */
  #commission(market: SimMarket): MicroUsd {
    const { ledger, fees } = this.#account;
    if (market.commissioned || market.status === 'CANCELLED') return ZERO_USD;
    market.commissioned = true;
    const fee = fees.commission(ledger.winnings(market.no), market.no);
    if (fee > 0) ledger.commission(market.no, fee);
    return fee;
  }

  #refusal({ type, shares }: Conversion, market: SimMarket): RejectReason | undefined {
    const { ledger, available } = this.#account;
    if (type === 'claim') return isFinal(market.status) ? undefined : 'CONFLICT';
    if (type === 'split' && market.status !== 'OPEN') return 'MARKET_NOT_OPEN';
    if (isFinal(market.status)) return 'ALREADY_FINAL';
    if (!(shares > 0 && shares % LOT === 0)) return 'INVALID_LOT';
    if (type === 'split') return shares > available ? 'INSUFFICIENT_BALANCE' : undefined;
    const position = ledger.market(market.no);
    const pairs = Math.min(freeShares(position, market, 'YES'), freeShares(position, market, 'NO'));
    return shares > pairs ? 'INSUFFICIENT_SHARES' : undefined;
  }
}
