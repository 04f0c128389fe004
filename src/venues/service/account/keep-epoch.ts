/** The epoch of the account's orders, which the venue names and every order is signed for. */
import { Fault } from '../../../domain/index.ts';
import { parseSafeUint } from '../../../protocol/index.ts';
import type { OrderRecords } from '../../../runtime/index.ts';
import type { Log } from '../../base/index.ts';

/**
 * More mass cancels than any account has: an order for a later epoch could not be withdrawn by the next mass cancels.
 */
const MOST_EPOCH = 4_294_967_295;

/** @throws Fault VENUE for what is no epoch, or one above 4,294,967,295 */
export function parseEpoch(value: unknown): number {
  const epoch = typeof value === 'string' && /^\d{1,10}$/.test(value) ? parseSafeUint('epoch', value) : Number.NaN;
  if (epoch <= MOST_EPOCH) return epoch;
  const shown = (JSON.stringify(value) ?? 'nothing').slice(0, 40);
  throw new Fault(
    'VENUE',
    `the venue names the epoch ${shown}, expected a number up to ${MOST_EPOCH}: nothing is signed for it`,
  );
}

/**
 * Signs later orders with this epoch, unless a later one is known. An invalid epoch, or one that the database cannot
 * store, does not fail a cancel; it is logged.
 */
export function keepEpoch(records: Pick<OrderRecords, 'epoch' | 'reachedEpoch'>, named: unknown, log: Log): void {
  try {
    const epoch = parseEpoch(named);
    if (epoch > records.epoch) records.reachedEpoch(epoch);
  } catch (error) {
    log.error({ err: error }, "the account's new epoch could not be kept");
  }
}
