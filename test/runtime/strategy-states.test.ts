import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { epochMs, unchecked } from '../../src/domain/index.ts';
import { assignStrategies, type ConfiguredStrategy, StrategyAssignments } from '../../src/runtime/index.ts';
import { MAX_STATES, type StateOwner, StrategyStates } from '../../src/runtime/strategy-states.ts';
import { defineStrategy, type StrategyScope } from '../../src/strategy/index.ts';
import { setup } from '../state/world.ts';

const at = epochMs(5);
const owner = (strategy: string, market: number): StateOwner => ({ strategy, market: unchecked.market(market) });
const states = (isUsed: (used: StateOwner) => boolean = () => false) => new StrategyStates([], isUsed);

describe('the saved states of a bot', () => {
  it('are stored by strategy and market, and for scope run by strategy', () => {
    const saved = states();
    saved.apply(
      [
        { ...owner('a', 0), value: '1' },
        { ...owner('a', 1), value: '2' },
        { ...owner('b', 0), value: '3' },
        { strategy: 'a', value: '4' },
      ],
      at,
    );
    saved.apply([{ ...owner('a', 1), value: '5' }], epochMs(6));
    const owners = [owner('a', 0), owner('a', 1), owner('b', 0), { strategy: 'a' }, owner('b', 1)];
    expect(owners.map((key) => saved.find(key))).toEqual(['1', '5', '3', '4', undefined]);
    expect(saved.entries.at(-1)).toEqual({ ...owner('a', 1), value: '5', at: 6 });
    const restored = new StrategyStates(JSON.parse(JSON.stringify(saved.entries)), () => false);
    expect(restored.entries).toEqual(saved.entries);
  });

  it('are deleted when they are cleared', () => {
    const saved = states();
    saved.apply([{ ...owner('a', 0), value: '1' }], at);
    saved.apply([{ ...owner('a', 0), value: undefined }], at);
    expect([saved.find(owner('a', 0)), saved.entries]).toEqual([undefined, []]);
  });

  it('are at most 1,000 unless more are in use, and the unused state with the oldest change is deleted first', () => {
    const saved = states(({ market }) => market === 0);
    const save = (market: number) => saved.apply([{ ...owner('a', market), value: String(market) }], at);
    for (let market = 0; market <= MAX_STATES; market += 1) save(market);
    expect(saved.entries).toHaveLength(MAX_STATES);
    expect([0, 1, 2].map((market) => saved.find(owner('a', market)))).toEqual(['0', undefined, '2']);
    save(2);
    save(5_000);
    expect([2, 3].map((market) => saved.find(owner('a', market)))).toEqual(['2', undefined]);

    const used = states(() => true);
    for (let market = 0; market < MAX_STATES + 5; market += 1) used.apply([{ ...owner('a', market), value: '1' }], at);
    expect(used.entries).toHaveLength(MAX_STATES + 5);
  });
});

describe('the saved states over restarts', () => {
  const infos = [0, 1].map((number) => setup(number).info);
  const configured = (name: string, scope: StrategyScope = 'market'): ConfiguredStrategy => ({
    name,
    strategy: defineStrategy({ name, summary: 'A test.', params: z.looseObject({}), scope, create: () => ({}) }),
    params: {},
  });
  const restart = (before: StrategyAssignments, strategies: readonly ConfiguredStrategy[], markets = infos) =>
    new StrategyAssignments(
      assignStrategies(markets, () => strategies, before.entries),
      before.states.entries,
    );

  it('stay when another strategy trades the market, and when the run omits the market', () => {
    const first = restart(new StrategyAssignments(), [configured('a')]);
    first.states.apply(
      [owner('a', 0), owner('a', 1)].map((key) => ({ ...key, value: `${key.market}` })),
      at,
    );
    const other = restart(first, [configured('b')]);
    other.states.apply([{ ...owner('b', 0), value: 'b' }], at);
    const smaller = restart(other, [configured('a')], infos.slice(0, 1));
    const last = restart(smaller, [configured('a')]);
    expect([owner('a', 0), owner('a', 1), owner('b', 0)].map((key) => last.states.find(key))).toEqual(['0', '1', 'b']);
  });

  it('are in use as long as an instance trades the market, or with scope run any market', () => {
    const fill = (from: StrategyAssignments, name: string) => {
      for (let market = 10; market < 10 + MAX_STATES; market += 1)
        from.states.apply([{ ...owner(name, market), value: '1' }], at);
    };
    const run = restart(new StrategyAssignments(), [configured('pair', 'run'), configured('a')]);
    run.states.apply(
      [
        { strategy: 'pair', value: 'p' },
        { ...owner('a', 1), value: 'a' },
      ],
      at,
    );
    fill(run, 'old');
    expect([{ strategy: 'pair' }, owner('a', 1), owner('old', 10)].map((key) => run.states.find(key))).toEqual([
      'p',
      'a',
      undefined,
    ]);
    run.apply({ type: 'marketRemoved', time: at, market: unchecked.market(1) });
    fill(run, 'older');
    expect([{ strategy: 'pair' }, owner('a', 1)].map((key) => run.states.find(key))).toEqual(['p', undefined]);
  });
});
