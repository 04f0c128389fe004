/** Entry of a `FlowRunner`'s thread. Does nothing on the main thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbage } from '../harness.ts';
import { coreNanos, coreOutcome } from './core-run.ts';
import { exchangeNanos, exchangeOutcome } from './exchange-run.ts';
import type { FlowRequest, ImplementationName } from './flow-runner.ts';
import type { OrderFlow, Outcome } from './order-flow.ts';
import { peerNanos, peerOutcome } from './peer-run.ts';

interface Implementation {
  readonly nanos: (flow: OrderFlow, feeRateBps: number) => number;
  readonly outcome: (flow: OrderFlow) => Outcome;
}

const IMPLEMENTATIONS: Readonly<Record<ImplementationName, Implementation>> = {
  exchange: { nanos: exchangeNanos, outcome: exchangeOutcome },
  core: { nanos: coreNanos, outcome: coreOutcome },
  peer: { nanos: peerNanos, outcome: peerOutcome },
};

if (parentPort !== null) serve(parentPort, IMPLEMENTATIONS[implementationName(workerData)]);

function serve(port: NonNullable<typeof parentPort>, implementation: Implementation): void {
  let flow: OrderFlow | undefined;
  port.on('message', (request: FlowRequest) => {
    if ('flow' in request) {
      flow = request.flow;
      port.postMessage(undefined);
    } else if (flow !== undefined) port.postMessage(result(implementation, flow, request));
  });
}

type Measurement = Exclude<FlowRequest, { flow: OrderFlow }>;

function result(implementation: Implementation, flow: OrderFlow, request: Measurement): Outcome | number {
  collectGarbage();
  if (request.type === 'outcome') return implementation.outcome(flow);
  let sum = 0;
  for (let pass = 0; pass < request.passes; pass++) sum += implementation.nanos(flow, request.feeRateBps);
  return sum / request.passes;
}

function implementationName(value: unknown): ImplementationName {
  if (value === 'exchange' || value === 'core' || value === 'peer') return value;
  throw new TypeError(`unknown implementation: ${String(value)}`);
}
