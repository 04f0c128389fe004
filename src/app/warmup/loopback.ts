/**
 * A TCP connection of this process to itself. Written bytes pass through the operating system like an order, come back
 * like a frame, and are dropped. The server refuses other connections, and closes when this process has connected.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const HOST = '127.0.0.1';
const CONNECT_MS = 2_000;

export class Loopback {
  readonly #client: Socket;
  readonly #accepted: Socket;

  private constructor(client: Socket, accepted: Socket) {
    this.#client = client;
    this.#accepted = accepted;
    // A broken connection is closed. The warm-up continues without it.
    for (const socket of [client, accepted])
      socket
        .setTimeout(0)
        .unref()
        .on('error', () => this.close());
    client.setNoDelay(true);
    accepted.resume();
  }

  /** @throws Error when the system refuses the connection */
  static async open(): Promise<Loopback> {
    const server = createServer().listen(0, HOST);
    try {
      await once(server, 'listening');
      const client = connect(readPort(server), HOST);
      client.setTimeout(CONNECT_MS, () => client.destroy(new Error(`no connection to ${HOST} in ${CONNECT_MS} ms`)));
      const [accepted] = await Promise.all([acceptFrom(server, client), once(client, 'connect')]);
      return new Loopback(client, accepted);
    } finally {
      server.close();
    }
  }

  /** Writes a frame, unless earlier frames are still unsent. @returns whether the bytes may be reused */
  write(frame: Uint8Array): boolean {
    const client = this.#client;
    if (client.destroyed || client.writableLength > 0) return true;
    client.write(frame);
    return client.writableLength === 0;
  }

  close(): void {
    this.#client.destroy();
    this.#accepted.destroy();
  }
}

function readPort(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('Invariant: the server listens on a port');
  return address.port;
}

function acceptFrom(server: Server, client: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    client.once('error', reject);
    server.on('connection', (socket) => {
      if (socket.remotePort === client.localPort) resolve(socket);
      else socket.destroy();
    });
  });
}
