import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { completeAccessSettings } from '../../src/server/access/settings.ts';
import { createHeaderFilter } from '../../src/server/http/client-address.ts';
import type { VenueServer } from '../../src/server/index.ts';
import { SqliteStore } from '../../src/store/index.ts';
import { SILENT } from '../venues/service/harness.ts';
import { startPlainServer } from './plain-server.ts';
import { RawClient } from './streams/raw-client.ts';
import { openSigningTools } from './trader.ts';

function requestFrom(remoteAddress: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const request = new IncomingMessage(socket);
  request.headers['x-country'] = 'US';
  return request;
}

it.each([
  ['10.1.2.3', 'US'],
  ['::ffff:10.1.2.3', 'US'],
  ['192.0.2.1', undefined],
  ['', undefined],
])('the country header from %j is %s', (address, expected) => {
  const request = requestFrom(address);
  createHeaderFilter('x-country', ['10.0.0.0/8'])(request);
  expect(request.headers['x-country']).toBe(expected);
});

const FROM_US = { 'content-type': 'application/json', 'x-country': 'US' };
const query = '{ geoCheck { allowed countryCode } }';

async function overHttp({ url }: VenueServer): Promise<unknown> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: FROM_US,
    body: JSON.stringify({ query }),
  });
  return answer.json();
}

async function overWebSocket({ url }: VenueServer): Promise<unknown> {
  const client = await RawClient.open(`${url.replace('http', 'ws')}/graphql`, undefined, FROM_US);
  client.send({ type: 'connection_init' });
  await client.next();
  client.subscribe('1', query);
  const { payload } = await client.next();
  await client.close();
  return payload;
}

describe.each([
  ['HTTP', overHttp],
  ['WebSocket', overWebSocket],
])('over %s', (_name, geoCheck) => {
  it.each([
    ['a client cannot state its country', [], { allowed: true, countryCode: null }],
    ['a trusted proxy states the country of a client', ['127.0.0.1'], { allowed: false, countryCode: 'US' }],
  ])('%s', async (_rule, trustedProxies, expected) => {
    const geo = { countryHeader: 'x-country', rules: { US: 'BLOCKED' }, unknown: 'ALLOWED' } as const;
    const server = await startPlainServer({
      store: SqliteStore.open({ file: ':memory:', thread: false }),
      log: SILENT,
      messages: (await openSigningTools()).messages,
      access: completeAccessSettings({ audience: 'http://127.0.0.1', geo }),
      trustedProxies,
      renewOperatorToken: false,
      onStop: () => {},
    });
    expect(await geoCheck(server)).toEqual({ data: { geoCheck: expected } });
    await server.close(0);
  });
});
