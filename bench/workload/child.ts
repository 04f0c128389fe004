/** Both sides of the benches' child processes. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { join } from 'node:path';

/** A program of this folder in a child process. It sends a message when it is ready, and a reply to each request. */
export class Child<Reply> {
  /** The first message of the program. */
  readonly ready: Reply;
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, ready: Reply) {
    this.#process = child;
    this.ready = ready;
  }

  /** @param program file name of the program */
  static async open<Reply>(program: string, args: readonly string[] = []) {
    const child = fork(join(import.meta.dirname, program), args);
    const [ready] = await once(child, 'message');
    return new Child<Reply>(child, ready);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Sends a message that has no reply. */
  send(message: object | string): void {
    this.#process.send(message);
  }

  async request(message: object | string): Promise<Reply> {
    const received = once(this.#process, 'message');
    this.send(message);
    const [reply] = await received;
    return reply;
  }

  /** Ends the process. */
  async close(): Promise<void> {
    if (!this.#process.connected) return;
    const exited = once(this.#process, 'exit');
    this.#process.disconnect();
    await exited;
  }
}

/** Lets a program's server listen on a free port of 127.0.0.1. @returns the port */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Invariant: the server has no port');
  return address.port;
}
