/** Which handler receives which event of an own order or conversion. */
import type { FillReversed } from '../domain/index.ts';
import type { AccountView } from '../state/index.ts';
import type { Intents, OrderEvent, OrderFilled, StrategyHandlers } from '../strategy/index.ts';

/** An event about one own order or conversion. */
export type OwnEvent = OrderEvent | OrderFilled | FillReversed;

export const OWN_HANDLERS = {
  orderFilled: 'onFill',
  fillReversed: 'onFillReversed',
  orderAccepted: 'onOrderAccepted',
  orderRejected: 'onOrderRejected',
  orderReduced: 'onOrderReduced',
  orderClosed: 'onOrderClosed',
  cancelRejected: 'onCancelRejected',
  converted: 'onConverted',
  conversionRejected: 'onConversionRejected',
} as const satisfies Record<OwnEvent['type'], keyof StrategyHandlers>;

export function callOwn(handlers: StrategyHandlers, event: OwnEvent, view: AccountView): Intents {
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
