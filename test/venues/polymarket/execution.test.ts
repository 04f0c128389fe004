import { expect, it } from 'vitest';
import { seededRandom, wallClock } from '../../../src/clock/index.ts';
import { LOT, OrderLifecycle, SHARE } from '../../../src/domain/index.ts';
import type { StartPolicy } from '../../../src/venues/base/index.ts';
import { Execution } from '../../../src/venues/polymarket/execution.ts';
import { UserChannel } from '../../../src/venues/polymarket/user-channel.ts';
import { afterThisTest } from '../../cleanup.ts';
import { until } from '../service/real-venue.ts';
import { MARKET, openParts, orderRow, tradeRow, YES } from './parts.ts';
import { openUserServer } from './user-server.ts';

const CREDENTIALS = { address: '0x1', apiKey: 'own-key', secret: 'c2VjcmV0', passphrase: 'p' };

async function openExecution({ userUrl, aheadMs = 0 }: { readonly userUrl?: string; readonly aheadMs?: number } = {}) {
  const parts = await openParts({ aheadMs });
  const url = userUrl ?? (await openUserServer()).url;
  const execution = new Execution(parts.deps, {
    userUrl: url,
    credentials: CREDENTIALS,
    random: seededRandom(1),
    sellableFrom: 'confirmed',
    signatureType: 0,
    onDesync: () => {},
    onFault: (error) => {
      throw error;
    },
  });
  afterThisTest.add(() => {
    execution.close();
    parts.deps.timers.close();
  });
  const balances = { cash: 1_000_000_000, yes: 0 };
  parts.answers.set('GET /balance-allowance', ({ query = {} }) => {
    const balance = query['token_id'] === undefined ? balances.cash : query['token_id'] === YES ? balances.yes : 0;
    return { type: 'done', json: { balance: String(balance) } };
  });
  /** Advances time until the promise settles. */
  const waitFor = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const finish = (): void => {
      isOver = true;
    };
    work.then(finish, finish);
    while (!isOver) await parts.pass(5);
    return work;
  };
  /** Starts after an earlier run that had accepted all stored orders and requested their cancels. */
  const start = (policy: Pick<StartPolicy, 'leftovers' | 'isFirst'>) => {
    const journal = parts.deps.records.unfinishedOrders();
    for (const record of journal)
      parts.deps.orders.restore(record, new OrderLifecycle(record.command.shares, 'live', 'cancel'));
    return execution.start({ ...policy, adopt: false, journal, unsettled: [] });
  };
  return { ...parts, execution, balances, waitFor, start };
}

it('cash returned by a trade that fails during a comparison is not booked as a deposit', async () => {
  const { execution, start, waitFor, acceptedOrder, clock, listed, answers, balances, state, ...parts } =
    await openExecution();
  await waitFor(start({ leftovers: 'cancel', isFirst: true }));
  const order = acceptedOrder(1);
  const trade = { id: 't-1', at: clock.now() + 1_000, makers: [[order.hash, 4]] } as const;
  listed.orders = [orderRow(order, 4)];
  listed.trades = [tradeRow({ ...trade, status: 'MATCHED' })];
  balances.cash -= 1_800_000;
  expect(await waitFor(execution.compare())).toMatchObject({ outcome: 'agrees' });
  expect(state.market(MARKET).position.yes).toBe(4 * SHARE);
  const read = answers.get('GET /balance-allowance');
  answers.set('GET /balance-allowance', (request) => {
    // The trade fails between the lists and the balance.
    listed.trades = [tradeRow({ ...trade, status: 'FAILED' })];
    balances.cash = 1_000_000_000;
    return read?.(request) ?? { type: 'unknown', problem: 'cut', isSent: true };
  });
  expect(await waitFor(execution.compare())).toBeUndefined();
  expect(await waitFor(execution.compare())).toMatchObject({ outcome: 'agrees' });
  expect(parts.types()).not.toContain('cashAdjusted');
  expect(state.cash).toBe(1_000_000_000);
});

it('the proceeds of an unconfirmed sale are not missing, and extra cash is booked only after its confirmation', async () => {
  const { execution, start, waitFor, sentOrder, acceptedOrder, clock, listed, balances, ...parts } =
    await openExecution();
  await waitFor(start({ leftovers: 'cancel', isFirst: true }));
  const at = clock.now() + 1_000;
  const bought = tradeRow({ id: 't-1', at, status: 'CONFIRMED', makers: [[acceptedOrder(1).hash, 10]] });
  const { hash } = sentOrder(2, { side: 'SELL' });
  const sold = { id: 't-2', at, makers: [[hash, 10]] } as const;
  listed.trades = [tradeRow({ ...sold, status: 'MATCHED' }), bought];
  balances.cash -= 4_500_000;
  expect(await waitFor(execution.compare())).toMatchObject({ outcome: 'agrees' });
  balances.cash += 6_000_000;
  expect(await waitFor(execution.compare())).toMatchObject({ outcome: 'agrees' });
  expect(parts.types()).not.toContain('cashAdjusted');
  listed.trades = [tradeRow({ ...sold, status: 'CONFIRMED' }), bought];
  balances.cash += 4_500_000;
  expect(await waitFor(execution.compare())).toMatchObject({ outcome: 'adjusted' });
  expect(parts.state.cash).toBe(1_006_000_000);
});

it('a trade that matches while the start reads balances is booked as a fill, not as a difference', async () => {
  const { start, waitFor, sentOrder, clock, listed, answers, balances, state } = await openExecution();
  const order = sentOrder(1);
  listed.orders = [orderRow(order, 0)];
  const read = answers.get('GET /balance-allowance');
  answers.set('GET /balance-allowance', (request) => {
    listed.trades = [tradeRow({ id: 't-1', at: clock.now(), status: 'MATCHED', makers: [[order.hash, 4]] })];
    balances.cash = 998_200_000;
    return read?.(request) ?? { type: 'unknown', problem: 'cut', isSent: true };
  });
  const started = await waitFor(start({ leftovers: 'adopt', isFirst: false }));
  expect(started).toMatchObject({ outcome: 'agrees' });
  expect(state.cash).toBe(998_200_000);
  expect(state.market(MARKET).position.yes).toBe(4 * SHARE);
});

it('a balance that is less than a lot below the position is not a difference', async () => {
  const { execution, start, waitFor, acceptedOrder, clock, listed, balances } = await openExecution();
  await waitFor(start({ leftovers: 'cancel', isFirst: true }));
  const order = acceptedOrder(1);
  listed.orders = [orderRow(order, 4)];
  listed.trades = [tradeRow({ id: 't-1', status: 'CONFIRMED', at: clock.now() + 1_000, makers: [[order.hash, 4]] })];
  balances.cash -= 1_800_000;
  balances.yes = 4 * SHARE - 3;
  expect(await waitFor(execution.compare())).toMatchObject({ outcome: 'agrees' });
  balances.yes = 4 * SHARE - LOT;
  expect(await waitFor(execution.compare())).toMatchObject({ outcome: 'disagrees' });
});

it('an account with an unsettled trade is taken over once the trade is settled', async () => {
  const { start, waitFor, clock, listed, balances, state, pass } = await openExecution();
  const trade = { id: 't-1', at: clock.now(), makers: [[`0x${'5'.repeat(64)}`, 4]] } as const;
  listed.trades = [tradeRow({ ...trade, status: 'MATCHED' })];
  const started = start({ leftovers: 'cancel', isFirst: true });
  await pass(5_000);
  balances.yes = 4 * SHARE;
  listed.trades = [tradeRow({ ...trade, status: 'CONFIRMED' })];
  expect(await waitFor(started)).toMatchObject({ outcome: 'agrees' });
  expect(state.market(MARKET).position.yes).toBe(4 * SHARE);
});

it('after a first start with a clock that is ahead, a later run reports a trade of the time in between', async () => {
  const { start, waitFor, sentOrder, translator, deps, clock, listed, laterRun, types } = await openExecution({
    aheadMs: 3_000,
  });
  await waitFor(start({ leftovers: 'cancel', isFirst: true }));
  translator.onAccepted(sentOrder(1), deps.venueTime(clock.now()));
  const at = deps.venueTime(clock.now()) + 1_000;
  listed.trades = [tradeRow({ id: 't-1', at, status: 'MATCHED', makers: [[`0x${'5'.repeat(64)}`, 4]] })];
  await laterRun().poller.poll();
  expect(types()).toEqual(['orderAccepted', 'orderFilled']);
});

it('an unreachable user channel ends the start soon, with its address and the problem', async () => {
  const { start, waitFor } = await openExecution({ userUrl: 'ws://127.0.0.1:1/ws/user' });
  await expect(waitFor(start({ leftovers: 'cancel', isFirst: true }))).rejects.toThrow(
    /ws:\/\/127.0.0.1:1\/ws\/user did not open \(connect ECONNREFUSED .*\). Check venue.ws_url/,
  );
});

it('a cancel that an earlier run requested is sent when its order is adopted', async () => {
  const { start, waitFor, sentOrder, listed, answers, ...parts } = await openExecution();
  const order = sentOrder(1);
  parts.deps.orders.remove(order);
  listed.orders = [orderRow(order)];
  answers.set('DELETE /order', () => {
    listed.orders = [];
    return { type: 'done', json: { canceled: [order.hash], not_canceled: {} } };
  });
  const started = await waitFor(start({ leftovers: 'adopt', isFirst: false }));
  expect(started.leftovers).toMatchObject({ found: 1 });
  await parts.pass(5_000);
  expect(parts.types()).toEqual(['orderClosed']);
});

it('of two closed orders in an old list, only the one that is open at the venue is cancelled', async () => {
  const { execution, start, waitFor, acceptedOrder, translator, listed, answers, requests, clock } =
    await openExecution();
  await waitFor(start({ leftovers: 'cancel', isFirst: true }));
  const [ended, open] = [acceptedOrder(1), acceptedOrder(2)];
  listed.orders = [orderRow(ended), orderRow(open)];
  for (const order of [ended, open]) translator.onEnded(order, { matched: 0, reason: 'USER', at: clock.now() });
  answers.set('GET /data/order/*', ({ path }) => {
    return path.endsWith(open.hash) ? { type: 'done', json: orderRow(open) } : { type: 'done', json: {} };
  });
  const cancelled: string[] = [];
  answers.set('DELETE /order', ({ body = '' }) => {
    cancelled.push(JSON.parse(body).orderID);
    return { type: 'done', json: { canceled: cancelled, not_canceled: {} } };
  });
  await waitFor(execution.compare());
  expect(cancelled).toEqual([open.hash]);
  expect(requests).not.toContain('DELETE /orders');
});

it('a user channel is open only after the venue has accepted the sign-in', async () => {
  const server = await openUserServer();
  server.answersPings = false;
  const seen: string[] = [];
  const channel = new UserChannel({
    ...{ url: server.url, credentials: CREDENTIALS, clock: wallClock(), random: seededRandom(1) },
    ...{ onOrder: () => {}, onTrade: () => {}, onOpened: () => seen.push('opened'), onLost: () => {} },
  });
  afterThisTest.add(() => channel.close());
  channel.connect();
  await until(() => server.sockets.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(channel.isOpen).toBe(false);
  server.sockets[0]?.send('PONG');
  await until(() => channel.isOpen);
  expect(seen).toEqual(['opened']);
});
