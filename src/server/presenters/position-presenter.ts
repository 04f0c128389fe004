/**
 * Presents positions to their owner: one per outcome, or one for the refund of a CANCELLED market
 * (docs/spec/venue.md#refunds-of-a-cancelled-market). Rounds cents of cost **up**, of value and payout **down**.
 */
import { type EpochMs, FULL_BPS, isFinal, LOT, type Outcome, unchecked } from '../../domain/index.ts';
import type { ExchangeView, HoldingRow, HoldingView, MarketRecord, OutcomePosition } from '../../exchange/index.ts';
import { averagePrice, type BetOutcome, centsDown, centsUp, sharesFloat } from '../../protocol/index.ts';
import { type MarketViewCache, requireQuotes } from './market-presenter.ts';
import type { Model } from './models.ts';

export interface HeldPosition {
  readonly market: Readonly<MarketRecord>;
  readonly holding: HoldingView;
  readonly outcome: BetOutcome;
  readonly changedAt: EpochMs;
}

type Holding = Omit<HeldPosition, 'changedAt'>;

/** Returns positions with past or present shares, or an unclaimed payout. @param row undefined if never changed */
export function listPositions(
  market: Readonly<MarketRecord>,
  holding: HoldingView,
  row: HoldingRow | undefined,
): readonly HeldPosition[] {
  if (row === undefined) return [];
  const { yes, no, owed, paid } = holding;
  if (market.status === 'CANCELLED') {
    const hadPosition = owed + paid + yes.cost > 0 || yes.realized !== 0;
    return hadPosition ? [{ market, holding, outcome: 'CANCELLED', changedAt: row.yesAt }] : [];
  }
  // A market's end and a claim set the seq of both outcomes, although the account may have held only one outcome.
  const isVisible = (outcomeHolding: OutcomePosition, seq: number): boolean =>
    seq > 0 && (outcomeHolding.shares > 0 || outcomeHolding.realized !== 0 || !isFinal(market.status));
  const positions: HeldPosition[] = [];
  if (isVisible(yes, row.yesSeq)) positions.push({ market, holding, outcome: 'YES', changedAt: row.yesAt });
  if (isVisible(no, row.noSeq)) positions.push({ market, holding, outcome: 'NO', changedAt: row.noAt });
  return positions;
}

/** Returns the position of one outcome, even an outcome that `listPositions` omits. */
export function getPosition(
  market: Readonly<MarketRecord>,
  holding: HoldingView,
  outcome: Outcome,
  row: HoldingRow | undefined,
): HeldPosition {
  const changedAt = outcome === 'YES' ? row?.yesAt : row?.noAt;
  return { market, holding, outcome, changedAt: changedAt ?? market.createdAt };
}

/** Returns an id that is unique within an account. */
export function positionId({ market, outcome }: Pick<HeldPosition, 'market' | 'outcome'>): string {
  return `${market.id}-${outcome}`;
}

/** Returns whether a position has shares in a running market, or something to claim. */
export function isOpenPosition(position: HeldPosition): boolean {
  const { market, holding } = position;
  if (isFinal(market.status)) return isClaimable(position);
  return getOutcomeHolding(holding, position.outcome).shares > 0;
}

/** Returns whether a position has an unclaimed payout. */
export function isClaimable(position: HeldPosition): boolean {
  return isFinal(position.market.status) && !position.holding.claimed && positionPayout(position) > 0;
}

/** Computes the payout of a position in a final market, claimed or not, micro-USD; 0 before the market is final. */
export function positionPayout({ market, holding, outcome }: Holding): number {
  if (!isFinal(market.status)) return 0;
  if (outcome === 'CANCELLED') return holding.owed + holding.paid;
  return (getOutcomeHolding(holding, outcome).shares / LOT) * getPayoutBps(market, outcome);
}

/** Computes the value of a position at the reference price, or at the payout of a final market, micro-USD. */
export function positionValue(position: Holding, view: ExchangeView): number {
  const { market, holding, outcome } = position;
  if (isFinal(market.status)) return positionPayout(position);
  return (getOutcomeHolding(holding, outcome).shares / LOT) * getOddsBps(position, view);
}

/** Returns the part of a holding that concerns one outcome. The YES part stores a refund. */
export function getOutcomeHolding(holding: HoldingView, outcome: BetOutcome): OutcomePosition {
  return outcome === 'NO' ? holding.no : holding.yes;
}

export function presentPosition(
  position: HeldPosition,
  { view, marketViews }: { readonly view: ExchangeView; readonly marketViews: MarketViewCache },
): Model<'Position'> {
  const { market, holding, outcome, changedAt } = position;
  const outcomeHolding = getOutcomeHolding(holding, outcome);
  const isRefund = outcome === 'CANCELLED';
  const shares = unchecked.shares(outcomeHolding.shares);
  // A winning micro-share pays one micro-USD.
  const payout = isFinal(market.status) ? positionPayout(position) : outcomeHolding.shares;
  return {
    id: positionId(position),
    marketId: market.id,
    market: marketViews.present(market),
    outcome,
    shares: sharesFloat(shares),
    reservedShares: sharesFloat(unchecked.shares(outcomeHolding.reservedShares)),
    averagePriceBps: averagePrice(unchecked.usd(outcomeHolding.cost), shares) ?? 0,
    amountCents: centsUp(unchecked.usd(outcomeHolding.cost)),
    amountMicros: outcomeHolding.cost,
    valueCents: centsDown(unchecked.usd(positionValue(position, view))),
    currentOddsBps: isRefund ? 0 : getOddsBps(position, view),
    totalPayoutCents: centsDown(unchecked.usd(payout)),
    realizedPnlMicros: isRefund ? holding.yes.realized + holding.no.realized : outcomeHolding.realized,
    result: getResult(market),
    claimable: isClaimable(position),
    seq: view.seq,
    updatedAt: changedAt,
  };
}

function getOddsBps({ market, outcome }: Holding, view: ExchangeView): number {
  if (isFinal(market.status)) return getPayoutBps(market, outcome);
  const { reference } = requireQuotes(market, view);
  return outcome === 'NO' ? FULL_BPS - reference : reference;
}

function getPayoutBps({ yesPayoutBps }: Readonly<MarketRecord>, outcome: BetOutcome): number {
  if (yesPayoutBps === undefined) return 0;
  return outcome === 'NO' ? FULL_BPS - yesPayoutBps : yesPayoutBps;
}

function getResult({ status }: Readonly<MarketRecord>): BetOutcome | null {
  if (status === 'RESOLVED_YES') return 'YES';
  if (status === 'RESOLVED_NO') return 'NO';
  return status === 'CANCELLED' ? 'CANCELLED' : null;
}
