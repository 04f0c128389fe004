/** Validates and stores the account's order epoch, which is part of every signed order. */
import { Fault } from '../../../domain/index.ts';
import { parseSafeUint } from '../../../protocol/index.ts';
import type { OrderRecords } from '../../../runtime/index.ts';
import type { Log } from '../../base/index.ts';

/** Largest accepted epoch. Mass cancels raise the epoch step by step and could not reach far later orders. */
const MAX_EPOCH = 4_294_967_295;

/** @throws Fault VENUE for a value that is not an integer from 0 to 4,294,967,295 */
export function parseEpoch(value: unknown): number {
  const epoch = typeof value === 'string' && /^\d{1,10}$/.test(value) ? parseSafeUint('epoch', value) : Number.NaN;
  if (epoch <= MAX_EPOCH) return epoch;
  const text = (JSON.stringify(value) ?? 'nothing').slice(0, 40);
  const problem = `the venue sent the epoch ${text}, expected a number up to ${MAX_EPOCH}`;
  throw new Fault('VENUE', `${problem}; nothing is signed for it`);
}

/** The fault of a start whose venue has lost mass cancels that it had confirmed, so that it refuses each new order. */
export function venueResetFault(stored: number, atVenue: number): Fault {
  const problem = `the venue was reset: it has order epoch ${atVenue} of the account, the bot stored ${stored}`;
  return new Fault('RECONCILE', `${problem}. Start the bot with another database (--db)`);
}

/** Stores the epoch unless a later epoch is known. Never throws, but logs an invalid epoch or a failed write. */
export function storeEpoch(records: Pick<OrderRecords, 'epoch' | 'setEpoch'>, value: unknown, log: Log): void {
  try {
    const epoch = parseEpoch(value);
    if (epoch > records.epoch) records.setEpoch(epoch);
  } catch (error) {
    log.error({ err: error }, "the account's new epoch could not be stored");
  }
}
