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

  /** With an append-only file. @param settings as on the command line of `redis-server`, after `--port` and the like */
  static async start(...settings: readonly string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), settings);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Also after `kill`, with what its file has. */
  async start(): Promise<void> {
    const fixed = ['--port', `${this.port}`, '--dir', this.#folder, '--appendonly', 'yes', '--appendfsync', 'always'];
    const child = spawn('redis-server', [...fixed, '--save', '', ...this.#settings], { stdio: 'ignore' });
    child.on('error', (error) => {
      throw new Error(`Install redis-server, as .ci/install-debian-packages.sh does: ${error.message}`);
    });
    this.#child = child;
    for (;;) {
      const answer = await this.#ask((redis) => redis.ping()).catch((error: unknown) => String(error));
      if (answer === 'PONG' || /NOAUTH/.test(answer)) return;
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

  /** Its folder is gone, and it knows: it cannot save and refuses writes. */
  async loseDisk(): Promise<void> {
    rmSync(this.#folder, { recursive: true });
    await this.command('CONFIG', 'SET', 'save', '3600 1');
    await this.command('BGSAVE');
    while (!/rdb_last_bgsave_status:err/.test(String(await this.command('INFO', 'persistence')))) await pause(20);
  }

  /** Sends one command. */
  async command(name: string, ...args: readonly string[]): Promise<unknown> {
    return this.#ask((redis) => redis.call(name, ...args));
  }

  async #ask<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
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
