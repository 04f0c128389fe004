import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InputFault, unchecked } from '../../src/domain/index.ts';
import {
  assertMarkets,
  assignStrategies,
  type ConfiguredStrategy,
  loadStrategies,
  type StrategyAssignment,
  tradesMarket,
} from '../../src/runtime/index.ts';
import { defineStrategy, type StrategyScope } from '../../src/strategy/index.ts';
import { setup } from '../state/world.ts';

const MARKETS = [0, 1, 2].map((number) => setup(number).info);
const FIXTURES = `${import.meta.dirname}/../fixtures/strategies`;
const STRATEGIES = `${import.meta.dirname}/../../strategies`;

function configured(name: string, scope: StrategyScope = 'market'): ConfiguredStrategy {
  const strategy = defineStrategy({
    name: 'probe',
    summary: 'A test.',
    params: z.looseObject({}),
    scope,
    create: () => ({}),
  });
  return { name, strategy, params: {} };
}

const textsOf = (entries: readonly StrategyAssignment[]) =>
  entries.map(({ bot, strategy, markets }) => `${bot} ${strategy} ${markets.join(' ')}`);

describe('assignStrategies', () => {
  it('gives a strategy of scope market an instance for each market, and one of scope run a single instance', () => {
    const strategies = [configured('a'), configured('pair', 'run'), configured('b')];
    const entries = assignStrategies(MARKETS, ({ market }) => (market === 1 ? strategies.slice(0, 2) : strategies));
    expect(textsOf(entries)).toEqual(['0 a 0', '1 pair 0 1 2', '2 b 0', '3 a 1', '4 a 2', '5 b 2']);
  });

  it('keeps the numbers of an earlier run and the parameters that an operator changed', () => {
    const first = assignStrategies(MARKETS.slice(0, 2), () => [configured('a'), configured('pair', 'run')]);
    const before = first.map((entry) => ({ ...entry, changed: { spread: '7' } }));
    const entries = assignStrategies(MARKETS, () => [configured('pair', 'run'), configured('a')], before);
    expect(textsOf(entries)).toEqual(['0 a 0', '1 pair 0 1 2', '2 a 1', '3 a 2']);
    expect(entries.map(({ changed }) => Object.keys(changed).length)).toEqual([1, 1, 1, 0]);
  });

  it('gives a different strategy on a market the number of the earlier one, without its changed parameters', () => {
    const before = assignStrategies(MARKETS, () => [configured('a')]).map((entry) => ({
      ...entry,
      changed: { spread: '7' },
    }));
    const entries = assignStrategies(MARKETS.slice(0, 2), () => [configured('b')], before);
    expect(textsOf(entries)).toEqual(['0 b 0', '1 b 1', '2 a ']);
    expect(entries[0]?.changed).toEqual({});
  });

  it('leaves out markets that an operator removed', () => {
    const pair = configured('pair', 'run');
    const before = assignStrategies(MARKETS, () => [pair]).map((entry) => ({
      ...entry,
      markets: [unchecked.market(0), unchecked.market(2)],
      removed: [unchecked.market(1)],
    }));
    expect(assignStrategies(MARKETS, () => [pair], before)).toMatchObject([{ markets: [0, 2], removed: [1] }]);
  });

  it('gives each market its own number when a strategy no longer trades all markets in one instance', () => {
    const before = assignStrategies(MARKETS, () => [configured('a', 'run')]);
    expect(textsOf(assignStrategies(MARKETS, () => [configured('a')], before))).toEqual(['0 a 0', '1 a 1', '2 a 2']);
  });
});

describe('loadStrategies', () => {
  const options = { folders: [FIXTURES, STRATEGIES], baseDir: '/' };
  const wrapperEntry = (strategy: string, params = {}) => ({ strategy: 'event-regime', params: { strategy, params } });
  const load = (strategies: readonly object[]) =>
    loadStrategies(
      { params: {}, strategies: strategies.map((entry) => ({ strategy: 'own-drift', params: {}, ...entry })) },
      options,
    );

  it('returns each strategy with its name and its markets', async () => {
    const strategies = await load([{}, { name: 'second', markets: ['market-1'] }]);
    expect(strategies.map(({ name }) => name)).toEqual(['own-drift', 'second']);
    const trades = strategies.map((loaded) =>
      MARKETS.filter((market) => tradesMarket(loaded, market)).map(({ market }) => market),
    );
    expect(trades).toEqual([[0, 1, 2], MARKETS.filter(({ slug }) => slug === 'market-1').map(({ market }) => market)]);
  });

  it.each([
    [[{}, {}], 'strategies[1].name: expected another name than that of a strategy above'],
    [[{}, { strategy: 'nope', name: 'b' }], 'strategies[1].strategy: expected the name of a strategy'],
    [[{ params: { size: 'x' } }], 'strategies[0].params.size: expected a number'],
    [[{}, wrapperEntry('nope')], 'strategies[1].params.strategy: expected the name of a strategy'],
    [[{}, wrapperEntry('lead-lag', { lag: 'x' })], 'strategies[1].params.params.lag: expected a known key'],
  ])('refuses %j with the path of the error', async (strategies, message) => {
    await expect(load(strategies)).rejects.toThrow(InputFault);
    await expect(load(strategies)).rejects.toThrow(message);
  });

  it('distinguishes two wrapped strategies by their names', async () => {
    const strategies = await load([wrapperEntry('lead-lag'), wrapperEntry('own-drift')]);
    expect(strategies.map(({ name }) => name)).toEqual(['event-regime-lead-lag', 'event-regime-own-drift']);
  });

  it('refuses markets that the run does not have', async () => {
    const strategies = await load([{ markets: ['nowhere'] }]);
    expect(() => assertMarkets(strategies, MARKETS)).toThrow(
      'strategies[0].markets[0]: expected the slug or id of a market of this run: ',
    );
  });
});
