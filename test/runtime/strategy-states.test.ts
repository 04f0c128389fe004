import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { counted, epochMs } from '../../src/domain/index.ts';
import { assignStrategies, StrategyAssignments, type StrategyPlan } from '../../src/runtime/index.ts';
import { MAX_STATES, type StateOwner, StrategyStates } from '../../src/runtime/strategy-states.ts';
import { defineStrategy, type StrategyScope } from '../../src/strategy/index.ts';
import { setup } from '../state/world.ts';

const at = epochMs(5);
const on = (strategy: string, market: number): StateOwner => ({ strategy, market: counted.market(market) });
const states = (isUsed: (owner: StateOwner) => boolean = () => false) => new StrategyStates([], isUsed);

describe('the saved states of a bot', () => {
  it('are kept by strategy and market, and for scope run by strategy', () => {
    const kept = states();
    kept.apply(
      [
        { ...on('a', 0), value: '1' },
        { ...on('a', 1), value: '2' },
        { ...on('b', 0), value: '3' },
        { strategy: 'a', value: '4' },
      ],
      at,
    );
    kept.apply([{ ...on('a', 1), value: '5' }], epochMs(6));
    const owners = [on('a', 0), on('a', 1), on('b', 0), { strategy: 'a' }, on('b', 1)];
    expect(owners.map((owner) => kept.of(owner))).toEqual(['1', '5', '3', '4', undefined]);
    expect(kept.entries.at(-1)).toEqual({ ...on('a', 1), value: '5', at: 6 });
    const again = new StrategyStates(JSON.parse(JSON.stringify(kept.entries)), () => false);
    expect(again.entries).toEqual(kept.entries);
  });

  it('go when they are cleared', () => {
    const kept = states();
    kept.apply([{ ...on('a', 0), value: '1' }], at);
    kept.apply([{ ...on('a', 0), value: undefined }], at);
    expect([kept.of(on('a', 0)), kept.entries]).toEqual([undefined, []]);
  });

  it('are at most 1,000, unless more are in use: those of no instance go first that did not change for longest', () => {
    const kept = states(({ market }) => market === 0);
    const save = (market: number) => kept.apply([{ ...on('a', market), value: String(market) }], at);
    for (let market = 0; market <= MAX_STATES; market += 1) save(market);
    expect(kept.entries).toHaveLength(MAX_STATES);
    expect([0, 1, 2].map((market) => kept.of(on('a', market)))).toEqual(['0', undefined, '2']);
    save(2);
    save(5_000);
    expect([2, 3].map((market) => kept.of(on('a', market)))).toEqual(['2', undefined]);

    const used = states(() => true);
    for (let market = 0; market < MAX_STATES + 5; market += 1) used.apply([{ ...on('a', market), value: '1' }], at);
    expect(used.entries).toHaveLength(MAX_STATES + 5);
  });
});

describe('the saved states over restarts', () => {
  const infos = [0, 1].map((number) => setup(number).info);
  const plan = (name: string, scope: StrategyScope = 'market'): StrategyPlan => ({
    name,
    strategy: defineStrategy({ name, summary: 'A test.', params: z.looseObject({}), scope, create: () => ({}) }),
    params: {},
  });
  const restarted = (before: StrategyAssignments, plans: readonly StrategyPlan[], markets = infos) =>
    new StrategyAssignments(
      assignStrategies(markets, () => plans, before.entries),
      before.states.entries,
    );

  it('stay when another strategy runs on the market, and when the market is left out', () => {
    const first = restarted(new StrategyAssignments(), [plan('a')]);
    first.states.apply(
      [on('a', 0), on('a', 1)].map((owner) => ({ ...owner, value: `${owner.market}` })),
      at,
    );
    const other = restarted(first, [plan('b')]);
    other.states.apply([{ ...on('b', 0), value: 'b' }], at);
    const smaller = restarted(other, [plan('a')], infos.slice(0, 1));
    const last = restarted(smaller, [plan('a')]);
    expect([on('a', 0), on('a', 1), on('b', 0)].map((owner) => last.states.of(owner))).toEqual(['0', '1', 'b']);
  });

  it('are in use as long as an instance trades the market, or with scope run any market', () => {
    const many = (from: StrategyAssignments, name: string) => {
      for (let market = 10; market < 10 + MAX_STATES; market += 1)
        from.states.apply([{ ...on(name, market), value: '1' }], at);
    };
    const run = restarted(new StrategyAssignments(), [plan('pair', 'run'), plan('a')]);
    run.states.apply(
      [
        { strategy: 'pair', value: 'p' },
        { ...on('a', 1), value: 'a' },
      ],
      at,
    );
    many(run, 'old');
    expect([{ strategy: 'pair' }, on('a', 1), on('old', 10)].map((owner) => run.states.of(owner))).toEqual([
      'p',
      'a',
      undefined,
    ]);
    run.apply({ type: 'marketRemoved', time: at, market: counted.market(1) });
    many(run, 'older');
    expect([{ strategy: 'pair' }, on('a', 1)].map((owner) => run.states.of(owner))).toEqual(['p', undefined]);
  });
});
