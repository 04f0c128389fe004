import { costAt, mulDivFloor, subUsd, unchecked, ZERO_USD } from '../domain/index.ts';
import type { FillEffect, LedgerFill } from './ledger-types.ts';
import type { MarketAccount } from './market-account.ts';

/**
 * Estimates the effect of a settled fill, because its actual effect is no longer stored. Assumes that a sale removed
 * its shares at the current average cost. Total P&L stays exact, but its parts become approximate.
 */
export function estimateEffect(account: MarketAccount, { outcome, side, price, shares }: LedgerFill): FillEffect {
  const mark = account.pnlSplit.currentMark;
  const [held, cost] = outcome === 'YES' ? [account.yes, account.yesCost] : [account.no, account.noCost];
  if (side === 'BUY' || held === 0) return { gained: ZERO_USD, mark };
  return { gained: subUsd(costAt(shares, price), unchecked.usd(mulDivFloor(cost, shares, held))), mark };
}
