/** Executes commands with `--venue` on Polymarket's records, without a bot. Shares are decimal, times ISO 8601. */
import { formatTime, SHARE, unchecked } from '../../domain/index.ts';
import type { ControlCommand } from '../../ops/index.ts';
import type { PolymarketAccess } from './polymarket.ts';

/** @param limit maximum of fills. @throws Fault LINK, VENUE, LOGIN, BLOCKED */
export function queryPolymarket(access: PolymarketAccess, command: ControlCommand, limit: number): Promise<object> {
  switch (command) {
    case 'orders':
      return orders(access);
    case 'positions':
      return positions(access);
    case 'fills':
      return fills(access, limit);
    case 'cancel-all':
      return cancelAll(access);
    default:
      return status(access);
  }
}

async function orders({ client, namesOf }: PolymarketAccess): Promise<object> {
  const found = await client.orders();
  const names = await namesOf(found.map(({ market }) => market));
  return {
    orders: found.map(({ id, market, asset, side, price: priceBps, size, matched, status: state }) => {
      const { slug, outcome } = names.get(asset) ?? { slug: market, outcome: asset };
      const [shares, remainingShares] = [size / SHARE, (size - matched) / SHARE];
      const terms = { outcome, side, priceBps, shares, remainingShares, status: state };
      return { market: { slug }, id, orderHash: id, marketId: market, ...terms };
    }),
  };
}

async function positions({ reader }: PolymarketAccess): Promise<object> {
  return {
    positions: (await reader.holdings()).map(({ market: slug, condition: marketId, outcome, shares }) => {
      return { marketId, market: { slug }, outcome, shares: shares / SHARE };
    }),
  };
}

async function fills({ reader }: PolymarketAccess, limit: number): Promise<object> {
  return {
    fills: (await reader.fills(limit)).map((fill) => {
      const { market: slug, condition: marketId, tradeId, hash: orderId, outcome = null, side, price, shares } = fill;
      const terms = { outcome, side, priceBps: price, shares: shares / SHARE, role: fill.liquidity.toUpperCase() };
      return {
        market: { slug },
        tradeId,
        orderId,
        marketId,
        ...terms,
        status: fill.status,
        executedAt: formatTime(unchecked.time(fill.at)),
      };
    }),
  };
}

async function cancelAll({ client }: PolymarketAccess): Promise<object> {
  const cancelled = await client.cancelAll();
  return { cancelled, open: await client.openOrders() };
}

async function status({ client, reader, address, url, orderVersion }: PolymarketAccess): Promise<object> {
  const [version, isClosedOnly, cash] = [await orderVersion(), await reader.isClosedOnly(), await reader.balances.of()];
  const openOrderCount = await client.openOrders();
  return { account: address, venue: url, orderVersion: version, closedOnly: isClosedOnly, openOrderCount, cash };
}
