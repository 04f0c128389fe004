import { describe, expect, it } from 'vitest';
import { SimClock } from '../../src/clock/index.ts';
import { durationMs, epochMs, type OrderCommand, unchecked } from '../../src/domain/index.ts';
import { createPlanner, RateBudget } from '../../src/execution/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../../src/risk/index.ts';
import type { CoreOptions } from '../../src/runtime/core.ts';
import {
  Run,
  type StrategyAssignment,
  StrategyAssignments,
  type StrategyInstance,
  TradingCore,
} from '../../src/runtime/index.ts';
import { messages } from '../state/messages.ts';
import { account, setup } from '../state/world.ts';
import { createInstance } from './fakes.ts';
import { commandLines, quoter, quotesAround } from './live-bench.ts';
import { MemoryStore } from './memory-store.ts';

/** A run on a simulated clock with a venue that only records commands. */
class LiveRun {
  readonly clock = new SimClock(epochMs(1_000));
  readonly store = new MemoryStore();
  readonly sent: OrderCommand[] = [];
  readonly retired: Error[] = [];
  readonly run: Run;

  constructor(instances: readonly StrategyInstance[], options: Partial<CoreOptions> = {}) {
    const core = new TradingCore({
      state: account([setup(0)]),
      instances,
      risk: createRiskGate(riskLimits(riskSchema.parse({ max_book_age_ms: 'none' }))),
      planner: createPlanner({ firstOrder: unchecked.order(1) }),
      ...options,
    });
    const session = {
      send: (commands: readonly OrderCommand[]) => void this.sent.push(...commands),
      close: async () => {},
    };
    this.run = new Run({
      core,
      instances,
      clock: this.clock,
      venue: { connect: async () => session },
      store: this.store,
      onInstanceRetired: (fault) => void this.retired.push(fault),
    });
  }

  advanceTo(time: number): void {
    while (this.clock.nextTime() <= time) this.clock.runNext();
    this.clock.advanceTo(time);
  }

  rows(text: string): void {
    const block = messages(text);
    this.run.rows(block, 0, block.count);
  }

  /** Commands since the last call. */
  commandLines(): readonly string[] {
    return commandLines(this.sent.splice(0));
  }

  /** Numbers of the bots whose timers fired. */
  fired(): readonly number[] {
    return [...this.store.read(unchecked.seq(1))].flatMap(({ event }) =>
      event?.type === 'timerFired' ? [event.bot] : [],
    );
  }

  get events(): readonly string[] {
    return [...this.store.read(unchecked.seq(1))].map(({ event, time }) => `${event?.type} ${time}`);
  }
}

describe('a live loop', () => {
  it('wakes once when the limit allows deferred quotes, also after a message without a step', async () => {
    const limits = { order: { capacity: 2, perSecond: 1 }, cancel: { capacity: 9, perSecond: 9 } };
    let mid = 5_000;
    const instance = createInstance({ onBook: () => [quotesAround(0, mid)] });
    const live = new LiveRun([instance], { budget: new RateBudget(limits) });
    await live.run.start();
    live.rows('1000 | bid 4000 10 | ask 6000 10');
    expect(live.commandLines()).toEqual(['place 1 in 0', 'place 2 in 0']);
    live.rows('1001 | bid 4010 10');
    mid = 0;
    live.rows('1001 | bid 4020 10');
    expect(live.commandLines()).toEqual([]);
    const time = epochMs(1_002);
    for (const order of [1, 2]) {
      live.run.event({
        type: 'orderClosed',
        time,
        venueTime: time,
        order: unchecked.order(order),
        market: unchecked.market(0),
        reason: 'USER',
      });
    }
    mid = 5_200;
    const steps = live.events.length;
    live.rows('1002 | bid 4010 10');
    expect([live.commandLines(), live.events.length]).toEqual([[], steps]);
    live.advanceTo(2_999);
    expect(live.commandLines()).toEqual([]);
    live.advanceTo(3_000);
    expect(live.commandLines()).toEqual(['place 5 in 0', 'place 6 in 0']);
    expect(live.events.filter((text) => text.startsWith('woke'))).toEqual(['woke 3000']);
    live.advanceTo(60_000);
    expect(live.events.filter((text) => text.startsWith('woke'))).toEqual(['woke 3000']);
  });

  it('starts the timers of a recreated instance at the time when the instance is recreated', async () => {
    const fired: string[] = [];
    const instantiate = ({ bot, changed }: StrategyAssignment) => {
      const everyMs = Number(Object.values(changed)[0] ?? 100);
      return createInstance(
        { onTimer: ({ time }) => void fired.push(`${everyMs} at ${time}`) },
        { number: bot, timers: [{ name: 't', everyMs }] },
      );
    };
    const entry: StrategyAssignment = {
      bot: unchecked.instance(0),
      strategy: 's',
      params: '{}',
      changed: {},
      markets: [unchecked.market(0)],
    };
    const live = new LiveRun([instantiate(entry)], { instantiate, assignments: new StrategyAssignments([entry]) });
    await live.run.start();
    live.advanceTo(1_150);
    live.run.submit({ type: 'parameterSet', bot: unchecked.instance(0), name: 'every', value: '70' });
    live.advanceTo(1_300);
    expect(fired).toEqual(['100 at 1100', '70 at 1220', '70 at 1290']);
    live.run.stop();
    live.advanceTo(9_000);
    expect(fired.length).toBe(3);
  });

  it('adds and removes markets', async () => {
    const instantiate = ({ bot, markets }: StrategyAssignment) => {
      const [market = unchecked.market(0)] = markets;
      return { ...quoter(market), bot, handlers: { onStart: () => [quotesAround(market, 5_000)] } };
    };
    const live = new LiveRun([], { instantiate });
    await live.run.start();
    const { info, limits } = setup(1);
    const state = { status: 'OPEN', acceptingOrders: true, placeDelay: durationMs(0) } as const;
    const bots = [{ bot: unchecked.instance(0), strategy: 's', params: '{}' }];
    live.run.submit({ type: 'marketAdded', info, limits, state, bots });
    live.rows('1001 | @1 bid 4000 10 | @1 ask 6000 10');
    live.run.submit({ type: 'marketRemoved', market: unchecked.market(1) });
    expect(live.events).toEqual(['started 1000', 'marketAdded 1000', 'marketRemoved 1000']);
  });

  it('reports isolated failures of instances after their cancels were sent', async () => {
    const failing = createInstance({
      onBook: () => [quotesAround(0, 5_000)],
      onSignal: () => {
        throw new Error('enough');
      },
    });
    const live = new LiveRun([failing], { isolateFailures: true });
    await live.run.start();
    live.rows('1000 | bid 4000 10 | ask 6000 10');
    live.run.submit({ type: 'signalReceived', name: 'x', value: 1 });
    expect(live.commandLines()).toEqual(['place 1 in 0', 'place 2 in 0', 'cancel 1', 'cancel 2']);
    expect(live.retired.map(String)).toEqual([expect.stringContaining('strategy "bot-0" failed in onSignal')]);
    live.run.submit({ type: 'signalReceived', name: 'x', value: 1 });
    expect([live.retired.length, live.run.fault]).toEqual([1, undefined]);
  });

  it.each(['onStart', 'onTimer'] as const)('removes only the timers of a bot that failed in %s', async (handler) => {
    const fail = (): never => {
      throw new Error('enough');
    };
    const timers = [{ name: 'often', everyMs: 100 }];
    const instances = [
      createInstance({ [handler]: fail }, { timers }),
      createInstance({ onTimer: () => undefined }, { number: 1, timers }),
    ];
    const live = new LiveRun(instances, { isolateFailures: true });
    await live.run.start();
    live.advanceTo(1_300);
    expect(live.retired).toHaveLength(1);
    const fired = live.fired();
    expect(fired.filter((bot) => bot === 0)).toHaveLength(handler === 'onTimer' ? 1 : 0);
    expect(fired.filter((bot) => bot === 1)).toHaveLength(3);
  });
});

describe('the data passed to strategies', () => {
  it('cannot be changed by them', async () => {
    const refused: string[] = [];
    const attempt = (data: object): undefined => {
      try {
        Object.assign(data, { time: 5, value: 5, price: 5 });
      } catch (error) {
        refused.push(String(error));
      }
    };
    const instance = createInstance(
      { onSignal: attempt, onTimer: attempt, onFill: attempt, onOrderAccepted: attempt, onTrade: attempt },
      { timers: [{ name: 't', everyMs: 50 }] },
    );
    const live = new LiveRun([
      { ...instance, handlers: { ...instance.handlers, onBook: () => [quotesAround(0, 5_000)] } },
    ]);
    await live.run.start();
    live.rows('1000 | bid 4000 10 | ask 6000 10 | trade buy 6000 1');
    live.run.submit({ type: 'signalReceived', name: 'x', value: 1 });
    live.advanceTo(1_060);
    const [order, market] = [unchecked.order(1), unchecked.market(0)];
    live.run.event({ type: 'orderAccepted', time: epochMs(1_060), venueTime: epochMs(1_060), order, market });
    expect(refused).toHaveLength(4);
    expect(refused.every((text) => text.includes('read only'))).toBe(true);
    expect(live.events).toContain('signalReceived 1000');
  });
});
