/**
 * Determines a request's client address: the address of the peer, or the address that trusted proxies report. Limits
 * connections and memory per IPv4 address or IPv6 /64, so that one client cannot exhaust them.
 */
import type { IncomingMessage, Server } from 'node:http';
import { isIPv4, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { InputFault } from '../../domain/index.ts';
import { readForwardedAddress, toPlainAddress } from '../../network/index.ts';
import { createAddressTest, toNetwork } from '../access/ip-list.ts';

/** @param trusted addresses and CIDR ranges of proxies @throws InputFault for an invalid address or range */
export function createAddressReader(trusted: readonly string[]): (request: IncomingMessage) => string {
  if (trusted.length === 0) return ({ socket }) => readPeer(socket);
  const isProxy = createProxyTest(trusted);
  return (request) => {
    let address = readPeer(request.socket);
    const forwarded = request.headers['x-forwarded-for'];
    const chain = (typeof forwarded === 'string' ? forwarded : '').split(',');
    // Each proxy appends the address of its peer, so read from the right until an address is no trusted proxy.
    while (isProxy(address) && chain.length > 0) {
      const next = readForwardedAddress(chain.pop() ?? '');
      if (next === undefined) return address;
      address = next;
    }
    return address;
  };
}

/** Returns the address of the peer; empty after the socket has closed. */
function readPeer({ remoteAddress = '' }: Socket): string {
  return isIPv4(remoteAddress) ? remoteAddress : toPlainAddress(remoteAddress);
}

/** Returns a function that recognises addresses of trusted proxies. @throws InputFault like `createAddressReader` */
export function createProxyTest(trusted: readonly string[]): (address: string) => boolean {
  return createAddressTest(
    trusted,
    (entry) => new InputFault('trustedProxies', entry, 'an IP address or a range such as 10.0.0.0/8'),
  );
}

/**
 * Returns a function that removes a header, such as the client's country, from requests that no trusted proxy sent.
 * @throws InputFault like `createAddressReader`
 */
export function createHeaderFilter(header: string, trusted: readonly string[]): (request: IncomingMessage) => void {
  const isProxy = createProxyTest(trusted);
  return ({ socket, headers }) => {
    if (!isProxy(readPeer(socket))) delete headers[header];
  };
}

/**
 * Limits connections per network, including WebSockets. Closes further connections immediately, without an answer. Does
 * not limit connections of trusted proxies.
 */
export function limitConnections(server: Server, maxPerNetwork: number, isProxy: (address: string) => boolean): void {
  const connections = new NetworkLimit(maxPerNetwork);
  server.on('connection', (socket) => {
    const address = readPeer(socket);
    if (!isProxy(address) && !connections.addConnection(address, socket)) socket.destroy();
  });
}

/** Limits a sum per network, such as connections or bytes of unfinished bodies. */
export class NetworkLimit {
  readonly #max: number;
  readonly #sums = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** @returns a function that changes the network's sum, and returns whether the sum is within the limit */
  track(ip: string): (change: number) => boolean {
    const network = toNetwork(ip);
    return (change) => {
      const sum = (this.#sums.get(network) ?? 0) + change;
      if (sum === 0) this.#sums.delete(network);
      else this.#sums.set(network, sum);
      return sum <= this.#max;
    };
  }

  /** Adds 1 until the socket closes, unless the network is at the limit. @returns whether the connection is allowed */
  addConnection(ip: string, socket: Duplex): boolean {
    const count = this.track(ip);
    const isAllowed = count(1);
    if (isAllowed) socket.once('close', () => count(-1));
    else count(-1);
    return isAllowed;
  }
}
