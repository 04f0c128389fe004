/** Venues with injected faults, and ordinary clients of them. */
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { z } from 'zod';
import { chaosSchema } from '../../../src/config/chaos-schema.ts';
import { afterThisTest } from '../../cleanup.ts';
import { type LiveVenue, openLiveVenue, PLACE } from '../live-venue.ts';
import { keyOf, signOrder } from '../trader.ts';

export async function openFaultyVenue(chaos: z.input<typeof chaosSchema>): Promise<LiveVenue> {
  const venue = await openLiveVenue({ chaos: chaosSchema.parse(chaos) });
  afterThisTest.add(() => venue.close());
  return venue;
}

export function clientOf({ socketUrl }: LiveVenue, options: Partial<Parameters<typeof createClient>[0]> = {}): Client {
  const client = createClient({ url: socketUrl, webSocketImpl: WebSocket, lazy: true, retryAttempts: 0, ...options });
  afterThisTest.add(() => client.terminate());
  return client;
}

/** Sends an operation over the socket. @returns its data */
export async function requestOverSocket<Data>(
  client: Client,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Data> {
  return new Promise((resolve, reject) => {
    client.subscribe<Data>(
      { query, variables },
      {
        next: ({ data, errors }) => (data ? resolve(data) : reject(new Error(JSON.stringify(errors)))),
        error: reject,
        complete: () => undefined,
      },
    );
  });
}

export async function post({ url }: LiveVenue, query = '{ health { mode } }', token?: string, variables: object = {}) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
  const { status } = answer;
  return {
    status,
    type: answer.headers.get('content-type'),
    retry: answer.headers.get('retry-after'),
    text: await answer.text(),
  };
}

/** Logs in over the socket, which has no faults here, and signs an order. */
export async function signedOrder(venue: LiveVenue) {
  const { tools, marketId } = venue;
  const client = clientOf(venue);
  const key = keyOf(tools, 1);
  const challengeQuery = 'query ($a: Hex!) { authChallenge(address: $a) { nonce typedData } }';
  const { authChallenge } = await requestOverSocket<{ authChallenge: { nonce: string; typedData: unknown } }>(
    client,
    challengeQuery,
    {
      a: key.address,
    },
  );
  const offered = tools.messages.login.compare(authChallenge.typedData, { account: key.address });
  if (!offered.ok) throw new Error(JSON.stringify(offered));
  const { nonce, issuedAt, expiresAt } = tools.messages.login.wire(offered.message);
  const { signature } = tools.messages.login.sign(offered.message, key);
  const input = { address: key.address, nonce, issuedAt, expiresAt, signature };
  const createSessionMutation = 'mutation ($i: CreateSessionInput!) { createSession(input: $i) { accessToken } }';
  const { createSession } = await requestOverSocket<{ createSession: { accessToken: string } }>(
    client,
    createSessionMutation,
    { i: input },
  );
  const token = createSession.accessToken;
  const request = {
    marketId,
    outcome: 'YES',
    side: 'BUY',
    priceBps: 4_000,
    shares: 1_000_000,
    timestampMs: Date.now(),
  } as const;
  const ready = signOrder(tools, key, request, 1);
  const own = clientOf(venue, { connectionParams: { authorization: `Bearer ${token}` } });
  const found = () =>
    requestOverSocket<{ order: { found: boolean } }>(own, `{ order(orderHash: "${ready.hash}") { found } }`);
  const count = () => requestOverSocket<{ orders: { totalCount: number } }>(own, '{ orders { totalCount } }');
  return { place: () => post(venue, PLACE, token, { i: ready.input }), found, count };
}
