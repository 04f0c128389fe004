import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../../src/domain/byte-writer.ts';
import { approve, epochMs, microUsd, orderNo, priceBps, type QuoteIntent, unchecked } from '../../src/domain/index.ts';
import { createPlanner } from '../../src/execution/index.ts';
import { decodeStep, encodeStep, recover, type Step, TradingCore } from '../../src/runtime/index.ts';
import { AccountState } from '../../src/state/index.ts';
import type { FillReversed, OrderEvent, OrderFilled } from '../../src/strategy/index.ts';
import { about, account, applyMessages, filled, place, setup, shares } from '../state/world.ts';
import { Bench, bids, createInstance, FakeRisk, MARKET, orderHandlers, outbox } from './fakes.ts';

const TAGGED: QuoteIntent = {
  ...bids(),
  quotes: [
    { side: 'bid', price: priceBps(4_000), shares: shares(10), tag: 'inner' },
    { side: 'bid', price: priceBps(3_900), shares: shares(10) },
  ],
};

/** A core with the planner of a bot; orders are numbered from 1. */
function startCore() {
  const events: string[] = [];
  const logTag = (event: OrderEvent | OrderFilled | FillReversed): undefined => {
    events.push(`${event.type} ${'tag' in event ? event.tag : '-'}`);
  };
  const state = account();
  const instance = createInstance({
    ...orderHandlers(logTag),
    onFill: logTag,
    onFillReversed: logTag,
    onSignal: () => [TAGGED],
  });
  const planner = createPlanner({ firstOrder: orderNo(1) });
  const core = new TradingCore({ state, instances: [instance], risk: new FakeRisk(), planner });
  const steps: Step[] = [];
  const step = (event: NonNullable<Step['event']>): void => {
    const out = outbox();
    core.step(event, out);
    steps.push(...out.steps);
  };
  step({ type: 'started', time: epochMs(1_000) });
  step({ type: 'signalReceived', time: epochMs(1_001), name: 'go', value: 1 });
  return { state, events, step, steps };
}

function encodeAndDecode(step: Step): Step {
  const writer = new ByteWriter(64);
  encodeStep(step, writer);
  return decodeStep(writer.finish());
}

describe('the tag of a quote', () => {
  it('is on its order, and on its events and fills including the end of a filled order', () => {
    const { state, events, step, steps } = startCore();
    expect(state.market(MARKET).orders.map(({ order, tag }) => [order, tag])).toEqual([
      [1, 'inner'],
      [2, undefined],
    ]);
    step({ type: 'orderAccepted', ...about(1) });
    step({ type: 'orderAccepted', ...about(2) });
    step({ type: 'orderReduced', ...about(1), remaining: shares(6) });
    step(filled({ order: 1, price: 4_000, size: 6, left: 0 }));
    step({ type: 'cancelRejected', ...about(1), reason: 'ALREADY_FINAL' });
    step({ type: 'orderClosed', ...about(2), reason: 'EXPIRED' });
    expect(events).toEqual([
      'orderAccepted inner',
      'orderAccepted -',
      'orderReduced inner',
      'orderFilled inner',
      'orderClosed inner',
      'cancelRejected inner',
      'orderClosed -',
    ]);
    step({
      type: 'fillReversed',
      ...about(1),
      trade: 'none',
      outcome: 'YES',
      side: 'BUY',
      price: priceBps(4_000),
      shares: shares(6),
      fee: microUsd(0),
      liquidity: 'maker',
    });
    expect(events.at(-1)).toBe('fillReversed inner');
    // Only the stored command has the tag, not the venue's event.
    expect(steps.filter(({ event }) => event !== undefined && 'tag' in event)).toEqual([]);
  });

  it('survives a restart from stored steps and from a snapshot', () => {
    const { state, steps } = startCore();
    const snapshot = {
      seq: 0 as const,
      rows: 0,
      nextOrder: orderNo(1),
      account: account().snapshot(),
      risk: new FakeRisk().snapshot(),
      roster: [],
    };
    const recovered = recover({ snapshot, steps: steps.map(encodeAndDecode), risk: snapshot.risk });
    expect(recovered.state.findTag(orderNo(1))).toBe('inner');
    const restored = AccountState.restore(JSON.parse(JSON.stringify(state.snapshot())));
    expect([restored.findTag(orderNo(1)), restored.findTag(orderNo(2))]).toEqual(['inner', undefined]);
  });

  it('is stored for the last 1,000 ended orders', () => {
    const state = account();
    for (let order = 1; order <= 1_001; order += 1) {
      state.applyCommand({ ...place({ order, size: 1, price: 100 }), tag: `tag ${order}` }, epochMs(1_000));
      state.apply({ type: 'orderRejected', ...about(order), reason: 'CONFLICT' });
    }
    expect([state.findTag(orderNo(1)), state.findTag(orderNo(2)), state.findTag(orderNo(1_001))]).toEqual([
      undefined,
      'tag 2',
      'tag 1001',
    ]);
  });

  it('of an ended order survives a restart from a snapshot', () => {
    const state = account();
    state.applyCommand({ ...place({ order: 1, size: 1, price: 100 }), tag: 'inner' }, epochMs(1_000));
    state.apply({ type: 'orderRejected', ...about(1), reason: 'CONFLICT' });
    const restored = AccountState.restore(JSON.parse(JSON.stringify(state.snapshot())));
    expect(restored.findTag(orderNo(1))).toBe('inner');
  });

  it('is on the order of a take intent', () => {
    const state = account([setup()]);
    applyMessages(state, '1000 | bid 4000 10 | ask 6000 10');
    const take = approve({
      type: 'take' as const,
      market: MARKET,
      outcome: 'YES' as const,
      side: 'BUY' as const,
      limit: priceBps(6_000),
      shares: shares(5),
      tag: 'entry',
    });
    const { commands } = createPlanner({ firstOrder: orderNo(1) }).plan(take, unchecked.instance(0), state);
    expect(commands).toMatchObject([{ type: 'place', tag: 'entry' }]);
  });

  it.each([
    ['', '0 characters'],
    ['x'.repeat(65), '65 characters'],
    [5, '5'],
    [{}, 'an object'],
  ])('has 1 to 64 characters, not %o', (tag, got) => {
    // Strategies run without a type check.
    const quotes = [{ side: 'bid', price: priceBps(4_000), shares: shares(10), tag: tag as string } as const];
    const bench = new Bench([createInstance({ onStart: () => [{ ...bids(), quotes }] })]);
    const { fault } = bench.step({ type: 'started', time: epochMs(1_000) });
    expect(String(fault)).toContain(`index 0: quote 0: tag must be a text of 1 to 64 characters, got ${got}`);
  });
});
