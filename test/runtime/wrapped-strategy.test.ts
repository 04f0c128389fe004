import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { seededRandom } from '../../src/clock/index.ts';
import { unchecked } from '../../src/domain/index.ts';
import { checkStrategy } from '../../src/runtime/check-strategy.ts';
import { instantiateStrategy, loadParamsSchema, loadStrategy } from '../../src/runtime/index.ts';
import { wrapStrategy } from '../../src/runtime/loader.ts';
import { defineStrategy, defineWrapper, type Strategy } from '../../src/strategy/index.ts';
import { setup } from '../state/world.ts';

const STRATEGIES = join(import.meta.dirname, '../../strategies');
const FIXTURES = join(import.meta.dirname, '../fixtures/strategies');
const OPTIONS = { folders: [STRATEGIES, FIXTURES], baseDir: '/' };
const LADDER = { bid_spread: 60, ask_spread: 60, order_amount: 20, max_position: 300 };

const outer = defineWrapper({
  name: 'outer',
  summary: 'Adds nothing.',
  params: z.strictObject({ width: z.number().default(3) }).refine(({ width }) => width < 100, 'a small width'),
  wrap: (handlers, { width }, { log }) => {
    log.info(`width ${width}`);
    return handlers;
  },
});

function createInstance(inner: Strategy, params: unknown, logged: string[] = []) {
  const log = { info: (text: string) => void logged.push(text), warn: () => {}, error: () => {} };
  const strategy = wrapStrategy(outer, inner, 'inner');
  return instantiateStrategy({
    bot: unchecked.instance(0),
    strategy,
    params,
    random: seededRandom(1),
    markets: [setup(0).info],
    log,
  });
}

describe('a wrapped strategy', () => {
  const inner = defineStrategy({
    name: 'inner',
    summary: 'Everything that a strategy may have.',
    params: z.strictObject({ every: z.int().min(1).default(7) }),
    scope: 'run',
    state: z.strictObject({ starts: z.int().default(0) }),
    timers: ({ every }) => [{ name: 'tick', everyMs: every }],
    signals: ({ every }) => [`fair-${every}`],
    create: ({ every }, { state }) => ({ onStart: () => void state.set({ starts: every }) }),
  });

  it('has both names, and the scope, state, timers, signals and parameters of the inner strategy', () => {
    const logged: string[] = [];
    const instance = createInstance(inner, { width: 5, strategy: 'inner', params: { every: 9 } }, logged);
    expect(instance).toMatchObject({
      name: 'outer-inner',
      params: { width: 5, strategy: 'inner', params: { every: 9 } },
      timers: [{ name: 'tick', everyMs: 9 }],
      signals: ['fair-9'],
    });
    expect(instance.saved?.get()).toEqual({ starts: 0 });
    expect(wrapStrategy(outer, inner, 'inner').scope).toBe('run');
    expect(logged).toEqual(['width 5']);
  });

  it('has the defaults of both schemas', () => {
    expect(createInstance(inner, { strategy: 'inner' }).params).toEqual({
      width: 3,
      strategy: 'inner',
      params: { every: 7 },
    });
  });

  it.each([
    [{ params: { every: 0 } }, 'params.params.every: expected at least 1, got 0'],
    [{ params: { evry: 5 } }, 'params.params.evry: expected a known key (did you mean "every"? known: every)'],
    [{ widht: 5 }, 'params.widht: expected a known key (did you mean "width"? known: width, strategy, params)'],
    [{ width: 100 }, 'params: expected a small width'],
    [{ strategy: 'another' }, 'params.strategy: expected "inner", got "another"'],
  ])('refuses the parameters %j by the schema of their strategy', (params, message) => {
    expect(() => createInstance(inner, { strategy: 'inner', ...params })).toThrow(message);
  });

  it('has its handlers checked before they are passed to the wrapper', () => {
    const handlers: object = { onBok: () => [] };
    expect(() => createInstance({ ...inner, create: () => handlers }, { strategy: 'inner' })).toThrow(
      'there is no handler "onBok" (did you mean "onBook"?',
    );
  });
});

describe('loading a wrapper', () => {
  it('loads the strategy that its parameters name, also by path, and hashes both', async () => {
    const loadWrapped = async (strategy: string) => loadStrategy('event-regime', OPTIONS, { strategy });
    const ladder = await loadWrapped('ladder');
    expect(ladder.strategy.name).toBe('event-regime-ladder');
    expect(ladder.file).toBe(join(STRATEGIES, 'event-regime/strategy.ts'));
    expect(ladder.strategy.params.safeParse({ strategy: 'ladder', params: LADDER }).success).toBe(true);
    const byPath = await loadWrapped(join(STRATEGIES, 'ladder'));
    expect(byPath.sha256).toBe(ladder.sha256);
    expect((await loadWrapped('lead-lag')).strategy).toMatchObject({ name: 'event-regime-lead-lag', scope: 'run' });
    const hashes = [ladder, await loadWrapped('grid'), await loadStrategy('ladder', OPTIONS)].map(
      ({ sha256 }) => sha256,
    );
    expect(new Set(hashes).size).toBe(3);
  });

  it.each([
    [{}, 'params.strategy: expected the name or path of the strategy that event-regime wraps, but it is missing'],
    [{ strategy: 5 }, 'params.strategy: expected the name or path of the strategy that event-regime wraps, got 5'],
    [{ strategy: 'event-regime' }, 'params.strategy: expected a strategy that wraps no other, got "event-regime"'],
    [{ strategy: 'laddr' }, 'params.strategy: expected the name of a strategy (did you mean "ladder"? known: '],
    [{ strategy: './none' }, '/none: there is no such file'],
  ])('refuses %j', async (params, message) => {
    await expect(loadStrategy('event-regime', OPTIONS, params)).rejects.toThrow(message);
  });

  it('shows its parameters without a wrapped strategy', async () => {
    const schema = z.toJSONSchema(await loadParamsSchema('event-regime', OPTIONS), { io: 'input' });
    expect(schema.required).toEqual(['strategy']);
    expect(Object.keys(schema.properties ?? {})).toEqual(expect.arrayContaining(['jump_ticks', 'strategy', 'params']));
    const ladder = z.toJSONSchema(await loadParamsSchema('ladder', OPTIONS), { io: 'input' });
    expect(ladder.required).toContain('bid_spread');
  });

  it.each([
    [{ wrap: 5 }, 'wrap: 5 is not a function'],
    [{ params: z.string() }, 'params: a wrapper needs a zod object, such as z.strictObject({ … })'],
    [{ create: () => ({}) }, 'create: a wrapper has only `wrap`'],
  ])('refuses an export with %o', (wrong, message) => {
    const check = () => checkStrategy({ ...outer, ...wrong }, '/outer/strategy.ts', 'outer');
    expect(check).toThrow(`/outer/strategy.ts, ${message}`);
  });
});
