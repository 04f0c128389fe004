/** The epoch of the account's orders, as cancels tell it. */
import type { OrderRecords } from '../../../runtime/index.ts';
import type { Log } from '../transport/index.ts';

/**
 * Orders that are signed from now on are of this epoch. A database that takes nothing any more is no reason for a cancel to
 * fail: that is logged.
 */
export function keepEpoch(records: Pick<OrderRecords, 'epoch' | 'reachedEpoch'>, epoch: number, log: Log): void {
  try {
    if (epoch > records.epoch) records.reachedEpoch(epoch);
  } catch (error) {
    log.error({ err: error }, "the account's new epoch could not be kept");
  }
}
