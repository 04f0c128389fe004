import type { Clock } from '../../clock/index.ts';
import type { Fault, MarketNo, VenueEvent } from '../../domain/index.ts';
import type { OrderRecords } from '../../runtime/index.ts';
import type { AccountView } from '../../state/index.ts';
import type { FailingCommand, Log } from './ports.ts';
import type { VenueOrders } from './venue-orders.ts';

/** A problem that a part of a venue cannot handle alone. */
export type VenueProblem =
  /** An order was refused by a market limit that is not known here yet. */
  | { readonly type: 'terms' }
  /** The venue reported a trade twice with different contents; `market` is undefined for one outside this run. */
  | { readonly type: 'tradeConflict'; readonly fault: Fault; readonly market: MarketNo | undefined }
  /** A command failed and is sent again. */
  | { readonly type: 'repeated'; readonly command: string; readonly problem: string }
  | ({ readonly type: 'stuck' } & FailingCommand);

export interface ReporterDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'warn'>;
  readonly records: OrderRecords;
  /** The core's state, which results from these reports. */
  readonly view: AccountView;
  readonly orders: VenueOrders;
  /**
   * Reports to the core; never called during a call from it.
   * @param position of the event in the own stream; event and position become durable together
   */
  readonly report: (event: VenueEvent, position?: number) => void;
  /** Everything in the own stream up to this position was reported. */
  readonly passed: (position: number) => void;
  readonly onProblem: (reported: VenueProblem) => void;
}

type WithoutHead<E> = E extends { type: string } ? Omit<E, 'time' | 'order' | 'market'> : never;
/** An event of one order, without its number, market and time. */
export type OrderEvent = WithoutHead<
  Extract<VenueEvent, { type: 'orderAccepted' | 'orderFilled' | 'orderReduced' | 'orderClosed' | 'ordersReplaced' }>
>;
