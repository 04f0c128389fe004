/** A third-party GraphQL client against the real program. */
import { type Client, createClient, fetchExchange, gql, type OperationResult, subscriptionExchange } from '@urql/core';
import type { FormattedExecutionResult } from 'graphql';
import { createClient as createSocket } from 'graphql-ws';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { newFolder } from './halfspread.ts';
import { serving } from './serving.ts';

const PAGE = gql`
  query ($after: Cursor) {
    markets(input: { first: 5, after: $after, sort: CREATED_AT_ASC }) {
      totalCount
      pageInfo { hasNextPage endCursor }
      edges { node { id slug status yesPriceBps noPriceBps } }
    }
  }
`;

it('the client urql reads lists, partial answers and UNAUTHORIZED, and receives a book over its socket', async () => {
  const venue = await serving(['--seed'], newFolder());
  const socket = createSocket({ url: `${venue.url.replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket });
  const client = createClient({
    url: `${venue.url}/graphql`,
    preferGetMethod: false,
    requestPolicy: 'network-only',
    exchanges: [
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: ({ error, complete, next }) => {
            const sink = {
              error,
              complete,
              next: ({ data, errors }: FormattedExecutionResult) =>
                next({
                  ...(data === undefined ? {} : { data }),
                  ...(errors === undefined ? {} : { errors: [...errors] }),
                }),
            };
            return { unsubscribe: socket.subscribe({ query, variables: variables ?? null }, sink) };
          },
        }),
      }),
    ],
  });

  const ids = await allMarketIds(client);
  expect(ids).toHaveLength(13);
  expect(new Set(ids).size).toBe(13);

  const partly = await client.query('{ market(id: "x") { id } health { status } }', {});
  expect(partly.data).toMatchObject({ market: null, health: { status: 'OK' } });
  expect(partly.error?.graphQLErrors.map(({ message, path }) => [message.split(':')[0], path])).toEqual([
    ['invalid market ID', ['market']],
  ]);

  const refused = await client.query('{ me { id } }', {});
  expect(refused.data).toBeNull();
  expect(refused.error?.graphQLErrors.map(({ message, path }) => [message, path])).toEqual([['UNAUTHORIZED', ['me']]]);

  const event = await new Promise((resolve) => {
    client
      .subscription('subscription ($id: ID!) { orderBookUpdated(marketId: $id) { kind marketId checksum } }', {
        id: ids[0],
      })
      .subscribe(({ data, error }) => resolve(data ?? error));
  });
  expect(event).toMatchObject({ orderBookUpdated: { kind: 'SNAPSHOT', marketId: ids[0] } });
  await socket.dispose();
  await venue.stop('SIGTERM');
});

interface Page {
  readonly markets: {
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    readonly edges: readonly { readonly node: { readonly id: string } }[];
  };
}

/** Reads the ids of all markets page by page. */
async function allMarketIds(client: Client): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const { data, error }: OperationResult<Page> = await client.query(PAGE, { after });
    if (error !== undefined || data === undefined) throw error;
    ids.push(...data.markets.edges.map(({ node }) => node.id));
    after = data.markets.pageInfo.endCursor;
    more = data.markets.pageInfo.hasNextPage;
  }
  return ids;
}
