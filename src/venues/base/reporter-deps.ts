import type { Clock } from '../../clock/index.ts';
import type { Fault, MarketNo, VenueEvent } from '../../domain/index.ts';
import type { OrderRecords } from '../../runtime/index.ts';
import type { AccountView } from '../../state/index.ts';
import type { Log } from './ports.ts';
import type { VenueOrders } from './venue-orders.ts';

/** What the reporter cannot handle itself. */
export type ReporterTrouble =
  /** An order was refused by a limit of its market that is not known here yet. */
  | { readonly type: 'terms' }
  /**
   * The venue reports a trade with other contents than before; `market` is undefined for one that is not in this run.
   */
  | { readonly type: 'tradeConflict'; readonly fault: Fault; readonly market: MarketNo | undefined };

export interface ReporterDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'warn'>;
  readonly records: OrderRecords;
  /** The core's state, which is folded from what is reported here. */
  readonly view: AccountView;
  readonly orders: VenueOrders;
  /**
   * Reports to the core; never called during a call from it.
   * @param position of the event in the own stream: both become durable together
   */
  readonly report: (event: VenueEvent, position?: number) => void;
  /** Everything in the own stream up to this position was reported. */
  readonly passed: (position: number) => void;
  readonly trouble: (trouble: ReporterTrouble) => void;
}

type WithoutHead<E> = E extends { type: string } ? Omit<E, 'time' | 'order' | 'market'> : never;
/** What is reported of one order, without its number, market and time. */
export type OrderEvent = WithoutHead<
  Extract<VenueEvent, { type: 'orderAccepted' | 'orderFilled' | 'orderReduced' | 'orderClosed' | 'ordersReplaced' }>
>;
