/**
 * Runs one flow of orders against several implementations, each in its own thread.
 *
 * Each thread has one implementation, because optimized code depends on all code that the thread runs. In a shared
 * thread, each implementation executes a quarter more instructions. Code comes from Node's compile cache. Without the
 * cache, Node strips types in the thread with growing WebAssembly memory, after which V8 checks each typed array access
 * for a detached buffer.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { OrderFlow, Outcome } from './order-flow.ts';

/** The whole exchange, its book alone, or `nodejs-order-book`. */
export type ImplementationName = 'exchange' | 'core' | 'peer';

/** A message to the thread. */
export type FlowRequest =
  | { readonly flow: OrderFlow }
  | { readonly type: 'outcome' }
  /** Requests mean nanoseconds per operation. */
  | { readonly type: 'nanos'; readonly passes: number; readonly feeRateBps: number };

const PROGRAM = new URL('./flow-runner-thread.ts', import.meta.url).href;

/** An implementation in its thread. */
export class FlowRunner {
  readonly #thread: Worker;

  private constructor(thread: Worker) {
    this.#thread = thread;
  }

  /** Starts a thread, after a first thread has filled the compile cache. */
  static async open(name: ImplementationName): Promise<FlowRunner> {
    const first = thread(name, 'cache.flushCompileCache(); require("node:worker_threads").parentPort.postMessage(0)');
    await once(first, 'message');
    await first.terminate();
    return new FlowRunner(thread(name, ''));
  }

  async setFlow(flow: OrderFlow): Promise<void> {
    await this.#request({ flow });
  }

  /** Runs the flow once without a measurement. */
  async outcome(): Promise<Outcome> {
    return this.#request({ type: 'outcome' });
  }

  /** Runs the flow `passes` times. @returns mean nanoseconds per operation */
  async nanos(passes = 1, feeRateBps = 0): Promise<number> {
    return this.#request({ type: 'nanos', passes, feeRateBps });
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  async #request<Reply>(request: FlowRequest): Promise<Reply> {
    this.#thread.postMessage(request);
    const [reply] = await once(this.#thread, 'message');
    return reply;
  }
}

/**
 * Starts a thread that enables the compile cache before it loads TypeScript. The main thread's cache is not usable,
 * because each set of V8 flags has its own cache.
 * @param then code that runs after loading
 */
function thread(name: ImplementationName, then: string): Worker {
  const load = `import(${JSON.stringify(PROGRAM)}).then(() => { ${then} })`;
  return new Worker(`const cache = require('node:module'); cache.enableCompileCache(); ${load}`, {
    eval: true,
    workerData: name,
  });
}
