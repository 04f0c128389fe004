import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importPolymarket } from '../../../src/history/polymarket/import.ts';
import { BOOK, MARKET, NEW_MARKET, NO, TRADE, YES } from '../../protocol/polymarket/frames.ts';
import { rowTexts } from '../betfair/recording.ts';
import { captureOf, reasons } from '../captures/capture.ts';
import { killAt, scratchFolder } from '../scratch.ts';
import { change, eventAt, importCapture, NO_BOOK, START } from './capture-events.ts';

describe('an import of the files of a capture', () => {
  it('counts repeated messages, and treats equal trades as repeated only when messages are repeated', async () => {
    const doubled = [
      eventAt(0, BOOK),
      eventAt(0, BOOK),
      eventAt(3, TRADE),
      eventAt(3, TRADE),
      change(5, 5200, '10', 'BUY', ['0.52', '0.53']),
      change(5, 5200, '10', 'BUY', ['0.52', '0.53']),
      eventAt(7, TRADE),
      eventAt(7, TRADE),
    ];
    const { rows, dropped, counts } = await importCapture(doubled);
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
    const wrap = (ms: number, event: object) => ({
      received_at: (START + ms + 40) / 1_000,
      message: eventAt(ms, event),
    });
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
      wrap(delay, eventAt(0, BOOK)),
      wrap(5 + delay, eventAt(5, TRADE)),
      wrap(10 + delay, change(10, 5200, '10', 'BUY', ['0.52', '0.53'])),
      wrap(15 + delay, eventAt(15, TRADE)),
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

  it('counts and locates invalid lines, and continues', async () => {
    const { dropped } = await importCapture([
      eventAt(0, BOOK),
      'PONG',
      '<<<<<<< HEAD',
      '{"event_type":"book","mar',
      '=======',
      '>>>>>>> other',
      eventAt(3, { event_type: 'weather' }),
      eventAt(4, TRADE),
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

  it('drops an incomplete last line', async () => {
    const folder = scratchFolder();
    const file = captureOf(folder, [eventAt(0, BOOK)]);
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
      eventAt(0, { ...NEW_MARKET, slug: 'announced' }),
      [eventAt(0, BOOK), eventAt(0, NO_BOOK)],
      eventAt(1, { ...BOOK, market: other, bids: [{ price: '0.515', size: '9' }] }),
      change(5, 5200, '10', 'BUY', ['0.52', '0.53']),
      'half',
      change(5, 5200, '10', 'BUY', ['0.52', '0.53']),
      eventAt(7, TRADE),
      eventAt(7, TRADE),
      eventAt(7, { ...NEW_MARKET, slug: 'announced twice' }),
      eventAt(7, {
        ...NEW_MARKET,
        condition_id: other,
        slug: 'late',
        assets_ids: [NO, YES],
        outcomes: ['A', 'Luka_NO'],
      }),
      change(8, 5200, '8', 'BUY', ['0.52', '0.53']),
      change(9, 5200, '7', 'BUY', ['0.51', '0.53']),
      eventAt(20, { ...BOOK, hash: 'b9' }),
      eventAt(30, TRADE),
    ];
    const folder = scratchFolder();
    const files = [captureOf(folder, lines)];
    const whole = await importPolymarket({ files, folder: join(folder, 'whole'), name: 'x' });
    for (let kill = 1; kill <= 5; kill += 1) {
      const options = { files, folder: join(folder, `killed-${kill}`), name: 'x', partMessages: 2 };
      await expect(importPolymarket({ ...options, onProgress: killAt(kill) })).rejects.toThrow('killed');
      const { tapes, counts, countsByKind, resumedAt } = await importPolymarket(options);
      expect(resumedAt).toBe(2 * kill);
      expect(tapes[0]?.manifest.contentHash).toBe(whole.tapes[0]?.manifest.contentHash);
      expect(tapes[0]?.manifest.markets).toEqual(whole.tapes[0]?.manifest.markets);
      expect(counts.toJSON()).toEqual(whole.counts.toJSON());
      expect(countsByKind).toEqual(whole.countsByKind);
    }
    expect(whole.tapes[0]?.manifest.markets.map(({ slug }) => slug)).toEqual(['announced', 'late']);
    // The book precedes the announcement, so the first token stays YES.
    expect(whole.tapes[0]?.manifest.markets[1]?.outcomes).toEqual(['Luka_NO', 'A']);
  });

  it('continues after a kill with one tape per market, also for markets that are announced', async () => {
    const other = `0x${'cd'.repeat(32)}`;
    const lines = [
      eventAt(0, { ...NEW_MARKET, slug: 'announced' }),
      eventAt(0, BOOK),
      eventAt(1, { ...BOOK, market: other }),
      eventAt(2, { ...NEW_MARKET, condition_id: other, slug: 'late' }),
      eventAt(3, TRADE),
      eventAt(4, { ...TRADE, market: other }),
    ];
    const folder = scratchFolder();
    const files = [captureOf(folder, lines)];
    const options = { files, name: 'x', separate: true, partMessages: 2 };
    const whole = await importPolymarket({ ...options, folder: join(folder, 'whole') });
    const describeTapes = ({ tapes }: Pick<typeof whole, 'tapes'>) =>
      tapes.map(({ path, manifest }) => [basename(path), manifest.contentHash, manifest.markets]);
    expect(whole.tapes.map(({ path }) => basename(path))).toEqual(['x-announced.tape', `x-polymarket-${other}.tape`]);
    for (const kill of [1, 2]) {
      const killed = { ...options, folder: join(folder, `killed-${kill}`) };
      await expect(importPolymarket({ ...killed, onProgress: killAt(kill) })).rejects.toThrow('killed');
      const resumed = await importPolymarket(killed);
      expect(resumed.resumedAt).toBe(2 * kill);
      expect(describeTapes(resumed)).toEqual(describeTapes(whole));
    }
  });

  it('writes one tape per market by option', async () => {
    const other = { ...BOOK, market: `0x${'cd'.repeat(32)}` };
    const { tapes } = await importCapture([eventAt(0, BOOK), eventAt(3, other), eventAt(4, TRADE)], { separate: true });
    expect(tapes.map(({ manifest }) => [manifest.name, manifest.rows])).toEqual([
      [`a-polymarket-${MARKET}`, 3],
      [`a-polymarket-${other.market}`, 2],
    ]);
  });
});
