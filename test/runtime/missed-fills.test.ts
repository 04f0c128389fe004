import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { epochMs, type FillReversed, microUsd, priceBps, unchecked } from '../../src/domain/index.ts';
import { createPlanner } from '../../src/execution/index.ts';
import { type BotSnapshot, type MissedFills, recover, type Step, TradingCore } from '../../src/runtime/index.ts';
import { SavedState } from '../../src/runtime/saved-state.ts';
import type { AccountState } from '../../src/state/index.ts';
import { about, account, applyMessages, filled, place, shares } from '../state/world.ts';
import { bids, createInstance, FakeRisk, outbox } from './fakes.ts';
import { commandLines } from './live-bench.ts';

const STARTED = { type: 'started', time: epochMs(2_000) } as const;
const reversed: FillReversed = {
  type: 'fillReversed',
  ...about(1),
  trade: 't',
  outcome: 'YES',
  side: 'BUY',
  price: priceBps(4_000),
  shares: shares(2),
  fee: microUsd(0),
  liquidity: 'maker',
};

/** An account with one open order that has a tag, and a book. */
function stateWithOrder(): AccountState {
  const state = account();
  applyMessages(state, '900 | bid 4000 10 | ask 6000 10');
  state.applyCommand({ ...place({ order: 1, size: 10, price: 4_000 }), tag: 'inner' }, epochMs(950));
  state.apply({ type: 'orderAccepted', ...about(1) });
  return state;
}

function coreOf(state: AccountState, { missed, fails = false }: { missed?: MissedFills; fails?: boolean } = {}) {
  const saved = new SavedState({ strategy: 'probe' }, z.object({ shares: z.number().default(0) }), undefined);
  const calls: string[] = [];
  const instance = createInstance({
    onStart: () => void calls.push('start'),
    onFill({ shares: size, recovery = '-', tag = '-' }, view) {
      calls.push(`fill ${size / 1e6} ${recovery} ${tag} of ${view.market(0 as never).position.yes / 1e6}`);
      saved.set({ shares: (saved.get() as { shares: number }).shares + size / 1e6 });
      if (fails) throw new TypeError('bang');
      return [bids(3_000)];
    },
    onFillReversed: ({ shares: size, tag }) => void calls.push(`reversed ${size / 1e6} ${tag}`),
  });
  const planner = createPlanner({ firstOrder: unchecked.order(2) });
  const core = new TradingCore({
    state,
    instances: [{ ...instance, saved }],
    risk: new FakeRisk(),
    planner,
    ...(missed && { missed }),
  });
  const step = (event: NonNullable<Step['event']>) => {
    const out = outbox();
    core.step(event, out);
    return out;
  };
  return { calls, step };
}

describe('fills that arrive before strategies start', () => {
  it('reach the strategy before onStart with the whole position in the view, and its intents are executed after the last', () => {
    const { calls, step } = coreOf(stateWithOrder());
    step({ ...filled({ order: 1, size: 3, left: 7, price: 4_000 }), recovery: 'start' });
    step({ ...filled({ order: 1, size: 7, left: 0, price: 4_000 }), recovery: 'start' });
    step(reversed);
    expect(calls).toEqual([]);
    const { steps, commands } = step(STARTED);
    expect(calls).toEqual(['fill 3 start inner of 8', 'fill 7 start inner of 8', 'reversed 2 inner', 'start']);
    expect(steps).toMatchObject([{ event: STARTED, states: [{ value: '{"shares":10}' }] }]);

    expect(commandLines(commands).length).toBeGreaterThan(0);
    expect(step({ type: 'signalReceived', time: epochMs(2_001), name: 'x', value: 1 }).commands).toEqual([]);
    expect(calls).toHaveLength(4);
  });

  it('save no state and place no order when the handler fails', () => {
    const { calls, step } = coreOf(stateWithOrder(), { fails: true });
    step(filled({ order: 1, size: 3, left: 7, price: 4_000 }));
    const { steps, commands, fault } = step(STARTED);
    expect(String(fault)).toContain('bang');
    expect([steps[0]?.states, commandLines(commands), calls.length]).toEqual([undefined, ['cancel all'], 1]);
  });

  it('reach a running strategy immediately', () => {
    const { calls, step } = coreOf(stateWithOrder());
    step(STARTED);
    step({ ...filled({ order: 1, size: 3, left: 7, price: 4_000 }), recovery: 'reconnect' });
    expect(calls).toEqual(['start', 'fill 3 reconnect inner of 3']);
  });

  it('reach the strategy of the next run when they arrive after the end of this one', () => {
    const { calls, step } = coreOf(stateWithOrder());
    step(STARTED);
    step({ type: 'stopped', time: epochMs(2_100) });
    step(filled({ order: 1, size: 3, left: 7, price: 4_000 }));
    expect(calls).toEqual(['start']);
  });
});

describe('missed fills over restarts', () => {
  const assignments = [
    { bot: unchecked.instance(0), strategy: 'probe', params: '{}', changed: {}, markets: [unchecked.market(0)] },
  ];
  const snapshotOf = (missed: BotSnapshot['missed']): BotSnapshot => ({
    seq: 0,
    rows: 0,
    nextOrder: unchecked.order(2),
    account: stateWithOrder().snapshot(),
    risk: new FakeRisk().snapshot(),
    roster: assignments,
    ...(missed !== undefined && { missed }),
  });
  const fill = (size: number) => filled({ order: 1, size, left: 9 - size, price: 4_000 });
  const recoverFrom = (missed: BotSnapshot['missed'], ...events: readonly NonNullable<Step['event']>[]) => {
    const snapshot = snapshotOf(missed);
    const steps = events.map((event, at): Step => {
      return { seq: unchecked.seq(at + 1), time: event.time, row: 0, event, refused: [], commands: [] };
    });
    return recover({ snapshot: JSON.parse(JSON.stringify(snapshot)), steps, risk: snapshot.risk });
  };
  const sizes = (...args: Parameters<typeof recoverFrom>) =>
    recoverFrom(...args)
      .missed.take()
      .map(({ event, bot, tag }) => `${event.shares / 1e6} ${bot} ${tag}`);

  it('are the fills of a process without a start and the fills after a stop', () => {
    const stopped = { type: 'stopped', time: epochMs(2_100) } as const;
    expect(sizes([], fill(1), fill(2))).toEqual(['1 0 inner', '2 0 inner']);
    expect(sizes([], fill(1), STARTED, fill(2))).toEqual([]);
    expect(sizes(undefined, fill(1))).toEqual([]);
    expect(sizes(undefined, fill(1), stopped, fill(2))).toEqual(['2 0 inner']);
  });

  it('are in the snapshot that a process stores at its start, and reach the strategy once', () => {
    const { missed, state } = recoverFrom([], fill(1));
    const stored = JSON.parse(JSON.stringify(missed.snapshot()));
    expect(sizes(stored)).toEqual(['1 0 inner']);
    const { calls, step } = coreOf(state, { missed });
    step(STARTED);
    expect(calls).toEqual(['fill 1 - inner of 1', 'start']);
    expect([missed.snapshot(), missed.take()]).toEqual([undefined, []]);
  });
});
