import { expect, it } from 'vitest';
import { SHARE } from '../../../src/domain/index.ts';
import { readPolymarketOrderRecord, readPolymarketOwnTrade } from '../../../src/protocol/polymarket/index.ts';
import { MARKET, NO, openParts, orderRow, type TradeRow, tradeRow } from './parts.ts';

const read = (row: TradeRow) => readPolymarketOwnTrade(tradeRow(row));

it('own parts of one trade that come in events of their own are all booked, and all taken back', async () => {
  const parts = await openParts();
  const { clock, facts, state } = parts;
  const [first, second] = [parts.standing(1), parts.standing(2)];
  const trade = { id: 't-1', at: clock.now(), status: 'MATCHED' } as const;
  for (const makers of [[[first.hash, 4]], [[second.hash, 6]], [[first.hash, 4]], [[second.hash, 6]]] as const)
    facts.trade(read({ ...trade, makers }), clock.now());
  expect(state.market(MARKET).position.yes).toBe(10 * SHARE);
  facts.trade(read({ ...trade, status: 'FAILED', makers: [[first.hash, 4]] }), clock.now());
  expect(state.market(MARKET).position.yes).toBe(0);
  expect(parts.types().filter((type) => type === 'fillReversed')).toHaveLength(2);
  expect(state.unexplained).toBe(0);
});

it('an end that overtakes the fills of its order is reported after them', async () => {
  const parts = await openParts();
  const { clock, facts } = parts;
  const order = parts.standing(1);
  const record = readPolymarketOrderRecord({ ...orderRow(order, 4), status: 'CANCELED' });
  facts.order(record, clock.now(), 'USER');
  expect(parts.types()).toEqual(['orderAccepted']);
  const trade = { id: 't-1', at: clock.now(), status: 'MATCHED', makers: [[order.hash, 4]] } as const;
  facts.trade(read(trade), clock.now());
  expect(parts.types()).toEqual(['orderAccepted', 'orderFilled', 'orderClosed']);
});

it('a trade before the account was taken over is not taken back when it fails: it was never booked', async () => {
  const parts = await openParts();
  const { clock, facts } = parts;
  const row = { id: 't-1', at: clock.now(), makers: [[`0x${'5'.repeat(64)}`, 4]] } as const;
  facts.passOver(read({ ...row, status: 'MATCHED' }));
  facts.trade(read({ ...row, status: 'FAILED' }), clock.now());
  expect(parts.events).toEqual([]);
});

it('parts of a trade that failed are all taken back by a later run, though their orders are over and they come one by one', async () => {
  const parts = await openParts();
  const { clock, facts, state } = parts;
  const [first, second] = [parts.standing(1), parts.standing(2)];
  const [one, other] = [[first.hash, 10] as const, [second.hash, 10] as const];
  const trade = { id: 't-1', at: clock.now() } as const;
  facts.trade(read({ ...trade, status: 'MATCHED', makers: [one, other] }), clock.now());
  expect(state.market(MARKET).position.yes).toBe(20 * SHARE);
  const later = parts.laterRun();
  later.facts.trade(read({ ...trade, status: 'FAILED', makers: [other] }), clock.now());
  later.facts.trade(read({ ...trade, status: 'FAILED', makers: [one, other] }), clock.now());
  expect(state.market(MARKET).position.yes).toBe(0);
});

it('parts of a trade that is confirmed after a crash can all be sold, though they come one by one', async () => {
  const parts = await openParts();
  const { clock, facts, state } = parts;
  const [first, second] = [parts.standing(1), parts.standing(2)];
  const [one, other] = [[first.hash, 10] as const, [second.hash, 10] as const];
  const trade = { id: 't-1', at: clock.now() } as const;
  facts.trade(read({ ...trade, status: 'MATCHED', makers: [one, other] }), clock.now());
  const later = parts.laterRun();
  later.facts.trade(read({ ...trade, status: 'CONFIRMED', makers: [other] }), clock.now());
  later.facts.trade(read({ ...trade, status: 'CONFIRMED', makers: [one, other] }), clock.now());
  expect(state.market(MARKET).sellable('YES')).toBe(20 * SHARE);
});

it('a trade that was taken over with the account is not booked by a later run, and one after it is', async () => {
  const parts = await openParts();
  const { clock, records, state } = parts;
  const stranger = `0x${'5'.repeat(64)}`;
  records.cursor = (clock.now() + 10_000) * 1_000;
  const { facts } = parts.laterRun();
  facts.trade(read({ id: 't-1', at: clock.now() + 5_000, status: 'CONFIRMED', makers: [[stranger, 4]] }), clock.now());
  expect(parts.events).toEqual([]);
  facts.trade(read({ id: 't-2', at: clock.now() + 15_000, status: 'CONFIRMED', makers: [[stranger, 3]] }), clock.now());
  expect(state.market(MARKET).position.yes).toBe(3 * SHARE);
});

it.each([
  ['the other token', { asset_id: NO }, 'order.asset_id'],
  ['the other side', { side: 'SELL' }, 'order.side'],
  ['another price', { price: '0.46' }, 'order.price'],
  ['more shares', { original_size: '10.01' }, 'order.size'],
])('an order that the venue has with %s is not what was signed', async (_, change, field) => {
  const { facts, standing, clock } = await openParts();
  const record = readPolymarketOrderRecord({ ...orderRow(standing(1)), ...change });
  expect(() => facts.order(record, clock.now(), 'ADMIN')).toThrow(expect.objectContaining({ field }));
});
