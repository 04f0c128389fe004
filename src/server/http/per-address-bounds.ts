/** Limits per client address (IPv6: per /64), so that one client cannot exhaust connections or memory. */
import type { Server } from 'node:http';
import { networkOf } from '../access/ip-list.ts';
import { plainAddress } from './client-address.ts';

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
