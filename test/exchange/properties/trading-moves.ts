/** Builds the commands of moves about orders, safety and positions. */
import { unchecked } from '../../../src/domain/index.ts';
import type { ExchangeCommand, Replace } from '../twin/exchange-types.ts';
import type { Move } from './kinds.ts';
import { LOT, type Picks } from './picks.ts';

/** Returns the command of a trading move, or undefined for other moves. */
export function tradingCommand({ kind, details }: Move, picks: Picks): ExchangeCommand | undefined {
  switch (kind) {
    case 'place':
      return { type: kind, ...picks.request(details), ...picks.terms(details.order, details.account) };
    case 'placeBatch': {
      const orders = details.orders.map((order) => picks.terms(order, details.account));
      return { type: kind, ...picks.request(details), orders };
    }
    case 'cancel': {
      const orders = details.picks.map((pick) => picks.order(pick, details.account));
      return { type: kind, ...picks.request(details), orders };
    }
    case 'reduce': {
      const order = picks.order(details.pick, details.account);
      return { type: kind, ...picks.request(details), order, by: unchecked.shares(details.lots * LOT) };
    }
    case 'replace':
      return replace(details, picks);
    case 'cancelMarketOrders': {
      const { outcome, side } = details;
      return { type: kind, ...picks.request(details), market: picks.market(details.market), outcome, side };
    }
    case 'cancelAllOrders':
    case 'disarmHeartbeat':
    case 'revokeCredential':
      return { type: kind, ...picks.request(details) };
    case 'heartbeat':
      return { type: kind, ...picks.request(details), timeout: unchecked.duration(details.timeout) };
    case 'createGroup': {
      const limits = { maxFilled: unchecked.shares(details.lots * LOT), window: unchecked.duration(details.window) };
      return { type: kind, ...picks.request(details), ...limits };
    }
    case 'updateGroup': {
      const maxFilled = details.lots === undefined ? undefined : unchecked.shares(details.lots * LOT);
      const window = details.window === undefined ? undefined : unchecked.duration(details.window);
      const group = unchecked.group(picks.group(details.pick, details.account));
      return { type: kind, ...picks.request(details), group, maxFilled, window, reset: details.reset };
    }
    case 'deleteGroup':
      return {
        type: kind,
        ...picks.request(details),
        group: unchecked.group(picks.group(details.pick, details.account)),
      };
    case 'convert': {
      const shares = unchecked.shares(details.lots * LOT);
      return { type: details.type, ...picks.request(details), market: picks.market(details.market), shares };
    }
    case 'claim': {
      const market =
        details.market === undefined
          ? undefined
          : picks.marketIn(details.market, 'RESOLVED_YES', 'RESOLVED_NO', 'RESOLVED_UNCERTAIN', 'CANCELLED');
      return { type: kind, ...picks.request(details), market };
    }
    default:
      return undefined;
  }
}

/** Builds a replace whose orders are all in its own market. */
function replace(details: Extract<Move, { kind: 'replace' }>['details'], picks: Picks): Replace {
  const requests = picks.request(details);
  const market = picks.market(details.market);
  const orders =
    details.picks === 'all' ? details.picks : details.picks.map((pick) => picks.order(pick, details.account, market));
  const cancel = details.mustReplace && orders !== 'all' ? orders.slice(0, 1) : orders;
  const replaces = cancel === 'all' ? undefined : cancel[0];
  const place = details.orders.slice(0, details.mustReplace ? 1 : 4).map((order, at) => {
    const overrides =
      details.isResting && /^F/.test(order.timeInForce) ? { ...order, timeInForce: 'GTC' as const } : order;
    const named = details.isCopied
      ? { hash: details.orders[0]?.hash, clientOrderId: details.orders[0]?.clientOrderId }
      : {};
    const terms = { ...picks.terms({ ...overrides, ...named }, details.account), market };
    return details.mustReplace && at === 0 && replaces !== undefined ? { ...terms, replaces } : terms;
  });
  const { mustReplace } = details;
  return {
    type: 'replace',
    ...requests,
    market,
    cancel,
    place,
    ifNoFillSince: picks.recentSeq(details.hasFillCheck),
    mustReplace,
  };
}
