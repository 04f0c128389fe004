import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importKalshi, type KalshiImportOptions } from '../../../src/history/kalshi/import.ts';
import { DELTA, MARKET, SNAPSHOT, TRADE } from '../../protocol/kalshi/frames.ts';
import { captureOf, reasons, summaryOf } from '../captures/capture.ts';
import { killAt, scratchFolder } from '../scratch.ts';

const START = 1_700_000_000_000;
const OTHER = 'KXTEST-26NOV20-B';
const line = (ms: number, message: object) => ({ received_at: START + ms, message });
const snapshot = (ms: number, seq: number, market = MARKET) =>
  line(ms, { ...SNAPSHOT, seq, msg: { ...SNAPSHOT.msg, market_ticker: market, ts_ms: START + ms } });
/** @param sent time at which the venue sent it, ms after the start; a second recorder may receive it later */
const delta = (ms: number, seq: number, price: string, change: string, sent = ms, market = MARKET) => {
  const msg = { ...DELTA.msg, market_ticker: market, price_dollars: price, delta_fp: change, ts_ms: START + sent };
  return line(ms, { ...DELTA, seq, msg });
};
const trade = (ms: number, id: string) =>
  line(ms, { ...TRADE, msg: { ...TRADE.msg, trade_id: id, ts_ms: START + ms } });

/** Imports one file per list. All have the same name in different folders, as recorders write them. */
async function importCaptures(files: readonly (readonly unknown[])[], change: Partial<KalshiImportOptions> = {}) {
  const folder = scratchFolder();
  const paths = files.map((lines, at) => {
    const recorder = join(folder, `recorder-${at + 1}`);
    mkdirSync(recorder);
    return captureOf(recorder, lines, 'kalshi.jsonl');
  });
  const options = { files: paths, folder: join(folder, 'out'), name: 'k', ...change };
  const result = await importKalshi(options);
  return { folder, options, ...summaryOf(result, START) };
}

const BOOK = 'bid 5200 = 10 | ask 5300 = 40.5';

describe('captures of several recorders', () => {
  it('of different markets are merged in time, each with its own sequence numbers', async () => {
    const { rows, dropped, changed } = await importCaptures([
      [snapshot(0, 1), delta(10, 2, '0.5100', '5.00'), delta(30, 3, '0.5100', '1.00')],
      [snapshot(5, 1, OTHER), delta(20, 2, '0.5000', '7.00', 20, OTHER)],
    ]);
    expect(rows).toEqual([`0 ${BOOK}`, `5 ${BOOK}`, '10 bid 5100 = 5', '20 bid 5000 = 7', '30 bid 5100 = 6']);
    expect([dropped, changed]).toEqual([[], []]);
  });

  it('of the same market give one book, from the first capture, and each trade id once', async () => {
    const { rows, dropped, changed } = await importCaptures([
      [
        snapshot(0, 1),
        delta(10, 2, '0.5100', '5.00'),
        trade(15, 't1'),
        delta(30, 3, '0.5200', '-4.00'),
        trade(33, 't2'),
      ],
      [snapshot(2, 1), delta(12, 2, '0.5100', '5.00', 10), trade(16, 't1'), delta(32, 3, '0.5200', '-4.00', 30)],
    ]);
    // The second trade explains the level change 3 ms before it.
    const both = '30 print sell 5200 x 4 | bid 5200 = 6';
    expect(rows).toEqual([`0 ${BOOK}`, '10 bid 5100 = 5', '15 print sell 5200 x 4', both]);
    expect(dropped).toEqual([
      'level change of a book that another subscription carries 2 (recorder-2/kalshi.jsonl:2)',
      'repeated trade 1 (recorder-2/kalshi.jsonl:3)',
      'snapshot of a book that another file carries 1 (recorder-2/kalshi.jsonl:1)',
    ]);
    expect(changed).toEqual([]);
  });

  it('of the same market use the second capture from its next snapshot when the first one lost a message', async () => {
    const { rows, changed } = await importCaptures([
      [snapshot(0, 1), delta(30, 4, '0.5100', '5.00'), delta(45, 5, '0.5100', '5.00')],
      [snapshot(2, 1), delta(12, 2, '0.5000', '9.00'), snapshot(40, 3), delta(50, 4, '0.5000', '2.00')],
    ]);
    expect(rows).toEqual([`0 ${BOOK}`, '30 gap', `40 clear | ${BOOK}`, '50 bid 5000 = 2']);
    expect(changed).toEqual(['gap in the sequence of books 1 (recorder-1/kalshi.jsonl:2)']);
  });

  it('of the same market end the book when its file ends and another continues without a snapshot', async () => {
    const { rows, changed } = await importCaptures([
      [snapshot(0, 1), delta(10, 2, '0.5100', '5.00')],
      [snapshot(2, 1), delta(12, 2, '0.5100', '5.00', 10), delta(30, 3, '0.5000', '9.00'), snapshot(40, 4)],
    ]);
    expect(rows).toEqual([`0 ${BOOK}`, '10 bid 5100 = 5', '10 gap', `40 clear | ${BOOK}`]);
    expect(changed).toEqual([
      'book whose file ended: the book is unknown until a snapshot of another file 1 (recorder-2/kalshi.jsonl:2)',
    ]);
  });

  it('are parts of one capture when the numbers of a file continue those of the previous file', async () => {
    const first = [snapshot(0, 1), delta(10, 2, '0.5100', '5.00')];
    const whole = await importCaptures([first, [delta(20, 3, '0.5100', '1.00'), delta(30, 4, '0.5100', '1.00')]]);
    expect(whole.rows).toEqual([`0 ${BOOK}`, '10 bid 5100 = 5', '20 bid 5100 = 6', '30 bid 5100 = 7']);
    expect(whole.changed).toEqual([]);
    const without = await importCaptures([first, [delta(30, 4, '0.5100', '1.00')]]);
    expect(without.rows.at(-1)).toBe('30 gap');
  });

  it('in one file end the books whose messages have the same numbers', async () => {
    const lines = [snapshot(0, 1), snapshot(1, 1, OTHER), delta(10, 2, '0.5100', '5.00')];
    const { rows, changed } = await importCaptures([[...lines, delta(11, 2, '0.5000', '7.00', 11, OTHER)]]);
    expect(rows).toEqual([`0 ${BOOK}`, `1 gap`, `1 ${BOOK}`, '11 gap']);
    expect(changed).toEqual([
      'sequence number of another message: the file may mix connections, so the books end 2 (kalshi.jsonl:2)',
    ]);
  });

  it('are refused when one file is given twice', async () => {
    const folder = scratchFolder();
    const file = captureOf(folder, [snapshot(0, 1)]);
    await expect(importKalshi({ files: [file, file], folder, name: 'k' })).rejects.toThrow(/the file is given twice/);
  });

  it('are not overwritten by an import of another file with the same name', async () => {
    const { folder, options } = await importCaptures([[snapshot(0, 1)]]);
    const files = [captureOf(folder, [snapshot(5, 1, OTHER)], 'other.jsonl')];
    await expect(importKalshi({ ...options, files })).rejects.toThrow(/leaves out\. Keep both with `--name …`/);
    expect(await importKalshi(options)).toMatchObject({ isUpToDate: true });
    const both = await importKalshi({ ...options, files: [...options.files, ...files] });
    expect(both.tapes[0]?.manifest.markets).toHaveLength(2);
  });

  it('continue after a kill and produce the same tape', async () => {
    const files = [
      [snapshot(0, 1), delta(10, 2, '0.5100', '5.00'), trade(15, 't1'), delta(30, 3, '0.5200', '-4.00')],
      [snapshot(2, 1), delta(12, 2, '0.5100', '5.00', 10), trade(16, 't1'), delta(32, 3, '0.5200', '-4.00', 30)],
      [delta(40, 4, '0.5000', '1.00'), delta(40, 4, '0.5000', '1.00'), snapshot(50, 6), delta(60, 7, '0.5000', '1.00')],
    ];
    const whole = await importCaptures(files);
    for (let kill = 1; kill <= 5; kill += 1) {
      const options = { ...whole.options, folder: join(whole.folder, `killed-${kill}`), partMessages: 2 };
      await expect(importKalshi({ ...options, onProgress: killAt(kill) })).rejects.toThrow('killed');
      const { tapes, counts, resumedAt } = await importKalshi(options);
      expect(resumedAt).toBe(2 * kill);
      expect(tapes[0]?.manifest.contentHash).toBe(whole.manifest.contentHash);
      expect([reasons(counts.dropped), reasons(counts.changed)]).toEqual([whole.dropped, whole.changed]);
    }
  });
});
