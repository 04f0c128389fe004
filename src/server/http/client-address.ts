/** Determines the client address of a request: the peer's, or the one that trusted proxies report. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { InputFault } from '../../domain/index.ts';
import { addressTest } from '../access/ip-list.ts';

/** @param trusted addresses and CIDR ranges of proxies @throws InputFault for an invalid address or range */
export function addressReader(trusted: readonly string[]): (request: IncomingMessage) => string {
  if (trusted.length === 0) return (request) => plainAddress(request.socket.remoteAddress ?? '');
  const isProxy = proxyAddressTest(trusted);
  return (request) => {
    let address = plainAddress(request.socket.remoteAddress ?? '');
    const forwarded = request.headers['x-forwarded-for'];
    const chain = (typeof forwarded === 'string' ? forwarded : '').split(',');
    // Each proxy appends the address of its peer: read from the right while the address is a trusted proxy.
    while (isProxy(address) && chain.length > 0) {
      const next = plainAddress((chain.pop() ?? '').trim());
      if (isIP(next) === 0) return address;
      address = next;
    }
    return address;
  };
}

/** Returns a test whether an address is that of a trusted proxy. @throws InputFault as `addressReader` */
export function proxyAddressTest(trusted: readonly string[]): (address: string) => boolean {
  return addressTest(
    trusted,
    (entry) => new InputFault('trustedProxies', entry, 'an IP address or a range such as 10.0.0.0/8'),
  );
}

/** Converts an IPv4-mapped IPv6 address to IPv4. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

/**
 * Removes a header that only trusted proxies may set, such as the country, from other requests.
 * @throws InputFault as `addressReader`
 */
export function onlyFromProxies(header: string, trusted: readonly string[]): (request: IncomingMessage) => void {
  const isProxy = proxyAddressTest(trusted);
  return ({ socket, headers }) => {
    if (!isProxy(plainAddress(socket.remoteAddress ?? ''))) delete headers[header];
  };
}
