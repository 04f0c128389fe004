import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Fault } from '../../src/domain/index.ts';
import { SavedState } from '../../src/runtime/saved-state.ts';
import { Bench, createInstance } from './fakes.ts';

const schema = z.strictObject({ fills: z.int().min(0).default(0), note: z.string().default('') });

function openState(stored?: string) {
  const state = new SavedState({ strategy: 'probe' }, schema, stored);
  const writes: string[] = [];
  state.onSave((json) => void writes.push(json));
  return { state, writes };
}

describe('the saved state of a strategy', () => {
  it('starts with the defaults of its schema', () => {
    expect(openState().state.get()).toEqual({ fills: 0, note: '' });
    const outside = z.object({ fills: z.int() }).default({ fills: 7 });
    expect(new SavedState({ strategy: 'probe' }, outside, undefined).get()).toEqual({ fills: 7 });
    expect(new SavedState({ strategy: 'probe' }, z.number().default(3), undefined).get()).toBe(3);
  });

  it('starts with the state that an earlier run stored', () => {
    expect(openState('{"fills":4,"note":"x"}').state.get()).toEqual({ fills: 4, note: 'x' });
    expect(openState('{"fills":4}').state.get()).toEqual({ fills: 4, note: '' });
  });

  it('is written once for each change, as JSON', () => {
    const { state, writes } = openState();
    state.set({ fills: 1, note: '' });
    state.set({ fills: 1, note: '' });
    state.set({ fills: 2, note: 'a' });
    expect(writes).toEqual(['{"fills":1,"note":""}', '{"fills":2,"note":"a"}']);
    expect(state.get()).toEqual({ fills: 2, note: 'a' });
  });

  it('changes only by `set`', () => {
    const { state } = openState();
    const next = { fills: 1, note: '' };
    state.set(next);
    next.fills = 9;
    expect(state.get()).toEqual({ fills: 1, note: '' });
    expect(() => Object.assign(state.get() as object, { fills: 5 })).toThrow(TypeError);
  });

  it.each([
    [{ fills: -1, note: '' }, 'context.state.fills: expected at least 0, got -1'],
    [{ fills: 1, note: '', extra: 1 }, 'context.state.extra: expected a known key'],
    [undefined, 'context.state: expected a section of keys'],
  ])('refuses %o with strategy and field, and stays unchanged', (next, text) => {
    const { state, writes } = openState();
    expect(() => state.set(next)).toThrow(text);
    expect([state.get(), writes]).toEqual([{ fills: 0, note: '' }, []]);
  });

  it('refuses a value that JSON cannot represent', () => {
    const dated = new SavedState(
      { strategy: 'probe' },
      z.object({ at: z.date().or(z.null()).default(null) }),
      undefined,
    );
    dated.onSave(() => {});
    expect(() => dated.set({ at: new Date(0) })).toThrow('context.state cannot be stored: use numbers');
    const any = new SavedState({ strategy: 'probe' }, z.object({ held: z.any().default(null) }), undefined);
    any.onSave(() => {});
    for (const held of [new Map(), new Set(), Number.NaN, 1n, () => 1, [{ deep: new Date(0) }]]) {
      expect(() => any.set({ held })).toThrow('cannot be stored');
    }
    expect(() => any.set({ held: [{ deep: [1, 'a', true, null] }] })).not.toThrow();
    const doubled = z.object({ n: z.number().default(1) }).transform(({ n }) => ({ n: n * 2 }));
    const growing = new SavedState({ strategy: 'probe' }, doubled, undefined);
    growing.onSave(() => {});
    expect(() => growing.set({ n: 3 })).toThrow('changes when it is stored');
  });

  it('refuses more than 65,536 characters', () => {
    const { state } = openState();
    expect(() => state.set({ fills: 0, note: 'x'.repeat(65_536) })).toThrow(
      /has 655\d\d characters as JSON; at most 65536/,
    );
  });

  it('cannot be set in `create`', () => {
    const state = new SavedState({ strategy: 'probe' }, schema, undefined);
    expect(() => state.set({ fills: 1, note: '' })).toThrow('was called in `create`: call it in a handler');
  });

  it('stops the start when the schema refuses what an earlier run stored, and names the remedy', () => {
    const start = () => openState('{"fills":"many","note":""}');
    expect(start).toThrow(Fault);
    expect(start).toThrow(
      'strategy "probe": the state that an earlier run stored does not fit its schema (state.fills: expected a number',
    );
    expect(start).toThrow('.catch() to start without state');
  });

  it('names a field without a default', () => {
    const bare = z.strictObject({ fills: z.int() });
    expect(() => new SavedState({ strategy: 'probe' }, bare, undefined)).toThrow(
      'strategy "probe": its state has no default (state.fills: expected a number, but it is missing). Give each field',
    );
  });
});

describe('a step that saves states', () => {
  const savingBot = ({ fails = false } = {}) => {
    const state = new SavedState({ strategy: 'probe' }, schema, undefined);
    const instance = createInstance({
      onBook: () => {
        state.set({ fills: 1, note: 'book' });
        state.set({ fills: 2, note: 'book' });
        if (fails) throw new TypeError('bang');
        return undefined;
      },
    });
    return new Bench([{ ...instance, saved: state }]).start();
  };

  it('has the last state of each instance, also when a message without intents caused it', () => {
    const { steps } = savingBot().feed('1001 | bid 4000 10');
    expect(steps).toMatchObject([{ states: [{ strategy: 'probe', value: '{"fills":2,"note":"book"}' }] }]);
  });

  it('is not repeated for an equal state', () => {
    const state = new SavedState({ strategy: 'probe' }, schema, undefined);
    const instance = createInstance({ onBook: () => void state.set({ fills: 1, note: '' }) });
    const bench = new Bench([{ ...instance, saved: state }]).start();
    expect(bench.feed('1001 | bid 4000 10').steps).toHaveLength(1);
    expect(bench.feed('1002 | bid 4000 20').steps).toHaveLength(0);
  });

  it('has no state of a handler that failed', () => {
    const { steps, fault } = savingBot({ fails: true }).feed('1001 | bid 4000 10');
    expect(steps.map(({ states }) => states)).toEqual([undefined]);
    expect(String(fault)).toContain('bang');
  });
});
