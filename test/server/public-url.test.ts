/** Clients can log in at the URL that a venue prints at its start, for each kind of listening address. */
import { expect, test } from 'vitest';
import { startVenue, type VenueOptions } from '../../src/embed.ts';
import { keyOf, login, openSigningTools, queryVenue } from './trader.ts';

const ADDRESSES: readonly (readonly [text: string, listen: VenueOptions, url: RegExp])[] = [
  ['127.0.0.1', { host: '127.0.0.1' }, /^http:\/\/127\.0\.0\.1:\d+$/],
  ['all IPv4 addresses', { host: '0.0.0.0' }, /^http:\/\/localhost:\d+$/],
  ['all addresses', { host: '::' }, /^http:\/\/localhost:\d+$/],
  ['the IPv6 loopback address', { host: '::1' }, /^http:\/\/\[::1\]:\d+$/],
  ['a base path', { host: '::1', base: '/venue/one' }, /^http:\/\/\[::1\]:\d+\/venue\/one$/],
];

test.each(ADDRESSES)('a venue that listens on %s prints a URL at which clients can log in', async (_, listen, url) => {
  const server = await startVenue(listen);
  try {
    expect(server.url).toMatch(url);
    const tools = await openSigningTools();
    const key = keyOf(tools, 1);
    const challenge = await queryVenue(
      server.url,
      undefined,
      'query ($a: Hex!) { authChallenge(address: $a) { typedData } }',
      {
        a: key.address,
      },
    );
    expect(challenge.authChallenge.typedData.message.audience).toBe(server.url);
    const token = await login(server.url, tools, key);
    const { me } = await queryVenue(server.url, token, '{ me { address } }', {});
    expect(me.address).toBe(key.address);
  } finally {
    await server.close(0);
  }
});
