import { describe, expect, it } from 'vitest';
import { marketId, marketNo } from '../../../src/domain/index.ts';
import { Markets, toSlug } from '../../../src/exchange/markets/markets.ts';
import { creation, Harness, readerOf, START, stateOf } from './harness.ts';

/** A harness with a market for each question. */
function harnessWith(...questions: readonly string[]): Harness {
  const harness = new Harness();
  for (const [place, question] of questions.entries()) {
    const id = marketId(`00000000-0000-4000-8000-${String(place).padStart(12, '0')}`);
    expect(harness.send(creation(START, { id, question }))).toBeUndefined();
  }
  return harness;
}

describe('the list of markets', () => {
  it('finds a market by number, id and slug only', () => {
    const { markets } = harnessWith('One?', 'Two?');
    const second = markets.get(1);
    expect(second?.question).toBe('Two?');
    expect(markets.byId(marketId('00000000-0000-4000-8000-000000000001'))).toBe(second);
    expect(markets.bySlug('two')).toBe(second);
    expect(markets.list.map(({ number }) => number)).toEqual([0, 1]);
    for (const no of [2, -1, 0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY])
      expect(markets.get(no)).toBeUndefined();
    expect(markets.byId(marketId('00000000-0000-4000-8000-000000000002'))).toBeUndefined();
    expect(markets.bySlug('three')).toBeUndefined();
  });

  it('numbers a used slug and skips a number that is part of another question’s slug', () => {
    const { markets } = harnessWith('Rain?', 'rain', 'Rain 4', 'RAIN!', 'Rain...', 'rain 3');
    const slugs = ['rain', 'rain-2', 'rain-4', 'rain-3', 'rain-5', 'rain-3-2'];
    expect(markets.list.map(({ slug }) => slug)).toEqual(slugs);
  });

  it('refuses a market under a used number, id or slug', () => {
    const { markets } = harnessWith('One?');
    const [existing] = markets.list;
    if (existing === undefined) throw new Error('no market');
    const id = marketId('00000000-0000-4000-8000-000000000009');
    for (const wrong of [
      { id, slug: 'x' },
      { number: marketNo(1), slug: 'x' },
      { number: marketNo(1), id },
    ]) {
      expect(() => markets.add({ ...existing, ...wrong })).toThrow(/^Invariant: market .* cannot be added$/);
    }
    markets.add({ ...existing, number: marketNo(1), id, slug: 'x' });
    expect(markets.size).toBe(2);
  });

  it('refuses a snapshot when it is not empty', () => {
    const { markets } = harnessWith('One?');
    expect(() => markets.restore(readerOf(stateOf(markets)), () => new Harness().newBook(marketNo(0), 10))).toThrow(
      'Invariant: 1 markets exist before the restore',
    );
  });

  it('finds the next free number of a slug after a restart', () => {
    const before = harnessWith('Rain?', 'Rain?', 'Rain?');
    const after = restored(before);
    expect(after.freeSlug('rain')).toBe(before.markets.freeSlug('rain'));
    expect(after.freeSlug('rain')).toBe('rain-4');
  });

  it.each([
    [[-1], { code: 'SNAPSHOT', message: '-1 cannot be a number of markets' }],
    [[1.5], { code: 'SNAPSHOT', message: '1.5 cannot be a number of markets' }],
  ])('refuses a state that begins with %j', (values, fault) => {
    const markets = new Markets();
    expect(() => markets.restore(readerOf(values), () => new Harness().newBook(marketNo(0), 10))).toThrow(
      expect.objectContaining(fault),
    );
  });

  it('restores an empty state', () => {
    const markets = new Markets();
    markets.restore(readerOf([0]), () => new Harness().newBook(marketNo(0), 10));
    expect(markets.size).toBe(0);
  });

  it('refuses a state with unknown codes', () => {
    const harness = harnessWith('One?');
    const values = [...stateOf(harness.markets)];
    const place = values.indexOf(harness.market().inputDigest) + 1;
    values[place] = 10;
    expect(() => new Markets().restore(readerOf(values), () => harness.market().book)).toThrow(
      expect.objectContaining({ code: 'SNAPSHOT', message: '10 is not a valid state of a market in this snapshot' }),
    );
  });
});

/** Returns the markets restored from a snapshot. */
function restored(harness: Harness): Markets {
  const markets = new Markets();
  const reader = readerOf(stateOf(harness.markets));
  markets.restore(reader, (no, tickBps) => harness.newBook(no, tickBps));
  expect(reader.left).toBe(0);
  return markets;
}

import fc from 'fast-check';

describe('the slug of a question', () => {
  it.each([
    ['Will it rain?', 'will-it-rain'],
    ['  Fed: +25 bps -- in MARCH 2026?!  ', 'fed-25-bps-in-march-2026'],
    ["Will Óscar's team win in “2027”?", 'will-oscars-team-win-in-2027'],
    ['Don’t “touch” it', 'dont-touch-it'],
    ['Łódź, Ørsted, Straße, Þór, ẞ', 'lodz-orsted-strasse-thor-ss'],
    ['İstanbul ılık', 'istanbul-ilik'],
    ['Ærø, œuvre, Đakovo, Seyðis', 'aero-oeuvre-dakovo-seydis'],
    ['Is 東京 > 大阪?', 'is'],
    ['東京?', 'market'],
    ['', 'market'],
  ])('of %j is %j', (question, slug) => {
    expect(toSlug(question)).toBe(slug);
  });

  it('has lower-case ASCII letters and digits only, for any question', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0x24ff)), (units) => {
        expect(toSlug(String.fromCharCode(...units))).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      }),
    );
  });
});
