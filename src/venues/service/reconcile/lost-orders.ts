/**
 * Orders that a journal lost with its machine: what was written last may be missing after a power cut, and with it orders that
 * the venue has. Nothing in the venue's list says which bot placed an order, so the time does: what came in after the last
 * moment that the journal has and before the machine began again, and what no record names, is taken for ours.
 */
import { Fault, parseTime } from '../../../domain/index.ts';
import { OPERATIONS, type OrderFieldsFragment } from '../../../protocol/index.ts';
import type { ExecutionDeps } from '../orders/execution-deps.ts';
import { batches } from '../orders/requests.ts';

/** When orders may have come that the journal does not have; epoch ms by this machine's clock. */
export interface LostTime {
  readonly from: number;
  readonly to: number;
}

/** Clocks differ, and a clock may have been set when the machine began, ms. */
const MARGIN_MS = 60_000;
/** How long they may take to go, ms. */
const GONE_MS = 15_000;
const PAUSE_MS = 100;

/** Those of the account's open orders that no record names and that came in this time. */
export function lostOrders(
  deps: Pick<ExecutionDeps, 'records'>,
  open: readonly OrderFieldsFragment[],
  { from, to }: LostTime,
): readonly OrderFieldsFragment[] {
  return open.filter(({ orderHash, createdAt }) => {
    const at = parseTime('order.createdAt', createdAt);
    const isThen = at >= from - MARGIN_MS && at <= to + MARGIN_MS;
    return isThen && deps.records.find(orderHash.toLowerCase()) === undefined;
  });
}

/**
 * Cancels them and waits until they are gone. What they traded comes over the account's stream as fills from outside.
 * @param open reads the open orders anew
 * @throws Fault RECONCILE when they stay; as `open`
 */
export async function cancelLost(
  deps: ExecutionDeps,
  lost: readonly OrderFieldsFragment[],
  open: () => Promise<readonly OrderFieldsFragment[]>,
): Promise<void> {
  const { clock, transport, timers, log } = deps;
  const { mostCancels } = deps.terms();
  const end = clock.now() + GONE_MS;
  let left: readonly string[] = lost.map(({ id }) => id);
  log.warn({ orders: left }, 'the machine went down under the bot: orders that its journal lost are being cancelled');
  for (;;) {
    for (const ids of batches(left, mostCancels)) await transport.mutate(OPERATIONS.cancelOrders, { ids });
    const standing = new Set((await open()).map(({ id }) => id));
    left = left.filter((id) => standing.has(id));
    if (left.length === 0) return;
    if (clock.now() > end) {
      throw new Fault(
        'RECONCILE',
        `orders that the journal lost when the machine went down cannot be cancelled: ${left.join(', ')}. Look at the account's orders with \`npx halfspread orders --venue <config.yaml>\``,
      );
    }
    await timers.wait(PAUSE_MS);
  }
}
