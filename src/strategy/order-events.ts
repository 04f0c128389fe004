/** Events about own orders as a strategy receives them: with the tag of the quote that the order was placed for. */
import type {
  ConversionRejected,
  Converted,
  OrderAccepted as DomainAccepted,
  CancelRejected as DomainCancelRejected,
  OrderClosed as DomainClosed,
  OrderFilled as DomainFilled,
  OrderReduced as DomainReduced,
  OrderRejected as DomainRejected,
  FillReversed as DomainReversed,
} from '../domain/index.ts';

/** `tag` is left out when the quote had none. It stays known for the last 1,000 orders that ended. */
type Tagged<Event> = Event & { readonly tag?: string };

export type OrderAccepted = Tagged<DomainAccepted>;
export type OrderRejected = Tagged<DomainRejected>;
export type OrderReduced = Tagged<DomainReduced>;
export type OrderClosed = Tagged<DomainClosed>;
export type OrderFilled = Tagged<DomainFilled>;
export type FillReversed = Tagged<DomainReversed>;
export type CancelRejected = Tagged<DomainCancelRejected>;

/** An event about an own order or conversion, except fills. Each has its own handler. */
export type OrderEvent =
  | OrderAccepted
  | OrderRejected
  | OrderReduced
  | OrderClosed
  | CancelRejected
  | Converted
  | ConversionRejected;
