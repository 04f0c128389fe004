/** The way to no venue: requests are written as ever, to this process itself or nowhere. Whatever else is asked is a mistake. */
import type { Clock } from '../../../clock/index.ts';
import { OPERATIONS } from '../../../protocol/index.ts';
import { ClientFrame } from '../transport/client-frame.ts';
import { ClockOffset } from '../transport/clock-offset.ts';
import { endpointOf, type OperationTexts, type Transport } from '../transport/index.ts';
import { addRequest, requestHead } from '../transport/request-text.ts';
import type { Loopback } from './loopback.ts';

/** @param clock its timers never come @param loopback takes the requests; without it they are dropped */
export function rehearsalTransport(
  clock: Clock,
  operations: OperationTexts,
  loopback: Loopback | undefined,
): Transport {
  const head = requestHead(operations.textOf(OPERATIONS.replaceOrders));
  const frame = new ClientFrame();
  const silent = (): void => {};
  let ids = 0;
  return {
    clock,
    operations,
    endpoint: endpointOf({ url: 'http://rehearsal.invalid' }),
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
    query: nobody,
    ask: nobody,
    mutate: nobody,
    subscribe: nobody,
    open: nobody,
    onLink: nobody,
    setCredentials: nobody,
    renew: nobody,
    pace: nobody,
    close: nobody,
  };
}

function nobody(): never {
  throw new Error('Invariant: a rehearsal asks nobody');
}
