/** Events about own orders for strategies, with the tag of the order's quote. */
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

/** `tag` is absent if the quote had none. The tags of the last 1,000 ended orders are kept. */
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
