import type { CancelExpecting, OrderCommand, OrderNo, PlaceOrder } from '../domain/index.ts';
import { type OrderForm, placeLegs } from './place-legs.ts';
import type { Plan } from './planner.ts';
import type { Sizing, SizingBase } from './sizing.ts';

/** Nothing to do. */
export const AS_WISHED: Plan = { commands: [], deferred: false, dropped: [] };

/** The commands of a sized plan: cancels of their own, reduces, then one replace, or places where nothing gives way. */
export function composePlan(base: SizingBase, sizing: Sizing, draw: () => OrderNo): Plan {
  const { market, bot, sides, atomic } = base;
  const number = market.info.market;
  const commands: OrderCommand[] = [];
  const replaced: CancelExpecting[] = [];
  let deferred = sizing.deferred;
  let waiting = false;
  for (const side of sides) {
    let unanswered = false;
    let cancelsAlone = false;
    const together = sizing.placings.length > 0 && side.adds(atomic);
    for (const { order, cancelled } of side.resting) {
      if (order.phase !== 'live') waiting = true;
      if (order.phase === 'new') unanswered = true;
      if (!cancelled) continue;
      if (together) replaced.push({ order: order.order, remaining: order.remaining });
      else {
        commands.push({ type: 'cancel', order: order.order, market: number });
        cancelsAlone = true;
      }
    }
    if (side.deferred || (side.lacking && !side.adds(atomic))) deferred = true;
    // After a stopped replace the refusals come one by one: what was to take this order's place may be refused next.
    if (cancelsAlone && unanswered) deferred = true;
  }
  for (const side of sides) commands.push(...side.reduces);
  // Cash may come back from what leaves now or is on its way.
  if (sizing.short && (waiting || commands.length > 0)) deferred = true;
  for (const { order } of sizing.outgrown) replaced.push({ order: order.order, remaining: order.remaining });
  const form: OrderForm = { bot, market: number, timeInForce: 'GTC', draw };
  const places: PlaceOrder[] = [];
  for (const { line, legs } of sizing.placings) placeLegs(form, line, legs, places);
  if (replaced.length > 0) commands.push({ type: 'replace', market: number, cancels: replaced, places });
  else commands.push(...places);
  return { commands, deferred, dropped: sizing.dropped };
}
