import { expect, it } from 'vitest';
import { NO_ANSWER, openParts, refusal } from './parts.ts';

const ABSENT = { type: 'done', json: { canceled: [], not_canceled: { a: 'Order not found' } } } as const;

it('an order without an answer is not sent again at a price of long ago', async () => {
  const parts = await openParts();
  const { answers, asked, unknown } = parts;
  answers.set('GET /data/orders', () => NO_ANSWER);
  answers.set('DELETE /order', () => ABSENT);
  unknown.open(parts.sent(1));
  await parts.pass(60_000);
  answers.delete('GET /data/orders');
  await parts.pass(20_000);
  expect(asked).not.toContain('POST /order');
  expect(parts.types()).toEqual(['orderUncertain', 'orderRejected']);
});

it('an order is given up only when the venue has answered its cancel', async () => {
  const parts = await openParts();
  const { answers, asked, unknown } = parts;
  answers.set('POST /order', () => refusal('RESTARTING', 'try again later'));
  answers.set('DELETE /order', () => refusal('RESTARTING', 'try again later'));
  const order = parts.sent(1);
  unknown.open(order);
  await parts.pass(30_000);
  expect(order.life.isUnconfirmed).toBe(true);
  expect(asked.filter((each) => each === 'DELETE /order').length).toBeGreaterThan(3);
  answers.set('DELETE /order', () => ABSENT);
  await parts.pass(30_000);
  expect(parts.types()).toEqual(['orderUncertain', 'orderRejected']);
});

it.each([
  ['may be killed at once', { timeInForce: 'FAK', postOnly: false } as const],
  ['is not wanted any more', {}],
])('an order that %s is only looked for; one that its cancel has found ends as cancelled', async (_, more) => {
  const parts = await openParts();
  const { answers, asked, unknown } = parts;
  const order = parts.sent(1, more);
  if (order.canRest) order.cancelIfSeen();
  answers.set('DELETE /order', () => ({ type: 'done', json: { canceled: [order.hash], not_canceled: {} } }));
  unknown.open(order);
  await parts.pass(30_000);
  expect(asked).not.toContain('POST /order');
  expect(parts.types()).toEqual(['orderUncertain', 'orderAccepted', 'orderClosed']);
});

it('a resting order without an answer is sent again, the same bytes, until the venue says that it knows them', async () => {
  const parts = await openParts();
  const { answers, unknown } = parts;
  const order = parts.sent(1);
  const bodies: string[] = [];
  answers.set('POST /order', ({ body = '' }) => {
    bodies.push(body);
    return bodies.length < 2 ? NO_ANSWER : refusal('DUPLICATE', 'order is invalid. Duplicated.');
  });
  answers.set('DELETE /order', () => ABSENT);
  unknown.open(order);
  await parts.pass(30_000);
  expect(bodies).toEqual([order.record.wire, order.record.wire]);
  expect(parts.types()).toEqual(['orderUncertain', 'orderAccepted', 'orderClosed']);
});
