/** Maps events of the bot's orders, fills and conversions to handlers. */
import type { FillReversed, StrategyFailure } from '../domain/index.ts';
import type { AccountView } from '../state/index.ts';
import type { Intents, OrderEvent, OrderFilled, StrategyHandlers } from '../strategy/index.ts';

export type OrderOrFillEvent = OrderEvent | OrderFilled | FillReversed;

export const ORDER_HANDLERS = {
  orderFilled: 'onFill',
  fillReversed: 'onFillReversed',
  orderAccepted: 'onOrderAccepted',
  orderRejected: 'onOrderRejected',
  orderReduced: 'onOrderReduced',
  orderClosed: 'onOrderClosed',
  cancelRejected: 'onCancelRejected',
  converted: 'onConverted',
  conversionRejected: 'onConversionRejected',
} as const satisfies Record<OrderOrFillEvent['type'], keyof StrategyHandlers>;

export function callOrderHandler(handlers: StrategyHandlers, event: OrderOrFillEvent, view: AccountView): Intents {
  switch (event.type) {
    case 'orderFilled':
      return handlers.onFill?.(event, view);
    case 'fillReversed':
      return handlers.onFillReversed?.(event, view);
    case 'orderAccepted':
      return handlers.onOrderAccepted?.(event, view);
    case 'orderRejected':
      return handlers.onOrderRejected?.(event, view);
    case 'orderReduced':
      return handlers.onOrderReduced?.(event, view);
    case 'orderClosed':
      return handlers.onOrderClosed?.(event, view);
    case 'cancelRejected':
      return handlers.onCancelRejected?.(event, view);
    case 'converted':
      return handlers.onConverted?.(event, view);
    case 'conversionRejected':
      return handlers.onConversionRejected?.(event, view);
  }
}

/** A failure of a handler, without time and row. */
export type HandlerFailure = Omit<StrategyFailure, 'time' | 'row'>;
