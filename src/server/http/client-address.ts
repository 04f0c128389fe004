/**
 * Determines the client address of a request: the peer's, or the one that trusted proxies report. Limits connections and memory
 * per address (IPv6: per /64), so that one client cannot exhaust them.
 */
import type { IncomingMessage, Server } from 'node:http';
import { isIP } from 'node:net';
import { InputFault } from '../../domain/index.ts';
import { addressTest, networkOf } from '../access/ip-list.ts';

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
  /** Limit of connections per address. More are closed immediately, without an answer. */
  readonly maxConnections: number;
  /** Connections of proxies are not limited. */
  isProxy(address: string): boolean;
}

/** Limits connections by address, including WebSockets. */
export function boundConnections(server: Server, { maxConnections, isProxy }: ConnectionBound): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (isProxy(address)) return;
    const network = networkOf(address);
    const count = open.get(network) ?? 0;
    if (count >= maxConnections) {
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}

/** Counts bytes of unfinished bodies and messages by address. */
export class UnfinishedBytes {
  readonly #maxBytes: number;
  readonly #bytes = new Map<string, number>();

  /** @param maxBytes bytes of one address */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @returns a function that adds or removes bytes of an address and returns false when the address exceeds the limit */
  open(ip: string): (change: number) => boolean {
    const network = networkOf(ip);
    return (change) => {
      const sum = (this.#bytes.get(network) ?? 0) + change;
      if (sum === 0) this.#bytes.delete(network);
      else this.#bytes.set(network, sum);
      return sum <= this.#maxBytes;
    };
  }

  bytesOf(ip: string): number {
    return this.#bytes.get(networkOf(ip)) ?? 0;
  }
}
