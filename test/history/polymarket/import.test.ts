import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BOOK, MARKET, NO, PRICE_CHANGE, RESOLVED, TICK_CHANGE, TRADE, YES } from '../../protocol/polymarket/frames.ts';
import { scratchFolder } from '../scratch.ts';
import { change, eventAt, importCapture, NO_BOOK, START } from './capture-events.ts';

describe('a capture of the market channel', () => {
  it('becomes one YES book, to which the mirrored levels of the NO token add nothing', async () => {
    const { rows, manifest, dropped, changed } = await importCapture([
      [eventAt(0, BOOK), eventAt(0, NO_BOOK)],
      change(5, 5200, '10', 'BUY', ['0.52', '0.53']),
      eventAt(9, { ...TRADE, asset_id: NO, side: 'BUY', price: '0.48', size: '4' }),
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
    const { rows, manifest, dropped } = await importCapture([eventAt(0, NO_BOOK)], { markets });
    // Only the metadata has the winner, so the market pays after the last message.
    expect(rows).toEqual(['0 bid 5100 = 50 | ask 5300 = 40.5', '0 pays 10000']);
    expect(manifest.markets[0]).toMatchObject({ slug: 'rain', question: 'Rain?', outcomes: ['Yes', 'No'] });
    expect(manifest.markets[0]?.grid).toEqual({ type: 'tick', tickBps: 10 });
    expect(dropped[0]).toMatch(/^market record, condition_id: expected a condition id.* 1 \(.*markets\.json:2\)$/);
  });

  it('moves a print before the level change that it explains, and counts it', async () => {
    const { rows, counts } = await importCapture([
      eventAt(0, BOOK),
      change(9, 5300, '36.5', 'SELL', ['0.51', '0.53']),
      eventAt(12, TRADE),
    ]);
    expect(rows).toEqual(['0 bid 5100 = 50 | ask 5300 = 40.5', '9 print buy 5300 x 4 | ask 5300 = 36.5']);
    expect(counts.trades.paired).toBe(1);
  });

  it('has flagged prints inferred from repeated books when it has no trades', async () => {
    const sold = { ...BOOK, bids: [{ price: '0.51', size: '20' }], hash: 'b2' };
    const { rows, manifest, counts } = await importCapture([eventAt(0, BOOK), eventAt(50, sold)]);
    expect(rows).toEqual(['0 bid 5100 = 50 | ask 5300 = 40.5', '50 print sell 5100 x 30 inferred | bid 5100 = 20']);
    expect(manifest.units.join()).toMatch(/no trades in the recording: prints are inferred/);
    expect(counts.inferred).toMatchObject({ prints: 1, unexplained: 0 });
  });

  it('ends a book whose best prices differ from the stated ones until the next full book', async () => {
    const { rows, changed, dropped } = await importCapture([
      eventAt(0, BOOK),
      change(5, 5200, '10', 'BUY', ['0.525', '0.53']),
      change(6, 5000, '10', 'BUY', ['0.525', '0.53']),
      eventAt(20, { ...BOOK, hash: 'b2' }),
      eventAt(30, TRADE),
    ]);
    expect(rows).toEqual([
      '0 bid 5100 = 50 | ask 5300 = 40.5',
      '5 gap',
      '20 clear | bid 5100 = 50 | ask 5300 = 40.5',
      '30 print buy 5300 x 4',
    ]);
    expect(changed).toEqual([
      'best prices other than stated: the book is unknown until the next full book 1 (capture.jsonl:2)',
    ]);
    expect(dropped).toEqual(['level before the first full book 2 (capture.jsonl:3)']);
  });

  it('ends the book of a market when one of its events cannot be read', async () => {
    const [bad] = PRICE_CHANGE.price_changes;
    const { rows, dropped } = await importCapture([
      eventAt(0, BOOK),
      eventAt(5, { ...PRICE_CHANGE, price_changes: [{ ...bad, size: '-10' }] }),
      eventAt(6, TRADE),
    ]);
    expect(rows).toEqual(['0 bid 5100 = 50 | ask 5300 = 40.5', '6 gap', '6 print buy 5300 x 4']);
    expect(dropped).toEqual([
      'price_changes.*.size: expected a number of shares from 0 to 1000000000 1 (capture.jsonl:2)',
    ]);
  });

  it('starts an old book at the time of its message, not of its last change', async () => {
    const { rows, changed } = await importCapture([
      { received_at: START + 100_000, message: eventAt(99_990, { ...BOOK, market: `0x${'cd'.repeat(32)}` }) },
      { received_at: START + 100_010, message: eventAt(-5_000_000, BOOK) },
    ]);
    expect(rows.map((row) => row.split(' ')[0])).toEqual(['99990', '100010']);
    expect(changed).toEqual([
      'book whose last change is old: it starts at the time of its message 1 (capture.jsonl:2)',
    ]);
  });

  it('resolves a market, refines the grid by ticks and prices, and drops later messages', async () => {
    const { rows, manifest, dropped } = await importCapture([
      eventAt(0, { ...BOOK, bids: [{ price: '0.515', size: '5' }] }),
      eventAt(1, { ...TICK_CHANGE, new_tick_size: '0.005' }),
      eventAt(5, RESOLVED),
      eventAt(6, TRADE),
    ]);
    expect(rows).toEqual(['0 bid 5150 = 5 | ask 5300 = 40.5', '5 pays 10000']);
    expect(manifest.markets[0]?.grid).toEqual({ type: 'tick', tickBps: 50 });
    expect(dropped).toEqual(['row after the resolution 1 (capture.jsonl:4)']);
  });

  it('pays half when the message of the resolution names no winner', async () => {
    const { winning_asset_id: _, winning_outcome: __, ...noWinner } = RESOLVED;
    const { rows, dropped } = await importCapture([eventAt(0, BOOK), eventAt(5, noWinner)]);
    expect(rows).toEqual(['0 bid 5100 = 50 | ask 5300 = 40.5', '5 pays 5000']);
    expect(dropped).toEqual([]);
  });

  it('pays the winner of the metadata when the message of the resolution names none', async () => {
    const markets = join(scratchFolder(), 'markets.json');
    const tokens = [
      { token_id: YES, outcome: 'Yes', winner: true },
      { token_id: NO, outcome: 'No', winner: false },
    ];
    const record = { condition_id: MARKET, tokens, question: 'Rain?', market_slug: 'rain', minimum_tick_size: 0.001 };
    writeFileSync(markets, JSON.stringify({ data: [record] }));
    const { winning_asset_id: _, winning_outcome: __, ...noWinner } = RESOLVED;
    const { rows } = await importCapture([eventAt(0, BOOK), eventAt(5, noWinner)], { markets });
    expect(rows.slice(1)).toEqual(['5 pays 10000']);
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
    const { rows, counts, changed } = await importCapture([[record(9, 0.52341), record(5, 0.5)]]);
    expect(rows).toEqual(['5000 print buy 5000 x 2', '9000 print buy 5234 x 2']);
    expect(changed).toEqual(['average price rounded to a basis point 1 (capture.jsonl:1)']);
    expect(`${counts.trades.shares} ${counts.trades.printed} ${counts.trades.rounded}`).toBe(
      '4.010000 4.000000 0.010000',
    );
  });
});
