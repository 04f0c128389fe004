/** Starts a process that moves books of a venue (`book-mover.ts`), and waits for its moves. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { MoveOrder } from './book-mover.ts';

export class Mover {
  readonly #child;

  constructor(url: string) {
    this.#child = fork(join(import.meta.dirname, 'book-mover.ts'), [url]);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async ready(): Promise<void> {
    await once(this.#child, 'message');
  }

  async move(order: MoveOrder): Promise<void> {
    const done = once(this.#child, 'message');
    this.#child.send(order);
    await done;
  }

  close(): void {
    this.#child.disconnect();
  }
}
