/**
 * Rows that were computed by hand from the venue's documentation: dollars x 10000 or cents x 100 are bps; a NO bid at p
 * is a YES ask at 10000 - p with the same size.
 */
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { importKalshi } from '../../../src/history/kalshi/import.ts';
import { captureOf, summaryOf } from '../captures/capture.ts';
import { scratchFolder } from '../scratch.ts';

const START = 1_767_225_600_000;

async function rowsOf(file: string, folder: string) {
  return summaryOf(await importKalshi({ files: [file], folder: join(folder, 'out'), name: 'k' }), START);
}

it('the capture with the documented messages has the expected rows', async () => {
  const file = resolve('test/fixtures/captures/kalshi.jsonl');
  const { rows, dropped, changed } = await rowsOf(file, scratchFolder());
  expect(rows).toEqual([
    // yes 0.50 x 120 and 0.52 x 10; no 0.47 x 40.5 is an ask at 0.53, no 0.45 x 100 one at 0.55.
    // The snapshot gets the time of the next message.
    '400 bid 5000 = 120 | bid 5200 = 10 | ask 5300 = 40.5 | ask 5500 = 100',
    '400 bid 5100 = 50',
    // 4 contracts bought from the ask at 0.53 leave 36.5 of 40.5. The print stands before the level that it explains.
    '1500 print buy 5300 x 4 | ask 5300 = 36.5',
    // Number 4 is missing, so the book is unknown until the snapshot with number 7, which has no time either.
    '2600 gap',
    '4000 clear | bid 5000 = 100 | bid 5200 = 10 | ask 5300 = 36.5 | ask 5500 = 100',
    // The taker is an ask: it sells YES and empties the level at 0.52.
    '4000 print sell 5200 x 10 | bid 5200 = 0',
    '8000 PENDING_RESOLUTION',
    '9000 pays 10000',
  ]);
  // Numbers 5 and 6 change a book that is unknown.
  expect(dropped).toEqual([
    'level before the first full book 2 (kalshi.jsonl:9)',
    'merge-conflict marker 1 (kalshi.jsonl:14)',
    'repeated trade 1 (kalshi.jsonl:7)',
    'trade agreed away from the book 1 (kalshi.jsonl:8)',
  ]);
  expect(changed).toEqual(['gap in the sequence of books 1 (kalshi.jsonl:9)']);
});

it('older messages in cents, sub-cent prices, both meanings of NO prices and fractional sizes have the expected rows', async () => {
  const folder = scratchFolder();
  const book = { market_ticker: 'KX-A' };
  const file = captureOf(folder, [
    // Cents: yes 52 x 10, no 47 x 40 is an ask at 53.
    { type: 'orderbook_snapshot', sid: 1, seq: 1, msg: { ...book, yes: [[52, 10]], no: [[47, 40]] } },
    { type: 'orderbook_delta', sid: 1, seq: 2, msg: { ...book, price: 51, delta: 7, side: 'yes', ts: 1_767_225_601 } },
    // Sub-cent: a bid at 0.525, and a NO bid at 0.4725, which is an ask at 0.5275.
    {
      type: 'orderbook_delta',
      sid: 1,
      seq: 3,
      msg: { ...book, price_dollars: '0.5250', delta_fp: '3.00', side: 'yes', ts_ms: START + 2_000 },
    },
    {
      type: 'orderbook_delta',
      sid: 1,
      seq: 4,
      msg: { ...book, price_dollars: '0.4725', delta_fp: '0.01', side: 'no', ts_ms: START + 3_000 },
    },
    // A level that goes to 0, and a change of a market without a snapshot.
    {
      type: 'orderbook_delta',
      sid: 1,
      seq: 5,
      msg: { ...book, price_dollars: '0.5200', delta_fp: '-10.00', side: 'yes', ts_ms: START + 4_000 },
    },
    {
      type: 'orderbook_delta',
      sid: 1,
      seq: 6,
      msg: { market_ticker: 'KX-B', price_dollars: '0.1000', delta_fp: '1.00', side: 'yes', ts_ms: START + 5_000 },
    },
    // The taker of NO at 0.4725 sells YES at 0.5275; an older message has cents and `taker_side`.
    {
      type: 'trade',
      sid: 2,
      msg: {
        ...book,
        trade_id: 'a',
        yes_price_dollars: '0.5250',
        count_fp: '1.50',
        taker_outcome_side: 'no',
        ts_ms: START + 6_000,
      },
    },
    {
      type: 'trade',
      sid: 2,
      msg: { ...book, trade_id: 'b', yes_price: 53, no_price: 47, count: 2, taker_side: 'yes', ts: 1_767_225_607 },
    },
    // The book is replaced: an empty side is absent.
    {
      type: 'orderbook_snapshot',
      sid: 1,
      seq: 7,
      msg: { ...book, no_dollars_fp: [['0.0001', '5.00']], ts_ms: START + 8_000 },
    },
    { type: 'ok', id: 3, sid: 1, seq: 8, msg: {} },
    {
      type: 'orderbook_delta',
      sid: 1,
      seq: 9,
      msg: { ...book, price_dollars: '0.9998', delta_fp: '2.00', side: 'yes', ts_ms: START + 9_000 },
    },
  ]);
  const { rows, dropped, changed, manifest } = await rowsOf(file, folder);
  expect(rows).toEqual([
    '1000 bid 5200 = 10 | ask 5300 = 40',
    '1000 bid 5100 = 7',
    '2000 bid 5250 = 3',
    '3000 ask 5275 = 0.01',
    '4000 bid 5200 = 0',
    '6000 print sell 5250 x 1.5',
    '7000 print buy 5300 x 2',
    '8000 bid 5100 = 0 | bid 5250 = 0 | ask 5300 = 0 | ask 5275 = 0 | ask 9999 = 5',
    '9000 bid 9998 = 2',
  ]);
  expect(dropped).toEqual(['level before the first full book 1 (capture.jsonl:6)']);
  expect(changed).toEqual([]);
  expect(manifest.markets[0]?.grid).toEqual({ type: 'tick', tickBps: 1 });
});
