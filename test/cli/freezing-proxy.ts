/** A TCP proxy that can freeze: it then accepts connections and bytes, and forwards nothing, as a hanging host. */
import { connect, createServer, type Server, type Socket } from 'node:net';

export class FreezingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #dead = new WeakSet<Socket>();
  isFrozen = false;
  /** Number of accepted connections so far. */
  acceptedConnections = 0;

  private constructor(port: number) {
    this.#server = createServer((client) => {
      this.acceptedConnections += 1;
      const venue = connect(port, '127.0.0.1');
      for (const [from, to] of [
        [client, venue],
        [venue, client],
      ] as const) {
        this.#sockets.add(from);
        from.on('data', (bytes) => {
          if (!this.isFrozen && !this.#dead.has(from)) to.write(bytes);
        });
        from.on('error', () => to.destroy());
        from.on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
      }
    });
  }

  /** @param url of the venue */
  static async open(url: string): Promise<FreezingProxy> {
    const proxy = new FreezingProxy(Number(new URL(url).port));
    await new Promise<void>((resolve) => void proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  /** Stops forwarding on the open connections without closing them. New connections work. */
  killSilently(): void {
    for (const socket of this.#sockets) this.#dead.add(socket);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
