import type { CancelExpecting, OrderCommand, OrderNo, PlaceOrder } from '../domain/index.ts';
import { type OrderForm, placeLegs } from './place-legs.ts';
import type { Plan } from './planner.ts';
import { added } from './short-list.ts';
import type { Sizing, SizingBase } from './sizing.ts';

const NONE: readonly never[] = [];

/** Nothing to do. */
export const AS_WISHED: Plan = { commands: NONE, deferred: false, dropped: NONE };

/** The commands of a sized plan: cancels of their own, reduces, then one replace, or places where nothing gives way. */
export function composePlan(base: SizingBase, sizing: Sizing, draw: () => OrderNo): Plan {
  const { market, sides, atomic } = base;
  const number = market.info.market;
  let commands: OrderCommand[] | undefined;
  let replaced: CancelExpecting[] | undefined;
  let deferred = sizing.deferred;
  let waiting = false;
  for (const side of sides) {
    let unanswered = false;
    let cancelsAlone = false;
    const adds = side.adds(atomic);
    for (const { order, cancelled } of side.resting) {
      if (order.phase !== 'live') waiting = true;
      if (order.phase === 'new') unanswered = true;
      if (!cancelled) continue;
      if (adds && sizing.orders > 0) {
        replaced = added(replaced, { order: order.order, remaining: order.remaining });
      } else {
        commands = added(commands, { type: 'cancel', order: order.order, market: number });
        cancelsAlone = true;
      }
    }
    if (side.deferred || (side.lacking && !adds)) deferred = true;
    // After a stopped replace the refusals come one by one: what was to take this order's place may be refused next.
    if (cancelsAlone && unanswered) deferred = true;
  }
  for (const side of sides) for (const reduce of side.reduces) commands = added(commands, reduce);
  // Cash may come back from what leaves now or is on its way.
  if (sizing.short && (waiting || commands !== undefined)) deferred = true;
  for (const { order } of sizing.outgrown) {
    replaced = added(replaced, { order: order.order, remaining: order.remaining });
  }
  const places = sizing.orders > 0 ? placesOf(base, draw) : NONE;
  if (replaced !== undefined) {
    commands = added(commands, { type: 'replace', market: number, cancels: replaced, places });
  } else for (const place of places) commands = added(commands, place);
  return { commands: commands ?? NONE, deferred, dropped: sizing.dropped };
}

/** The orders of the sized lines, in the order in which they were sized. */
function placesOf({ market, bot, sides }: SizingBase, draw: () => OrderNo): readonly PlaceOrder[] {
  const form: OrderForm = { bot, market: market.info.market, timeInForce: 'GTC', draw };
  const levels = Math.max(sides[0].lines.length, sides[1].lines.length);
  let places: PlaceOrder[] | undefined;
  for (let level = 0; level < levels; level += 1) {
    for (const { lines } of sides) {
      const line = lines[level];
      if (line?.legs !== undefined) places = placeLegs(form, line, line.legs, places);
    }
  }
  return places ?? NONE;
}
