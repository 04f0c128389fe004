import { createServer } from 'node:http';
import { afterAll, expect, it, vi } from 'vitest';
import { wallClock } from '../../src/clock/index.ts';
import { AccountClient, logIn, VenueHttp } from '../../src/ops/index.ts';
import {
  createSigner,
  exchangeDomain,
  LOCAL_CONTRACT,
  loadPrimitives,
  loginDomain,
  signedMessages,
} from '../../src/signing/index.ts';
import { LOCAL_CHAIN_ID } from '../../src/signing/messages.ts';
import { pinsOf } from '../server/trader.ts';
import { endAll, openVenue } from './trading.ts';

vi.setConfig({ testTimeout: 120_000 });
afterAll(endAll);

/** Starts a proxy of a venue that drops the first answer to an operation. */
async function openLosingProxy(venue: string, operation: string) {
  const requests: string[] = [];
  const server = createServer((request, answer) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const body = Buffer.concat(parts).toString('utf8');
      const name = /(?:mutation|query) (\w+)/.exec(body)?.[1] ?? '';
      requests.push(name);
      const { authorization } = request.headers;
      const headers = { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) };
      const received = await fetch(`${venue}/graphql`, { method: 'POST', headers, body });
      const text = await received.text();
      if (name === operation && requests.filter((request) => request === operation).length === 1)
        request.socket.destroy();
      else answer.writeHead(received.status, { 'content-type': 'application/json' }).end(text);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { asked: requests, close, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` };
}

it('a login whose answer is lost is repeated with another challenge and succeeds', async () => {
  const venue = await openVenue();
  const line = await openLosingProxy(venue.url, 'CreateSession');
  const signer = createSigner(await loadPrimitives({ blinding: new Uint8Array(32).fill(7) }));
  const key = signer.key(`0x${'5e'.repeat(32)}`);
  const messages = signedMessages(signer, {
    exchange: exchangeDomain(LOCAL_CHAIN_ID, LOCAL_CONTRACT),
    login: loginDomain(LOCAL_CHAIN_ID),
  });
  const way = new VenueHttp({ url: line.url, clock: wallClock() });
  await logIn(way, { key }, pinsOf({ messages }, venue.url));
  expect(line.asked).toEqual(['AuthChallenge', 'CreateSession', 'AuthChallenge', 'CreateSession']);
  expect(await new AccountClient(way).countOpenOrders()).toBe(0);
  line.close();
  await venue.close();
});
