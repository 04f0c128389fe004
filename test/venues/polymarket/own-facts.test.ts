import { expect, it } from 'vitest';
import { SHARE } from '../../../src/domain/index.ts';
import { readPolymarketOwnTrade } from '../../../src/protocol/polymarket/index.ts';
import { MARKET, openParts, type TradeRow, tradeRow } from './parts.ts';

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

it('a trade before the account was taken over is not taken back when it fails: it was never booked', async () => {
  const parts = await openParts();
  const { clock, facts } = parts;
  const row = { id: 't-1', at: clock.now(), makers: [[`0x${'5'.repeat(64)}`, 4]] } as const;
  facts.passOver(read({ ...row, status: 'MATCHED' }));
  facts.trade(read({ ...row, status: 'FAILED' }), clock.now());
  expect(parts.events).toEqual([]);
});
