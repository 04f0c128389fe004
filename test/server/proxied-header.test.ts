import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { accessSettings } from '../../src/server/access/settings.ts';
import { onlyFromProxies } from '../../src/server/http/client-address.ts';
import { SqliteStore } from '../../src/store/index.ts';
import { SILENT } from '../venues/service/harness.ts';
import { startPlainServer } from './plain-server.ts';
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
  onlyFromProxies('x-country', ['10.0.0.0/8'])(request);
  expect(request.headers['x-country']).toBe(expected);
});

it('a client without a proxy cannot state its country', async () => {
  const geo = { countryHeader: 'x-country', rules: { US: 'BLOCKED' }, unknown: 'ALLOWED' } as const;
  const server = await startPlainServer({
    store: SqliteStore.open({ file: ':memory:', thread: false }),
    log: SILENT,
    messages: (await openSigningTools()).messages,
    access: accessSettings({ audience: 'http://127.0.0.1', geo }),
    renewOperatorToken: false,
    onStop: () => {},
  });
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-country': 'US' },
    body: JSON.stringify({ query: '{ geoCheck { allowed countryCode } }' }),
  });
  expect(await answer.json()).toEqual({ data: { geoCheck: { allowed: true, countryCode: null } } });
  await server.close(0);
});
