import { column, costAt, mulDivFloor, subUsd, ZERO_USD } from '../domain/index.ts';
import type { FillEffect, LedgerFill } from './ledger-types.ts';
import type { MarketAccount } from './market-account.ts';

/**
 * What a fill did that counted as final, as far as the holdings still tell: a sale is taken to have given up shares at the
 * average cost of those that are held now. The total of the P&L is exact, its parts are not.
 */
export function finalEffect(account: MarketAccount, { outcome, side, price, shares }: LedgerFill): FillEffect {
  const mark = account.split.markInForce;
  const [held, cost] = outcome === 'YES' ? [account.yes, account.yesCost] : [account.no, account.noCost];
  if (side === 'BUY' || held === 0) return { gained: ZERO_USD, mark };
  return { gained: subUsd(costAt(shares, price), column.usd(mulDivFloor(cost, shares, held))), mark };
}
