/** The venue of a live bot. It can compare the bot's account and orders with the venue's. */
import type { Venue, VenueSession, VenueSink } from '../../runtime/index.ts';
import type { AccountMonitor, Agreement } from './account-monitor.ts';

interface ExecutionState {
  readonly openOrders: number;
  readonly isQuiet: boolean;
  verifyNoneOpen(timeoutMs: number): Promise<number>;
}

export abstract class TradingVenue implements Venue {
  protected isConnected = false;
  protected abstract readonly monitor: AccountMonitor;
  protected abstract readonly execution: ExecutionState;

  /** Result of the last comparison of the account with the venue. */
  get agreement(): Agreement {
    return this.monitor.state;
  }

  get openOrders(): number {
    return this.execution.openOrders;
  }

  /** Whether no request is in flight and no outcome is unknown. */
  get isQuiet(): boolean {
    return this.execution.isQuiet;
  }

  abstract connect(sink: VenueSink): Promise<VenueSession>;

  protected abstract close(): Promise<void>;

  async leave(): Promise<void> {
    if (!this.isConnected) await this.close();
  }

  /** Compares account and orders with the venue once. @throws Fault LINK, VENUE */
  audit(): Promise<void> {
    return this.monitor.audit();
  }

  /**
   * Compares again after a comparison that disagreed, when an operator requests it.
   * @throws Fault RECONCILE naming what still differs; LINK, VENUE
   */
  recheck(): Promise<void> {
    return this.monitor.recheck();
  }

  /**
   * Waits until no own order is open, and verifies that with the venue.
   * @returns number of orders that are or may be open
   * @throws Fault LINK, VENUE
   */
  verifyNoneOpen(timeoutMs: number): Promise<number> {
    return this.execution.verifyNoneOpen(timeoutMs);
  }
}

/** The period in which orders may have been placed that the journal does not have; epoch ms by this machine's clock. */
export interface LostTime {
  readonly from: number;
  readonly to: number;
}
