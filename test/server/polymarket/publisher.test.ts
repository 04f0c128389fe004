import { expect, it } from 'vitest';
import type { ChannelClient } from '../../../src/server/polymarket/channels.ts';
import { Publisher, type PublisherDeps } from '../../../src/server/polymarket/publisher.ts';

/** A publisher of markets 0 to 2 with one client of the market channel for each. The tokens are `yes 0`, `no 0`, … */
function openPublisher() {
  const events: object[][] = [[], [], []];
  const clients = events.map((received): ChannelClient => {
    const send = (sent: readonly object[]): unknown => received.push(...sent);
    return { tokens: new Set(), hasCustomFeatures: false, caller: undefined, markets: undefined, send, close() {} };
  });
  const marketOf = (number: number) => ({
    number,
    condition: `0x${number}`,
    tokens: [`yes ${number}`, `no ${number}`],
  });
  const getTokens = (market: ReturnType<typeof marketOf>) =>
    market.tokens.map((id, at) => ({ market, id, outcome: at === 0 ? 'YES' : 'NO' }));
  const booksRead: number[] = [];
  let bookSeq = 1;
  const deps: Partial<Record<keyof PublisherDeps, unknown>> = {
    queue: { now: 0, read: (query: () => unknown) => query() },
    channels: { marketClients: clients, hasMarketClients: true, hasUserClients: false },
    markets: {
      getMarket: marketOf,
      getTokens,
      findToken: (id: string) => getTokens(marketOf(Number(id.slice(-1)))).find((token) => token.id === id),
      record: () => ({ tickBps: 10, bookSeq, status: 'OPEN' }),
      touch: () => ({ bid: 5_000, ask: undefined }),
      levels({ market }: { readonly market: ReturnType<typeof marketOf> }) {
        booksRead.push(market.number);
        return { bids: new Map([[5_000, bookSeq]]), asks: new Map() };
      },
      presentBook: () => ({}),
    },
  };
  const publisher = new Publisher(deps as PublisherDeps);
  return {
    clients,
    async subscribe(client: number, token: string): Promise<void> {
      clients[client]?.tokens.add(token);
      await publisher.subscribe(clients[client]!, [token]);
    },
    /** Changes the books of all markets. @returns the markets whose book was read, and what each client received */
    change() {
      for (const each of [booksRead, ...events]) each.length = 0;
      bookSeq += 1;
      publisher.onBatchEnd();
      return { booksRead: [...booksRead], received: events.map(({ length }) => length) };
    },
  };
}

it('a market whose last subscriber left is not read again while other markets have subscribers', async () => {
  const { clients, subscribe, change } = openPublisher();
  await subscribe(0, 'yes 0');
  await subscribe(1, 'no 1');
  expect(change()).toEqual({ booksRead: [0, 1], received: [1, 1, 0] });
  clients[1]?.tokens.clear();
  expect(change()).toEqual({ booksRead: [0], received: [1, 0, 0] });
  await subscribe(2, 'yes 1');
  expect(change()).toEqual({ booksRead: [0, 1], received: [1, 0, 1] });
});
