import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStudy } from '../../../src/research/study/study-spec.ts';
import { splitTapes, type TestSplit } from '../../../src/research/study/study-splits.ts';
import type { StudyTape } from '../../../src/research/study/study-tapes.ts';

const HOUR = 3_600_000;

function tape(id: string, startHour: number, endHour: number, event = id): StudyTape {
  const [start, end] = [startHour * HOUR, endHour * HOUR];
  return { id, name: id, hashes: [id], markets: [{ slug: id, event, start, end }], part: { tapes: [id] } };
}

const study = (test: object, search = { method: 'random' }) =>
  parseStudy({ backtest: 'b.yaml', parameters: { a: { low: 0, high: 1 } }, search, test });
const ids = (tapes: readonly StudyTape[]) => tapes.map(({ id }) => id);

/** Returns the tapes of the training that contain data of the test. */
function leaksOf({ from, train, test }: TestSplit, embargo: number): readonly string[] {
  const events = new Set(test.flatMap(({ markets }) => markets.map(({ event }) => event)));
  return train.flatMap(({ id, markets }) => {
    const isLate = markets.some(({ end }) => end > from - embargo);
    const isRelated = markets.some(({ event }) => events.has(event));
    return isLate || isRelated ? [id] : [];
  });
}

describe('a test of the last markets', () => {
  const tapes = [
    tape('a', 0, 4, 'E1'),
    tape('b', 1, 6, 'E1'),
    tape('c', 3, 9, 'E2'),
    tape('d', 5, 9.5, 'E3'),
    tape('e', 2, 11, 'E2'),
    tape('f', 8, 12, 'E4'),
    tape('g', 9, 13, 'E5'),
    tape('h', 10, 13.5, 'E3'),
  ];

  it('trains on markets of other events that ended before the embargo', () => {
    const { training, tests } = splitTapes(tapes, study({ last: 0.5, embargo_hours: 1 }));
    expect(ids(training)).toEqual(['a', 'b']);
    expect(tests).toHaveLength(1);
    expect(tests[0]?.from).toBe(10.5 * HOUR);
    expect(tests[0]?.test.map(({ id }) => id)).toEqual([
      'e from 1970-01-01T10:30:00.000Z',
      'f from 1970-01-01T10:30:00.000Z',
      'g from 1970-01-01T10:30:00.000Z',
      'h from 1970-01-01T10:30:00.000Z',
    ]);
    expect(tests[0]?.test[0]?.part.from).toBe('1970-01-01T10:30:00.000Z');
  });

  it('uses whole tapes that begin after its start', () => {
    const { tests } = splitTapes([tape('a', 0, 4), tape('b', 30, 34)], study({ last: 0.5 }));
    expect(ids(tests[0]?.test ?? [])).toEqual(['b']);
  });

  it('is refused if one side has no tape, and for one run on all tapes', () => {
    expect(() => splitTapes([tape('a', 0, 4)], study({ last: 0.5 }))).toThrow('test.last: expected a test with tapes');
    expect(() => splitTapes([tape('a', 0, 4), tape('b', 1, 5)], study({ last: 0.5 }))).toThrow(
      'lower test.embargo_hours',
    );
    expect(() => splitTapes(tapes, { ...study({ last: 0.5 }), together: true })).toThrow('together: true');
  });
});

describe('walk-forward', () => {
  it('tests each fold on the next tapes', () => {
    const tapes = [0, 1, 2, 3, 4, 5].map((index) => tape(`t${index}`, index * 100, index * 100 + 10));
    const { training, tests } = splitTapes(tapes, study({ folds: 2 }));
    expect(ids(training)).toEqual(ids(tapes));
    expect(tests.map(({ train, test }) => [ids(train), ids(test)])).toEqual([
      [
        ['t0', 't1'],
        ['t2', 't3'],
      ],
      [
        ['t0', 't1', 't2', 't3'],
        ['t4', 't5'],
      ],
    ]);
  });

  it.each(['tpe', 'halving'])('is refused for %s, which uses the results of all folds to choose trials', (method) => {
    const tapes = [tape('a', 0, 1), tape('b', 50, 51), tape('c', 100, 101)];
    expect(() => splitTapes(tapes, study({ folds: 2 }, { method }))).toThrow(
      'search.method: expected grid, random or sobol',
    );
  });
});

describe('any split', () => {
  const anyTape = fc.record({ start: fc.nat(200), length: fc.integer({ min: 1, max: 60 }), event: fc.nat(8) });
  const anyTest = fc.oneof(
    fc.record({ last: fc.constantFrom(0.2, 0.5, 0.8), embargo_hours: fc.nat(30) }),
    fc.record({ folds: fc.integer({ min: 2, max: 5 }), embargo_hours: fc.nat(30) }),
  );

  it('has no leak and tests no tape twice in one test', () => {
    let splits = 0;
    fc.assert(
      fc.property(fc.array(anyTape, { minLength: 3, maxLength: 20 }), anyTest, (inputs, test) => {
        const tapes = inputs.map(({ start, length, event }, index) =>
          tape(`t${index}`, start, start + length, `e${event}`),
        );
        let found: ReturnType<typeof splitTapes>;
        try {
          found = splitTapes(tapes, study(test));
        } catch {
          return;
        }
        for (const split of found.tests) {
          splits += 1;
          expect(leaksOf(split, test.embargo_hours * HOUR)).toEqual([]);
          expect(split.train.length * split.test.length).toBeGreaterThan(0);
          expect(new Set(ids(split.test)).size).toBe(split.test.length);
          for (const { part, markets } of split.test)
            expect(part.from === undefined ? markets[0]?.start : Date.parse(part.from)).toBeGreaterThanOrEqual(
              split.from,
            );
        }
      }),
    );
    expect(splits).toBeGreaterThan(20);
  });

  it('with a leak is detected by leaksOf', () => {
    const [before, after] = [tape('a', 0, 4, 'E1'), tape('b', 5, 9, 'E1')];
    expect(leaksOf({ from: 4 * HOUR, train: [before], test: [after] }, 0)).toEqual(['a']);
    expect(leaksOf({ from: 4 * HOUR, train: [tape('c', 0, 4)], test: [after] }, HOUR)).toEqual(['c']);
  });
});
