/** Payouts and refunds of final markets. */
import { unchecked } from '../../../src/domain/index.ts';
import { costOf, pay, realize, supplyOf } from './accounts.ts';
import { isFinal, type NaiveMarket } from './market.ts';
import { emit, type NaivePosition, type World } from './world.ts';

/**
 * Divides the collateral among the accounts with positive net payments, in proportion to them, and adds all fees
 * (docs/spec/venue.md#refunds-of-a-cancelled-market).
 */
export function fixRefunds(world: World, market: NaiveMarket): void {
  const positions = world.positions.filter((position) => position.market === market.market);
  market.supply = supplyOf(world, market.market, 'yes');
  const locked = BigInt(market.supply);
  const payers = positions
    .filter((position) => position.netPaid > 0)
    .sort((a, b) => (addressOf(world, a) < addressOf(world, b) ? -1 : 1));
  const paid = payers.reduce((sum, { netPaid }) => sum + BigInt(netPaid), 0n);
  const parts = payers.map((position) => ({ position, product: locked * BigInt(position.netPaid) }));
  for (const { position, product } of parts) position.refund = Number(product / paid);
  let undistributed = Number(locked) - payers.reduce((sum, { refund }) => sum + refund, 0);
  const largestFirst = [...parts].sort((a, b) => Number((b.product % paid) - (a.product % paid)));
  for (const { position } of largestFirst) if (undistributed-- > 0) position.refund += 1;
  for (const position of positions) setRefund(world, position);
}

/** Replaces the shares by the refund; its cost is the positive net payment. */
function setRefund(world: World, position: NaivePosition): void {
  world.fees -= position.fees;
  position.refund += position.fees;
  const cost = Math.max(position.netPaid, 0);
  const gained = position.yesRealized + position.noRealized + cost - position.yesCost - position.noCost;
  Object.assign(position, { yes: 0, no: 0, yesCost: cost, noCost: 0, yesRealized: gained, noRealized: 0 });
}

/** Returns the payout of each side of a position. A refund counts as YES. */
function payoutOf(position: NaivePosition, market: NaiveMarket): { readonly yes: number; readonly no: number } {
  if (!isFinal(market)) return { yes: 0, no: 0 };
  if (market.status === 'CANCELLED') return { yes: position.refund, no: 0 };
  const payout = market.yesPayoutBps ?? 0;
  return { yes: costOf(position.yes, payout), no: costOf(position.no, 10_000 - payout) };
}

/** Returns the unclaimed payout. */
function owed(position: NaivePosition, market: NaiveMarket): number {
  const { yes, no } = payoutOf(position, market);
  return position.claimed ? 0 : yes + no;
}

/** Returns the collateral of an open market, or the unclaimed payouts of a final one. */
export function collateralOf(world: World, market: NaiveMarket): number {
  if (!isFinal(market)) return supplyOf(world, market.market, 'yes');
  const positions = world.positions.filter((position) => position.market === market.market);
  return positions.reduce((sum, position) => sum + owed(position, market), 0);
}

/** Pays the unclaimed payout. */
export function claim(world: World, position: NaivePosition, market: NaiveMarket): void {
  const paid = owed(position, market);
  if (paid === 0) return;
  const { yes, no } = payoutOf(position, market);
  realize(position, 'YES', yes - position.yesCost);
  realize(position, 'NO', no - position.noCost);
  position.claimed = true;
  pay(world, position.account, paid);
  const refundedFees = unchecked.usd(market.status === 'CANCELLED' ? position.fees : 0);
  const number = unchecked.market(position.market);
  emit(world, {
    type: 'claimed',
    account: position.account,
    market: number,
    paid: unchecked.usd(paid),
    refundedFees: refundedFees,
  });
}

function addressOf(world: World, { account }: NaivePosition): string {
  return world.accounts[account - 1]?.address ?? '';
}

/** Returns the pairs of a market; for a final market, at its end. */
export function supplyAtEnd(world: World, market: NaiveMarket): number {
  return market.status === 'CANCELLED' ? market.supply : supplyOf(world, market.market, 'yes');
}
