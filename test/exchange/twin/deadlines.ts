/** Deadlines of orders, heartbeats and markets. Each query searches all of them. */
import { lapse } from './heartbeats.ts';
import { onDeadline } from './lifecycle.ts';
import { close } from './matching.ts';
import { openOrders, type World } from './world.ts';

interface Deadline {
  readonly time: number;
  /** Expirations before heartbeats before markets. */
  readonly rank: number;
  readonly owner: number;
  readonly fire: () => void;
}

/** Processes all deadlines up to a time, each at its own time. */
export function advance(world: World, time: number): void {
  for (let first = next(world); first !== undefined && first.time <= time; first = next(world)) {
    world.now = Math.max(world.lastEventAt, first.time);
    first.fire();
    updateBookSeqs(world);
  }
  world.now = Math.max(world.lastEventAt, time);
}

function next(world: World): Deadline | undefined {
  const orders: Deadline[] = openOrders(world, ({ terms }) => terms.expiration !== 0).map((order) => ({
    time: order.terms.expiration,
    rank: 0,
    owner: order.order,
    fire: () => close(world, order, 'EXPIRED'),
  }));
  const switches: Deadline[] = world.credentials
    .filter(({ deadline }) => deadline !== 0)
    .map((entry) => ({ time: entry.deadline, rank: 1, owner: entry.credential, fire: () => lapse(world, entry) }));
  const markets: Deadline[] = world.markets
    .filter(({ deadline }) => deadline !== undefined)
    .map((market) => ({
      time: market.deadline ?? 0,
      rank: 2,
      owner: market.market,
      fire: () => onDeadline(world, market),
    }));
  return [...orders, ...switches, ...markets].sort(
    (a, b) => a.time - b.time || a.rank - b.rank || a.owner - b.owner,
  )[0];
}

/** Sets the sequence number of each changed book to the last event. */
export function updateBookSeqs(world: World): void {
  for (const market of world.markets) {
    if (market.isTouched) market.bookSeq = world.seq;
    market.isTouched = false;
  }
}
