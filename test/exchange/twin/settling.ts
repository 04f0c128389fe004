/** What a final market owes, and paying it. */
import { column, counted } from '../../../src/domain/index.ts';
import { costOf, pay, realize, supplyOf } from './accounts.ts';
import { isFinal, type NaiveMarket } from './market.ts';
import { emit, type NaivePosition, type World } from './world.ts';

/**
 * docs/spec/venue.md#refunds-of-a-cancelled-market: who paid in on balance shares what is locked in proportion; fees
 * come back on top.
 */
export function fixRefunds(world: World, market: NaiveMarket): void {
  const there = world.positions.filter((position) => position.market === market.market);
  market.supply = supplyOf(world, market.market, 'yes');
  const locked = BigInt(market.supply);
  const payers = there
    .filter((position) => position.netPaid > 0)
    .sort((a, b) => (addressOf(world, a) < addressOf(world, b) ? -1 : 1));
  const paid = payers.reduce((sum, { netPaid }) => sum + BigInt(netPaid), 0n);
  const parts = payers.map((position) => ({ position, product: locked * BigInt(position.netPaid) }));
  for (const { position, product } of parts) position.refund = Number(product / paid);
  let over = Number(locked) - payers.reduce((sum, { refund }) => sum + refund, 0);
  const largestFirst = [...parts].sort((a, b) => Number((b.product % paid) - (a.product % paid)));
  for (const { position } of largestFirst) if (over-- > 0) position.refund += 1;
  for (const position of there) becomeRefund(world, position);
}

/** No shares any more, and as cost what was paid in on balance. */
function becomeRefund(world: World, position: NaivePosition): void {
  world.fees -= position.fees;
  position.refund += position.fees;
  const cost = Math.max(position.netPaid, 0);
  const gained = position.yesRealized + position.noRealized + cost - position.yesCost - position.noCost;
  Object.assign(position, { yes: 0, no: 0, yesCost: cost, noCost: 0, yesRealized: gained, noRealized: 0 });
}

/** What each side of a position is worth at the end; of a refund, all for YES. */
function due(position: NaivePosition, market: NaiveMarket): { readonly yes: number; readonly no: number } {
  if (!isFinal(market)) return { yes: 0, no: 0 };
  if (market.status === 'CANCELLED') return { yes: position.refund, no: 0 };
  const payout = market.yesPayoutBps ?? 0;
  return { yes: costOf(position.yes, payout), no: costOf(position.no, 10_000 - payout) };
}

/** What a claim would pay now. */
function owed(position: NaivePosition, market: NaiveMarket): number {
  const { yes, no } = due(position, market);
  return position.claimed ? 0 : yes + no;
}

/** What is locked in a market, or still owed by it. */
export function collateralOf(world: World, market: NaiveMarket): number {
  if (!isFinal(market)) return supplyOf(world, market.market, 'yes');
  const there = world.positions.filter((position) => position.market === market.market);
  return there.reduce((sum, position) => sum + owed(position, market), 0);
}

/** Pays what is owed, once. */
export function claim(world: World, position: NaivePosition, market: NaiveMarket): void {
  const paid = owed(position, market);
  if (paid === 0) return;
  const { yes, no } = due(position, market);
  realize(position, 'YES', yes - position.yesCost);
  realize(position, 'NO', no - position.noCost);
  position.claimed = true;
  pay(world, position.account, paid);
  const feesBack = column.usd(market.status === 'CANCELLED' ? position.fees : 0);
  const number = counted.market(position.market);
  emit(world, { type: 'claimed', account: position.account, market: number, paid: column.usd(paid), feesBack });
}

function addressOf(world: World, { account }: NaivePosition): string {
  return world.accounts[account - 1]?.address ?? '';
}

/** Pairs that exist; of a final market, those that did at its end. */
export function supplyAtEnd(world: World, market: NaiveMarket): number {
  return market.status === 'CANCELLED' ? market.supply : supplyOf(world, market.market, 'yes');
}
