/**
 * A TCP connection of this process to itself. Written bytes pass through the operating system like an order, come back like a
 * frame, and are dropped. The server drops foreign connections and closes after its own connection.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const HOST = '127.0.0.1';
const CONNECT_MS = 2_000;

export class Loopback {
  readonly #near: Socket;
  readonly #far: Socket;

  private constructor(near: Socket, far: Socket) {
    this.#near = near;
    this.#far = far;
    // A broken connection is closed. The warm-up continues without it.
    for (const end of [near, far])
      end
        .setTimeout(0)
        .unref()
        .on('error', () => this.close());
    near.setNoDelay(true);
    far.resume();
  }

  /** @throws Error when the system refuses the connection */
  static async open(): Promise<Loopback> {
    const server = createServer().listen(0, HOST);
    try {
      await once(server, 'listening');
      const near = connect(readPort(server), HOST);
      near.setTimeout(CONNECT_MS, () => near.destroy(new Error(`no connection to ${HOST} within ${CONNECT_MS} ms`)));
      const [far] = await Promise.all([acceptFrom(server, near), once(near, 'connect')]);
      return new Loopback(near, far);
    } finally {
      server.close();
    }
  }

  /** Writes a frame, unless earlier frames are still unsent. @returns whether the bytes may be reused */
  write(frame: Uint8Array): boolean {
    const near = this.#near;
    if (near.destroyed || near.writableLength > 0) return true;
    near.write(frame);
    return near.writableLength === 0;
  }

  close(): void {
    this.#near.destroy();
    this.#far.destroy();
  }
}

function readPort(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('Invariant: it listens on a port');
  return address.port;
}

function acceptFrom(server: Server, near: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    near.once('error', reject);
    server.on('connection', (far) => {
      if (far.remotePort === near.localPort) resolve(far);
      else far.destroy();
    });
  });
}
