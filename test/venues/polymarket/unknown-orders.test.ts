import { expect, it } from 'vitest';
import { NO_ANSWER, openParts, refusal } from './parts.ts';

const ABSENT = { type: 'done', json: { canceled: [], not_canceled: { a: 'Order not found' } } } as const;

it('an order without a response is not resent after a long time', async () => {
  const parts = await openParts();
  const { answers, requests, unknown } = parts;
  answers.set('GET /data/orders', () => NO_ANSWER);
  answers.set('DELETE /order', () => ABSENT);
  unknown.resolve(parts.sentOrder(1));
  await parts.pass(60_000);
  answers.delete('GET /data/orders');
  await parts.pass(20_000);
  expect(requests).not.toContain('POST /order');
  expect(parts.types()).toEqual(['orderUncertain', 'orderRejected']);
});

it('an order is rejected only after the venue has answered its cancel', async () => {
  const parts = await openParts();
  const { answers, requests, unknown } = parts;
  answers.set('POST /order', () => refusal('RESTARTING', 'try again later'));
  answers.set('DELETE /order', () => refusal('RESTARTING', 'try again later'));
  const order = parts.sentOrder(1);
  unknown.resolve(order);
  await parts.pass(30_000);
  expect(order.life.isUnconfirmed).toBe(true);
  expect(requests.filter((each) => each === 'DELETE /order').length).toBeGreaterThan(3);
  answers.set('DELETE /order', () => ABSENT);
  await parts.pass(30_000);
  expect(parts.types()).toEqual(['orderUncertain', 'orderRejected']);
});

it.each([
  ['cannot rest', { timeInForce: 'FAK', postOnly: false } as const],
  ['should be cancelled', {}],
])('an order that %s is not resent, and closes when its cancel succeeds', async (_, more) => {
  const parts = await openParts();
  const { answers, requests, unknown } = parts;
  const order = parts.sentOrder(1, more);
  if (order.canRest) order.cancelIfAtVenue();
  answers.set('DELETE /order', () => ({ type: 'done', json: { canceled: [order.hash], not_canceled: {} } }));
  unknown.resolve(order);
  await parts.pass(30_000);
  expect(requests).not.toContain('POST /order');
  expect(parts.types()).toEqual(['orderUncertain', 'orderAccepted', 'orderClosed']);
});

it('a resting order without a response is resent with the same bytes until the venue reports a duplicate', async () => {
  const parts = await openParts();
  const { answers, unknown } = parts;
  const order = parts.sentOrder(1);
  const bodies: string[] = [];
  answers.set('POST /order', ({ body = '' }) => {
    bodies.push(body);
    return bodies.length < 2 ? NO_ANSWER : refusal('DUPLICATE', 'order is invalid. Duplicated.');
  });
  answers.set('DELETE /order', () => ABSENT);
  unknown.resolve(order);
  await parts.pass(30_000);
  expect(bodies).toEqual([order.record.wire, order.record.wire]);
  expect(parts.types()).toEqual(['orderUncertain', 'orderAccepted', 'orderClosed']);
});
