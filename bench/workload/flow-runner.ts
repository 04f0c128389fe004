/**
 * Runs one flow of orders against several implementations, each in a thread of its own: optimised code depends on everything
 * that ran through it, so in a shared thread each implementation executes a quarter more instructions. The code is bundled, as in
 * the published package.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import type { OrderFlow } from './order-flow.ts';
import type { Outcome } from './outcome.ts';

/** The whole exchange, its book alone, or `nodejs-order-book`. */
export type ImplementationName = 'exchange' | 'core' | 'peer';

/** A message to the thread. */
export type FlowRequest =
  | { readonly flow: OrderFlow }
  | { readonly type: 'outcome' }
  /** Asks for the mean of `passes` passes. */
  | { readonly type: 'nanos'; readonly passes: number; readonly feeRateBps: number };

const SOURCE = join(import.meta.dirname, 'flow-runner-thread.ts');
const BUNDLE = join(import.meta.dirname, '../out/flow-runner-thread.mjs');

/** An implementation in its thread. */
export class FlowRunner {
  readonly #thread: Worker;

  private constructor(thread: Worker) {
    this.#thread = thread;
  }

  /** Bundles the code and starts a thread. */
  static async open(name: ImplementationName): Promise<FlowRunner> {
    await build({
      ...{ entryPoints: [SOURCE], outfile: BUNDLE, logLevel: 'warning' },
      ...{ bundle: true, format: 'esm', platform: 'node', packages: 'external' },
    });
    return new FlowRunner(new Worker(BUNDLE, { workerData: name }));
  }

  /** Sets the flow. */
  async setFlow(flow: OrderFlow): Promise<void> {
    await this.#request({ flow });
  }

  /** Runs the flow once, unmeasured. */
  async outcome(): Promise<Outcome> {
    return this.#request({ type: 'outcome' });
  }

  /** Runs the flow `passes` times. @returns the mean, ns an operation */
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
