/** Counts the orders and fills that a recovery finds, from the start or a desync until the account is compared. */
import { type EpochMs, type OrderFilled, ZERO_SHARES } from '../../domain/index.ts';
import type { HeldShares, PositionChange, RecoveryReport, SignedRecord } from '../../runtime/index.ts';
import type { AccountView } from '../../state/index.ts';
import type { VenueOrder } from './venue-orders.ts';

export interface ComparisonResult {
  readonly outcome: RecoveryReport['outcome'];
  /** Number of own orders whose end was not known. */
  readonly orders: number;
  readonly differences: readonly string[];
}

/** Counts of the own orders that were open at a start. */
export interface Leftovers {
  readonly found: number;
  readonly cancelled: number;
  readonly adopted: number;
  /** Open in the journal, but ended before the start. */
  readonly ended: number;
  /** Open in the journal, and open at the venue or ended. */
  readonly known: number;
}

/** Counts what became of the signed orders of the journal. */
export function countJournal(
  journal: readonly Pick<SignedRecord, 'hash'>[],
  orders: { byHash(hash: string): Pick<VenueOrder, 'life'> | undefined },
): Pick<Leftovers, 'ended' | 'known'> {
  const lives = journal.map(({ hash }) => orders.byHash(hash)?.life);
  return {
    ended: lives.filter((life) => life?.hasEnded ?? true).length,
    known: lives.filter((life) => !life?.isUnconfirmed).length,
  };
}

const NOTHING_HELD: HeldShares = { yes: ZERO_SHARES, no: ZERO_SHARES };

export class RecoveryRecorder {
  readonly #view: AccountView;
  readonly #openOrders: () => number;
  /** When the bot was last alive according to its files, epoch ms; 0 at a first start. */
  readonly #lastAlive: number;
  /** Number of orders that the journal has as open, including orders that were never signed. */
  readonly #journalOrders: number;
  #since: EpochMs | undefined;
  #hasStarted = false;
  #orders = 0;
  #fills = 0;
  #heldBefore = new Map<string, HeldShares>();

  /**
   * @param view the journal's account
   * @param openOrders returns the number of own orders whose end is not known
   * @param lastAlive when the previous process was last alive, epoch ms; the journal may have a later time
   */
  constructor(view: AccountView, openOrders: () => number, lastAlive = 0) {
    this.#view = view;
    this.#lastAlive = view.now === 0 ? 0 : Math.max(view.now, lastAlive);
    this.#openOrders = openOrders;
    this.#journalOrders = view.markets.reduce((sum, { orders }) => sum + orders.length, 0);
  }

  begin(now: EpochMs): void {
    if (this.#since !== undefined) return;
    this.#since = now;
    this.#orders = this.#openOrders();
    this.#fills = 0;
    this.#heldBefore = this.#readHoldings();
  }

  /** Begins a comparison without a desync. Positions of its report are compared with those of now. */
  beginAudit(): void {
    this.#heldBefore = this.#readHoldings();
  }

  /** Counts a fill. Returns the fill, with the cause of the recovery under way, if any. */
  onFilled(fill: OrderFilled): OrderFilled {
    this.#fills += 1;
    return this.#since === undefined ? fill : { ...fill, recovery: this.#hasStarted ? 'reconnect' : 'start' };
  }

  end(
    cause: RecoveryReport['cause'],
    now: EpochMs,
    { outcome, orders, differences }: ComparisonResult,
    leftovers?: Leftovers,
  ): RecoveryReport {
    const since = this.#since;
    const downSince = cause === 'start' ? this.#lastAlive : since;
    this.#since = undefined;
    this.#hasStarted = true;
    return {
      cause,
      at: now,
      downMs: cause === 'audit' || !downSince ? undefined : Math.max(0, now - downSince),
      // The stream may have reported the end of some orders before the comparison.
      ordersCompared: cause === 'reconnect' && since !== undefined ? this.#orders : orders,
      ordersFound: leftovers?.found ?? 0,
      ordersCancelled: leftovers?.cancelled ?? 0,
      ordersAdopted: leftovers?.adopted ?? 0,
      ordersEnded: leftovers?.ended,
      // The account may have ended an order whose signed record is still stored.
      ordersNotAtVenue: leftovers && Math.max(0, this.#journalOrders - leftovers.known),
      fillsFound: since === undefined ? 0 : this.#fills,
      positions: this.#readPositionChanges(),
      outcome,
      differences,
    };
  }

  #readHoldings(): Map<string, HeldShares> {
    return new Map(this.#view.markets.map(({ info, position: { yes, no } }) => [info.slug, { yes, no }]));
  }

  #readPositionChanges(): readonly PositionChange[] {
    return [...this.#readHoldings()]
      .map(([market, after]) => ({ market, before: this.#heldBefore.get(market) ?? NOTHING_HELD, after }))
      .filter(({ before, after }) => [before.yes, before.no, after.yes, after.no].some((shares) => shares !== 0));
  }
}
