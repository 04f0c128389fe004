import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { onlyFromProxies } from '../../src/server/http/client-address.ts';

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
