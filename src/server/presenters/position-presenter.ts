/**
 * Positions as their owner sees them: one for each outcome, in a CANCELLED market one for the refund
 * (docs/spec/venue.md#refunds-of-a-cancelled-market). Cents: what shares cost **up**, what they are worth or pay
 * **down**.
 */
import { column, type EpochMs, FULL_BPS, isFinal, LOT, type Outcome } from '../../domain/index.ts';
import type { ExchangeView, HoldingRow, HoldingView, MarketRecord, PositionView } from '../../exchange/index.ts';
import { averagePrice, type BetOutcome, centsDown, centsUp, sharesFloat } from '../../protocol/index.ts';
import type { MarketViewCache } from './market-view-cache.ts';
import type { Model } from './models.ts';

/** Sources for showing positions. */
export interface PositionPresenterDeps {
  readonly view: ExchangeView;
  readonly marketViews: MarketViewCache;
}

/** A position, and when it changed last. */
export interface HeldPosition {
  readonly market: Readonly<MarketRecord>;
  readonly holding: HoldingView;
  readonly outcome: BetOutcome;
  readonly changedAt: EpochMs;
}

/** The positions of a holding: those that hold, held or owe something. @param row when they changed; undefined for never */
export function positionsOf(
  market: Readonly<MarketRecord>,
  holding: HoldingView,
  row: HoldingRow | undefined,
): readonly HeldPosition[] {
  if (row === undefined) return [];
  // The end of a market, and a claim, touch both outcomes of a holder at once, also one that he never had.
  const { yes, no, owed, paid } = holding;
  if (market.status === 'CANCELLED') {
    const hadAny = owed + paid + yes.cost > 0 || yes.realized !== 0;
    return hadAny ? [{ market, holding, outcome: 'CANCELLED', changedAt: row.yesAt }] : [];
  }
  const isShown = (side: PositionView, seq: number): boolean =>
    seq > 0 && (side.shares > 0 || side.realized !== 0 || !isFinal(market.status));
  const found: HeldPosition[] = [];
  if (isShown(yes, row.yesSeq)) found.push({ market, holding, outcome: 'YES', changedAt: row.yesAt });
  if (isShown(no, row.noSeq)) found.push({ market, holding, outcome: 'NO', changedAt: row.noAt });
  return found;
}

/** A position that is not there in the list because nothing ever was in it: for answers that name it. */
export function positionAt(
  market: Readonly<MarketRecord>,
  holding: HoldingView,
  outcome: Outcome,
  row: HoldingRow | undefined,
): HeldPosition {
  const changedAt = outcome === 'YES' ? row?.yesAt : row?.noAt;
  return { market, holding, outcome, changedAt: changedAt ?? market.createdAt };
}

/** Unique among an account's. */
export function positionId({ market, outcome }: Pick<HeldPosition, 'market' | 'outcome'>): string {
  return `${market.id}-${outcome}`;
}

/** Whether it has shares that count, or something to claim. */
export function isOpenPosition(position: HeldPosition): boolean {
  const { market, holding } = position;
  if (isFinal(market.status)) return isClaimable(position);
  return sideOf(holding, position.outcome).shares > 0;
}

/** Final, pays more than nothing, not claimed. */
export function isClaimable(position: HeldPosition): boolean {
  return isFinal(position.market.status) && !position.holding.claimed && dueOf(position) > 0;
}

/** Payout of a position in a final market, claimed or not, micro-USD. */
export function dueOf({ market, holding, outcome }: HeldPosition): number {
  if (!isFinal(market.status)) return 0;
  if (outcome === 'CANCELLED') return holding.owed + holding.paid;
  return (sideOf(holding, outcome).shares / LOT) * payoutOf(market, outcome);
}

/** Value of shares: at the reference, or at the payout of a final market; micro-USD. */
export function worthOf(position: HeldPosition, view: ExchangeView): number {
  const { market, holding, outcome } = position;
  if (isFinal(market.status)) return dueOf(position);
  return (sideOf(holding, outcome).shares / LOT) * oddsOf(position, view);
}

/** The position's numbers in the engine; of a refund the YES side's. */
export function sideOf(holding: HoldingView, outcome: BetOutcome): PositionView {
  return outcome === 'NO' ? holding.no : holding.yes;
}

/** A position as it is answered, as of now. */
export function presentPosition(
  position: HeldPosition,
  { view, marketViews }: PositionPresenterDeps,
): Model<'Position'> {
  const { market, holding, outcome, changedAt } = position;
  const side = sideOf(holding, outcome);
  const isRefund = outcome === 'CANCELLED';
  const shares = column.shares(side.shares);
  const pays = isFinal(market.status) ? dueOf(position) : side.shares;
  return {
    id: positionId(position),
    marketId: market.id,
    market: marketViews.marketOf(market),
    outcome,
    shares: sharesFloat(shares),
    reservedShares: sharesFloat(column.shares(side.held)),
    averagePriceBps: averagePrice(column.usd(side.cost), shares) ?? 0,
    amountCents: centsUp(column.usd(side.cost)),
    amountMicros: side.cost,
    valueCents: centsDown(column.usd(worthOf(position, view))),
    currentOddsBps: isRefund ? 0 : oddsOf(position, view),
    totalPayoutCents: centsDown(column.usd(pays)),
    realizedPnlMicros: isRefund ? holding.yes.realized + holding.no.realized : side.realized,
    result: resultOf(market),
    claimable: isClaimable(position),
    seq: view.seq,
    updatedAt: changedAt,
  };
}

function oddsOf({ market, outcome }: HeldPosition, view: ExchangeView): number {
  if (isFinal(market.status)) return payoutOf(market, outcome);
  const reference = view.quotes(market.no)?.reference;
  if (reference === undefined) throw new RangeError(`Invariant: market ${market.no} has no quotes`);
  return outcome === 'NO' ? FULL_BPS - reference : reference;
}

function payoutOf({ yesPayoutBps }: Readonly<MarketRecord>, outcome: BetOutcome): number {
  if (yesPayoutBps === undefined) return 0;
  return outcome === 'NO' ? FULL_BPS - yesPayoutBps : yesPayoutBps;
}

function resultOf({ status }: Readonly<MarketRecord>): BetOutcome | null {
  if (status === 'RESOLVED_YES') return 'YES';
  if (status === 'RESOLVED_NO') return 'NO';
  return status === 'CANCELLED' ? 'CANCELLED' : null;
}
