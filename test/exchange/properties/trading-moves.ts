/** Commands of accounts about orders, safety and positions. */
import { column, counted } from '../../../src/domain/index.ts';
import type { ExchangeCommand, Replace } from '../twin/words.ts';
import type { Move } from './kinds.ts';
import { LOT, type Picks } from './picks.ts';

/** The command of a trading move; undefined for one of another sort. */
export function tradingCommand({ kind, said }: Move, picks: Picks): ExchangeCommand | undefined {
  switch (kind) {
    case 'place':
      return { type: kind, ...picks.asked(said), ...picks.terms(said.order, said.account) };
    case 'placeBatch': {
      const orders = said.orders.map((order) => picks.terms(order, said.account));
      return { type: kind, ...picks.asked(said), orders };
    }
    case 'cancel': {
      const orders = said.picks.map((pick) => picks.order(pick, said.account));
      return { type: kind, ...picks.asked(said), orders };
    }
    case 'reduce': {
      const order = picks.order(said.pick, said.account);
      return { type: kind, ...picks.asked(said), order, by: column.shares(said.lots * LOT) };
    }
    case 'replace':
      return replace(said, picks);
    case 'cancelMarketOrders': {
      const { outcome, side } = said;
      return { type: kind, ...picks.asked(said), market: picks.market(said.market), outcome, side };
    }
    case 'cancelAllOrders':
    case 'disarmHeartbeat':
    case 'revokeCredential':
      return { type: kind, ...picks.asked(said) };
    case 'heartbeat':
      return { type: kind, ...picks.asked(said), timeout: column.duration(said.timeout) };
    case 'createGroup': {
      const limits = { maxFilled: column.shares(said.lots * LOT), window: column.duration(said.window) };
      return { type: kind, ...picks.asked(said), ...limits };
    }
    case 'updateGroup': {
      const maxFilled = said.lots === undefined ? undefined : column.shares(said.lots * LOT);
      const window = said.window === undefined ? undefined : column.duration(said.window);
      const group = counted.group(picks.group(said.pick, said.account));
      return { type: kind, ...picks.asked(said), group, maxFilled, window, reset: said.reset };
    }
    case 'deleteGroup':
      return { type: kind, ...picks.asked(said), group: counted.group(picks.group(said.pick, said.account)) };
    case 'convert': {
      const shares = column.shares(said.lots * LOT);
      return { type: said.type, ...picks.asked(said), market: picks.market(said.market), shares };
    }
    case 'claim': {
      const market =
        said.market === undefined
          ? undefined
          : picks.marketIn(said.market, 'RESOLVED_YES', 'RESOLVED_NO', 'RESOLVED_UNCERTAIN', 'CANCELLED');
      return { type: kind, ...picks.asked(said), market };
    }
    default:
      return undefined;
  }
}

/** All of it in one market, whatever the orders say. */
function replace(said: Extract<Move, { kind: 'replace' }>['said'], picks: Picks): Replace {
  const requests = picks.asked(said);
  const market = picks.market(said.market);
  const orders = said.picks === 'all' ? said.picks : said.picks.map((pick) => picks.order(pick, said.account, market));
  const cancel = said.mustReplace && orders !== 'all' ? orders.slice(0, 1) : orders;
  const replaces = cancel === 'all' ? undefined : cancel[0];
  const place = said.orders.slice(0, said.mustReplace ? 1 : 4).map((order, at) => {
    const overrides =
      said.isPatient && /^F/.test(order.timeInForce) ? { ...order, timeInForce: 'GTC' as const } : order;
    const named = said.isCopied ? { hash: said.orders[0]?.hash, clientOrderId: said.orders[0]?.clientOrderId } : {};
    const terms = { ...picks.terms({ ...overrides, ...named }, said.account), market };
    return said.mustReplace && at === 0 && replaces !== undefined ? { ...terms, replaces } : terms;
  });
  const { mustReplace } = said;
  return { type: 'replace', ...requests, market, cancel, place, ifNoFillSince: picks.seen(said.isSeen), mustReplace };
}
