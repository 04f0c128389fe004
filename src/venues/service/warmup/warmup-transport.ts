/** The way to no venue: requests are written as ever, to this process itself or nowhere. Every other call is a mistake. */
import type { Clock } from '../../../clock/index.ts';
import { OPERATIONS } from '../../../protocol/index.ts';
import { addRequest, ClientFrame, requestHead } from '../transport/client-frame.ts';
import { ClockOffset } from '../transport/clock-offset.ts';
import { endpointOf, type OperationTexts, type Transport } from '../transport/index.ts';

/** Takes frames. */
export interface FrameOutput {
  /** @returns whether the bytes are nobody's any more */
  write(frame: Uint8Array): boolean;
}

/** @param clock its timers never come @param loopback takes the requests; without it they are dropped */
export function warmupTransport(
  clock: Clock,
  operations: OperationTexts,
  loopback: FrameOutput | undefined,
): Transport {
  const head = requestHead(operations.textOf(OPERATIONS.replaceOrders));
  const frame = new ClientFrame();
  const silent = (): void => {};
  let ids = 0;
  return {
    clock,
    operations,
    endpoint: endpointOf({ url: 'http://warmup.invalid' }),
    offset: new ClockOffset(),
    isOpen: true,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    send(_operation, variables) {
      ids += 1;
      addRequest(frame, String(ids), { head, variables });
      const bytes = frame.take();
      if (loopback?.write(bytes) === false) frame.leave();
      return true;
    },
    query: notForWarmups,
    ask: notForWarmups,
    mutate: notForWarmups,
    subscribe: notForWarmups,
    open: notForWarmups,
    onLink: notForWarmups,
    setCredentials: notForWarmups,
    renew: notForWarmups,
    pace: notForWarmups,
    close: notForWarmups,
  };
}

function notForWarmups(): never {
  throw new Error('Invariant: a warm-up makes no other request');
}
