/** The venue of a live bot, whose account can be compared with what the bot knows. */
import type { Venue, VenueSession, VenueSink } from '../../runtime/index.ts';
import type { AccountMonitor, Agreement } from './account-monitor.ts';

/** How own orders are placed, cancelled and looked for. */
interface OwnOrders {
  readonly openOrders: number;
  readonly isQuiet: boolean;
  verifyNoneOpen(timeoutMs: number): Promise<number>;
}

export abstract class TradingVenue implements Venue {
  protected isConnected = false;
  protected abstract readonly monitor: AccountMonitor;
  protected abstract readonly execution: OwnOrders;

  /** Whether the account is the venue's, as far as was compared. */
  get agreement(): Agreement {
    return this.monitor.state;
  }

  get openOrders(): number {
    return this.execution.openOrders;
  }

  get isQuiet(): boolean {
    return this.execution.isQuiet;
  }

  abstract connect(sink: VenueSink): Promise<VenueSession>;

  protected abstract close(): Promise<void>;

  async leave(): Promise<void> {
    if (!this.isConnected) await this.close();
  }

  /** Compares account and orders with the venue once, as is done from time to time anyway. @throws Fault LINK, VENUE */
  audit(): Promise<void> {
    return this.monitor.audit();
  }

  /**
   * Compares again after a comparison that disagreed, for an operator who wants to go on.
   * @throws Fault RECONCILE naming what still differs; LINK, VENUE
   */
  recheck(): Promise<void> {
    return this.monitor.recheck();
  }

  /**
   * Waits until no own order is open, and compares that with the venue.
   * @returns orders that are open or may be
   * @throws Fault LINK, VENUE
   */
  verifyNoneOpen(timeoutMs: number): Promise<number> {
    return this.execution.verifyNoneOpen(timeoutMs);
  }
}

/** When orders may have come that the journal does not have; epoch ms by this machine's clock. */
export interface LostTime {
  readonly from: number;
  readonly to: number;
}
