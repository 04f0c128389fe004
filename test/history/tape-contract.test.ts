/** Checks that the writer and the reader of tapes accept and refuse the same tapes. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../src/domain/index.ts';
import { checkTape, Recording, TapeFile, type TapeHead, TapeWriter } from '../../src/history/index.ts';
import { KIND, SIDE } from '../../src/tape/index.ts';
import { anyCharacter } from '../any-character.ts';
import { runs } from '../runs.ts';
import { readLines } from '../tape/rows.ts';
import { HEAD, scratchFolder } from './scratch.ts';

const [MARKET] = HEAD.markets;

/** A head as a program without types could pass it. */
function headWith(change: object): TapeHead {
  const head: unknown = { ...HEAD, ...change };
  return head as TapeHead;
}
const marketWith = (change: object): TapeHead => headWith({ markets: [{ ...MARKET, ...change }] });

function writerIn(folder: string): TapeWriter {
  const writer = new TapeWriter(join(folder, 'a.tape'));
  writer.messages.begin(1, 1);
  writer.messages.row(0, KIND.level, SIDE.bid, 5_000, 10_000);
  writer.messages.end();
  return writer;
}

describe('a tape writer', () => {
  const { scheduledResolution: _, ...unscheduled } = MARKET!;
  it.each([
    ['markets[0].id', marketWith({ id: 'market 7' })],
    ['markets[0].id', marketWith({ id: '00000000-0000-4000-8000-00000000000A' })],
    ['markets[0].grid.tickBps', marketWith({ grid: { type: 'tick', tickBps: 7.5 } })],
    ['markets[0].grid.tickBps', marketWith({ grid: { type: 'tick', tickBps: 7 } })],
    ['markets[0].grid.type', marketWith({ grid: { type: 'odds' } })],
    ['markets[0].grid.bids', marketWith({ grid: { type: 'list', bids: [20, 10], asks: [] } })],
    ['markets[0].grid.asks[1]', marketWith({ grid: { type: 'list', bids: [], asks: [10, 10_000] } })],
    ['markets[0].outcomes', marketWith({ outcomes: undefined })],
    ['markets[0].outcomes', marketWith({ outcomes: ['yes', 'no', 'perhaps'] })],
    ['markets[0].slug', marketWith({ slug: null })],
    ['markets[0].volume', marketWith({ volume: 7 })],
    ['markets[0].commissionBps', marketWith({ commissionBps: 10_001 })],
    ['markets[0].scheduledResolution', marketWith({ scheduledResolution: 0.5 })],
    ['markets[1].id', headWith({ markets: [MARKET, MARKET] })],
    ['markets[1].question', headWith({ markets: [MARKET, { ...MARKET, question: 7 }] })],
    ['receiveTime', headWith({ receiveTime: 'guessed' })],
    ['units[0]', headWith({ units: [1] })],
    ['source.files[0].sha256', headWith({ source: { ...HEAD.source, files: [{ name: 'x' }] } })],
    ['source.author', headWith({ source: { ...HEAD.source, author: 'somebody' } })],
  ])('refuses a manifest with %s that readers refuse, and leaves no tape', (field, head) => {
    const folder = scratchFolder();
    const writer = writerIn(folder);
    expect(() => writer.finish(head)).toThrow(
      expect.objectContaining({ name: 'InputFault', field, message: expect.stringContaining(`${field}: expected`) }),
    );
    writer.abandon();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('accepts a market without a scheduled resolution, with or without the key', () => {
    const path = join(scratchFolder(), 'a.tape');
    writerIn(join(path, '..')).finish(headWith({ markets: [unscheduled] }));
    expect(TapeFile.open(path).manifest.markets).toEqual([{ ...unscheduled, scheduledResolution: undefined }]);
  });

  it.each([
    ['a size off the lot', KIND.level, SIDE.bid, 5_000, 15_000, /size 15000 is not a whole number of lots/],
    ['a print off the lot', KIND.trade, SIDE.bid, 5_000, 1, /size 1 is not a whole number of lots/],
    ['a fractional payout', KIND.resolution, 0, 0.5, 0, /price 0.5/],
    ['a payout above a dollar', KIND.resolution, 0, 10_001, 0, /payout 10001/],
    ['a side above 255', KIND.status, 256, 0, 0, /side 256/],
    ['a price above 65535', KIND.clear, 0, 65_536, 0, /price 65536/],
    ['a gap with a price', KIND.gap, 0, 5_000, 0, /gap with price 5000/],
    ['a gap with a size', KIND.gap, 0, 0, 10_000, /gap with price 0 and size 10000/],
    ['a delay of more than a day', KIND.placeDelay, 0, 0, 86_400_001, /delay of 86400001 ms/],
  ])('refuses %s', (_what, kind, side, price, shares, problem) => {
    const writer = writerIn(scratchFolder());
    writer.messages.begin(2, 2);
    expect(() => writer.messages.row(0, kind, side, price, shares)).toThrow(problem);
    writer.abandon();
  });

  it('refuses a print after a level of its message, and rows about a market after its end', () => {
    const writer = writerIn(scratchFolder());
    const { messages } = writer;
    messages.begin(2, 2);
    messages.row(0, KIND.level, SIDE.bid, 5_000, 20_000);
    expect(() => messages.row(0, KIND.trade, SIDE.bid, 5_000, 20_000)).toThrow(/a print after a level of its message/);
    messages.row(0, KIND.resolution, 0, 10_000, 0);
    expect(() => messages.row(0, KIND.resolution, 0, 10_000, 0)).toThrow(/a second resolution of market 0/);
    expect(() => messages.row(0, KIND.status, 0, 1, 0)).toThrow(/a status of market 0 after its resolution/);
    writer.abandon();
  });

  it.each([
    ['before 1970', -1, 0],
    ['after the year 9999', 253_402_300_800_000, 253_402_300_800_000],
    ['received too long afterwards', 1, 2 ** 47 + 2],
  ])('refuses a message %s', (_what, tx, rx) => {
    const writer = new TapeWriter(join(scratchFolder(), 'a.tape'));
    expect(() => writer.messages.begin(tx, rx)).toThrow(/a message at/);
    writer.abandon();
  });
});

describe('a recording', () => {
  it('refuses an invalid head before the first row', () => {
    const folder = scratchFolder();
    const path = join(folder, 'a.tape');
    const recording = () => new Recording({ path, head: () => marketWith({ id: 'x' }), onFault: () => {} });
    expect(recording).toThrow(/markets\[0\]\.id: expected/);
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** Mostly valid values, and sometimes an invalid one. */
const mostly = <T>(valid: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 300, arbitrary: valid },
    {
      weight: 1,
      arbitrary: fc.constantFrom(undefined, null, -1, 0.5, Number.NaN, '', '\ud800', {}, [], 2 ** 53, 65_536),
    },
  );
const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.string({ unit: anyCharacter, maxLength: 20 }));
const price = fc.integer({ min: 1, max: 9_999 });
const prices = fc.uniqueArray(mostly(price), { maxLength: 8 }).chain((all) => {
  return fc.constantFrom(
    all,
    all.toSorted((a, b) => Number(a) - Number(b)),
  );
});
const grid = fc.oneof(
  fc.record({ type: fc.constant('tick'), tickBps: mostly(fc.constantFrom(1, 5, 10, 16, 100, 625, 5_000)) }),
  fc.record({ type: fc.constant('list'), bids: mostly(prices), asks: mostly(prices) }),
);
const market = fc.record(
  {
    id: mostly(fc.uuid()),
    slug: mostly(text),
    question: mostly(text),
    outcomes: mostly(fc.tuple(mostly(text), mostly(text))),
    grid: mostly(grid),
    scheduledResolution: mostly(fc.option(fc.nat(2 ** 41), { nil: undefined })),
    commissionBps: mostly(fc.integer({ min: 0, max: 10_000 })),
  },
  { requiredKeys: ['id', 'slug', 'question', 'outcomes', 'grid', 'commissionBps'] },
);
const head = fc.record({
  name: mostly(text),
  source: mostly(
    fc.record({
      description: mostly(text),
      licence: mostly(text),
      files: mostly(fc.array(mostly(fc.record({ name: mostly(text), sha256: mostly(text) })), { maxLength: 2 })),
    }),
  ),
  units: mostly(fc.array(mostly(text), { maxLength: 3 })),
  receiveTime: mostly(fc.constantFrom('recorded', 'missing')),
  markets: mostly(fc.array(market, { minLength: 1, maxLength: 3 })),
});
const mostlyNumber = <T>(valid: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 60, arbitrary: valid }, { weight: 1, arbitrary: fc.constantFrom(-1, 0.5, 65_536, 2 ** 53, NaN) });
const row = fc.record({
  market: mostlyNumber(fc.constantFrom(0, 0, 0, 0, 0, 0, 1)),
  kind: mostlyNumber(fc.nat(5)),
  side: mostlyNumber(fc.nat(2)),
  price: mostlyNumber(fc.oneof(price, fc.nat(6), fc.constant(65_535))),
  shares: mostlyNumber(
    fc.oneof(
      fc.nat(900_719_925_474).map((lots) => lots * 10_000),
      fc.nat(90_000_000),
    ),
  ),
});
const messages = fc.array(
  fc.record({
    step: mostlyNumber(fc.nat(100_000)),
    late: mostlyNumber(fc.integer({ min: -5, max: 5_000 })),
    rows: fc.array(row, { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Writes steps and skips those that the writer refuses. */
function writeSteps(path: string, tapeHead: unknown, steps: ReturnType<typeof messages.generate>['value']): unknown {
  const writer = new TapeWriter(path);
  const refusals: unknown[] = [];
  const attempt = (act: () => void): boolean => {
    try {
      act();
      return true;
    } catch (error) {
      refusals.push(error);
      return false;
    }
  };
  try {
    let tx = 0;
    for (const { step, late, rows } of steps) {
      tx += step;
      if (!attempt(() => writer.messages.begin(tx, tx + late))) {
        tx = 0;
        continue;
      }
      for (const { market: no, kind, side, price: at, shares } of rows) {
        attempt(() => writer.messages.row(no, kind, side, at, shares));
      }
      writer.messages.end();
    }
    let manifest: unknown;
    attempt(() => {
      manifest = writer.finish(tapeHead as TapeHead);
    });
    // Each refusal has a message.
    for (const refusal of refusals) {
      const isKnown =
        refusal instanceof Fault || (refusal instanceof RangeError && /^Invariant: /.test(refusal.message));
      if (!isKnown) throw refusal;
    }
    return manifest;
  } finally {
    writer.abandon();
  }
}

describe('each tape that the writer accepts', () => {
  it('is returned unchanged by the reader', () => {
    const path = join(scratchFolder(), 'a.tape');
    let accepted = 0;
    fc.assert(
      fc.property(head, messages, (tapeHead, steps) => {
        const manifest = writeSteps(path, tapeHead, steps);
        if (manifest === undefined) return;
        accepted += 1;
        const tape = TapeFile.open(path);
        expect(tape.manifest).toEqual(manifest);
        expect(checkTape(tape).rows).toBe(tape.manifest.rows);
        expect(readLines(tape.feed(), 100)).toHaveLength(tape.manifest.rows);
      }),
      { numRuns: runs(300) },
    );
    expect(accepted).toBeGreaterThan(runs(60) / 2);
    expect(existsSync(`${path}.partial`)).toBe(false);
  });
});
