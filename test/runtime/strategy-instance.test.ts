import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { seededRandom } from '../../src/clock/index.ts';
import { Fault, InputFault, unchecked } from '../../src/domain/index.ts';
import { checkStrategy, isWrapper } from '../../src/runtime/check-strategy.ts';
import { instantiateStrategy } from '../../src/runtime/index.ts';
import type { InstanceSpec } from '../../src/runtime/strategy-instance.ts';
import { defineStrategy, type Strategy } from '../../src/strategy/index.ts';
import { setup } from '../state/world.ts';

const MARKET = setup(3).info;
const params = z.strictObject({ width: z.number().min(1).default(4) });

function createInstance(strategy: Partial<Strategy<typeof params>>, written: unknown = {}) {
  const whole = defineStrategy({ name: 'probe', summary: 'Probes.', params, create: () => ({}), ...strategy });
  return instantiateStrategy(specOf(whole, written));
}

function specOf(strategy: Strategy, written: unknown = {}): InstanceSpec {
  return { bot: unchecked.instance(0), strategy, params: written, random: seededRandom(1), markets: [MARKET] };
}

/** Returns a checked export that has no types, as strategies run without a type check. */
function withoutTypes(exported: object): Strategy {
  const strategy = checkStrategy(exported, 'strategy.ts', 'probe');
  if (isWrapper(strategy)) throw new Error('expected a strategy, got a wrapper');
  return strategy;
}

describe('instantiateStrategy', () => {
  it('passes the strategy its parsed parameters, number, markets and randomness', () => {
    const received: unknown[] = [];
    const instance = createInstance({
      timers: ({ width }) => [{ name: 'tick', everyMs: 10 * width }],
      create({ width }, { bot: number, markets, random }) {
        received.push(width, number, markets, random.uniform() < 1);
        return {};
      },
    });
    expect(received).toEqual([4, 0, [MARKET], true]);
    expect(instance).toMatchObject({ bot: 0, name: 'probe', params: { width: 4 }, markets: [3] });
    expect(instance.timers).toEqual([{ name: 'tick', everyMs: 40 }]);
    expect(createInstance({}).timers).toEqual([]);
  });

  it('names a wrong parameter and the closest known one', () => {
    expect(() => createInstance({}, { width: 0 })).toThrow('params.width: expected at least 1, got 0');
    expect(() => createInstance({}, { widht: 9 })).toThrow('params.widht: expected a known key (did you mean "width"?');
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses a timer of %d ms', (everyMs) => {
    const make = () => createInstance({ timers: () => [{ name: 'tick', everyMs }] });
    expect(make).toThrow(`timer "tick" of strategy "probe": expected whole milliseconds, at least 1, got ${everyMs}`);
  });

  it.each([['rain tomorrow'], [''], ['x'.repeat(101)], [5]])('refuses the declared signal name %o', (wrong) => {
    const strategy: object = {
      name: 'probe',
      summary: 'Probes.',
      params,
      create: () => ({}),
      signals: () => ['a', wrong],
    };
    const make = () => instantiateStrategy(specOf(withoutTypes(strategy)));
    expect(make).toThrow(/^signals\[1\] of strategy "probe": expected a name of letters, digits and \. _ : -/);
  });

  it('names the part of the strategy that threw, and passes on faults of the program', () => {
    const fail = () => {
      throw new TypeError('bang');
    };
    expect(() => createInstance({ create: fail })).toThrow('strategy "probe" failed in create: TypeError: bang');
    expect(() => createInstance({ timers: fail })).toThrow('strategy "probe" failed in timers: TypeError: bang');
    expect(() => createInstance({ create: fail })).toThrow(Fault);
    const refuse = () => {
      throw new InputFault('width', 5, 'an even number');
    };
    expect(() => createInstance({ create: refuse })).toThrow(InputFault);
  });

  it('reports a fault of the strategy when its schema throws or is asynchronous', () => {
    const throwing = z.strictObject({}).transform(() => {
      throw new TypeError('bang');
    });
    const asynchronous = z.strictObject({}).refine(async () => true);
    for (const schema of [throwing, asynchronous]) {
      const strategy = defineStrategy({ name: 'probe', summary: 'Probes.', params: schema, create: () => ({}) });
      expect(() => instantiateStrategy(specOf(strategy))).toThrow(/^strategy "probe" failed in params: /);
    }
  });

  it.each([
    ['create', { create: () => null }, 'it returned null; expected an object of handlers'],
    [
      'create',
      { create: async () => ({}) },
      'it returned a promise (it is synchronous: no async); expected an object of handlers',
    ],
    ['create', { create: () => ({ onBook: 5 }) }, 'onBook is not a function'],
    ['create', { create: () => ({ onBok: () => undefined }) }, 'there is no handler "onBok" (did you mean "onBook"?'],
    [
      'create',
      { create: () => ({ onOrder: () => undefined }) },
      'there is no handler "onOrder": each event has its own. Use onOrderAccepted, ',
    ],
    ['timers', { timers: () => [0, 0].map(() => ({ name: 'x', everyMs: 1 })) }, 'two timers are called "x"'],
    [
      'timers',
      { timers: () => Array.from({ length: 10_000 }, (_, at) => ({ name: `${at}`, everyMs: 1 })) },
      'it returned 10000 timers; at most 100',
    ],
    ['timers', { timers: () => 5 }, "it returned 5; expected a list: [{ name: 'requote', everyMs: 1_000 }]"],
    ['timers', { timers: async () => [] }, 'it returned a promise (it is synchronous: no async); expected a list'],
    [
      'timers',
      { timers: () => ({ name: 'x', everyMs: 5 }) },
      'it returned an object with name, everyMs; expected a list',
    ],
    ['timers', { timers: () => [null] }, "it returned null at index 0; expected { name: 'requote', everyMs: 1_000 }"],
    ['timers', { timers: () => [{ everyMs: 5 }] }, 'it returned an object with everyMs at index 0; expected { name:'],
    ['signals', { signals: () => 'fair' }, "it returned fair; expected a list: ['rain-tomorrow.p']"],
  ])('names what is wrong with the value that %s returned: %o', (part, wrong, message) => {
    // Strategies run without a type check.
    const strategy: object = { name: 'probe', summary: 'Probes.', params, create: () => ({}), ...wrong };
    const make = () => instantiateStrategy(specOf(withoutTypes(strategy)));
    expect(make).toThrow(Fault);
    expect(make).toThrow(`strategy "probe" failed in ${part}: TypeError: ${message}`);
  });
});

describe('the context of a strategy', () => {
  it('has the state that was stored, a log and timers', () => {
    const lines: string[] = [];
    const log = { info: (text: string) => void lines.push(text), warn: () => {}, error: () => {} };
    const strategy = defineStrategy({
      name: 'probe',
      summary: 'Probes.',
      params,
      state: z.strictObject({ fills: z.int().default(0) }),
      create(_, context) {
        context.log.info(`fills ${context.state.get().fills}`);
        return { onStart: () => void context.timers.set('x', { afterMs: 5 }) };
      },
    });
    instantiateStrategy({
      ...specOf(strategy),
      log,
      readState: ({ strategy: name, market }) => `{"fills":${name.length + (market ?? 9)}}`,
    });
    instantiateStrategy({
      ...specOf({ ...strategy, scope: 'run' }),
      log,
      readState: ({ market }) => `{"fills":${market ?? 2}}`,
    });
    instantiateStrategy({ ...specOf(strategy), log });
    expect(lines).toEqual(['fills 8', 'fills 2', 'fills 0']);
  });

  it('refuses the state of a strategy without a schema', () => {
    const make = () =>
      createInstance({
        create(_, { state }) {
          state.get();
          return {};
        },
      });
    expect(make).toThrow('strategy "probe" has no `state` schema: add one beside `params`');
  });
});
