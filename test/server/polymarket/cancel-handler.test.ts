import { expect, it } from 'vitest';
import { unchecked } from '../../../src/domain/index.ts';
import { WHOLE_COMMAND } from '../../../src/exchange/index.ts';
import { rateLimited } from '../../../src/protocol/index.ts';
import { createCancelHandler } from '../../../src/server/polymarket/cancel-handler.ts';

type Parts = Parameters<typeof createCancelHandler>[0];
type Caller = Parameters<ReturnType<typeof createCancelHandler>['cancel']>[1];

const HALTED = [{ type: 'refused', entry: WHOLE_COMMAND, refusal: { reason: 'VENUE_MODE' } }];
const CALLER = { account: unchecked.account(1), key: { number: 1 } } as unknown as Caller;
const IDS = ['1', '2', '3'].map((digit) => `0x${digit.repeat(64)}`);

/** Cancels orders in batches of two. @param batches the events of each batch, or the error of the queue */
function cancel(batches: readonly (readonly object[] | Error)[], orders = IDS) {
  const waiting = [...batches];
  const queue = {
    view: { config: { maxBatchCancels: 2 } },
    run: async ({ answer }: { readonly answer: (events: unknown) => unknown }) => {
      const events = waiting.shift();
      if (events instanceof Error) throw events;
      return answer(events);
    },
  };
  const ids = { orderNo: () => 1 };
  return createCancelHandler({ queue, ids } as unknown as Parts).cancel(orders, CALLER);
}

it('an answer names the orders that were cancelled before the venue stopped to accept cancels', async () => {
  const [, second = '', last = ''] = IDS;
  const notFound = { type: 'refused', entry: 1, refusal: { reason: 'NOT_FOUND' } };
  expect(await cancel([[notFound], HALTED])).toEqual({
    canceled: IDS.slice(0, 1),
    not_canceled: { [second]: 'Order not found', [last]: 'Trading is currently disabled. Try again later.' },
  });
});

it('an answer names the orders that were cancelled before the queue was full', async () => {
  const [, , last = ''] = IDS;
  expect(await cancel([[], rateLimited(50)])).toEqual({
    canceled: IDS.slice(0, 2),
    not_canceled: { [last]: 'rate limited: retry in 50 ms' },
  });
  await expect(cancel([rateLimited(50)])).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await expect(cancel([[], new Error('broken inside')])).rejects.toThrow('broken inside');
});

it('a venue that accepts no cancels refuses the request with status 503', async () => {
  await expect(cancel([HALTED, HALTED])).rejects.toMatchObject({
    status: 503,
    message: 'Trading is currently disabled. Try again later.',
  });
});

it('an id that a request names twice is cancelled and answered once', async () => {
  const [first = '', second = ''] = IDS;
  const notFound = { type: 'refused', entry: 1, refusal: { reason: 'NOT_FOUND' } };
  expect(await cancel([[notFound], [notFound]], [first, first, second, first])).toEqual({
    canceled: [first],
    not_canceled: { [second]: 'Order not found' },
  });
});
