import { expect, it } from 'vitest';
import { SHARE } from '../../../src/domain/index.ts';
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
