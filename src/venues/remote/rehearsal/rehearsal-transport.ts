/** The way to no venue: requests are written down as ever and dropped. Whatever else is asked is a mistake. */
import type { Clock } from '../../../clock/index.ts';
import { OPERATIONS } from '../../../protocol/index.ts';
import { ClockOffset } from '../transport/clock-offset.ts';
import { endpointOf, type OperationTexts, type Transport } from '../transport/index.ts';

/** @param clock its timers never come */
export function rehearsalTransport(clock: Clock, operations: OperationTexts): Transport {
  const head = `{"query":${JSON.stringify(operations.textOf(OPERATIONS.replaceOrders))},"variables":`;
  const silent = (): void => {};
  let ids = 0;
  return {
    ...{ clock, operations, endpoint: endpointOf({ url: 'http://rehearsal.invalid' }), offset: new ClockOffset() },
    ...{ isOpen: true, log: { debug: silent, info: silent, warn: silent, error: silent } },
    send(_operation, variables) {
      ids += 1;
      Buffer.from(`{"id":"${ids}","type":"subscribe","payload":${head}${variables}}}`);
      return true;
    },
    ...{ query: nobody, ask: nobody, mutate: nobody, subscribe: nobody, open: nobody, onLink: nobody },
    ...{ setCredentials: nobody, renew: nobody, pace: nobody, close: nobody },
  };
}

function nobody(): never {
  throw new Error('Invariant: a rehearsal asks nobody');
}
