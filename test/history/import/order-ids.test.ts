import { expect, it } from 'vitest';
import { mappingSchema } from '../../../src/history/import/mapping.ts';
import { killAt, scratchFolder } from '../scratch.ts';
import { type ImportFixture, runImport } from './run-import.ts';

const MAPPING = {
  name: 'orders',
  time: { column: 'ts', format: 'epoch_ms' },
  rows: [
    {
      means: 'insert_cancel',
      side: { column: 'side' },
      price: { column: 'price' },
      size: { column: 'size' },
      action: { column: 'type', insert: ['add'], cancel: ['reduce', 'delete'], execute: ['fill'] },
      order_id: 'order',
    },
  ],
  grid: { tick_bps: 100 },
};
const HEADER = 'ts,type,order,side,price,size\n';

async function importOrders(text: string, options: Partial<ImportFixture> = {}, folder = scratchFolder()) {
  return runImport({ files: { 'a.csv': HEADER + text }, mapping: MAPPING, ...options }, folder);
}

it('an import of orders with ids makes a tape with order ids', async () => {
  const { rows, tapes, counts } = await importOrders(`1,add,7,bid,0.40,10
2,add,8,bid,0.40,20
3,reduce,8,bid,0.40,5
4,fill,7,bid,0.40,10
5,delete,8,,,
`);
  expect(rows).toEqual([
    '1 level bid 4000 10 |',
    '2 level bid 4000 30 |',
    '3 ahead bid 4000 10',
    '3 level bid 4000 25 |',
    '4 trade ask 4000 10',
    '4 level bid 4000 15 |',
    '5 ahead bid 4000 0',
    '5 level bid 4000 0 |',
  ]);
  expect(tapes[0]?.manifest.orderIds).toBe(true);
  expect(counts.trades).toMatchObject({ prints: 1, sells: 1 });
});

it('a cancel of an unknown order lowers its level without a queue position', async () => {
  const { rows, changed, dropped } = await importOrders(`1,add,7,bid,0.40,10
2,reduce,5,bid,0.40,4
3,delete,6,bid,0.41,3
4,add,,bid,0.41,3
5,move,7,bid,0.40,3
6,delete,9,,,
`);
  expect(rows).toEqual(['1 level bid 4000 10 |', '2 level bid 4000 6 |']);
  expect(changed).toEqual([
    '1 x level below the sum of its orders: the orders become unknown (a.csv:4)',
    '1 x level below 0 after a change: removed (a.csv:4)',
  ]);
  expect(dropped).toEqual([
    '1 x column "order": no order id (a.csv:5)',
    '1 x column "type": not a word for an order that is inserted, cancelled or executed (a.csv:6)',
    '1 x column "side": not a word for a bid or an ask (a.csv:7)',
  ]);
});

it('a killed import of orders continues with the open orders', async () => {
  const line = (at: number): string => {
    const [type, order] = at % 3 < 2 ? ['add', at] : [at % 2 === 0 ? 'delete' : 'reduce', at - 2 - 9 * (at % 4)];
    return `${at * 3},${type},${order},${at % 2 === 0 ? 'bid' : 'ask'},0.${at % 2 === 0 ? 40 : 60},${1 + (at % 7)}\n`;
  };
  const text = Array.from({ length: 3_000 }, (_, at) => line(at)).join('');
  const whole = await importOrders(text);
  expect(whole.rows.filter((row) => row.includes('ahead')).length).toBeGreaterThan(300);
  const folder = scratchFolder();
  const options = { partRecords: 700 };
  await expect(importOrders(text, { ...options, onProgress: killAt(2) }, folder)).rejects.toThrow('killed');
  const resumed = await importOrders(text, options, folder);
  expect(resumed.resumedAt).toBe(1_400);
  expect(resumed.tapes[0]?.manifest.contentHash).toBe(whole.tapes[0]?.manifest.contentHash);
  expect(resumed.counts.toJSON()).toEqual(whole.counts.toJSON());
});

it('a window for late trades is refused when orders have ids', () => {
  const { error } = mappingSchema.safeParse({ ...MAPPING, pair_window_ms: 100 });
  expect(error?.issues).toMatchObject([
    { path: ['pair_window_ms'], message: expect.stringMatching(/^0 where orders/) },
  ]);
});
