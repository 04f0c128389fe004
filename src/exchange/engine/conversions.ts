/** Executes conversions, claims and transfers (docs/spec/venue.md#the-ledgers-sum, docs/spec/venue.md#claims). */
import { isFinal, LOT, unchecked } from '../../domain/index.ts';
import type { Claim, Convert, Transfer } from '../command.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { ORDER_KIND } from '../matching/codes.ts';
import type { AccountCommand } from '../order-terms.ts';
import { type Refusal, refused } from '../refusal.ts';
import { callerRefusal, isAccount } from './credentials.ts';
import type { ExchangeState } from './exchange-state.ts';
import { isWholeLots } from './order-form.ts';

export function convert(state: ExchangeState, command: Convert): Refusal | undefined {
  const { clearing, records, sequencer } = state;
  const { type, account, market, shares } = command;
  const refusal = convertRefusal(state, command, records[market]);
  if (refusal !== undefined) return refusal;
  const holding = clearing.open(account, market);
  if (type === 'split') clearing.split(holding, shares);
  else clearing.merge(holding, shares);
  sequencer.emit({ type: 'converted', conversion: type, account, market, shares });
  return undefined;
}

/** Claims one market, or all markets by number. Emits no event for a market without a payout. */
export function claim(state: ExchangeState, command: Claim): Refusal | undefined {
  const { clearing, sequencer, records } = state;
  const { account, market } = command;
  const refusal = claimRefusal(state, command);
  if (refusal !== undefined) return refusal;
  const { holdings, settlement } = clearing;
  const list = market === undefined ? holdings.ofAccount(account) : [holdings.find(account, market)];
  for (const holding of list) {
    // Holding 0: the account has none in this market.
    const record = records[holdings.marketOf(holding)];
    if (holding === 0 || record === undefined || !isFinal(record.status)) continue;
    const refundedFees = unchecked.usd(settlement.refundedFees(holding));
    const paid = unchecked.usd(settlement.claim(holding));
    if (paid > 0) sequencer.emit({ type: 'claimed', account, market: record.number, paid, refundedFees });
  }
  return undefined;
}

/** Deposits or withdraws cash, in any venue mode, because only the operator transfers. */
export function transfer({ clearing, sequencer }: ExchangeState, { account, amount }: Transfer): Refusal | undefined {
  const { accounts, overflowGuard } = clearing;
  if (!isAccount(accounts, account)) return refused('NOT_FOUND', 'account');
  if (!Number.isSafeInteger(amount) || amount === 0) return refused('INVALID_ORDER', 'amount');
  if (!overflowGuard.fitsTransfer(account, amount)) {
    const { limit, value } = overflowGuard.transferExcess(account, amount);
    return refused('ABOVE_MAX', 'amount', limit, value, 'MICRO_USD');
  }
  const available = accounts.available[account] ?? 0;
  if (-amount > available && amount < 0 && accounts.unlimited[account] === 0)
    return refused('INSUFFICIENT_BALANCE', 'amount', available, -amount, 'MICRO_USD');
  clearing.transfer(account, amount);
  sequencer.emit({ type: 'transferred', account, amount });
  return undefined;
}

function convertRefusal(state: ExchangeState, command: Convert, market: MarketRecord | undefined): Refusal | undefined {
  const { accounts, holdings, overflowGuard } = state.clearing;
  const { type, account, shares } = command;
  const common = commonRefusal(state, command, market !== undefined);
  if (common !== undefined || market === undefined) return common;
  const { status } = market;
  if (type === 'split' ? status !== 'OPEN' : isFinal(status)) return refused('MARKET_NOT_OPEN', 'marketId');
  if (!isWholeLots(shares)) return refused('INVALID_LOT', 'sets', LOT, shares, 'MICRO_SHARES');
  const holding = holdings.find(account, market.number);
  const fits =
    type === 'split' ? overflowGuard.fitsBuy(account, holding, shares, 0) : overflowGuard.fitsMerge(holding, shares);
  if (!fits) {
    const { limit, value } =
      type === 'split'
        ? overflowGuard.buyExcess(account, holding, shares, 0)
        : overflowGuard.mergeExcess(holding, shares);
    return refused('ABOVE_MAX', 'sets', limit, value, type === 'split' ? 'MICRO_USD' : 'MICRO_SHARES');
  }
  if (type === 'split') {
    // Holding 0: the account has none in this market, and the split opens one.
    const full = holding === 0 ? state.capacityRefusal('holdings', holdings.count) : undefined;
    if (full !== undefined) return full;
    const available = accounts.available[account] ?? 0;
    const isShort = shares > available && accounts.unlimited[account] === 0;
    return isShort ? refused('INSUFFICIENT_BALANCE', 'sets', available, shares, 'MICRO_USD') : undefined;
  }
  const pairs = Math.min(
    holdings.freeSharesOfKind(holding, ORDER_KIND.sellYes),
    holdings.freeSharesOfKind(holding, ORDER_KIND.sellNo),
  );
  return shares > pairs ? refused('INSUFFICIENT_SHARES', 'sets', pairs, shares, 'MICRO_SHARES') : undefined;
}

function claimRefusal(state: ExchangeState, command: Claim): Refusal | undefined {
  const market = command.market === undefined ? undefined : state.records[command.market];
  const common = commonRefusal(state, command, command.market === undefined || market !== undefined);
  if (common !== undefined && common.reason !== 'VENUE_MODE') return common;
  return market !== undefined && !isFinal(market.status) ? refused('CONFLICT', 'marketId') : common;
}

/** Runs the checks that conversions and claims share. */
function commonRefusal(state: ExchangeState, command: AccountCommand, isMarketKnown: boolean): Refusal | undefined {
  const unknownCaller = callerRefusal(command, state);
  if (unknownCaller !== undefined) return unknownCaller;
  if (!isMarketKnown) return refused('NOT_FOUND', 'marketId');
  return state.conditions.mode === 'HALTED' ? refused('VENUE_MODE') : undefined;
}
