import { describe, expect, it } from 'vitest';
import { durationMs, epochMs, type MarketAdded, unchecked } from '../../src/domain/index.ts';
import { mergeParams, StrategyAssignments } from '../../src/runtime/index.ts';
import { setup } from '../state/world.ts';

const time = epochMs(1);
const OPEN: MarketAdded['state'] = { status: 'OPEN', acceptingOrders: true, placeDelay: durationMs(0) };

function added(market: number, bot: number, params = '{"spread":10}'): MarketAdded {
  const { info, limits } = setup(market);
  const bots = [{ bot: unchecked.instance(bot), strategy: 'ladder', params }];
  return { type: 'marketAdded', time, info, limits, state: OPEN, bots };
}

describe('the list of assignments', () => {
  it('follows changes by operators from events alone', () => {
    const assignments = new StrategyAssignments();
    assignments.apply(added(0, 0));
    assignments.apply(added(1, 1));
    assignments.apply({ type: 'parameterSet', time, bot: unchecked.instance(1), name: 'spread', value: '25' });
    assignments.apply({ type: 'parameterSet', time, bot: unchecked.instance(1), name: 'levels', value: '[1,2]' });
    assignments.apply({ type: 'parameterSet', time, bot: unchecked.instance(9), name: 'spread', value: '25' });
    assignments.apply({ type: 'marketRemoved', time, market: unchecked.market(0) });
    assignments.apply({ type: 'woke', time });
    expect(assignments.entries).toEqual([
      { bot: 0, strategy: 'ladder', params: '{"spread":10}', changed: {}, markets: [] },
      { bot: 1, strategy: 'ladder', params: '{"spread":10}', changed: { spread: '25', levels: '[1,2]' }, markets: [1] },
    ]);
    const [, second] = assignments.entries;
    if (second === undefined) throw new Error('no second entry');
    expect(mergeParams(second)).toEqual({ spread: 25, levels: [1, 2] });
  });

  it('continues from its entries after a restart', () => {
    const first = new StrategyAssignments();
    first.apply(added(0, 0));
    const restored = new StrategyAssignments(JSON.parse(JSON.stringify(first.entries)));
    for (const assignments of [first, restored]) {
      assignments.apply({ type: 'parameterSet', time, bot: unchecked.instance(0), name: 'spread', value: '1' });
      assignments.apply(added(2, 1));
    }
    expect(restored.entries).toEqual(first.entries);
  });

  it('gives a returning market its earlier instances with the parameters of the event', () => {
    const assignments = new StrategyAssignments();
    assignments.apply(added(0, 0));
    assignments.apply({ type: 'parameterSet', time, bot: unchecked.instance(0), name: 'spread', value: '25' });
    assignments.apply({ type: 'marketRemoved', time, market: unchecked.market(0) });
    assignments.apply(added(0, 0, '{"spread":7}'));
    expect(assignments.find(unchecked.instance(0))).toMatchObject({
      params: '{"spread":7}',
      changed: {},
      markets: [0],
    });
  });

  it('lists removed markets over a restart until they are added again', () => {
    const assignments = new StrategyAssignments();
    for (const number of [0, 1]) assignments.apply(added(number, number));
    assignments.apply({ type: 'marketRemoved', time, market: unchecked.market(0), byOperator: true });
    assignments.apply({ type: 'marketRemoved', time, market: unchecked.market(1) });
    const restored = new StrategyAssignments(JSON.parse(JSON.stringify(assignments.entries)));
    restored.apply({ type: 'marketRemoved', time, market: unchecked.market(0) });
    expect(restored.entries.map(({ markets, removed }) => [markets, removed])).toEqual([
      [[], [0]],
      [[], undefined],
    ]);
    restored.apply(added(0, 2));
    expect(restored.entries.map(({ markets, removed }) => [markets, removed])).toEqual([
      [[], undefined],
      [[], undefined],
      [[0], undefined],
    ]);
  });

  it('refuses an instance number that skips numbers', () => {
    const assignments = new StrategyAssignments();
    expect(() => assignments.apply(added(0, 1))).toThrow('Invariant: instance 1 is not the next one, 0');
    assignments.apply(added(0, 0));
    const [entry] = assignments.entries;
    expect(
      () => new StrategyAssignments(entry === undefined ? [] : [{ ...entry, bot: unchecked.instance(3) }]),
    ).toThrow('Invariant: instance 3 ("ladder") is at index 0');
  });
});
