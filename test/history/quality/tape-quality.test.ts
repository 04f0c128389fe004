import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkTape, TapeFile } from '../../../src/history/index.ts';
import { formatFooter, formatTrailer } from '../../../src/history/tape-format.ts';
import { type Block, KIND, SIDE } from '../../../src/tape/index.ts';
import { blocksOf, type Message, type Row } from '../../tape/rows.ts';
import { footerOf, forgeTape, headOf, scratchFolder, writeTape } from '../scratch.ts';
import { ask, bid, message, row } from '../tape-messages.ts';

const status = (code: number): Row => row(KIND.status, 0, code, 0);
const [OPEN, HALTED] = [0, 1];

/** Open from 0 with 4900 / 5100, then a scenario of 100 seconds. */
const MESSAGES: Message[] = [
  message(0, status(OPEN), bid(4_900), ask(5_100)),
  message(10_000, row(KIND.trade, SIDE.bid, 5_100, 2), ask(5_100, 0), ask(5_200)),
  message(30_000, ask(5_200, 0)),
  message(35_000, ask(5_000)),
  message(35_000, row(KIND.trade, SIDE.unknown, 5_000, 1), bid(5_000)),
  message(36_000, bid(5_000, 0)),
  message(50_000, status(HALTED), bid(4_950)),
  message(60_000, row(KIND.clear, 0, 0, 0), bid(5_500), ask(5_600), status(OPEN)),
  message(100_000, status(2)),
  message(130_000, row(KIND.resolution, 0, 0, 0)),
];

function quality(messages: readonly Message[], options = {}) {
  const path = join(scratchFolder(), 'a.tape');
  writeTape(path, messages);
  const all = checkTape(TapeFile.open(path), options);
  return { all, market: all.markets[0]! };
}

describe('the quality of a tape', () => {
  it('treats a market as open until a status row changes that, as a replay does', () => {
    const [, ...later] = MESSAGES;
    const { market } = quality([message(0, bid(4_900), ask(5_100)), ...later]);
    expect(market).toEqual({ ...quality(MESSAGES).market, rows: { ...market.rows, status: 3 } });
    expect(market).toMatchObject({ openMs: 90_000, haltedMs: 40_000 });
  });

  it('counts a gap as time without a book that is neither open nor a silence and has no mark', () => {
    const [first = MESSAGES[0]!] = MESSAGES;
    const { market } = quality(
      [
        first,
        message(10_000, row(KIND.gap, 0, 0, 0)),
        message(20_000, bid(5_200), ask(5_100)),
        message(90_000, row(KIND.clear, 0, 0, 0), bid(4_900), ask(5_300)),
        message(100_000, status(HALTED)),
      ],
      { minQuietMs: 60_000 },
    );
    expect(market).toMatchObject({ openMs: 20_000, haltedMs: 0, halts: 1, gaps: { count: 1, ms: 80_000 }, crossed: 0 });
    expect([market.quietPeriods.count, market.variation]).toMatchObject([0, { first: 10_000, last: 10_200 }]);
  });

  it('counts messages that repeat the one before at the same time', () => {
    const print = row(KIND.trade, SIDE.bid, 5_100, 2);
    const scenario = [
      message(0, bid(4_900), ask(5_100)),
      message(10, print),
      message(10, print),
      message(10, print),
      message(11, print),
    ];
    expect(quality(scenario).market.duplicates).toBe(2);
    expect(quality(MESSAGES).market.duplicates).toBe(0);
  });

  it('counts a message with rows of two markets once for each market', () => {
    const other = { ...bid(4_900), market: 1 };
    const path = join(scratchFolder(), 'a.tape');
    writeTape(path, [message(0, bid(4_900), ask(5_100), other), message(10, ask(5_100, 2), other)], headOf(2));
    expect(checkTape(TapeFile.open(path)).markets.map(({ messages }) => messages)).toEqual([2, 2]);
  });

  it('counts rows, messages and prints', () => {
    const { all, market } = quality(MESSAGES);
    expect(all).toMatchObject({ rows: 19, messages: 10, from: 0, to: 130_000 });
    expect(market.rows).toEqual({
      level: 11,
      trade: 2,
      status: 4,
      resolution: 1,
      clear: 1,
      placeDelay: 0,
      gap: 0,
      ahead: 0,
    });
    expect(market.prints).toEqual({
      count: 2,
      microShares: 30_000,
      largestMicroShares: 20_000,
      buy: 1,
      sell: 0,
      unknown: 1,
      inferred: 0,
    });
    expect(market.payout).toBe(0);
  });

  it('measures time by state: open, one-sided, halted, and the spread while two-sided', () => {
    const { market } = quality(MESSAGES);
    expect(market).toMatchObject({ openMs: 90_000, haltedMs: 40_000, oneSidedMs: 5_000 });
    // 200 for 10 s, 300 for 20 s, 0 for 1 s, 100 for 14 + 40 s: 85 s in all
    expect(market.spreadBps).toEqual({ p10: 100, p50: 100, p90: 300 });
    expect(market.crossed).toBe(1);
  });

  it('lists the longest silences of the open market', () => {
    const { market } = quality(MESSAGES, { minQuietMs: 14_000 });
    expect(market.quietPeriods.count).toBe(3);
    expect(market.quietPeriods.longest.slice(0, 4)).toEqual([
      { ms: 40_000, from: 60_000 },
      { ms: 20_000, from: 10_000 },
      { ms: 14_000, from: 36_000 },
      { ms: 10_000, from: 0 },
    ]);
  });

  it('lists the ten longest silences', () => {
    const messages = [
      message(0, status(OPEN)),
      ...Array.from({ length: 30 }, (_, i) => message(((i + 1) * (i + 2)) / 2, bid(10))),
    ];
    expect(quality(messages).market.quietPeriods.longest.map(({ ms }) => ms)).toEqual([
      30, 29, 28, 27, 26, 25, 24, 23, 22, 21,
    ]);
  });

  it('samples the mid on a grid, and restarts after a halt', () => {
    const { market } = quality(MESSAGES, { stepMs: 20_000 });
    // Open from 0: at 0 10000, at 20 10100, at 40 (mid 4950) 9900; halted at 50; open from 60: at 60 and 80 11100.
    expect(market.variation).toEqual({ everyMs: 20_000, steps: 3, first: 10_000, last: 11_100, sumSquares: 50_000 });
  });

  it('counts only from the requested moment, with the book as it was then', () => {
    const { market } = quality(MESSAGES, { from: 20_000, stepMs: 10_000 });
    expect(market).toMatchObject({ messages: 8, openMs: 70_000, haltedMs: 40_000, oneSidedMs: 5_000 });
    expect(market.prints.count).toBe(1);
    expect(market.spreadBps).toEqual({ p10: 100, p50: 100, p90: 300 });
    expect(market.quietPeriods.longest[2]).toEqual({ ms: 10_000, from: 20_000 });
    // 20, 30, 40 s and 60, 70, 80, 90 s
    expect(market.variation).toMatchObject({ steps: 5, first: 10_100, last: 11_100 });
  });

  it('reports the makers’ earnings', () => {
    const { market } = quality(MESSAGES);
    expect(market.takerFlow).toMatchObject({ prints: 1, leftOut: 1, effectiveBps: 100 });
    expect(market.takerFlow.horizons.at(-1)).toEqual({ horizonMs: Infinity, realisedBps: 5_100, censored: 0 });
  });

  it('counts levels off the grid and omits them from the book', () => {
    const { market } = quality([
      message(0, status(OPEN), bid(4_900), ask(5_100), bid(5_005)),
      message(1_000, ask(5_100, 2)),
    ]);
    expect(market.offGrid).toBe(1);
    expect(market.spreadBps?.p50).toBe(200);
  });

  it('is empty for a market without rows', () => {
    const path = join(scratchFolder(), 'a.tape');
    writeTape(path, MESSAGES, headOf(2));
    const [, silent] = checkTape(TapeFile.open(path)).markets;
    expect(silent).toMatchObject({ messages: 0, openMs: 0, spreadBps: undefined, payout: undefined });
  });

  it('reports its progress', () => {
    const shares: number[] = [];
    quality(MESSAGES, { onProgress: (share: number) => shares.push(share) });
    expect(shares).toEqual([1]);
  });
});

/** Writes a tape with valid checksums and changed rows. */
function forge(change: (block: Block) => unknown): string {
  const path = join(scratchFolder(), 'a.tape');
  const [block] = blocksOf(MESSAGES);
  if (block === undefined) throw new Error('no rows');
  change(block);
  forgeTape(path, [block]);
  return path;
}

describe('the check of a tape', () => {
  const checked = (change: (block: Block) => unknown) => () => checkTape(TapeFile.open(forge(change)));

  it('accepts a rewritten tape without changes', () => {
    expect(checked(() => {})()).toMatchObject({ rows: 19, messages: 10 });
  });

  it('refuses rows about a market after its end', () => {
    expect(checked(({ kind }) => kind.fill(KIND.resolution, 17, 18))).toThrow(
      /a\.tape, row 18, 1970-01-01T00:02:10.*: a second resolution of market 0 after its resolution\. Make the tape again: the program that wrote it has a fault$/,
    );
    expect(checked(({ kind }) => kind.fill(KIND.resolution, 11, 12))).toThrow(
      /row 16, .*: a status of market 0 after its/,
    );
  });

  it('refuses rows that break a rule of tapes', () => {
    expect(checked(({ tx }) => tx.fill(20_000, 5, 6))).toThrow(
      /a\.tape, block 0 at byte 16: cannot be read \(row 5: its times differ from the previous row of the message\)/,
    );
    expect(checked(({ rx }) => rx.fill(7, 1, 2))).toThrow(/row 1: its times differ/);
    expect(checked(({ tx }) => tx.fill(90_000, 7, 8))).toThrow(/a column of 3 planes, base -55000/);
    expect(checked(({ price }) => price.fill(0, 1, 2))).toThrow(/row 1: invalid level at 0/);
    expect(checked(({ kind }) => kind.fill(9, 1, 2))).toThrow(/row 1: invalid kind 9/);
    expect(checked(({ kind }) => kind.fill(KIND.trade, 2, 3))).toThrow(/row 2: a print after a level of its message/);
    expect(
      checked((block) => {
        block.kind[1] = KIND.ahead;
        block.price[1] = (block.price[2] ?? 0) + 1;
      }),
    ).toThrow(/row 1: a size ahead without its level in the next row/);
    expect(checked(({ market }) => market.fill(1, 1, 2))).toThrow(/row 1: market 1 is not below 1.*again/);
    expect(checked(({ flags }) => flags.fill(4, 1, 2))).toThrow(/row 1: invalid flags 4/);
    expect(checked(({ shares }) => shares.fill(15_000, 1, 2))).toThrow(/row 1: invalid size 15000/);
    expect(checked(({ flags }) => flags.fill(0, 18, 19))).toThrow(/row 18: the last message is incomplete/);
  });

  it('refuses rows that differ from the content hash', () => {
    const path = forge(() => {});
    const bytes = readFileSync(path);
    const { offset, manifest, blocks } = footerOf(bytes);
    const footer = formatFooter({ manifest: { ...manifest, contentHash: '0'.repeat(64) }, blocks });
    writeFileSync(path, Buffer.concat([bytes.subarray(0, offset), footer, formatTrailer(offset, footer)]));
    expect(() => checkTape(TapeFile.open(path))).toThrow(/the content hash of the rows differs from the manifest/);
  });
});
