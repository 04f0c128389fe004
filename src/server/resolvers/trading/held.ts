/**
 * Orders of markets whose tape holds new ones (docs/spec/models.md#time-and-look-ahead): they are carried out when they
 * have waited.
 */
import type { Restriction } from '../../../exchange/index.ts';
import type { HeldOrders } from '../../replay/placing-delays.ts';
import type { TradingPorts } from './ports.ts';
import type { SignedPlace } from './signed-place.ts';

/**
 * Acts at once where nothing holds these orders, which is the rule; else when all of them have waited. What is known
 * already, or refused whatever happens, waits for nothing: who sends the same bytes again wants to know what became of them.
 */
export function whenPassed<Result>(
  places: readonly SignedPlace[],
  { delays, ids }: Pick<TradingPorts, 'delays' | 'ids'>,
  act: (held: HeldOrders | undefined) => Result | Promise<Result>,
): Result | Promise<Result> {
  if (delays === undefined || delays.isIdle) return act(undefined);
  const fresh = places.filter(({ hash }) => hash !== undefined && ids.order(hash) === 0);
  const held = fresh.length === 0 ? undefined : delays.hold(fresh.map(({ fields }) => fields.marketId));
  return held === undefined ? act(undefined) : held.passed.then(() => act(held));
}

/** What keeps the caller from an order that may have waited. */
export function restrictionOf(
  { fields }: SignedPlace,
  ofCaller: Restriction | undefined,
  held: HeldOrders | undefined,
): Restriction | undefined {
  if (held === undefined || !held.isInterrupted(fields.marketId)) return ofCaller;
  return ofCaller === undefined || ofCaller === 'CLOSE_ONLY' ? 'HALTED_MEANWHILE' : ofCaller;
}
