import { describe, expect, it } from 'vitest';
import {
  MARKET_TEXT_RULES,
  readLaterTexts,
  textsOf,
  writeLaterTexts,
} from '../../../src/exchange/markets/market-texts.ts';

/** What is written for a market, and what is read back when `next` follows. */
function roundTrip(market: object, names: readonly string[], next: number) {
  const written: (number | string)[] = [];
  const writer = {
    number: (value: number) => written.push(value),
    text: (value: string) => written.push(value),
  };
  writeLaterTexts(writer, market, names);
  const left = [...written, next];
  const read = readLaterTexts({ number: () => Number(left.shift()), text: () => String(left.shift()) });
  return { written, read, left };
}

describe('texts that a market got later', () => {
  it('leave no byte in the snapshot of a market without them', () => {
    expect(roundTrip({ question: 'q' }, ['source', 'image'], 3)).toEqual({ written: [], read: [{}, 3], left: [] });
  });

  it('come back by name, whatever other texts there are now', () => {
    const market = { question: 'q', image: '', source: 'a gauge' };
    const { written, read, left } = roundTrip(market, ['source', 'none', 'image'], 0);
    expect(written).toEqual([-2, 'source', 'a gauge', 'image', '']);
    expect({ read, left }).toEqual({ read: [{ source: 'a gauge', image: '' }, 0], left: [] });
  });

  it('are optional: markets that exist have none', () => {
    const wrong = MARKET_TEXT_RULES.filter(([, { isLater, isOptional }]) => isLater && !isOptional);
    expect(wrong).toEqual([]);
  });
});

describe('texts of a market', () => {
  it('are those of the table alone, and every one that is not later', () => {
    const texts = { question: 'q', rules: 'r', description: undefined, categorySlug: 'c', eventId: undefined };
    expect(Object.entries(textsOf({ ...texts, ...{ id: 'x', unknown: 'y' } }))).toEqual(Object.entries(texts));
  });
});
