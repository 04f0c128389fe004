/** The venue of a live bot, whose account can be compared with what the bot knows. */
import type { Venue } from '../../runtime/index.ts';
import type { Agreement } from './account-monitor.ts';

export interface TradingVenue extends Venue {
  /** Whether the account is the venue's, as far as was compared. */
  readonly agreement: Agreement;
  /**
   * Compares again after a comparison that disagreed, for an operator who wants to go on.
   * @throws Fault RECONCILE naming what still differs; LINK, VENUE
   */
  recheck(): Promise<void>;
  /**
   * Waits until no own order is open, and compares that with the venue.
   * @returns orders that are open or may be
   * @throws Fault LINK, VENUE
   */
  verifyNoneOpen(timeoutMs: number): Promise<number>;
}

/** When orders may have come that the journal does not have; epoch ms by this machine's clock. */
export interface LostTime {
  readonly from: number;
  readonly to: number;
}
