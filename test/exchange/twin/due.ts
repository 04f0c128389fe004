/** Due entries, searched among everything each time, the first first. */

import { lapse } from './heartbeats.ts';
import { due } from './life.ts';
import { close } from './matching.ts';
import { openOrders, type World } from './world.ts';

interface Deadline {
  readonly time: number;
  /** Expirations before heartbeats before markets. */
  readonly rank: number;
  readonly who: number;
  readonly fire: () => void;
}

/** Fires all that is due by then, each at its own time. */
export function pass(world: World, time: number): void {
  for (let first = next(world); first !== undefined && first.time <= time; first = next(world)) {
    world.now = Math.max(world.toldAt, first.time);
    first.fire();
    settleBooks(world);
  }
  world.now = Math.max(world.toldAt, time);
}

function next(world: World): Deadline | undefined {
  const orders: Deadline[] = openOrders(world, ({ terms }) => terms.expiration !== 0).map((order) => ({
    time: order.terms.expiration,
    rank: 0,
    who: order.order,
    fire: () => close(world, order, 'EXPIRED'),
  }));
  const switches: Deadline[] = world.credentials
    .filter(({ deadline }) => deadline !== 0)
    .map((one) => ({ time: one.deadline, rank: 1, who: one.credential, fire: () => lapse(world, one) }));
  const markets: Deadline[] = world.markets
    .filter(({ deadline }) => deadline !== undefined)
    .map((market) => ({ time: market.deadline ?? 0, rank: 2, who: market.market, fire: () => due(world, market) }));
  return [...orders, ...switches, ...markets].sort((a, b) => a.time - b.time || a.rank - b.rank || a.who - b.who)[0];
}

/** A book's seq is that of the last event of the step that changed it. */
export function settleBooks(world: World): void {
  for (const market of world.markets) {
    if (market.isTouched) market.bookSeq = world.seq;
    market.isTouched = false;
  }
}
