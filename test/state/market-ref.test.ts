import { describe, expect, it } from 'vitest';
import { account, setup } from './world.ts';

const ONE = setup(1).info;

describe('a market of the account', () => {
  const state = account([setup(0), setup(1)]);

  it('is found by number, slug, id, info and view', () => {
    for (const ref of [ONE.market, ONE.slug, ONE.id, ONE, state.market(ONE.market)]) {
      expect(state.market(ref).info.slug).toBe('market-1');
    }
  });

  it('is unknown under another name, and the error lists the valid names', () => {
    const text = 'market "market-7" is not in this run; use a slug or an id. This run has market-0, market-1';
    expect(() => state.market('market-7')).toThrow(new RangeError(text));
    expect(() => state.market({ ...ONE, id: setup(5).info.id })).toThrow('market the given object is not in this run');
  });

  it('lists at most eight names', () => {
    const many = account(Array.from({ length: 10 }, (_, number) => setup(number)));
    expect(() => many.market('rain')).toThrow(/market-7 and 2 more$/);
  });

  it('must be named by id when two markets have the same slug', () => {
    const twin = setup(1);
    const twins = account([setup(0), { ...twin, info: { ...twin.info, slug: 'market-0' } }]);
    expect(() => twins.market('market-0')).toThrow(
      `market "market-0": 2 markets have this slug, use an id: ${setup(0).info.id}, ${twin.info.id}`,
    );
    expect(twins.market(twin.info.id).info.market).toBe(1);
  });
});
