import { describe, expect, it } from 'vitest';
import {
  MARKET_TEXT_RULES,
  pickTexts,
  readLaterTexts,
  writeLaterTexts,
} from '../../../src/exchange/markets/market-texts.ts';

/** Writes the texts of a market and reads them back with `next` as the following value. */
function roundTrip(market: object, names: readonly string[], next: number) {
  const written: (number | string)[] = [];
  const writer = {
    number: (value: number) => written.push(value),
    text: (value: string) => written.push(value),
  };
  writeLaterTexts(writer, market, names);
  const unread = [...written, next];
  const read = readLaterTexts({ number: () => Number(unread.shift()), text: () => String(unread.shift()) });
  return { written, read, unread };
}

describe('later texts of a market', () => {
  it('add nothing to the snapshot of a market without them', () => {
    expect(roundTrip({ question: 'q' }, ['source', 'image'], 3)).toEqual({ written: [], read: [{}, 3], unread: [] });
  });

  it('are restored by name, also when the list of texts has changed', () => {
    const market = { question: 'q', image: '', source: 'a gauge' };
    const { written, read, unread } = roundTrip(market, ['source', 'none', 'image'], 0);
    expect(written).toEqual([-2, 'source', 'a gauge', 'image', '']);
    expect({ read, unread }).toEqual({ read: [{ source: 'a gauge', image: '' }, 0], unread: [] });
  });

  it('are optional, because existing markets do not have them', () => {
    const wrong = MARKET_TEXT_RULES.filter(([, { isLater, isOptional }]) => isLater && !isOptional);
    expect(wrong).toEqual([]);
  });
});

describe('texts of a market', () => {
  it('are exactly those of the table', () => {
    const texts = { question: 'q', rules: 'r', description: undefined, categorySlug: 'c', eventId: undefined };
    expect(Object.entries(pickTexts({ ...texts, ...{ id: 'x', unknown: 'y' } }))).toEqual(Object.entries(texts));
  });
});
