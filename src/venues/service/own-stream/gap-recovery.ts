/** Recovers a part of the own stream that the venue has deleted, from lists of fills and states of orders. */
import { parseTime } from '../../../domain/index.ts';
import { readPages } from '../../../network/index.ts';
import { OPERATIONS, type OrderFieldsFragment, parseMicroShares, parseSafeUint } from '../../../protocol/index.ts';
import type { ExecutionReporter, VenueOrder } from '../../base/index.ts';
import type { ExecutionDeps } from '../orders/execution-deps.ts';
import { parseCloseReason, readFill } from '../orders/own-event.ts';
import { readPayload } from '../orders/requests.ts';

/**
 * Reports the fills after event `from` up to `to`, then the venue's state of each open order. The stream delivers newer
 * events. Reversed fills are not in the venue's list. A failed recovery reports nothing, because all reads come first.
 * @throws Fault as `readPayload`
 */
export async function recoverGap(deps: ExecutionDeps, from: number, to: number): Promise<void> {
  const { reporter } = deps;
  const afterSeq = String(from);
  const fills = await readPages('fills', (page) =>
    readPayload(deps, OPERATIONS.fills, { input: { ...page, afterSeq } }),
  );
  const states = await Promise.all(
    deps.orders.open().map(async (order) => [order, await readOrderState(deps, order)] as const),
  );
  const missed = fills
    .map(readFill)
    .filter(({ seq }) => seq <= to)
    .toSorted((first, second) => first.seq - second.seq);
  // Several fills can have the same position, which is complete with its last fill.
  for (const [index, fill] of missed.entries())
    reporter.onLateFill(fill, missed[index + 1]?.seq === fill.seq ? undefined : fill.seq);
  for (const [order, state] of states) if (state !== undefined) reportState(reporter, order, state, to);
}

/** Reads an order's state; undefined if the venue does not know the order. @throws Fault as `readPayload` */
export async function readOrderState(deps: ExecutionDeps, { hash }: VenueOrder) {
  return (await readPayload(deps, OPERATIONS.order, { orderHash: hash })).order ?? undefined;
}

export function reportState(
  reporter: ExecutionReporter,
  order: VenueOrder,
  found: OrderFieldsFragment,
  upTo: number,
): void {
  const { status, remainingShares, cancelReason } = found;
  const seq = parseSafeUint('order.seq', found.seq);
  // The stream will deliver this state, or has delivered a later one since the read.
  if (seq > upTo || seq < order.seq || order.life.hasEnded) return;
  const at = parseTime('order.updatedAt', found.updatedAt);
  reporter.reportFound(order, { at, seq });
  if (status === 'LIVE' || status === 'PARTIALLY_FILLED')
    reporter.reportReduced(order, parseMicroShares('remainingShares', remainingShares), at);
  else {
    const isCloseReason = status === 'FILLED' || status === 'EXPIRED';
    reporter.reportEnded(order, isCloseReason ? status : parseCloseReason(cancelReason), at);
  }
}
