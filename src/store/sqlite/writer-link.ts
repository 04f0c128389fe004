/** The way to the writer: on this thread, or on one of its own, so that nothing waits for the disk here. */
import { Worker } from 'node:worker_threads';
import type { Connection } from './database.ts';
import type { WriterAnswer, WriterMessage } from './messages.ts';
import { type SqliteTrouble, troubleOf } from './sqlite-fault.ts';
import { Writer, type WriterOptions } from './writer.ts';

/** Told what became of a message. */
export type Answered = (answer: WriterAnswer) => void;

/** Sends messages; answers come in the order of asking, perhaps at once. */
export interface WriterLink {
  send(message: WriterMessage, answered: Answered): void;
  /** What is under way is answered first. */
  close(): Promise<void>;
}

/** What the thread is told besides. */
export type ThreadMessage = WriterMessage | { readonly type: 'close' };

/** Everything on this thread. */
export class InlineLink implements WriterLink {
  readonly #writer: Writer;

  constructor(options: WriterOptions, connection?: Connection) {
    this.#writer = new Writer(options, connection);
  }

  send(message: WriterMessage, answered: Answered): void {
    answered(this.#writer.answer(message));
  }

  close(): Promise<void> {
    this.#writer.close();
    return Promise.resolve();
  }
}

/** A thread of its own. It holds the process up only while it has something to do. */
export class ThreadLink implements WriterLink {
  readonly #worker: Worker;
  readonly #waiting: Answered[] = [];
  readonly #ended: Promise<void>;
  #trouble: SqliteTrouble | undefined;
  #isClosing = false;

  constructor(options: WriterOptions) {
    const entry = import.meta.url.endsWith('.ts') ? './writer-thread.ts' : './writer-thread.js';
    this.#worker = new Worker(new URL(entry, import.meta.url), { workerData: options });
    this.#worker.unref();
    this.#worker.on('message', (answer: WriterAnswer) => this.#take(answer));
    this.#worker.on('error', (cause) => this.#fail(troubleOf(cause)));
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#fail({ code: '', message: 'the writing thread ended' });
        resolve();
      });
    });
  }

  send(message: WriterMessage, answered: Answered): void {
    if (this.#trouble !== undefined) {
      answered({ trouble: this.#trouble });
      return;
    }
    this.#worker.ref();
    this.#waiting.push(answered);
    this.#post(message);
  }

  close(): Promise<void> {
    // Until the end, also behind answers that come before it.
    this.#isClosing = true;
    this.#worker.ref();
    this.#post({ type: 'close' });
    return this.#ended;
  }

  #post(message: ThreadMessage): void {
    this.#worker.postMessage(message);
  }

  #take(answer: WriterAnswer): void {
    const answered = this.#waiting.shift();
    if (this.#waiting.length === 0 && !this.#isClosing) this.#worker.unref();
    answered?.(answer);
  }

  #fail(trouble: SqliteTrouble): void {
    this.#trouble ??= trouble;
    for (const answered of this.#waiting.splice(0)) answered({ trouble: this.#trouble });
  }
}
