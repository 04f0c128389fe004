import { expect, it } from 'vitest';
import { SHARE } from '../../../src/domain/index.ts';
import { CancelClient } from '../../../src/venues/polymarket/cancel-client.ts';
import { MARKET, NO_ANSWER, openParts, orderRow, refusal, tradeRow } from './parts.ts';

it('an order that was cancelled, which the user channel does not show, ends when its trades were read, not before', async () => {
  const parts = await openParts();
  const { answers, clock, listed, cancels } = parts;
  const order = parts.standing(1);
  answers.set('DELETE /order', () => ({ type: 'done', json: { canceled: [order.hash], not_canceled: {} } }));
  answers.set('GET /data/trades', () => NO_ANSWER);
  cancels.cancel([order], true);
  await parts.pass(20_000);
  expect(order.life.hasEnded).toBe(false);
  listed.trades = [tradeRow({ id: 't-1', status: 'MATCHED', at: clock.now(), makers: [[order.hash, 6]] })];
  answers.delete('GET /data/trades');
  await parts.pass(20_000);
  expect(parts.types()).toEqual(['orderAccepted', 'orderFilled', 'orderClosed']);
  expect(parts.state.market(MARKET).position.yes).toBe(6 * SHARE);
});

it('a cancel that the venue does not know the order of is repeated until the order is gone', async () => {
  const parts = await openParts();
  const { answers, cancels, listed } = parts;
  const order = parts.standing(1);
  const reasons = { [order.hash]: 'Order not found' };
  answers.set('DELETE /order', () => ({ type: 'done', json: { canceled: [], not_canceled: reasons } }));
  cancels.cancel([order], true);
  await parts.pass(3_000);
  expect(order.life.hasEnded).toBe(false);
  listed.orders = [orderRow(order)];
  answers.set('DELETE /order', () => ({ type: 'done', json: { canceled: [order.hash], not_canceled: {} } }));
  await parts.pass(20_000);
  expect(parts.types()).toEqual(['orderAccepted', 'orderClosed']);
});

it('no request names more orders than the venue takes, however many the rate limit lets through', async () => {
  const parts = await openParts({ maxCancels: 1_800 });
  const counts: number[] = [];
  parts.answers.set('DELETE /orders', ({ body = '[]' }) => {
    counts.push(JSON.parse(body).length);
    return NO_ANSWER;
  });
  parts.cancels.cancel(
    Array.from({ length: 1_200 }, (_, at) => parts.sent(at + 1)),
    true,
  );
  expect(counts).toEqual([1_000, 200]);
});

it('cancelling all orders of an account goes on when the rate limit lets no more through for a while', async () => {
  const parts = await openParts();
  const { answers, listed, rest, clock } = parts;
  let open = Array.from({ length: 250 }, (_, at) => `0x${String(at).padStart(64, '0')}`);
  const show = (): void => {
    listed.orders = open.map((hash) => orderRow({ hash }));
  };
  let [tokens, filledAt] = [120, clock.now()];
  answers.set('DELETE /orders', ({ body = '[]' }) => {
    const ids: readonly string[] = JSON.parse(body);
    tokens = Math.min(120, tokens + (80 * (clock.now() - filledAt)) / 1_000);
    filledAt = clock.now();
    if (ids.length > tokens) return refusal('RATE_LIMITED', 'rate limit exceeded');
    tokens -= ids.length;
    open = open.filter((id) => !ids.includes(id));
    show();
    return { type: 'done', json: { canceled: ids, not_canceled: {} } };
  });
  show();
  const done = new CancelClient(rest, clock).cancelAll();
  await parts.pass(10_000);
  expect(await done).toBe(250);
});
