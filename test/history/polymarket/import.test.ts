import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importPolymarket, type PolymarketImportOptions } from '../../../src/history/polymarket/import.ts';
import {
  BOOK,
  MARKET,
  NEW_MARKET,
  NO,
  PRICE_CHANGE,
  RESOLVED,
  TICK_CHANGE,
  TRADE,
  YES,
} from '../../protocol/polymarket/frames.ts';
import { rowTexts } from '../betfair/recording.ts';
import { captureOf, reasons } from '../captures/capture.ts';
import { scratchFolder } from '../scratch.ts';

const START = 1_700_000_000_000;
/** An event `ms` after the start. */
const at = (ms: number, event: object) => ({ ...event, timestamp: String(START + ms) });
const NO_BOOK = {
  ...BOOK,
  asset_id: NO,
  bids: [{ price: '0.47', size: '40.5' }],
  asks: [{ price: '0.49', size: '50' }],
  hash: 'no-1',
};
/** Level changes of both tokens, with the best prices of YES after them. */
function change(ms: number, price: number, size: string, side: 'BUY' | 'SELL', touch: readonly [string, string]) {
  const [best_bid, best_ask] = touch;
  const yes = { asset_id: YES, price: String(price / 10_000), size, side, hash: `h${ms}`, best_bid, best_ask };
  const mirror = (text: string): string => String(1 - Number(text)).slice(0, 6);
  const no = {
    asset_id: NO,
    price: String((10_000 - price) / 10_000),
    size,
    side: side === 'BUY' ? 'SELL' : 'BUY',
    hash: `h${ms}`,
    best_bid: mirror(best_ask),
    best_ask: mirror(best_bid),
  };
  return at(ms, { ...PRICE_CHANGE, price_changes: [yes, no] });
}

async function imported(lines: readonly unknown[], over: Partial<PolymarketImportOptions> = {}, name?: string) {
  const folder = scratchFolder();
  const file = captureOf(folder, lines, name);
  const result = await importPolymarket({ files: [file], folder: join(folder, 'out'), name: 'a', ...over });
  const [tape] = result.tapes;
  if (tape === undefined) throw new Error('no tape');
  const rows = rowTexts(tape.path).map((row) => row.replace(/^(\d+)/, (time) => String(Number(time) - START)));
  return {
    ...result,
    manifest: tape.manifest,
    rows,
    dropped: reasons(result.counts.dropped),
    changed: reasons(result.counts.changed),
  };
}

describe('a capture of the market channel', () => {
  it('becomes one YES book, to which the mirrored levels of the NO token add nothing', async () => {
    const { rows, manifest, dropped, changed } = await imported([
      [at(0, BOOK), at(0, NO_BOOK)],
      change(5, 5200, '10', 'BUY', ['0.52', '0.53']),
      at(9, { ...TRADE, asset_id: NO, side: 'BUY', price: '0.48', size: '4' }),
      change(9, 5200, '6', 'BUY', ['0.52', '0.53']),
    ]);
    expect(rows).toEqual([
      '0 bid 5100 = 50 | ask 5300 = 40.5',
      '5 bid 5200 = 10',
      '9 print sell 5200 x 4',
      '9 bid 5200 = 6',
    ]);
    expect([dropped, changed]).toEqual([[], []]);
    expect(manifest.markets[0]).toMatchObject({
      slug: `polymarket-${MARKET}`,
      outcomes: [`token ${YES}`, `token ${NO}`],
      grid: { type: 'tick', tickBps: 100 },
    });
    expect(manifest.receiveTime).toBe('missing');
    expect(manifest.units.at(-1)).toMatch(/YES is the token that came first, in 1 markets without metadata/);
  });

  it('of the NO token alone is mirrored when the metadata names the tokens', async () => {
    const folder = scratchFolder();
    const markets = join(folder, 'markets.json');
    const tokens = [
      { token_id: YES, outcome: 'Yes', winner: true },
      { token_id: NO, outcome: 'No', winner: false },
    ];
    const record = { condition_id: MARKET, tokens, question: 'Rain?', market_slug: 'rain', minimum_tick_size: 0.001 };
    writeFileSync(markets, JSON.stringify({ data: [record, { condition_id: 'x' }] }));
    const { rows, manifest, dropped } = await imported([at(0, NO_BOOK)], { markets });
    // Only the metadata has the winner, so the market pays after the last message.
    expect(rows).toEqual(['0 bid 5100 = 50 | ask 5300 = 40.5', '0 pays 10000']);
    expect(manifest.markets[0]).toMatchObject({ slug: 'rain', question: 'Rain?', outcomes: ['Yes', 'No'] });
    expect(manifest.markets[0]?.grid).toEqual({ type: 'tick', tickBps: 10 });
    expect(dropped[0]).toMatch(/^market record, condition_id: expected a condition id.* 1 \(.*markets\.json:2\)$/);
  });

  it('moves a print before the level change that it explains, and counts it', async () => {
    const { rows, counts } = await imported([
      at(0, BOOK),
      change(9, 5300, '36.5', 'SELL', ['0.51', '0.53']),
      at(12, TRADE),
    ]);
    expect(rows).toEqual(['0 bid 5100 = 50 | ask 5300 = 40.5', '9 print buy 5300 x 4 | ask 5300 = 36.5']);
    expect(counts.trades.paired).toBe(1);
  });

  it('has flagged prints inferred from repeated books when it has no trades', async () => {
    const sold = { ...BOOK, bids: [{ price: '0.51', size: '20' }], hash: 'b2' };
    const { rows, manifest, counts } = await imported([at(0, BOOK), at(50, sold)]);
    expect(rows).toEqual(['0 bid 5100 = 50 | ask 5300 = 40.5', '50 print sell 5100 x 30 inferred | bid 5100 = 20']);
    expect(manifest.units.join()).toMatch(/no trades in the recording: prints are inferred/);
    expect(counts.inferred).toMatchObject({ prints: 1, unexplained: 0 });
  });

  it('ends a book whose best prices differ from the stated ones until the next full book', async () => {
    const { rows, changed, dropped } = await imported([
      at(0, BOOK),
      change(5, 5200, '10', 'BUY', ['0.525', '0.53']),
      change(6, 5000, '10', 'BUY', ['0.525', '0.53']),
      at(20, { ...BOOK, hash: 'b2' }),
      at(30, TRADE),
    ]);
    expect(rows).toEqual([
      '0 bid 5100 = 50 | ask 5300 = 40.5',
      '5 gap',
      '20 clear | bid 5100 = 50 | ask 5300 = 40.5',
      '30 print buy 5300 x 4',
    ]);
    expect(changed).toEqual([
      'best prices other than stated: the book ends until the next full one 1 (capture.jsonl:2)',
    ]);
    expect(dropped).toEqual(['level before the first full book 2 (capture.jsonl:3)']);
  });

  it('ends the book of a market when one of its events cannot be read', async () => {
    const [bad] = PRICE_CHANGE.price_changes;
    const { rows, dropped } = await imported([
      at(0, BOOK),
      at(5, { ...PRICE_CHANGE, price_changes: [{ ...bad, size: '-10' }] }),
      at(6, TRADE),
    ]);
    expect(rows).toEqual(['0 bid 5100 = 50 | ask 5300 = 40.5', '6 gap', '6 print buy 5300 x 4']);
    expect(dropped).toEqual([
      'price_changes.*.size: expected a number of shares from 0 to 1000000000 1 (capture.jsonl:2)',
    ]);
  });

  it('counts repeated messages, and treats equal trades as repeated only when messages are repeated', async () => {
    const doubled = [
      at(0, BOOK),
      at(0, BOOK),
      at(3, TRADE),
      at(3, TRADE),
      change(5, 5200, '10', 'BUY', ['0.52', '0.53']),
      change(5, 5200, '10', 'BUY', ['0.52', '0.53']),
      at(7, TRADE),
      at(7, TRADE),
    ];
    const { rows, dropped, counts } = await imported(doubled);
    expect(rows).toHaveLength(5);
    expect(dropped).toEqual([
      'repeated book 1 (capture.jsonl:2)',
      'repeated level changes 1 (capture.jsonl:6)',
      'trade of a repeated message 1 (capture.jsonl:8)',
    ]);
    expect(counts.trades.prints).toBe(3);
  });

  it('merges several files in time, plain and gzip, by their receive times', async () => {
    const folder = scratchFolder();
    const wrap = (ms: number, event: object) => ({ received_at: (START + ms + 40) / 1_000, message: at(ms, event) });
    const first = captureOf(folder, [wrap(0, BOOK), wrap(20, TRADE)], 'a.jsonl');
    const second = captureOf(folder, [wrap(10, { ...TRADE, size: '1' })], 'b.jsonl.gz');
    const { tapes } = await importPolymarket({ files: [first, second], folder, name: 'x' });
    const [{ path, manifest } = { path: '', manifest: undefined }] = tapes;
    expect(rowTexts(path).map((row) => row.slice(10))).toEqual([
      '000 bid 5100 = 50 | ask 5300 = 40.5',
      '010 print buy 5300 x 1',
      '020 print buy 5300 x 4',
    ]);
    expect(manifest?.receiveTime).toBe('recorded');
    expect(manifest?.source.files.map(({ name }) => name)).toEqual(['a.jsonl', 'b.jsonl.gz']);
  });

  it('counts messages of two recorders once, also trades before the first level change', async () => {
    const folder = scratchFolder();
    const wrap = (ms: number, event: object) => ({ received_at: START + ms, message: event });
    const lines = (delay: number) => [
      wrap(delay, at(0, BOOK)),
      wrap(5 + delay, at(5, TRADE)),
      wrap(10 + delay, change(10, 5200, '10', 'BUY', ['0.52', '0.53'])),
      wrap(15 + delay, at(15, TRADE)),
    ];
    const files = [captureOf(folder, lines(0), 'a.jsonl'), captureOf(folder, lines(3), 'b.jsonl')];
    const { counts } = await importPolymarket({ files, folder, name: 'x' });
    expect(counts.trades.prints).toBe(2);
    expect(reasons(counts.dropped)).toEqual([
      'repeated book 1 (b.jsonl:1)',
      'repeated level changes 1 (b.jsonl:3)',
      'trade of a repeated message 2 (b.jsonl:2)',
    ]);
  });

  it('starts an old book at the time of its message, not of its last change', async () => {
    const { rows, changed } = await imported([
      { received_at: START + 100_000, message: at(99_990, { ...BOOK, market: `0x${'cd'.repeat(32)}` }) },
      { received_at: START + 100_010, message: at(-5_000_000, BOOK) },
    ]);
    expect(rows.map((row) => row.split(' ')[0])).toEqual(['99990', '100010']);
    expect(changed).toEqual([
      'book whose last change was long before: it counts from its message on 1 (capture.jsonl:2)',
    ]);
  });

  it('resolves a market, refines the grid by ticks and prices, and drops later messages', async () => {
    const { rows, manifest, dropped } = await imported([
      at(0, { ...BOOK, bids: [{ price: '0.515', size: '5' }] }),
      at(1, { ...TICK_CHANGE, new_tick_size: '0.005' }),
      at(5, RESOLVED),
      at(6, TRADE),
    ]);
    expect(rows).toEqual(['0 bid 5150 = 5 | ask 5300 = 40.5', '5 pays 10000']);
    expect(manifest.markets[0]?.grid).toEqual({ type: 'tick', tickBps: 50 });
    expect(dropped).toEqual(['row after the resolution 1 (capture.jsonl:4)']);
  });

  it('reads public trades of the Data API, which are newest first', async () => {
    const record = (seconds: number, price: number) => ({
      conditionId: MARKET,
      asset: YES,
      side: 'BUY',
      size: 2.005,
      price,
      timestamp: START / 1_000 + seconds,
      transactionHash: '0x1',
    });
    const { rows, counts, changed } = await imported([[record(9, 0.52341), record(5, 0.5)]]);
    expect(rows).toEqual(['5000 print buy 5000 x 2', '9000 print buy 5234 x 2']);
    expect(changed).toEqual(['average price rounded to a basis point 1 (capture.jsonl:1)']);
    expect(`${counts.trades.shares} ${counts.trades.printed} ${counts.trades.rounded}`).toBe(
      '4.010000 4.000000 0.010000',
    );
  });

  it('counts and locates invalid lines, and continues', async () => {
    const { dropped } = await imported([
      at(0, BOOK),
      'PONG',
      '<<<<<<< HEAD',
      '{"event_type":"book","mar',
      '=======',
      '>>>>>>> other',
      at(3, { event_type: 'weather' }),
      at(4, TRADE),
      '12',
    ]);
    expect(dropped).toEqual([
      'event of an unknown kind 1 (capture.jsonl:7)',
      'keep-alive 1 (capture.jsonl:2)',
      'line that is not JSON 1 (capture.jsonl:4)',
      'merge-conflict marker 3 (capture.jsonl:3)',
      'message: expected an event of the market channel or a list of them 1 (capture.jsonl:9)',
    ]);
  });

  it('drops incomplete last line', async () => {
    const folder = scratchFolder();
    const file = captureOf(folder, [at(0, BOOK)]);
    writeFileSync(file, '{"event_type":"last_tr', { flag: 'a' });
    const { counts } = await importPolymarket({ files: [file], folder, name: 'x' });
    expect(reasons(counts.dropped)).toEqual(['incomplete last line 1 (capture.jsonl:2)']);
  });

  it('is refused with the reasons when nothing in it is a message, and leaves no tape', async () => {
    const folder = scratchFolder();
    const file = captureOf(folder, ['{"hello":1}', 'x,y']);
    await expect(importPolymarket({ files: [file], folder, name: 'x' })).rejects.toThrow(
      /none of its 2 lines makes a row: 1 x .*capture\.jsonl:1.*docs\/importing\.md/,
    );
    await expect(importPolymarket({ files: [join(folder, 'none')], folder, name: 'x' })).rejects.toThrow(
      /there is no such file/,
    );
    expect(existsSync(join(folder, 'x.tape'))).toBe(false);
  });

  it('continues after a kill and produces the same tape', async () => {
    const other = `0x${'cd'.repeat(32)}`;
    const lines = [
      at(0, { ...NEW_MARKET, slug: 'announced' }),
      [at(0, BOOK), at(0, NO_BOOK)],
      at(1, { ...BOOK, market: other, bids: [{ price: '0.515', size: '9' }] }),
      change(5, 5200, '10', 'BUY', ['0.52', '0.53']),
      'half',
      change(5, 5200, '10', 'BUY', ['0.52', '0.53']),
      at(7, TRADE),
      at(7, TRADE),
      at(7, { ...NEW_MARKET, slug: 'announced twice' }),
      at(7, { ...NEW_MARKET, condition_id: other, slug: 'late', assets_ids: [NO, YES], outcomes: ['A', 'Luka_NO'] }),
      change(8, 5200, '8', 'BUY', ['0.52', '0.53']),
      change(9, 5200, '7', 'BUY', ['0.51', '0.53']),
      at(20, { ...BOOK, hash: 'b9' }),
      at(30, TRADE),
    ];
    const folder = scratchFolder();
    const files = [captureOf(folder, lines)];
    const whole = await importPolymarket({ files, folder: join(folder, 'whole'), name: 'x' });
    for (let kill = 1; kill <= 5; kill += 1) {
      const options = { files, folder: join(folder, `killed-${kill}`), name: 'x', partMessages: 2 };
      let parts = 0;
      const onProgress = (): void => {
        parts += 1;
        if (parts === kill) throw new Error('killed');
      };
      await expect(importPolymarket({ ...options, onProgress })).rejects.toThrow('killed');
      const { tapes, counts, kinds, resumedAt } = await importPolymarket(options);
      expect(resumedAt).toBe(2 * kill);
      expect(tapes[0]?.manifest.contentHash).toBe(whole.tapes[0]?.manifest.contentHash);
      expect(tapes[0]?.manifest.markets).toEqual(whole.tapes[0]?.manifest.markets);
      expect(counts.toJSON()).toEqual(whole.counts.toJSON());
      expect(kinds).toEqual(whole.kinds);
    }
    expect(whole.tapes[0]?.manifest.markets.map(({ slug }) => slug)).toEqual(['announced', 'late']);
    // The book precedes the announcement, so the first token stays YES.
    expect(whole.tapes[0]?.manifest.markets[1]?.outcomes).toEqual(['Luka_NO', 'A']);
  });

  it('becomes one tape per market by option', async () => {
    const other = { ...BOOK, market: `0x${'cd'.repeat(32)}` };
    const { tapes } = await imported([at(0, BOOK), at(3, other), at(4, TRADE)], { separate: true });
    expect(tapes.map(({ manifest }) => [manifest.name, manifest.rows])).toEqual([
      [`a-polymarket-${MARKET}`, 3],
      [`a-polymarket-${other.market}`, 2],
    ]);
  });
});
