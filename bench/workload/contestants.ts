/**
 * Contestants of one flow in turns, each in a thread of its own.
 *
 * What a processor's code comes to depends on everything that ran through it: a core that has served the flow's maker, the
 * bare book and the exchange in one thread executes a quarter more instructions in each of them than one that serves a
 * single master, as a program's does. So each contestant is alone with its code, and the flow is made elsewhere. Stripped
 * of types they come out of Node's compile cache, as Node's stripper, which is WebAssembly that grows, would leave V8 in
 * doubt at every access to a typed array whether it is still there: a thread that is thrown away fills the cache first.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { OrderFlow } from './order-flow.ts';
import type { Outcome } from './outcome.ts';

/** Who plays: the whole exchange, its core alone, `nodejs-order-book`. */
export type Who = 'exchange' | 'core' | 'peer';

/** What a thread is asked. */
export type Question =
  | { readonly flow: OrderFlow }
  | { readonly ask: 'outcome' }
  /** The mean of so many passes. */
  | { readonly ask: 'nanos'; readonly passes: number; readonly feeRateBps: number };

const PROGRAM = new URL('./contestant-thread.ts', import.meta.url).href;

/** One of them, in its thread. */
export class Contestant {
  readonly #thread: Worker;

  private constructor(thread: Worker) {
    this.#thread = thread;
  }

  /** A new thread. */
  static async open(who: Who): Promise<Contestant> {
    const first = thread(who, 'cache.flushCompileCache(); require("node:worker_threads").parentPort.postMessage(0)');
    await once(first, 'message');
    await first.terminate();
    return new Contestant(thread(who, ''));
  }

  /** What it plays from now on. */
  async take(flow: OrderFlow): Promise<void> {
    await this.#ask({ flow });
  }

  /** Plays once, unmeasured. */
  async outcome(): Promise<Outcome> {
    return this.#ask({ ask: 'outcome' });
  }

  /** Plays so often; the mean, ns an operation. */
  async nanos(passes = 1, feeRateBps = 0): Promise<number> {
    return this.#ask({ ask: 'nanos', passes, feeRateBps });
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  async #ask<Answer>(question: Question): Promise<Answer> {
    this.#thread.postMessage(question);
    const [answer] = await once(this.#thread, 'message');
    return answer;
  }
}

/**
 * A thread of its own. Plain JavaScript opens the cache before the first file with types is read. What the main thread has
 * in the cache is no use to a thread where V8's flags were set since the start, as each set of flags has a cache apart.
 * @param then what it does once all is loaded
 */
function thread(who: Who, then: string): Worker {
  const load = `import(${JSON.stringify(PROGRAM)}).then(() => { ${then} })`;
  return new Worker(`const cache = require('node:module'); cache.enableCompileCache(); ${load}`, {
    eval: true,
    workerData: who,
  });
}
