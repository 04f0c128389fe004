import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { mappingSchema } from '../../../src/history/import/mapping.ts';
import { sniff } from '../../../src/history/import/sniff.ts';
import { scratchFolder } from '../scratch.ts';

const ROOT = join(import.meta.dirname, '../../..');

async function propose(name: string, bytes: string | Uint8Array) {
  const path = join(scratchFolder(), name);
  writeFileSync(path, bytes);
  const { yaml, missing, format } = await sniff(path);
  if (missing.length > 0) return { format, missing, mapping: undefined };
  return { format, missing, mapping: mappingSchema.parse(parse(yaml)) };
}

describe('a proposed mapping', () => {
  it('equals the shipped one for trades that are newest first, with zones and NO rows', async () => {
    const { yaml } = await sniff(join(ROOT, 'test/fixtures/import/polymarket-trades.csv'));
    const mapping = mappingSchema.parse(parse(yaml));
    expect(mapping.time).toMatchObject({
      column: 'timestamp',
      format: 'EEEE, MMMM d, yyyy HH:mm:ss zzz',
      order: 'newest_first',
    });
    expect(mapping.rows).toMatchObject([
      { means: 'trade', price: { column: 'price' }, size: { column: 'shares' }, side: { bid: ['BUY'], ask: ['SELL'] } },
    ]);
    expect(mapping.market).toMatchObject({ column: 'option_type', outcome: { column: 'option_yes_no', no: ['No'] } });
    expect(mapping.grid).toEqual({ type: 'tick', tickBps: 10 });
  });

  it('treats books that are not valid JSON as books without levels', async () => {
    const cells = `"[{'price': 0.5}]","[{'price': 0.6}]"`;
    const { mapping } = await propose('a.csv', `ts,bids,asks\n1700000000000,${cells}\n1700000001000,${cells}\n`);
    expect(mapping?.rows).toMatchObject([{ means: 'book', bids: { column: 'bids' }, asks: { column: 'asks' } }]);
  });

  it('has a grid that contains the prices of later rows', async () => {
    const row = (at: number) => `${1_700_000_000_000 + at},bid,${at % 10 === 0 ? '0.863' : '0.86'},1\n`;
    const text = `ts,side,price,size\n${Array.from({ length: 200 }, (_, at) => row(at + 1)).join('')}`;
    const { mapping } = await propose('a.csv', text);
    expect(mapping?.grid).toEqual({ type: 'tick', tickBps: 10 });
  });

  it('finds the columns of JSON lines whose first line is cut', async () => {
    const row = (at: number) => `{"ts":${1_700_000_000_000 + at},"price":0.5,"size":1}\n`;
    const { format, mapping } = await propose('a.jsonl', `"price":0.5,"size":1}\n${row(1)}${row(2)}`);
    expect({ format, time: mapping?.time.column }).toEqual({ format: 'jsonl', time: 'ts' });
  });

  it('is for CSV when a cell of the second line is an object', async () => {
    const row = (at: number) => `{"id":${at}};2026-01-01T00:00:0${at}Z;0.4;5\n`;
    const { format, mapping } = await propose('a.csv', `extra;time;price;size\n${row(1)}${row(2)}`);
    expect({ format, time: mapping?.time.column }).toEqual({ format: 'csv', time: 'time' });
  });

  it('is refused for too many columns, with their number', async () => {
    const names = Array.from({ length: 10_001 }, (_, at) => `c${at}`);
    const remedy = 'Name a file with at most 10,000 columns, or write the mapping by hand';
    await expect(propose('a.csv', `${names.join(',')}\n`)).rejects.toThrow(`a.csv, line 1: 10,001 columns. ${remedy}`);
    const json = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])));
    await expect(propose('a.jsonl', `${json}\n`)).rejects.toThrow(`a.jsonl: 10,001 columns. ${remedy}`);
  });

  it('is refused for JSON that is nested too deeply, with its line', async () => {
    const deep = `{"ts":${'['.repeat(3_000)}${']'.repeat(3_000)}}`;
    await expect(propose('a.jsonl', `{"ts":1}\n\n${deep}\n`)).rejects.toThrow(
      /a\.jsonl, line 3: JSON that is nested more than 250 levels deep\. Remove the line/,
    );
  });

  it('refuses a folder with its path', async () => {
    const folder = scratchFolder();
    await expect(sniff(folder)).rejects.toThrow(`${folder}: this is a folder, not a file`);
  });

  it('distinguishes snapshots, signed changes and trades in one file', async () => {
    const text =
      'time;event_type;price;side;size\n2026-01-01T00:00:00Z;book;40;BUY;10\n2026-01-01T00:00:01Z;price_change;40;BUY;-5\n2026-01-01T00:00:02Z;last_trade_price;41;SELL;1\n';
    const { mapping } = await propose('a.csv', text);
    expect(mapping?.csv.delimiter).toBe(';');
    expect(mapping?.rows.map(({ means, when }) => `${when?.is} ${means}`).toSorted()).toEqual([
      'book snapshot',
      'last_trade_price trade',
      'price_change level_delta',
    ]);
    expect(mapping?.rows).toMatchObject([{ price: { unit: 'cents' } }, {}, {}]);
  });

  it('distinguishes best prices and trades in one file, and does not take their kinds for markets', async () => {
    const { mapping } = await propose(
      'a.csv',
      `time,event,best_bid,bid_size,best_ask,ask_size,price,shares,taker
2026-01-01T00:00:00Z,quote,0.40,100,0.42,80,,,
2026-01-01T00:00:01Z,trade,,,,,0.42,10,BUY
2026-01-01T00:00:02Z,quote,0.41,90,0.42,70,,,
2026-01-01T00:00:03Z,trade,,,,,0.41,5,SELL
`,
    );
    expect(mapping?.rows).toMatchObject([
      { means: 'top_of_book', when: { is: ['quote'] }, bid: { price: { column: 'best_bid' } } },
      { means: 'trade', when: { is: ['trade'] }, price: { column: 'price' }, size: { column: 'shares' } },
    ]);
    expect(mapping?.market).not.toHaveProperty('column');
  });

  it('finds epochs, receive times and lists of levels in JSON lines', async () => {
    const line = (ts: number) =>
      `${JSON.stringify({ ts, received_at: ts + 5, msg: { asset_id: 'x', bids: [{ price: '0.4', size: '10' }], asks: [] } })}\n`;
    const { format, mapping } = await propose('a.jsonl', line(1_700_000_000_000) + line(1_700_000_001_000));
    expect(format).toBe('jsonl');
    expect(mapping?.time).toMatchObject({ column: 'ts', format: 'epoch_ms', received: { column: 'received_at' } });
    expect(mapping?.rows).toMatchObject([
      { means: 'book', bids: { column: 'msg.bids', price: 'price', size: 'size' } },
    ]);
    expect(mapping?.market.column).toBe('msg.asset_id');
  });

  it('finds best prices in Parquet, and assumes UTC for times without a zone', async () => {
    const columnData = [
      { name: 'when_time', data: ['2026-01-01 10:00:00', '2026-01-01 10:00:01'] },
      { name: 'best_bid', data: [0.41, 0.42] },
      { name: 'best_ask', data: [0.45, 0.46] },
    ];
    const { format, mapping } = await propose('a.parquet', new Uint8Array(parquetWriteBuffer({ columnData })));
    expect(format).toBe('parquet');
    expect(mapping?.time).toMatchObject({ column: 'when_time', zone: 'UTC' });
    expect(mapping?.rows).toMatchObject([
      { means: 'top_of_book', bid: { price: { column: 'best_bid' }, size: { constant: 1 } } },
    ]);
  });

  it('reads a column "Type" with Buy and Sell as the side', async () => {
    const text =
      '"","Timestamp","Type","Outcome","Shares","Price"\n"1",2022-11-19 22:21:29,"Buy","Yes",183.64,0.0014\n"2",2022-11-19 22:18:01,"Sell","No",2,0.5\n';
    const { mapping } = await propose('a.csv', text);
    expect(mapping?.time.order).toBe('newest_first');
    expect(mapping?.rows).toMatchObject([
      { means: 'trade', size: { column: 'Shares' }, side: { column: 'Type', bid: ['Buy'], ask: ['Sell'] } },
    ]);
  });

  it('gives rows without a time the time of the next row', async () => {
    const { mapping } = await propose(
      'a.csv',
      'ts,side,level_price,size\n,bid,0.4,10\n2026-01-01T00:00:00Z,bid,0.4,5\n',
    );
    expect(mapping?.time).toMatchObject({ column: 'ts', missing: 'next' });
  });

  it('reads two names in a column "Outcome" as YES and NO, with the more frequent one as YES', async () => {
    const row = (outcome: string) => `2026-01-01T00:00:00Z,Buy,${outcome},10,0.4\n`;
    const { mapping } = await propose(
      'a.csv',
      `Time,Type,Outcome,Shares,Price\n${row('Red')}${row('Blue')}${row('Blue')}`,
    );
    expect(mapping?.market.outcome).toEqual({ column: 'Outcome', yes: ['Blue'], no: ['Red'] });
  });

  it('finds orders with ids that are added, cancelled and traded', async () => {
    const text =
      'ts,type,order_id,side,price,size\n1767225600000,add,7,bid,0.4,10\n1767225600001,fill,7,bid,0.4,5\n1767225600002,cancel,7,bid,0.4,5\n';
    const { mapping } = await propose('a.csv', text);
    expect(mapping?.rows).toMatchObject([
      {
        means: 'insert_cancel',
        side: { column: 'side', bid: ['bid'] },
        action: { column: 'type', insert: ['add'], cancel: ['cancel'], execute: ['fill'] },
        order_id: 'order_id',
      },
    ]);
  });

  it('names the columns that it could not find', async () => {
    expect((await propose('a.csv', 'x,y\nfoo,bar\n')).missing).toEqual([
      'no column with a known time format; name the column and its format',
      'no column of prices',
    ]);
    expect((await propose('b.csv', 'ts,side,level_price\n1767225600000,bid,0.4\n')).missing).toEqual([
      'no column of sizes',
    ]);
  });

  it('assumes one share for each trade of a file without sizes', async () => {
    const { mapping } = await propose('a.csv', 'time,price\n2026-01-01T00:00:00Z,0.4\n');
    expect(mapping?.rows).toMatchObject([
      { means: 'trade', price: { column: 'price' }, size: { constant: 1, unit: 'shares' } },
    ]);
    expect(mapping?.rows).not.toMatchObject([{ size: { column: expect.anything() } }]);
  });
});
