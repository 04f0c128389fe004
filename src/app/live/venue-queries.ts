/** Executes `--venue` commands at the venue, without a bot. Shares are decimal, cash micro-USD, times ISO 8601. */
import { formatTime, SHARE, unchecked } from '../../domain/index.ts';
import { type AccountClient, type ControlCommand, Redactor } from '../../ops/index.ts';
import { type AccountOptions, withAccount } from '../venue-access.ts';
import { type PolymarketAccess, withPolymarket } from './polymarket.ts';

type Handler<Account> = (account: Account, limit: number) => Promise<object>;
type Handlers<Account> = { readonly status: Handler<Account> } & Partial<Record<ControlCommand, Handler<Account>>>;

/** @param limit maximum number of fills. @throws Fault LINK, VENUE, LOGIN, BLOCKED */
export function queryVenue(
  { live, warn }: Pick<AccountOptions, 'live' | 'warn'>,
  command: ControlCommand,
  limit: number,
): Promise<object> {
  const redactor = new Redactor();
  if (live.file.venue.polymarket !== undefined) {
    const handle = POLYMARKET_HANDLERS[command] ?? POLYMARKET_HANDLERS.status;
    return withPolymarket(live, redactor, (access) => handle(access, limit));
  }
  const handle = SERVICE_HANDLERS[command] ?? SERVICE_HANDLERS.status;
  return withAccount({ live, redactor, warn }, async (client, { account, url }) => {
    const answer = await handle(client, limit);
    return command === 'status' ? { account: account ?? null, venue: url, ...answer } : answer;
  });
}

const SERVICE_HANDLERS: Handlers<AccountClient> = {
  orders: async (client) => ({ orders: await withMarkets(await client.orders(), client) }),
  positions: async (client) => ({ positions: await client.positions() }),
  fills: async (client, limit) => ({ fills: await withMarkets(await client.fills(limit), client) }),
  'cancel-all': cancelAll,
  async status(client) {
    const [health, safety, balance] = [await client.health(), await client.safety(), await client.balance()];
    return { health, safety, balance };
  },
};

/** Commands that accept `--venue`. */
export const COMMANDS_WITH_VENUE_FLAG: ReadonlySet<string> = new Set(Object.keys(SERVICE_HANDLERS));

const POLYMARKET_HANDLERS: Handlers<PolymarketAccess> = {
  async orders({ client, findNames }) {
    const found = await client.orders();
    const names = await findNames(found.map(({ market }) => market));
    return {
      orders: found.map(({ id, market, asset, side, price: priceBps, size, matched, status: state }) => {
        const { slug, outcome } = names.get(asset) ?? { slug: market, outcome: asset };
        const [shares, remainingShares] = [size / SHARE, (size - matched) / SHARE];
        const terms = { outcome, side, priceBps, shares, remainingShares, status: state };
        return { market: { slug }, id, orderHash: id, marketId: market, ...terms };
      }),
    };
  },
  async positions({ reader }) {
    return {
      positions: (await reader.holdings()).map(({ market: slug, condition: marketId, outcome = null, shares }) => {
        return { marketId, market: { slug }, outcome, shares: shares / SHARE };
      }),
    };
  },
  async fills({ reader }, limit) {
    return {
      fills: (await reader.fills(limit)).map((fill) => {
        const { market: slug, condition: marketId, tradeId, hash: orderId, outcome = null, side, price, shares } = fill;
        const terms = { outcome, side, priceBps: price, shares: shares / SHARE, role: fill.liquidity.toUpperCase() };
        const executedAt = formatTime(unchecked.time(fill.at));
        return { market: { slug }, tradeId, orderId, marketId, ...terms, status: fill.status, executedAt };
      }),
    };
  },
  'cancel-all': ({ client }) => cancelAll(client),
  async status({ client, reader, address, url, orderVersion }) {
    const [version, isClosedOnly] = [await orderVersion(), await reader.isClosedOnly()];
    const cash = await reader.balances.readBalance();
    const openOrderCount = await client.countOpenOrders();
    return { account: address, venue: url, orderVersion: version, closedOnly: isClosedOnly, openOrderCount, cash };
  },
};

async function cancelAll(client: Pick<AccountClient, 'cancelAll' | 'countOpenOrders'>): Promise<object> {
  const cancelled = await client.cancelAll();
  return { cancelled, open: await client.countOpenOrders() };
}

async function withMarkets<T extends { readonly marketId: string }>(rows: readonly T[], client: AccountClient) {
  const slugs = await client.slugs(rows.map(({ marketId }) => marketId));
  return rows.map((row) => ({ market: { slug: slugs.get(row.marketId) ?? row.marketId }, ...row }));
}
