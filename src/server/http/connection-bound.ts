/** How many connections one address may have, so that nobody can take them all. */
import type { Server } from 'node:http';
import { networkOf } from '../access/ip-list.ts';
import { plainAddress } from './client-address.ts';

/** What is counted, and what not. */
export interface ConnectionBound {
  /** More are closed at once, without an answer: nothing was read of them yet. */
  readonly most: number;
  /** Proxies bring everybody. */
  isProxy(address: string): boolean;
}

/** Counts connections by address (IPv6: by /64), those that became WebSockets too. */
export function boundConnections(server: Server, { most, isProxy }: ConnectionBound): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (isProxy(address)) return;
    const network = networkOf(address);
    const count = open.get(network) ?? 0;
    if (count >= most) {
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
