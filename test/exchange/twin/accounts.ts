/** Cash and shares of the twin. Reserves are summed over the open orders for each query. */
import { type NaiveOrder, type NaivePosition, openOrders, positionOf, type World } from './world.ts';

export const LOT = 10_000;

/** `floor(a * b / c)` for c > 0, exact for any size. */
function floorOf(a: number, b: number, c: number): number {
  const product = BigInt(a) * BigInt(b);
  const quotient = product / BigInt(c);
  return Number(product < 0n && quotient * BigInt(c) !== product ? quotient - 1n : quotient);
}

/** `floor(rate * lots * p * (10000 - p) / 10^8)`. */
export function feeOf(rate: number, shares: number, price: number): number {
  return Number((BigInt(rate) * BigInt(shares / LOT) * BigInt(price) * BigInt(10_000 - price)) / 100_000_000n);
}

export function costOf(shares: number, price: number): number {
  return Number(BigInt(shares / LOT) * BigInt(price));
}

function isBuy(order: NaiveOrder): boolean {
  return order.terms.side === 'BUY';
}

/** Cash reserved by the account's open BUY orders, in one market or in all. */
export function reservedCash(world: World, account: number, market?: number): number {
  const buys = openOrders(
    world,
    (order) => order.account === account && isBuy(order) && (market ?? order.market) === order.market,
  );
  return buys.reduce((sum, order) => sum + costOf(order.remaining, order.terms.price), 0);
}

export function availableCash(world: World, account: number): number {
  return (world.accounts[account - 1]?.cash ?? 0) - reservedCash(world, account);
}

/** Shares that are not reserved by open SELL orders. */
export function freeShares(world: World, account: number, market: number, outcome: 'YES' | 'NO'): number {
  const position = positionOf(world, account, market);
  const sells = openOrders(
    world,
    ({ terms, ...order }) =>
      order.account === account && order.market === market && terms.side === 'SELL' && terms.outcome === outcome,
  );
  return sells.reduce(
    (remaining, order) => remaining - order.remaining,
    outcome === 'YES' ? position.yes : position.no,
  );
}

/**
 * docs/spec/venue.md#limits: `max(0, net cash paid in - $1 * min(YES, NO)) + reserves of open BUY orders there`.
 */
export function exposureOf(world: World, account: number, market: number): number {
  const { netPaid, yes, no } = positionOf(world, account, market);
  return Math.max(0, netPaid - Math.min(yes, no)) + reservedCash(world, account, market);
}

/** Shares of an outcome that exist in a market. */
export function supplyOf(world: World, market: number, outcome: 'yes' | 'no'): number {
  const positions = world.positions.filter((position) => position.market === market);
  return positions.reduce((sum, position) => sum + position[outcome], 0);
}

/** Books one side of a trade; `fee` is 0 for the maker. @returns the cost of the sold shares, 0 for a purchase */
export function bookFill(world: World, order: NaiveOrder, price: number, shares: number, fee: number): number {
  const { outcome, side } = order.terms;
  const amount = costOf(shares, price);
  const position = positionOf(world, order.account, order.market);
  const cost = side === 'BUY' ? 0 : removeShares(position, outcome, shares);
  if (side === 'BUY') addShares(position, outcome, shares, amount);
  else realize(position, outcome, amount - cost);
  position.netPaid += side === 'BUY' ? amount : -amount;
  realize(position, outcome, -fee);
  position.fees += fee;
  pay(world, order.account, (side === 'BUY' ? -amount : amount) - fee);
  world.fees += fee;
  return cost;
}

/** Reverses one side of a trade. @param cost of the sold shares */
export function unbookFill(
  world: World,
  order: NaiveOrder,
  { price, shares, fee, cost }: { price: number; shares: number; fee: number; cost: number },
): void {
  const { outcome, side } = order.terms;
  const amount = costOf(shares, price);
  const position = positionOf(world, order.account, order.market);
  if (side === 'BUY') {
    const [held, paid] = outcome === 'YES' ? [position.yes, position.yesCost] : [position.no, position.noCost];
    // A share never costs more than a dollar, and zero shares have no cost.
    const remaining = Math.max(0, Math.min(paid - amount, held - shares));
    addShares(position, outcome, -shares, remaining - paid);
    realize(position, outcome, amount - (paid - remaining));
  } else {
    addShares(position, outcome, shares, cost);
    realize(position, outcome, cost - amount);
  }
  position.netPaid -= side === 'BUY' ? amount : -amount;
  realize(position, outcome, fee);
  position.fees -= fee;
  pay(world, order.account, (side === 'BUY' ? amount : -amount) + fee);
  world.fees -= fee;
}

/** Adds cash to the account; a negative amount removes it. */
export function pay(world: World, account: number, amount: number): void {
  const owner = world.accounts[account - 1];
  if (owner !== undefined) owner.cash += amount;
}

/** Buys pairs for a dollar each. Each share costs half a dollar. */
export function splitPairs(world: World, account: number, market: number, shares: number): void {
  const position = positionOf(world, account, market);
  addShares(position, 'YES', shares, shares / 2);
  addShares(position, 'NO', shares, shares / 2);
  position.netPaid += shares;
  pay(world, account, -shares);
}

/** Sells pairs for a dollar each and removes the cost of both sides. */
export function mergePairs(world: World, account: number, market: number, shares: number): void {
  const position = positionOf(world, account, market);
  realize(position, 'YES', shares / 2 - removeShares(position, 'YES', shares));
  realize(position, 'NO', shares / 2 - removeShares(position, 'NO', shares));
  position.netPaid -= shares;
  pay(world, account, shares);
}

function addShares(position: NaivePosition, outcome: 'YES' | 'NO', shares: number, cost: number): void {
  if (outcome === 'YES') {
    position.yes += shares;
    position.yesCost += cost;
  } else {
    position.no += shares;
    position.noCost += cost;
  }
}

export function realize(position: NaivePosition, outcome: 'YES' | 'NO', gained: number): void {
  if (outcome === 'YES') position.yesRealized += gained;
  else position.noRealized += gained;
}

/** Removes shares with their part of the cost, and returns this cost. */
function removeShares(position: NaivePosition, outcome: 'YES' | 'NO', shares: number): number {
  const held = outcome === 'YES' ? position.yes : position.no;
  const cost = outcome === 'YES' ? position.yesCost : position.noCost;
  const out = shares === held ? cost : floorOf(cost, shares, held);
  addShares(position, outcome, -shares, -out);
  return out;
}
