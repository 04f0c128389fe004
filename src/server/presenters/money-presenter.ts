/** Presents an account's cash and totals. Rounds cents of assets **down**, of reserves and risk **up**. */
import { type EpochMs, isFinal, unchecked } from '../../domain/index.ts';
import type { ExchangeView, HoldingView, LedgerRow } from '../../exchange/index.ts';
import { type BetOutcome, centsDown, centsUp } from '../../protocol/index.ts';
import type { WireIds } from '../wire-ids.ts';
import { requireRecord } from './market-presenter.ts';
import type { Model } from './models.ts';
import { fillId } from './order-presenter.ts';
import { getOutcomeHolding, positionValue } from './position-presenter.ts';

/** @throws RangeError for an unknown account */
export function presentBalance(account: number, view: ExchangeView, now: EpochMs): Model<'Balance'> {
  const { available, reserved } = requireCash(account, view);
  return {
    availableCents: centsDown(available),
    reservedCents: centsUp(reserved),
    totalCents: centsDown(unchecked.usd(available + reserved)),
    claimableCents: centsDown(sum(view.holdingsOf(account), ({ owed }) => owed)),
    availableMicros: available,
    reservedMicros: reserved,
    seq: view.seq,
    asOf: now,
  };
}

/** Presents an account's totals. Unclaimed payouts count as claimable and as unrealized P&L, not as positions. */
export function presentPortfolio(account: number, view: ExchangeView, now: EpochMs): Model<'Portfolio'> {
  const { available, reserved } = requireCash(account, view);
  const holdings = view.holdingsOf(account);
  const unsettled = holdings.filter(({ market }) => !isFinal(requireRecord(market, view).status));
  const unclaimed = holdings.filter(({ claimed }) => !claimed);
  const withUnrefundedFees = holdings.filter(({ market }) => requireRecord(market, view).status !== 'CANCELLED');
  return {
    cashCents: centsDown(unchecked.usd(available + reserved)),
    positionsValueCents: centsDown(sum(unsettled, (holding) => holdingValue(holding, view))),
    claimableCents: centsDown(sum(holdings, ({ owed }) => owed)),
    openOrderReserveCents: centsUp(reserved),
    worstCaseLossCents: centsUp(sum(unsettled, ({ exposure }) => exposure)),
    realizedPnlMicros: sum(holdings, ({ yes, no }) => yes.realized + no.realized),
    unrealizedPnlMicros: sum(unclaimed, (held) => holdingValue(held, view) - held.yes.cost - held.no.cost),
    feesPaidMicros: sum(withUnrefundedFees, ({ fees }) => fees),
    asOf: now,
  };
}

export function presentLedgerEntry(row: LedgerRow, ids: WireIds): Model<'LedgerEntry'> {
  return {
    id: String(row.id),
    kind: row.kind,
    amountMicros: row.amount,
    amountCents: centsDown(unchecked.usd(Math.abs(row.amount))),
    direction: row.amount < 0 ? -1 : 1,
    marketId: row.market === undefined ? null : ids.marketId(row.market),
    orderId: row.order === undefined ? null : ids.orderId(row.order),
    fillId: row.fill === undefined ? null : fillId(row.fill),
    at: row.at,
  };
}

function requireCash(account: number, view: ExchangeView) {
  const cash = view.account(account);
  if (cash === undefined) throw new RangeError(`Invariant: there is no account ${account}`);
  return { available: unchecked.usd(cash.available), reserved: unchecked.usd(cash.reserved) };
}

/** Computes the value of a holding at the reference price, or at the payout of a final market, micro-USD. */
function holdingValue(holding: HoldingView, view: ExchangeView): number {
  const market = requireRecord(holding.market, view);
  const outcomes: readonly BetOutcome[] = market.status === 'CANCELLED' ? ['CANCELLED'] : ['YES', 'NO'];
  return sum(outcomes, (outcome) =>
    outcome === 'CANCELLED' || getOutcomeHolding(holding, outcome).shares > 0
      ? positionValue({ market, holding, outcome }, view)
      : 0,
  );
}

function sum<Row>(rows: readonly Row[], amount: (row: Row) => number) {
  return unchecked.usd(rows.reduce((total, row) => total + amount(row), 0));
}
