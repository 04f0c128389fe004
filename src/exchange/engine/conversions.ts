/**
 * Conversions between cash and pairs, claims of final markets, deposits and withdrawals
 * (docs/spec/venue.md#the-ledgers-sum, docs/spec/venue.md#claims).
 */
import { column, isFinal, LOT } from '../../domain/index.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Clearing } from '../accounts/clearing.ts';
import type { OverflowGuard } from '../accounts/overflow-guard.ts';
import type { Claim, Convert, Transfer } from '../command.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { ORDER_KIND } from '../matching/codes.ts';
import type { AccountCommand } from '../order-terms.ts';
import { type Refusal, refused } from '../refusal.ts';
import type { Conditions } from './conditions.ts';
import { type Credentials, callerRefusal, isAccount } from './credentials.ts';
import type { EventSequencer } from './event-sequencer.ts';
import { type ExchangeLimits, fullRefusal } from './limits.ts';
import { isWholeLots } from './order-form.ts';

export interface ConversionsDeps {
  readonly accounts: Accounts;
  readonly conditions: Conditions;
  readonly credentials: Credentials;
  readonly clearing: Clearing;
  readonly limits: ExchangeLimits;
  readonly sequencer: EventSequencer;
  /** All markets, by number. */
  readonly records: readonly MarketRecord[];
}

export class Conversions {
  readonly #context: ConversionsDeps;

  constructor(context: ConversionsDeps) {
    this.#context = context;
  }

  convert(command: Convert): void {
    const { clearing, records, sequencer } = this.#context;
    const { type, account, market, shares } = command;
    const refusal = this.#convertRefusal(command, records[market]);
    if (refusal !== undefined) {
      sequencer.refused(0, refusal);
      return;
    }
    const holding = clearing.open(account, market);
    if (type === 'split') clearing.split(holding, shares);
    else clearing.merge(holding, shares);
    sequencer.happened({ type: 'converted', conversion: type, account, market, shares });
  }

  /** Claims one market, or all by number; a market without a payout has no event. */
  claim(command: Claim): void {
    const { clearing, sequencer, records } = this.#context;
    const { account, market } = command;
    const refusal = this.#claimRefusal(command);
    if (refusal !== undefined) {
      sequencer.refused(0, refusal);
      return;
    }
    const { holdings, settlement } = clearing;
    const list = market === undefined ? holdings.ofAccount(account) : [holdings.find(account, market)];
    for (const holding of list) {
      const record = records[holdings.marketOf(holding)];
      if (holding === 0 || record === undefined || !isFinal(record.status)) continue;
      const feesBack = column.usd(settlement.feesBack(holding));
      const paid = column.usd(settlement.claim(holding));
      if (paid > 0) sequencer.happened({ type: 'claimed', account, market: record.no, paid, feesBack });
    }
  }

  /** Allowed in every mode, because only the operator transfers. */
  transfer({ account, amount }: Transfer): void {
    const { clearing, sequencer } = this.#context;
    const refusal = this.#transferRefusal(account, amount);
    if (refusal !== undefined) {
      sequencer.refused(0, refusal);
      return;
    }
    clearing.transfer(account, amount);
    sequencer.happened({ type: 'transferred', account, amount });
  }

  #convertRefusal(command: Convert, market: MarketRecord | undefined): Refusal | undefined {
    const { clearing } = this.#context;
    const { type, account, shares } = command;
    const early = this.#earlyRefusal(command, market);
    if (early !== undefined || market === undefined) return early;
    const { status } = market;
    if (type === 'split' ? status !== 'OPEN' : isFinal(status)) return refused('MARKET_NOT_OPEN', 'marketId');
    if (!isWholeLots(shares)) return refused('INVALID_LOT', 'sets', LOT, shares, 'MICRO_SHARES');
    const holding = clearing.holdings.find(account, market.no);
    const fits =
      type === 'split'
        ? clearing.overflowGuard.fitsSplit(account, holding, shares)
        : clearing.overflowGuard.fitsMerge(holding, shares);
    if (!fits) return excessRefusal(command, clearing.overflowGuard, holding);
    if (type === 'split') {
      const full = holding === 0 ? fullRefusal(this.#context.limits, 'holdings', clearing.holdings.count) : undefined;
      if (full !== undefined) return full;
      const available = clearing.accounts.available[account] ?? 0;
      const isShort = shares > available && clearing.accounts.unlimited[account] === 0;
      return isShort ? refused('INSUFFICIENT_BALANCE', 'sets', available, shares, 'MICRO_USD') : undefined;
    }
    const { holdings } = clearing;
    const pairs = Math.min(holdings.free(holding, ORDER_KIND.buyYes), holdings.free(holding, ORDER_KIND.buyNo));
    return shares > pairs ? refused('INSUFFICIENT_SHARES', 'sets', pairs, shares, 'MICRO_SHARES') : undefined;
  }

  #claimRefusal(command: Claim): Refusal | undefined {
    if (command.market === undefined) return this.#earlyRefusal(command, this.#context.records[0], true);
    const market = this.#context.records[command.market];
    const early = this.#earlyRefusal(command, market);
    if (early !== undefined && early.reason !== 'VENUE_MODE') return early;
    return market !== undefined && !isFinal(market.status) ? refused('CONFLICT', 'marketId') : early;
  }

  #earlyRefusal(command: AccountCommand, market: MarketRecord | undefined, anyMarket = false): Refusal | undefined {
    const unknownCaller = callerRefusal(command, this.#context);
    if (unknownCaller !== undefined) return unknownCaller;
    if (market === undefined && !anyMarket) return refused('NOT_FOUND', 'marketId');
    return this.#context.conditions.mode === 'HALTED' ? refused('VENUE_MODE') : undefined;
  }

  #transferRefusal(account: number, amount: number): Refusal | undefined {
    const { clearing } = this.#context;
    if (!isAccount(clearing.accounts, account)) return refused('NOT_FOUND', 'account');
    if (!Number.isSafeInteger(amount) || amount === 0) return refused('INVALID_ORDER', 'amount');
    if (!clearing.overflowGuard.fitsTransfer(account, amount)) {
      const { limit, value } = clearing.overflowGuard.transferExcess(account, amount);
      return refused('ABOVE_MAX', 'amount', limit, value, 'MICRO_USD');
    }
    const available = clearing.accounts.available[account] ?? 0;
    return -amount > available && amount < 0 && clearing.accounts.unlimited[account] === 0
      ? refused('INSUFFICIENT_BALANCE', 'amount', available, -amount, 'MICRO_USD')
      : undefined;
  }
}

/** Returns the refusal of a conversion that would make a sum inexact. */
function excessRefusal({ type, account, shares }: Convert, overflowGuard: OverflowGuard, holding: number): Refusal {
  const isSplit = type === 'split';
  const { limit, value } = isSplit
    ? overflowGuard.buyExcess(account, holding, shares, 0)
    : overflowGuard.mergeExcess(holding, shares);
  return refused('ABOVE_MAX', 'sets', limit, value, isSplit ? 'MICRO_USD' : 'MICRO_SHARES');
}
