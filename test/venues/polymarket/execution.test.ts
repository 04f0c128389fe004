import { expect, it } from 'vitest';
import { seededRandom, wallClock } from '../../../src/clock/index.ts';
import { LOT, OrderLifecycle, SHARE } from '../../../src/domain/index.ts';
import { Execution } from '../../../src/venues/polymarket/execution.ts';
import { UserChannel } from '../../../src/venues/polymarket/user-channel.ts';
import { afterThisTest } from '../../cleanup.ts';
import { until } from '../service/real-venue.ts';
import { MARKET, openParts, orderRow, tradeRow, YES } from './parts.ts';
import { openUserServer } from './user-server.ts';

const CREDENTIALS = { address: '0x1', apiKey: 'own-key', secret: 'c2VjcmV0', passphrase: 'p' };

async function openExecution(userUrl?: string) {
  const parts = await openParts();
  const url = userUrl ?? (await openUserServer()).url;
  const execution = new Execution(parts.deps, {
    userUrl: url,
    credentials: CREDENTIALS,
    random: seededRandom(1),
    sellableFrom: 'confirmed',
    signatureType: 0,
    restored: ({ command }) => OrderLifecycle.restored('live', command.shares, 'cancel'),
    unsettled: () => [],
    lost: () => {},
    fault: (error) => {
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
  /** Lets time pass until it is done. */
  const done = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    work.then(over, over);
    while (!isOver) await parts.pass(5);
    return work;
  };
  return { ...parts, execution, balances, done };
}

it('cash that a trade gave back, which failed while the account was compared, is not taken for a deposit', async () => {
  const { execution, done, standing, clock, listed, answers, balances, state, ...parts } = await openExecution();
  await done(execution.start({ leftovers: 'cancel', adopt: false, isFirst: true }));
  const order = standing(1);
  const trade = { id: 't-1', at: clock.now() + 1_000, makers: [[order.hash, 4]] } as const;
  listed.orders = [orderRow(order, 4)];
  listed.trades = [tradeRow({ ...trade, status: 'MATCHED' })];
  balances.cash -= 1_800_000;
  expect(await done(execution.compare())).toMatchObject({ outcome: 'agrees' });
  expect(state.market(MARKET).position.yes).toBe(4 * SHARE);
  const read = answers.get('GET /balance-allowance');
  answers.set('GET /balance-allowance', (request) => {
    // The trade fails between the lists and the balance.
    listed.trades = [tradeRow({ ...trade, status: 'FAILED' })];
    balances.cash = 1_000_000_000;
    return read?.(request) ?? { type: 'unknown', problem: 'cut', sent: true };
  });
  expect(await done(execution.compare())).toBeUndefined();
  expect(await done(execution.compare())).toMatchObject({ outcome: 'agrees' });
  expect(parts.types()).not.toContain('cashAdjusted');
  expect(state.cash).toBe(1_000_000_000);
});

it('dollars of a sale that is not confirmed are neither missing nor a reason to take more cash for a deposit', async () => {
  const { execution, done, sent, standing, clock, listed, balances, ...parts } = await openExecution();
  await done(execution.start({ leftovers: 'cancel', adopt: false, isFirst: true }));
  const at = clock.now() + 1_000;
  const bought = tradeRow({ id: 't-1', at, status: 'CONFIRMED', makers: [[standing(1).hash, 10]] });
  const { hash } = sent(2, { side: 'SELL' });
  const sold = { id: 't-2', at, makers: [[hash, 10]] } as const;
  listed.trades = [tradeRow({ ...sold, status: 'MATCHED' }), bought];
  balances.cash -= 4_500_000;
  expect(await done(execution.compare())).toMatchObject({ outcome: 'agrees' });
  balances.cash += 6_000_000;
  expect(await done(execution.compare())).toMatchObject({ outcome: 'agrees' });
  expect(parts.types()).not.toContain('cashAdjusted');
  listed.trades = [tradeRow({ ...sold, status: 'CONFIRMED' }), bought];
  balances.cash += 4_500_000;
  expect(await done(execution.compare())).toMatchObject({ outcome: 'adjusted' });
  expect(parts.state.cash).toBe(1_006_000_000);
});

it('a trade that matched while a start read the balances is a fill, not a difference', async () => {
  const { execution, done, sent, clock, listed, answers, balances, state } = await openExecution();
  const order = sent(1);
  listed.orders = [orderRow(order, 0)];
  const read = answers.get('GET /balance-allowance');
  answers.set('GET /balance-allowance', (request) => {
    listed.trades = [tradeRow({ id: 't-1', at: clock.now(), status: 'MATCHED', makers: [[order.hash, 4]] })];
    balances.cash = 998_200_000;
    return read?.(request) ?? { type: 'unknown', problem: 'cut', sent: true };
  });
  const started = await done(execution.start({ leftovers: 'adopt', adopt: false, isFirst: false }));
  expect(started).toMatchObject({ outcome: 'agrees' });
  expect(state.cash).toBe(998_200_000);
  expect(state.market(MARKET).position.yes).toBe(4 * SHARE);
});

it('shares that lack some dust of the chain are no difference', async () => {
  const { execution, done, standing, clock, listed, balances } = await openExecution();
  await done(execution.start({ leftovers: 'cancel', adopt: false, isFirst: true }));
  const order = standing(1);
  listed.orders = [orderRow(order, 4)];
  listed.trades = [tradeRow({ id: 't-1', status: 'CONFIRMED', at: clock.now() + 1_000, makers: [[order.hash, 4]] })];
  balances.cash -= 1_800_000;
  balances.yes = 4 * SHARE - 3;
  expect(await done(execution.compare())).toMatchObject({ outcome: 'agrees' });
  balances.yes = 4 * SHARE - LOT;
  expect(await done(execution.compare())).toMatchObject({ outcome: 'disagrees' });
});

it('an account with a trade that is not settled is taken over when it is', async () => {
  const { execution, done, clock, listed, balances, state, pass } = await openExecution();
  const trade = { id: 't-1', at: clock.now(), makers: [[`0x${'5'.repeat(64)}`, 4]] } as const;
  listed.trades = [tradeRow({ ...trade, status: 'MATCHED' })];
  const started = execution.start({ leftovers: 'cancel', adopt: false, isFirst: true });
  await pass(5_000);
  balances.yes = 4 * SHARE;
  listed.trades = [tradeRow({ ...trade, status: 'CONFIRMED' })];
  expect(await done(started)).toMatchObject({ outcome: 'agrees' });
  expect(state.market(MARKET).position.yes).toBe(4 * SHARE);
});

it('a user channel that cannot be reached ends the start soon, with its address and what is wrong', async () => {
  const { execution, done } = await openExecution('ws://127.0.0.1:1/ws/user');
  await expect(done(execution.start({ leftovers: 'cancel', adopt: false, isFirst: true }))).rejects.toThrow(
    /ws:\/\/127.0.0.1:1\/ws\/user did not open \(connect ECONNREFUSED .*\). Check venue.ws_url/,
  );
});

it('a cancel that an earlier run wanted is sent when its order is adopted', async () => {
  const { execution, done, sent, listed, answers, ...parts } = await openExecution();
  const order = sent(1);
  parts.deps.orders.remove(order);
  listed.orders = [orderRow(order)];
  answers.set('DELETE /order', () => {
    listed.orders = [];
    return { type: 'done', json: { canceled: [order.hash], not_canceled: {} } };
  });
  const started = await done(execution.start({ leftovers: 'adopt', adopt: false, isFirst: false }));
  expect(started.leftovers).toMatchObject({ found: 1 });
  await parts.pass(5_000);
  expect(parts.types()).toEqual(['orderClosed']);
});

it('an order that ended while the lists were read is not taken for one that came back; one that stands is cancelled', async () => {
  const { execution, done, standing, facts, listed, answers, asked, clock } = await openExecution();
  await done(execution.start({ leftovers: 'cancel', adopt: false, isFirst: true }));
  const [ended, stands] = [standing(1), standing(2)];
  listed.orders = [orderRow(ended), orderRow(stands)];
  for (const order of [ended, stands]) facts.ended(order, { matched: 0, reason: 'USER', at: clock.now() });
  answers.set('GET /data/order/*', ({ path }) => {
    return path.endsWith(stands.hash) ? { type: 'done', json: orderRow(stands) } : { type: 'done', json: {} };
  });
  const cancelled: string[] = [];
  answers.set('DELETE /order', ({ body = '' }) => {
    cancelled.push(JSON.parse(body).orderID);
    return { type: 'done', json: { canceled: cancelled, not_canceled: {} } };
  });
  await done(execution.compare());
  expect(cancelled).toEqual([stands.hash]);
  expect(asked).not.toContain('DELETE /orders');
});

it('a user channel is open when the venue has taken the sign-in, not when its socket is', async () => {
  const server = await openUserServer();
  server.answersPings = false;
  const seen: string[] = [];
  const channel = new UserChannel({
    ...{ url: server.url, credentials: CREDENTIALS, clock: wallClock(), random: seededRandom(1) },
    ...{ order: () => {}, trade: () => {}, opened: () => seen.push('opened'), lost: () => {} },
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
