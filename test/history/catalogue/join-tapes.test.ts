import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cutTape, joinTapes, TapeFile } from '../../../src/history/index.ts';
import { KIND } from '../../../src/tape/index.ts';
import { headOf, scratchFolder, writeTape } from '../scratch.ts';
import { ask, bid, buy, CLEAR, message, messagesOf, outPath, row, tapeOf } from '../tape-messages.ts';

describe('joined tapes', () => {
  it('are merged by time when their markets differ', () => {
    const first = tapeOf([message(0, bid(4_900)), message(20, bid(4_800))]);
    const [other] = headOf(2).markets.slice(1);
    const path = join(scratchFolder(), 'b.tape');
    writeTape(path, [message(10, bid(100)), message(30, bid(90))], {
      ...headOf(1),
      markets: other === undefined ? [] : [other],
    });
    const joined = outPath();
    const { counts, manifest } = joinTapes([TapeFile.open(path), first], joined);
    expect(messagesOf(TapeFile.open(joined).feed())).toEqual([
      '0: 0 level 4900 1',
      '10: 1 level 100 1',
      '20: 0 level 4800 1',
      '30: 1 level 90 1',
    ]);
    expect([counts.seams, manifest.markets.length, manifest.source.files.length]).toEqual([0, 2, 2]);
  });

  it('have no gap when the next starts with the same book soon after', () => {
    const path = outPath();
    const { counts } = joinTapes(
      [
        tapeOf([message(0, CLEAR, bid(4_900), ask(5_100)), message(10, bid(4_800))]),
        tapeOf([
          message(500, row(KIND.status, 0, 0, 0), CLEAR, bid(4_900), bid(4_800), ask(5_100)),
          message(510, bid(4_700)),
        ]),
      ],
      path,
    );
    expect(messagesOf(TapeFile.open(path).feed())).toEqual([
      '0: 0 clear 0 0, 0 level 4900 1, 0 level 5100 1',
      '10: 0 level 4800 1',
      '500: 0 status 0 0',
      '510: 0 level 4700 1',
    ]);
    expect(counts).toEqual({ seams: 1, gaps: 0, repeated: 0, differing: 0, opening: 4 });
  });

  it.each([
    ['with a different book', 500, bid(4_800)],
    ['long afterwards', 10_011, bid(4_900)],
  ])('have a gap when the next starts %s', (_what, later, level) => {
    const path = outPath();
    const { counts } = joinTapes(
      [tapeOf([message(0, bid(4_900)), message(10, buy(5_000))]), tapeOf([message(later, CLEAR, level)])],
      path,
    );
    expect(messagesOf(TapeFile.open(path).feed())).toEqual([
      '0: 0 level 4900 1',
      '10: 0 trade 5000 1',
      '10: 0 gap 0 0',
      `${later}: 0 clear 0 0, 0 level ${level.price} 1`,
    ]);
    expect(counts).toMatchObject({ seams: 1, gaps: 1, opening: 0 });
  });

  it('have overlapping rows once when their books are equal', () => {
    const path = outPath();
    const scenario = [message(0, CLEAR, bid(4_900)), message(10, buy(5_000), bid(4_800)), message(20, bid(4_700))];
    const { counts } = joinTapes(
      [tapeOf(scenario), tapeOf([message(5, CLEAR, bid(4_900)), ...scenario.slice(1), message(30, bid(4_600))])],
      path,
    );
    expect(messagesOf(TapeFile.open(path).feed())).toEqual([
      '0: 0 clear 0 0, 0 level 4900 1',
      '10: 0 trade 5000 1, 0 level 4800 1',
      '20: 0 level 4700 1',
      '30: 0 level 4600 1',
    ]);
    expect(counts).toEqual({ seams: 1, gaps: 0, repeated: 3, differing: 2, opening: 0 });
  });

  it('have a gap and the book of the later tape when overlapping books differ', () => {
    const path = outPath();
    const { counts } = joinTapes(
      [
        tapeOf([message(0, bid(4_900)), message(20, bid(4_700))]),
        tapeOf([message(10, CLEAR, bid(4_850)), message(30, bid(4_600))]),
      ],
      path,
    );
    expect(messagesOf(TapeFile.open(path).feed())).toEqual([
      '0: 0 level 4900 1',
      '20: 0 level 4700 1',
      '20: 0 gap 0 0',
      '20: 0 clear 0 0, 0 level 4850 1',
      '30: 0 level 4600 1',
    ]);
    expect(counts).toMatchObject({ gaps: 1, differing: 2 });
  });

  it('have the resolution of the earlier tape and then a gap', () => {
    const path = outPath();
    const resolved = row(KIND.resolution, 0, 10_000, 0);
    joinTapes(
      [
        tapeOf([message(0, bid(4_900)), message(10, resolved)]),
        tapeOf([message(20, CLEAR, bid(4_800)), message(30, resolved)]),
      ],
      path,
    );
    expect(messagesOf(TapeFile.open(path).feed())).toEqual([
      '0: 0 level 4900 1',
      '10: 0 resolution 10000 0',
      '10: 0 gap 0 0',
      '20: 0 clear 0 0, 0 level 4800 1',
    ]);
  });

  it('omit a tape whose time range lies within an earlier tape', () => {
    const path = outPath();
    const scenario = [
      message(0, CLEAR, bid(4_900)),
      message(10, bid(4_800)),
      message(20, bid(4_700)),
      message(30, bid(4_600)),
    ];
    const levels = [4_900, 4_800, 4_700, 4_600].map((price) => bid(price));
    const { counts } = joinTapes(
      [
        tapeOf(scenario),
        tapeOf([message(5, CLEAR, bid(4_900)), message(10, bid(4_800))]),
        tapeOf([message(35, CLEAR, ...levels), message(40, bid(4_500))]),
      ],
      path,
    );
    expect(messagesOf(TapeFile.open(path).feed())).toEqual([
      '0: 0 clear 0 0, 0 level 4900 1',
      '10: 0 level 4800 1',
      '20: 0 level 4700 1',
      '30: 0 level 4600 1',
      '40: 0 level 4500 1',
    ]);
    expect(counts).toEqual({ seams: 1, gaps: 0, repeated: 1, differing: 2, opening: 5 });
  });

  it('have each row once when the second tape lies within the first', () => {
    const path = outPath();
    const scenario = [
      message(0, CLEAR, bid(4_900)),
      message(10, bid(4_800)),
      message(20, row(KIND.resolution, 0, 10_000, 0)),
    ];
    const { counts } = joinTapes(
      [tapeOf([message(5, CLEAR, bid(4_900)), ...scenario.slice(1)]), tapeOf(scenario)],
      path,
    );
    expect(messagesOf(TapeFile.open(path).feed())).toEqual(messagesOf(tapeOf(scenario).feed()));
    expect(counts).toEqual({ seams: 0, gaps: 0, repeated: 2, differing: 2, opening: 0 });
  });

  it('have the resolution of the earlier tape when the later tape continues', () => {
    const path = outPath();
    const resolved = row(KIND.resolution, 0, 10_000, 0);
    const halt = row(KIND.status, 0, 1, 0);
    joinTapes(
      [
        tapeOf([message(0, bid(4_900)), message(10, resolved)]),
        tapeOf([message(5, halt, CLEAR, bid(4_850)), message(20, halt, bid(4_800))]),
      ],
      path,
    );
    expect(messagesOf(TapeFile.open(path).feed())).toEqual([
      '0: 0 level 4900 1',
      '10: 0 resolution 10000 0',
      '10: 0 gap 0 0',
      '10: 0 clear 0 0, 0 level 4850 1',
      '20: 0 level 4800 1',
    ]);
  });

  it('must differ and must have receive times of the same kind', () => {
    const first = tapeOf([message(0, bid(4_900))]);
    expect(() => joinTapes([first, first], outPath())).toThrow(/expected a tape with other rows than .*\.tape, got/);
    const path = join(scratchFolder(), 'b.tape');
    writeTape(path, [message(0, bid(1))], {
      ...headOf(1),
      receiveTime: first.manifest.receiveTime === 'missing' ? 'recorded' : 'missing',
    });
    expect(() => joinTapes([first, TapeFile.open(path)], outPath())).toThrow(/receive times that are/);
  });

  it('equal the tape that they were cut from', () => {
    const messages = Array.from({ length: 50 }, (_, count) =>
      message(count * 10, bid(4_000 + count), ...(count % 7 === 0 ? [ask(6_000)] : [])),
    );
    const whole = tapeOf(messages);
    const [first, second, path] = [outPath(), outPath(), outPath()];
    cutTape(whole, first, { to: 200 });
    cutTape(whole, second, { from: 200 });
    const { counts } = joinTapes([TapeFile.open(second), TapeFile.open(first)], path);
    expect(TapeFile.open(path).manifest.contentHash).toBe(whole.manifest.contentHash);
    expect(counts).toMatchObject({ seams: 1, gaps: 0 });
  });
});
