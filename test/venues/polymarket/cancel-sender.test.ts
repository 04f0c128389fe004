import { expect, it } from 'vitest';
import { SHARE } from '../../../src/domain/index.ts';
import { CancelClient } from '../../../src/venues/polymarket/account-reader.ts';
import { MARKET, NO_ANSWER, openParts, orderRow, refusal, tradeRow } from './parts.ts';

it('a cancelled order that the user channel does not report closes only after its trades were read', async () => {
  const parts = await openParts();
  const { answers, clock, listed, cancels } = parts;
  const order = parts.acceptedOrder(1);
  answers.set('DELETE /order', () => ({ type: 'done', json: { canceled: [order.hash], not_canceled: {} } }));
  answers.set('GET /data/trades', () => NO_ANSWER);
  cancels.cancel([order], { isRequested: true });
  await parts.pass(20_000);
  expect(order.life.hasEnded).toBe(false);
  listed.trades = [tradeRow({ id: 't-1', status: 'MATCHED', at: clock.now(), makers: [[order.hash, 6]] })];
  answers.delete('GET /data/trades');
  await parts.pass(20_000);
  expect(parts.types()).toEqual(['orderAccepted', 'orderFilled', 'orderClosed']);
  expect(parts.state.market(MARKET).position.yes).toBe(6 * SHARE);
});

it('a cancel of an order that the venue does not know is repeated until the order has ended', async () => {
  const parts = await openParts();
  const { answers, cancels, listed } = parts;
  const order = parts.acceptedOrder(1);
  const reasons = { [order.hash]: 'Order not found' };
  answers.set('DELETE /order', () => ({ type: 'done', json: { canceled: [], not_canceled: reasons } }));
  cancels.cancel([order], { isRequested: true });
  await parts.pass(3_000);
  expect(order.life.hasEnded).toBe(false);
  listed.orders = [orderRow(order)];
  answers.set('DELETE /order', () => ({ type: 'done', json: { canceled: [order.hash], not_canceled: {} } }));
  await parts.pass(20_000);
  expect(parts.types()).toEqual(['orderAccepted', 'orderClosed']);
});

it('a cancel request has no more orders than the venue accepts, whatever the rate limit', async () => {
  const parts = await openParts({ maxCancels: 1_800 });
  const counts: number[] = [];
  parts.answers.set('DELETE /orders', ({ body = '[]' }) => {
    counts.push(JSON.parse(body).length);
    return NO_ANSWER;
  });
  parts.cancels.cancel(
    Array.from({ length: 1_200 }, (_, at) => parts.sentOrder(at + 1)),
    { isRequested: true },
  );
  expect(counts).toEqual([1_000, 200]);
});

it('a cancel of all orders of an account is repeated after the time that a refusal demands', async () => {
  const parts = await openParts();
  const { answers, listed, cancels, clock } = parts;
  const begun = clock.now();
  const times: number[] = [];
  answers.set('DELETE /cancel-all', () => {
    times.push(clock.now() - begun);
    if (times.length > 1) listed.orders = [];
    return refusal('RATE_LIMITED', 'rate limit exceeded', 7_000);
  });
  listed.orders = [orderRow({ hash: `0x${'5'.repeat(64)}` })];
  cancels.cancelAll({ isAccountWide: true });
  await parts.pass(30_000);
  expect(times).toEqual([0, 7_000]);
  expect(cancels.pendingCount).toBe(0);
});

it.each([
  ['the venue does not answer it', () => NO_ANSWER],
  ['the orders stay open', () => ({ type: 'done', json: { canceled: [], not_canceled: {} } }) as const],
])('a cancel of all orders of an account is reported once as stuck if %s', async (_why, answer) => {
  const parts = await openParts();
  const { answers, listed, cancels, problems } = parts;
  answers.set('DELETE /cancel-all', answer);
  listed.orders = [orderRow({ hash: `0x${'5'.repeat(64)}` })];
  cancels.cancelAll({ isAccountWide: true });
  await parts.pass(5_000);
  expect(problems).toContainEqual(expect.objectContaining({ type: 'commandResent', command: 'cancel-all' }));
  expect(problems.map(({ type }) => type)).not.toContain('stuck');
  await parts.pass(60_000);
  expect(problems.filter(({ type }) => type === 'stuck')).toMatchObject([{ command: 'cancel-all', markets: [] }]);
  expect(cancels.pendingCount).toBe(1);
});

it.each([1, 9])(
  'a cancel of all orders that the venue accepts after %i failures is reported that often',
  async (count) => {
    const parts = await openParts();
    const { answers, listed, cancels, problems } = parts;
    let requests = 0;
    answers.set('DELETE /cancel-all', () => {
      requests += 1;
      if (requests <= count) return refusal('RATE_LIMITED', 'rate limit exceeded');
      listed.orders = [];
      return { type: 'done', json: { canceled: [], not_canceled: {} } };
    });
    listed.orders = [orderRow({ hash: `0x${'5'.repeat(64)}` })];
    cancels.cancelAll({ isAccountWide: true });
    await parts.pass(60_000);
    const resent = { type: 'commandResent', command: 'cancel-all', problem: 'rate limit exceeded' };
    expect(problems.filter(({ type }) => type !== 'refused')).toEqual(Array(count).fill(resent));
    expect(cancels.pendingCount).toBe(0);
  },
);

it('a cancel of all orders that the venue accepts without effect after nine failures is reported once as stuck', async () => {
  const parts = await openParts();
  const { answers, listed, cancels, problems } = parts;
  let requests = 0;
  answers.set('DELETE /cancel-all', () => {
    requests += 1;
    return requests < 10 ? NO_ANSWER : { type: 'done', json: { canceled: [], not_canceled: {} } };
  });
  listed.orders = [orderRow({ hash: `0x${'5'.repeat(64)}` })];
  cancels.cancelAll({ isAccountWide: true });
  await parts.pass(60_000);
  const stuck = problems.filter(({ type }) => type === 'stuck');
  expect(stuck).toMatchObject([{ command: 'cancel-all', problem: 'its orders stay open' }]);
});

it('a cancel of all orders of an account that ends some orders with each request is not reported', async () => {
  const parts = await openParts({ maxCancels: 2 });
  const { answers, listed, cancels, problems } = parts;
  answers.set('DELETE /orders', ({ body = '[]' }) => {
    const canceled: readonly string[] = JSON.parse(body);
    listed.orders = listed.orders.slice(canceled.length);
    return { type: 'done', json: { canceled, not_canceled: {} } };
  });
  answers.set('DELETE /cancel-all', () => {
    listed.orders = [];
    return { type: 'done', json: { canceled: [], not_canceled: {} } };
  });
  listed.orders = Array.from({ length: 41 }, (_, at) => orderRow({ hash: `0x${String(at).padStart(64, '0')}` }));
  cancels.cancelAll({ isAccountWide: true });
  await parts.pass(10_000);
  expect([problems, cancels.pendingCount]).toEqual([[], 0]);
});

it('a cancel of all orders of an account continues after the rate limit has refused a request', async () => {
  const parts = await openParts();
  const { answers, listed, rest, clock } = parts;
  let open = Array.from({ length: 250 }, (_, at) => `0x${String(at).padStart(64, '0')}`);
  const updateList = (): void => {
    listed.orders = open.map((hash) => orderRow({ hash }));
  };
  let [tokens, refilledAt] = [120, clock.now()];
  answers.set('DELETE /orders', ({ body = '[]' }) => {
    const ids: readonly string[] = JSON.parse(body);
    tokens = Math.min(120, tokens + (80 * (clock.now() - refilledAt)) / 1_000);
    refilledAt = clock.now();
    if (ids.length > tokens) return refusal('RATE_LIMITED', 'rate limit exceeded');
    tokens -= ids.length;
    open = open.filter((id) => !ids.includes(id));
    updateList();
    return { type: 'done', json: { canceled: ids, not_canceled: {} } };
  });
  updateList();
  const done = new CancelClient(rest, clock).cancelAll();
  await parts.pass(10_000);
  expect(await done).toBe(250);
});
