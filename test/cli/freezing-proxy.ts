/** A way to a server that can freeze: it takes connections and bytes, and passes nothing on, as a host does that hangs. */
import { connect, createServer, type Server, type Socket } from 'node:net';

export class FreezingProxy {
  readonly #server: Server;
  readonly #ends = new Set<Socket>();
  readonly #dead = new WeakSet<Socket>();
  isFrozen = false;
  /** Connections so far. */
  taken = 0;

  private constructor(port: number) {
    this.#server = createServer((client) => {
      this.taken += 1;
      const venue = connect(port, '127.0.0.1');
      for (const [from, to] of [
        [client, venue],
        [venue, client],
      ] as const) {
        this.#ends.add(from);
        from.on('data', (bytes) => {
          if (!this.isFrozen && !this.#dead.has(from)) to.write(bytes);
        });
        from.on('error', () => to.destroy());
        from.on('close', () => {
          this.#ends.delete(from);
          to.destroy();
        });
      }
    });
  }

  /** @param url of the venue */
  static async open(url: string): Promise<FreezingProxy> {
    const line = new FreezingProxy(Number(new URL(url).port));
    await new Promise<void>((resolve) => void line.#server.listen(0, '127.0.0.1', resolve));
    return line;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  /** What is connected now passes nothing on any more, and is not closed; new connections work. */
  killSilently(): void {
    for (const end of this.#ends) this.#dead.add(end);
  }

  close(): void {
    for (const end of this.#ends) end.destroy();
    this.#server.close();
  }
}
