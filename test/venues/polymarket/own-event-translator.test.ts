import { expect, it } from 'vitest';
import { SHARE } from '../../../src/domain/index.ts';
import { readPolymarketOrderRecord, readPolymarketOwnTrade } from '../../../src/protocol/polymarket/index.ts';
import { MARKET, NO, openParts, orderRow, type TradeRow, tradeRow } from './parts.ts';

const read = (row: TradeRow) => readPolymarketOwnTrade(tradeRow(row));

it('own parts of one trade that arrive in separate events are all booked and all reversed', async () => {
  const parts = await openParts();
  const { clock, translator, state } = parts;
  const [first, second] = [parts.acceptedOrder(1), parts.acceptedOrder(2)];
  const trade = { id: 't-1', at: clock.now(), status: 'MATCHED' } as const;
  for (const makers of [[[first.hash, 4]], [[second.hash, 6]], [[first.hash, 4]], [[second.hash, 6]]] as const)
    translator.onTrade(read({ ...trade, makers }), clock.now());
  expect(state.market(MARKET).position.yes).toBe(10 * SHARE);
  translator.onTrade(read({ ...trade, status: 'FAILED', makers: [[first.hash, 4]] }), clock.now());
  expect(state.market(MARKET).position.yes).toBe(0);
  expect(parts.types().filter((type) => type === 'fillReversed')).toHaveLength(2);
  expect(state.unexplainedEvents).toBe(0);
});

it('a close that overtakes the fills of its order is reported after them', async () => {
  const parts = await openParts();
  const { clock, translator } = parts;
  const order = parts.acceptedOrder(1);
  const record = readPolymarketOrderRecord({ ...orderRow(order, 4), status: 'CANCELED' });
  translator.onOrder(record, clock.now(), 'USER');
  expect(parts.types()).toEqual(['orderAccepted']);
  const trade = { id: 't-1', at: clock.now(), status: 'MATCHED', makers: [[order.hash, 4]] } as const;
  translator.onTrade(read(trade), clock.now());
  expect(parts.types()).toEqual(['orderAccepted', 'orderFilled', 'orderClosed']);
});

it('a trade from before the takeover of the account is not reversed when it fails', async () => {
  const parts = await openParts();
  const { clock, translator } = parts;
  const row = { id: 't-1', at: clock.now(), makers: [[`0x${'5'.repeat(64)}`, 4]] } as const;
  translator.skipInitialTrade(read({ ...row, status: 'MATCHED' }));
  translator.onTrade(read({ ...row, status: 'FAILED' }), clock.now());
  expect(parts.events).toEqual([]);
});

it('a later run reverses all parts of a failed trade, although they arrive separately after the end of their orders', async () => {
  const parts = await openParts();
  const { clock, translator, state } = parts;
  const [first, second] = [parts.acceptedOrder(1), parts.acceptedOrder(2)];
  const [firstPart, secondPart] = [[first.hash, 10] as const, [second.hash, 10] as const];
  const trade = { id: 't-1', at: clock.now() } as const;
  translator.onTrade(read({ ...trade, status: 'MATCHED', makers: [firstPart, secondPart] }), clock.now());
  expect(state.market(MARKET).position.yes).toBe(20 * SHARE);
  const later = parts.laterRun();
  later.translator.onTrade(read({ ...trade, status: 'FAILED', makers: [secondPart] }), clock.now());
  later.translator.onTrade(read({ ...trade, status: 'FAILED', makers: [firstPart, secondPart] }), clock.now());
  expect(state.market(MARKET).position.yes).toBe(0);
});

it('all parts of a trade that is confirmed after a crash can be sold, although they arrive separately', async () => {
  const parts = await openParts();
  const { clock, translator, state } = parts;
  const [first, second] = [parts.acceptedOrder(1), parts.acceptedOrder(2)];
  const [firstPart, secondPart] = [[first.hash, 10] as const, [second.hash, 10] as const];
  const trade = { id: 't-1', at: clock.now() } as const;
  translator.onTrade(read({ ...trade, status: 'MATCHED', makers: [firstPart, secondPart] }), clock.now());
  const later = parts.laterRun();
  later.translator.onTrade(read({ ...trade, status: 'CONFIRMED', makers: [secondPart] }), clock.now());
  later.translator.onTrade(read({ ...trade, status: 'CONFIRMED', makers: [firstPart, secondPart] }), clock.now());
  expect(state.market(MARKET).sellable('YES')).toBe(20 * SHARE);
});

it('a later run books trades from after the takeover of the account, not from before it', async () => {
  const parts = await openParts();
  const { clock, records, state } = parts;
  const unknownHash = `0x${'5'.repeat(64)}`;
  records.streamPosition = (clock.now() + 10_000) * 1_000;
  const { translator } = parts.laterRun();
  translator.onTrade(
    read({ id: 't-1', at: clock.now() + 5_000, status: 'CONFIRMED', makers: [[unknownHash, 4]] }),
    clock.now(),
  );
  expect(parts.events).toEqual([]);
  translator.onTrade(
    read({ id: 't-2', at: clock.now() + 15_000, status: 'CONFIRMED', makers: [[unknownHash, 3]] }),
    clock.now(),
  );
  expect(state.market(MARKET).position.yes).toBe(3 * SHARE);
});

it.each([
  ['another token', { asset_id: NO }, 'order.asset_id'],
  ['another side', { side: 'SELL' }, 'order.side'],
  ['another price', { price: '0.46' }, 'order.price'],
  ['more shares', { original_size: '10.01' }, 'order.size'],
])('an order that the venue lists with %s than signed is refused', async (_, change, field) => {
  const { translator, acceptedOrder, clock } = await openParts();
  const record = readPolymarketOrderRecord({ ...orderRow(acceptedOrder(1)), ...change });
  expect(() => translator.onOrder(record, clock.now(), 'ADMIN')).toThrow(expect.objectContaining({ field }));
});
