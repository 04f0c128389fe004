import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importKalshi, type KalshiImportOptions } from '../../../src/history/kalshi/import.ts';
import { DELTA, DETERMINED, MARKET, SNAPSHOT, TICKER, TRADE } from '../../protocol/kalshi/frames.ts';
import { captureOf, reasons, summaryOf } from '../captures/capture.ts';
import { killAt, scratchFolder } from '../scratch.ts';

const START = 1_700_000_000_000;
const snapshot = (seq: number, fields: object = {}) => ({ ...SNAPSHOT, seq, msg: { ...SNAPSHOT.msg, ...fields } });
const delta = (ms: number, seq: number, price: string, change: string, side = 'yes') => ({
  ...DELTA,
  seq,
  msg: { ...DELTA.msg, price_dollars: price, delta_fp: change, side, ts_ms: START + ms },
});
const trade = (ms: number, fields: object = {}) => ({ ...TRADE, msg: { ...TRADE.msg, ts_ms: START + ms, ...fields } });
const lifecycle = (ms: number, fields: object) => ({
  ...DETERMINED,
  msg: { market_ticker: MARKET, ts_ms: START + ms, ...fields },
});

async function importCapture(lines: readonly unknown[], options: Partial<KalshiImportOptions> = {}, name?: string) {
  const folder = scratchFolder();
  const file = captureOf(folder, lines, name);
  const result = await importKalshi({ files: [file], folder: join(folder, 'out'), name: 'k', ...options });
  return { ...result, ...summaryOf(result, START) };
}

describe('a capture of the public streams', () => {
  it('becomes a book of YES, in which snapshots have the time of the next message and NO bids are asks', async () => {
    const { rows, manifest, dropped, changed } = await importCapture([
      snapshot(1),
      delta(100, 2, '0.5100', '5.00'),
      trade(103),
      delta(103, 3, '0.5200', '-4.00'),
      delta(110, 4, '0.4700', '-40.50', 'no'),
      TICKER,
    ]);
    expect(rows).toEqual([
      '100 bid 5200 = 10 | ask 5300 = 40.5',
      '100 bid 5100 = 5',
      '103 print sell 5200 x 4',
      '103 bid 5200 = 6',
      '110 ask 5300 = 0',
    ]);
    expect([dropped, changed]).toEqual([[], []]);
    expect(manifest.markets).toMatchObject([
      { slug: MARKET.toLowerCase(), question: MARKET, outcomes: ['Yes', 'No'], grid: { type: 'tick', tickBps: 100 } },
    ]);
  });

  it('has its names, steps and result from the metadata', async () => {
    const folder = scratchFolder();
    const markets = join(folder, 'markets.json');
    const record = {
      ticker: MARKET,
      event_ticker: 'KXTEST-26NOV20',
      title: 'Rain?',
      result: 'no',
      settlement_ts: '2023-11-14T22:13:30Z',
      close_time: '2023-11-14T22:13:25Z',
      price_ranges: [{ start: '0', end: '1', step: '0.001' }],
    };
    writeFileSync(
      markets,
      JSON.stringify({ events: [{ category: 'Climate', mutually_exclusive: true, markets: [record] }], cursor: '' }),
    );
    const { rows, manifest } = await importCapture([snapshot(1), delta(100, 2, '0.5100', '5.00')], { markets });
    expect(rows.at(-1)).toBe('10000 pays 0');
    expect(manifest.markets[0]).toMatchObject({
      question: 'Rain?',
      eventId: 'KXTEST-26NOV20',
      exclusive: true,
      category: 'Climate',
      grid: { type: 'tick', tickBps: 10 },
      scheduledResolution: Date.UTC(2023, 10, 14, 22, 13, 25),
    });
  });

  it.each([
    ['JSON lines', (json: string) => `{"received_at":1,"message":${json}}`, 'capture.jsonl'],
    ['CSV', (json: string) => `1,"${json.replaceAll('"', '""')}"`, 'capture.csv'],
  ])('is refused at a message that is nested too deeply: %s', async (_, line, name) => {
    const deep = `{"a":${'['.repeat(3_000)}${']'.repeat(3_000)}}`;
    const lines = ['received_at,message', line(JSON.stringify(snapshot(1))), line(deep)];
    await expect(importCapture(name.endsWith('csv') ? lines : lines.slice(1), {}, name)).rejects.toThrow(
      new RegExp(
        `${name}, line ${name.endsWith('csv') ? 3 : 2}: JSON that is nested more than 250 levels deep. Remove the line`,
      ),
    );
  });

  it('loses its books at a gap in the sequence, until their next snapshots', async () => {
    const other = 'KXTEST-26NOV20-B';
    const { rows, changed, dropped } = await importCapture([
      snapshot(1),
      snapshot(2, { market_ticker: other }),
      delta(100, 3, '0.5100', '5.00'),
      delta(120, 5, '0.5000', '7.00'),
      snapshot(6),
      delta(140, 7, '0.5000', '7.00'),
    ]);
    expect(rows).toEqual([
      '100 bid 5200 = 10 | ask 5300 = 40.5',
      '100 bid 5200 = 10 | ask 5300 = 40.5',
      '100 bid 5100 = 5',
      '120 gap',
      '120 gap',
      '140 clear | bid 5200 = 10 | ask 5300 = 40.5',
      '140 bid 5000 = 7',
    ]);
    expect(changed).toEqual(['gap in the sequence of books 1 (capture.jsonl:4)']);
    expect(dropped).toEqual(['level before the first full book 1 (capture.jsonl:4)']);
  });

  it('starts again with a new connection and drops earlier messages', async () => {
    const { rows, changed, dropped } = await importCapture([
      snapshot(1),
      delta(100, 2, '0.5100', '5.00'),
      delta(100, 2, '0.5100', '5.00'),
      snapshot(1),
      delta(9_000, 2, '0.5100', '6.00'),
      trade(9_001),
      trade(9_001),
    ]);
    expect(rows.slice(1)).toEqual([
      '100 bid 5100 = 5',
      '9000 gap | clear | bid 5200 = 10 | ask 5300 = 40.5',
      '9000 bid 5100 = 6',
      '9001 print sell 5200 x 4',
    ]);
    expect(changed).toEqual(['subscription that restarted 1 (capture.jsonl:4)']);
    expect(dropped).toEqual(['repeated sequence number 1 (capture.jsonl:3)', 'repeated trade 1 (capture.jsonl:7)']);
  });

  it('ends a book when a level falls below 0, and when it crosses', async () => {
    const below = await importCapture([snapshot(1), delta(100, 2, '0.5200', '-11.00')]);
    expect(below.rows).toEqual(['100 bid 5200 = 10 | ask 5300 = 40.5', '100 gap']);
    expect(below.changed).toEqual(['level below 0 after a change: removed 1 (capture.jsonl:2)']);
    const crossed = await importCapture([snapshot(1), delta(100, 2, '0.5300', '1.00')]);
    expect(crossed.rows.at(-1)).toBe('100 gap');
    expect(crossed.changed[0]).toMatch(/^book crossed by a level change/);
  });

  it('reads NO levels in YES prices by option, or by the command in the recording', async () => {
    const inYesPrices = [snapshot(1, { no_dollars_fp: [['0.5300', '40.50']] }), delta(100, 2, '0.5100', '5.00')];
    const book = '100 bid 5200 = 10 | ask 5300 = 40.5';
    expect((await importCapture(inYesPrices, { usesYesPrices: true })).rows[0]).toBe(book);
    const command = { id: 1, cmd: 'subscribe', params: { channels: ['orderbook_delta'], use_yes_price: true } };
    expect((await importCapture([command, ...inYesPrices])).rows[0]).toBe(book);
    expect((await importCapture(inYesPrices)).changed).toEqual([
      'crossed snapshot: the NO levels may have the other prices (--yes-prices) 1 (capture.jsonl:1)',
    ]);
  });

  it('drops trades away from the book, and its counts add up', async () => {
    const { rows, dropped, counts } = await importCapture([
      snapshot(1),
      trade(50),
      trade(60, { trade_id: 't2', is_block_trade: true, count_fp: '1000.00' }),
      trade(70, { trade_id: 't3', count_fp: '0.005' }),
    ]);
    expect(rows.slice(1)).toEqual(['50 print sell 5200 x 4']);
    expect(dropped).toEqual([
      'trade agreed away from the book 1 (capture.jsonl:3)',
      'trade below one lot 1 (capture.jsonl:4)',
    ]);
    expect(`${counts.trades.read} ${counts.trades.shares}`).toBe('3 1004.005000');
  });

  it('has the halts, the pending result and the settlement of its markets', async () => {
    const { rows } = await importCapture([
      snapshot(1),
      lifecycle(10, { event_type: 'deactivated' }),
      lifecycle(20, { event_type: 'activated' }),
      lifecycle(30, { event_type: 'determined', result: 'yes' }),
      lifecycle(40, { event_type: 'settled' }),
      lifecycle(50, { event_type: 'settled', market_ticker: 'KXOTHER' }),
    ]);
    expect(rows).toEqual([
      '10 bid 5200 = 10 | ask 5300 = 40.5',
      '10 HALTED',
      '20 OPEN',
      '30 PENDING_RESOLUTION',
      '40 pays 10000',
    ]);
  });

  it('has no settlement of a market that is only determined', async () => {
    const { rows } = await importCapture([snapshot(1), lifecycle(30, { event_type: 'determined', result: 'yes' })]);
    expect(rows).toEqual(['30 bid 5200 = 10 | ask 5300 = 40.5', '30 PENDING_RESOLUTION']);
  });

  it('is read from a column of CSV with the time of receipt in another', async () => {
    const cell = (value: object) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
    const lines = [
      'recv_ts,channel,message',
      `1700000000.050,book,${cell(snapshot(1))}`,
      `1700000000.140,book,${cell(delta(100, 2, '0.5100', '5.00'))}`,
      'half,a row',
    ];
    const { rows, manifest, dropped } = await importCapture(lines, {}, 'capture.csv');
    expect(rows).toEqual(['50 bid 5200 = 10 | ask 5300 = 40.5', '100 bid 5100 = 5']);
    expect(manifest.receiveTime).toBe('recorded');
    expect(dropped).toEqual(['line that is not JSON 1 (capture.csv:4)']);
    await expect(importCapture(['a,b', '1,2'], {}, 'table.csv')).rejects.toThrow(
      /table\.csv, line 1: no column with JSON messages: a, b\. .*`import csv` and a mapping file/,
    );
  });

  it('ends the book of a market when one of its messages cannot be read, and counts it', async () => {
    const { rows, dropped } = await importCapture([
      { ...snapshot(1), seq: undefined },
      { ...delta(100, 2, '0.5100', 'x'), seq: undefined },
      trade(110),
    ]);
    expect(rows).toEqual(['110 bid 5200 = 10 | ask 5300 = 40.5', '110 gap', '110 print sell 5200 x 4']);
    expect(dropped).toEqual(['msg.delta_fp: expected a change of contracts such as "-4.00" 1 (capture.jsonl:2)']);
  });

  it('continues after a kill and produces the same tape', async () => {
    const lines = [
      snapshot(1),
      delta(100, 2, '0.5100', '5.00'),
      trade(101),
      lifecycle(102, { event_type: 'determined', result: 'yes' }),
      delta(103, 3, '0.5000', '5.00'),
      delta(104, 5, '0.5000', '5.00'),
      trade(105),
      snapshot(6),
      delta(110, 7, '0.5050', '5.00'),
      lifecycle(120, { event_type: 'settled' }),
    ];
    const folder = scratchFolder();
    const files = [captureOf(folder, lines)];
    const whole = await importKalshi({ files, folder: join(folder, 'whole'), name: 'x' });
    expect(reasons(whole.counts.changed)).toEqual(['gap in the sequence of books 1 (capture.jsonl:6)']);
    for (let kill = 1; kill <= 4; kill += 1) {
      const options = { files, folder: join(folder, `killed-${kill}`), name: 'x', partMessages: 2 };
      await expect(importKalshi({ ...options, onProgress: killAt(kill) })).rejects.toThrow('killed');
      const { tapes, counts, resumedAt } = await importKalshi(options);
      expect(resumedAt).toBe(2 * kill);
      expect(tapes[0]?.manifest.contentHash).toBe(whole.tapes[0]?.manifest.contentHash);
      expect(tapes[0]?.manifest.markets).toEqual(whole.tapes[0]?.manifest.markets);
      expect(counts.toJSON()).toEqual(whole.counts.toJSON());
    }
  });
});
