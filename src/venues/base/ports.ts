import type { Clock } from '../../clock/index.ts';
import type { EpochMs, Fault, MarketLimits, MarketNo, VenueChanged, VenueEvent } from '../../domain/index.ts';
import type { OrderRecords } from '../../runtime/index.ts';
import type { AccountView, RetailPrices } from '../../state/index.ts';
import type { Block } from '../../tape/index.ts';
import type { VenueOrders } from './venue-orders.ts';

/** Structured logging with the signatures of pino. Never receives credentials. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface FailingCommand {
  readonly command: string;
  readonly problem: string;
  /** Markets of the command; empty for the whole account. */
  readonly markets: readonly MarketNo[];
}

/** Receives market data. Calls do not overlap. Methods of `MarketData` and of `VenueOrders` may call the sink. */
export interface MarketDataSink {
  /** Receives rows `from..to-1`, which are whole messages. The block is reused. Levels exclude own orders. */
  rows(block: Block, from: number, to: number): void;
  /** A market's limits or spread changed. */
  onLimitsChanged(market: MarketNo, limits: MarketLimits, venueTime: EpochMs): void;
  /** The venue's retail prices changed, or were read for the first time. Called only with the setting `prices`. */
  onPricesChanged?(market: MarketNo, prices: RetailPrices, venueTime: EpochMs): void;
  /** The venue's mode or link changed. Also called once at the start. */
  onVenueChanged(state: Pick<VenueChanged, 'mode' | 'link'>, venueTime: EpochMs): void;
  /** The market failed, such as after a change of its tick. No more rows of the market follow. */
  onMarketFailed(market: MarketNo, fault: Fault): void;
  /** A call of the sink threw. No further calls follow. */
  onFailed(error: unknown): void;
}

/** A problem that a part of a venue cannot handle alone. */
export type VenueProblem =
  /** The venue refused an order because of a market limit that the bot does not know yet. */
  | { readonly type: 'termsChanged' }
  /** The venue reported a trade twice with different contents. `market` is undefined outside the run's markets. */
  | { readonly type: 'tradeConflict'; readonly fault: Fault; readonly market: MarketNo | undefined }
  /** A command failed and is sent again. */
  | { readonly type: 'commandResent'; readonly command: string; readonly problem: string }
  | ({ readonly type: 'stuck' } & FailingCommand);

export interface ReporterDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'warn'>;
  readonly records: OrderRecords;
  readonly view: AccountView;
  readonly orders: VenueOrders;
  /**
   * Reports to the core. Never called during a call from the core.
   * @param position the event's position in the own stream, which becomes durable together with the event
   */
  readonly report: (event: VenueEvent, position?: number) => void;
  /** Called when all events of the own stream up to this position were reported. */
  readonly onPositionPassed: (position: number) => void;
  readonly onProblem: (reported: VenueProblem) => void;
}
