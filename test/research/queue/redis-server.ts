/** A real Redis server on a free port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../../free-port.ts';

export class RedisServer {
  readonly port: number;
  readonly #folder = mkdtempSync(join(tmpdir(), 'halfspread-redis-'));
  readonly #settings: readonly string[];
  #child: ChildProcess | undefined;

  private constructor(port: number, settings: readonly string[]) {
    this.port = port;
    this.#settings = settings;
  }

  /** Starts a server with an append-only file. @param settings further arguments of `redis-server` */
  static async start(...settings: readonly string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), settings);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts the server, also after `kill`, with the data of its file. */
  async start(): Promise<void> {
    const fixed = ['--port', `${this.port}`, '--dir', this.#folder, '--appendonly', 'yes', '--appendfsync', 'always'];
    const child = spawn('redis-server', [...fixed, '--save', '', ...this.#settings], { stdio: 'ignore' });
    child.on('error', (error) => {
      throw new Error(`Install redis-server, as .ci/install-debian-packages.sh does: ${error.message}`);
    });
    this.#child = child;
    for (;;) {
      const reply = await this.#request((redis) => redis.ping()).catch((error: unknown) => String(error));
      if (reply === 'PONG' || /NOAUTH/.test(reply)) return;
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
      await pause(20);
    }
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const end = once(child, 'exit');
    child.kill('SIGKILL');
    await end;
  }

  /** Ends the server and removes its files. */
  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Removes its folder and waits until the server refuses writes, because it cannot save. */
  async loseDisk(): Promise<void> {
    rmSync(this.#folder, { recursive: true });
    await this.command('CONFIG', 'SET', 'save', '3600 1');
    await this.command('BGSAVE');
    while (!/rdb_last_bgsave_status:err/.test(String(await this.command('INFO', 'persistence')))) await pause(20);
  }

  /** Sends one command. */
  async command(name: string, ...args: readonly string[]): Promise<unknown> {
    return this.#request((redis) => redis.call(name, ...args));
  }

  async #request<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis({ port: this.port, lazyConnect: true, retryStrategy: () => null });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  }
}
