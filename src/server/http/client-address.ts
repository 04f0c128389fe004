/**
 * Determines the client address of a request: the peer's, or the one that trusted proxies report. Limits connections and memory
 * per address (IPv6: per /64), so that one client cannot exhaust them.
 */
import type { IncomingMessage, Server } from 'node:http';
import { isIP } from 'node:net';
import { InputFault } from '../../domain/index.ts';
import { createAddressTest, networkOf } from '../access/ip-list.ts';

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
  return createAddressTest(
    trusted,
    (entry) => new InputFault('trustedProxies', entry, 'an IP address or a range such as 10.0.0.0/8'),
  );
}

/** Converts an IPv4-mapped IPv6 address to IPv4. */
function plainAddress(address: string): string {
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

interface ConnectionBound {
  /** Limit of connections per network. More are closed immediately, without an answer. */
  readonly maxConnections: number;
  /** Connections of proxies are not limited. */
  isProxy(address: string): boolean;
}

/** Limits connections by network, including WebSockets. */
export function boundConnections(server: Server, { maxConnections, isProxy }: ConnectionBound): void {
  const connections = new NetworkLimit(maxConnections);
  server.on('connection', (socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (isProxy(address)) return;
    const count = connections.open(address);
    if (count(1)) socket.once('close', () => count(-1));
    else {
      count(-1);
      socket.destroy();
    }
  });
}

/** Limits a sum for each network, such as connections or bytes of unfinished bodies. */
export class NetworkLimit {
  readonly #max: number;
  readonly #sums = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** @returns a function that changes the sum for the network of an address, and returns whether it is within the limit */
  open(ip: string): (change: number) => boolean {
    const network = networkOf(ip);
    return (change) => {
      const sum = (this.#sums.get(network) ?? 0) + change;
      if (sum === 0) this.#sums.delete(network);
      else this.#sums.set(network, sum);
      return sum <= this.#max;
    };
  }
}
