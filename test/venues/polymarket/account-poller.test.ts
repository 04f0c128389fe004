import { expect, it } from 'vitest';
import { SHARE, timeAfter } from '../../../src/domain/index.ts';
import { MARKET, openParts, orderRow, tradeRow } from './parts.ts';

const MINUTE = 60_000;

it('a trade that fails long after its match is reversed, even though lists are then read from a later time on', async () => {
  const parts = await openParts();
  const { clock, listed, poller, state } = parts;
  const order = parts.acceptedOrder(1);
  const trade = { id: 't-1', at: clock.now(), makers: [[order.hash, 4]] } as const;
  listed.orders = [orderRow(order, 4)];
  listed.trades = [tradeRow({ ...trade, status: 'MATCHED' })];
  await poller.poll();
  expect(state.market(MARKET).position.yes).toBe(4 * SHARE);
  for (let minute = 0; minute < 20; minute += 1) {
    await parts.pass(MINUTE);
    await poller.poll();
  }
  listed.trades = [tradeRow({ ...trade, status: 'FAILED' })];
  await poller.poll();
  expect(parts.types()).toEqual(['orderAccepted', 'orderFilled', 'fillReversed']);
  expect(state.market(MARKET).position.yes).toBe(0);
});

it('events from lists have the time of the venue', async () => {
  const parts = await openParts({ aheadMs: 3_000 });
  const order = parts.sentOrder(1);
  parts.listed.orders = [orderRow(order)];
  await parts.poller.poll();
  expect(parts.events).toMatchObject([{ type: 'orderAccepted', venueTime: parts.clock.now() - 3_000 }]);
});

it('a later run reads the trades of now, although the clock of an earlier run was a day ahead', async () => {
  const parts = await openParts();
  const { clock, listed, records, state } = parts;
  const order = parts.acceptedOrder(1);
  records.streamPosition = (clock.now() + 24 * 60 * MINUTE) * 1_000;
  await parts.pass(MINUTE);
  listed.trades = [tradeRow({ id: 't-1', at: clock.now(), status: 'CONFIRMED', makers: [[order.hash, 4]] })];
  await parts.laterRun().poller.poll();
  expect(state.market(MARKET).position.yes).toBe(4 * SHARE);
});

it('a new order stays open when two early lists lack it, because they may be older than it', async () => {
  const parts = await openParts();
  const { listed, poller } = parts;
  const order = parts.acceptedOrder(1);
  await poller.poll();
  await poller.poll();
  expect(order.life.isLive).toBe(true);
  listed.orders = [orderRow(order)];
  await parts.pass(MINUTE);
  await poller.poll();
  expect(parts.types()).toEqual(['orderAccepted']);
});

it('an order closes when no poll of three seconds lists it', async () => {
  const parts = await openParts();
  const { listed, poller } = parts;
  const order = parts.acceptedOrder(1);
  const poll = async (isListed: boolean) => {
    listed.orders = isListed ? [orderRow(order)] : [];
    await poller.poll();
    return poller.hasMissing;
  };
  await parts.pass(MINUTE);
  expect([await poll(false), await poll(true)]).toEqual([true, false]);
  await parts.pass(MINUTE);
  expect(await poll(false)).toBe(true);
  await parts.pass(2_999);
  expect([await poll(false), order.life.isLive]).toEqual([true, true]);
  await parts.pass(1);
  expect([await poll(false), parts.types()]).toEqual([false, ['orderAccepted', 'orderClosed']]);
});

it('an order that the bot cancels closes when two polls do not list it', async () => {
  const parts = await openParts();
  const order = parts.acceptedOrder(1);
  order.cancel = { isRequested: true, isSent: true } as never;
  await parts.pass(MINUTE);
  await parts.poller.poll();
  expect(order.life.isLive).toBe(true);
  await parts.poller.poll();
  expect(parts.types()).toEqual(['orderAccepted', 'orderClosed']);
});

it('an ended order closes once the lists were read, even if they lack its fills', async () => {
  const parts = await openParts();
  const order = parts.acceptedOrder(1);
  parts.translator.onEnded(order, { matched: 4 * SHARE, reason: 'USER', at: parts.clock.now() });
  expect(order.life.hasEnded).toBe(false);
  await parts.poller.poll();
  expect(parts.types()).toEqual(['orderAccepted', 'orderClosed']);
});

it('a later run reverses a trade that fails long after its match', async () => {
  const parts = await openParts();
  const { clock, listed, state } = parts;
  const order = parts.acceptedOrder(1);
  const trade = { id: 't-1', at: clock.now(), makers: [[order.hash, 10]] } as const;
  listed.trades = [tradeRow({ ...trade, status: 'MATCHED' })];
  await parts.poller.poll();
  for (let number = 2; number < 4; number += 1) {
    await parts.pass(20 * MINUTE);
    parts.acceptedOrder(number);
  }
  listed.trades = [tradeRow({ ...trade, status: 'FAILED' })];
  const later = parts.laterRun();
  await later.poller.poll();
  expect(state.market(MARKET).position.yes).toBe(0);
  expect(state.unexplainedEvents).toBe(0);
});

it('a later run books a trade that an earlier run missed, although that run has later events', async () => {
  const parts = await openParts();
  const { clock, listed, state } = parts;
  const order = parts.acceptedOrder(1);
  listed.trades = [tradeRow({ id: 't-1', at: clock.now(), status: 'CONFIRMED', makers: [[order.hash, 4]] })];
  await parts.pass(20 * MINUTE);
  parts.acceptedOrder(2);
  await parts.laterRun().poller.poll();
  expect(state.market(MARKET).position.yes).toBe(4 * SHARE);
});

it('reading a list of slow, endless pages fails after 30 s', async () => {
  const { answers, clock, poller } = await openParts();
  let page = 0;
  answers.set('GET /data/orders', () => {
    clock.advanceTo(timeAfter(clock.now(), 4_000));
    page += 1;
    return { type: 'done', json: { data: [], next_cursor: String(page) } };
  });
  await expect(poller.poll()).rejects.toThrow('/data/orders cannot be read: no end after 30 s');
  expect(page).toBe(8);
});
