import { expect, it } from 'vitest';
import { SHARE, timeAfter } from '../../../src/domain/index.ts';
import { MARKET, openParts, orderRow, tradeRow } from './parts.ts';

const MINUTE = 60_000;

it('a trade that fails long after its match is taken back, though lists are read from a later time on', async () => {
  const parts = await openParts();
  const { clock, listed, sweeps, state } = parts;
  const order = parts.standing(1);
  const trade = { id: 't-1', at: clock.now(), makers: [[order.hash, 4]] } as const;
  listed.orders = [orderRow(order, 4)];
  listed.trades = [tradeRow({ ...trade, status: 'MATCHED' })];
  await sweeps.run();
  expect(state.market(MARKET).position.yes).toBe(4 * SHARE);
  for (let minute = 0; minute < 20; minute += 1) {
    await parts.pass(MINUTE);
    await sweeps.run();
  }
  listed.trades = [tradeRow({ ...trade, status: 'FAILED' })];
  await sweeps.run();
  expect(parts.types()).toEqual(['orderAccepted', 'orderFilled', 'fillReversed']);
  expect(state.market(MARKET).position.yes).toBe(0);
});

it('a new order that the lists lack twice within a moment has not ended: they may be older than it', async () => {
  const parts = await openParts();
  const { listed, sweeps } = parts;
  const order = parts.standing(1);
  await sweeps.run();
  await sweeps.run();
  expect(order.life.isLive).toBe(true);
  listed.orders = [orderRow(order)];
  await parts.pass(MINUTE);
  await sweeps.run();
  expect(parts.types()).toEqual(['orderAccepted']);
});

it('an order that two sweeps later do not list has ended', async () => {
  const parts = await openParts();
  const order = parts.standing(1);
  await parts.pass(MINUTE);
  await parts.sweeps.run();
  expect(order.life.isLive).toBe(true);
  await parts.sweeps.run();
  expect(parts.types()).toEqual(['orderAccepted', 'orderClosed']);
});

it('an order whose fills the lists do not have ends all the same when they were read', async () => {
  const parts = await openParts();
  const order = parts.standing(1);
  parts.facts.ended(order, { matched: 4 * SHARE, reason: 'USER', at: parts.clock.now() });
  expect(order.life.hasEnded).toBe(false);
  await parts.sweeps.run();
  expect(parts.types()).toEqual(['orderAccepted', 'orderClosed']);
});

it('a trade that fails long after its match is taken back by a later run, too', async () => {
  const parts = await openParts();
  const { clock, listed, state } = parts;
  const order = parts.standing(1);
  const trade = { id: 't-1', at: clock.now(), makers: [[order.hash, 10]] } as const;
  listed.trades = [tradeRow({ ...trade, status: 'MATCHED' })];
  await parts.sweeps.run();
  for (let number = 2; number < 4; number += 1) {
    await parts.pass(20 * MINUTE);
    parts.standing(number);
  }
  listed.trades = [tradeRow({ ...trade, status: 'FAILED' })];
  const later = parts.laterRun();
  await later.sweeps.run();
  expect(state.market(MARKET).position.yes).toBe(0);
  expect(state.unexplained).toBe(0);
});

it('a trade that an earlier run did not see is booked, though that run learned of later things', async () => {
  const parts = await openParts();
  const { clock, listed, state } = parts;
  const order = parts.standing(1);
  listed.trades = [tradeRow({ id: 't-1', at: clock.now(), status: 'CONFIRMED', makers: [[order.hash, 4]] })];
  await parts.pass(20 * MINUTE);
  parts.standing(2);
  await parts.laterRun().sweeps.run();
  expect(state.market(MARKET).position.yes).toBe(4 * SHARE);
});

it('a list whose pages come slowly and without end is given up', async () => {
  const { answers, clock, sweeps } = await openParts();
  let page = 0;
  answers.set('GET /data/orders', () => {
    clock.advanceTo(timeAfter(clock.now(), 4_000));
    page += 1;
    return { type: 'done', json: { data: [], next_cursor: String(page) } };
  });
  await expect(sweeps.run()).rejects.toThrow('/data/orders cannot be read: no end after 30 s');
  expect(page).toBe(8);
});
