import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/clock/index.ts';
import { epochMs, type OrderCommand, StrategyFault, unchecked } from '../../src/domain/index.ts';
import type { Step, Venue } from '../../src/runtime/index.ts';
import { messages } from '../state/messages.ts';
import { about, filled } from '../state/world.ts';
import { bids, commandTexts, createInstance } from './fakes.ts';
import { MemoryStore } from './memory-store.ts';
import { RunFixture } from './run-fixture.ts';

describe('the run loop', () => {
  it('stores a step, then sends its commands, then notifies observers', async () => {
    const fixture = new RunFixture([createInstance({ onBook: () => [bids(4_000)] })]);
    await fixture.run.start();
    expect(fixture.received()).toEqual(['connect', 'store 1', 'seen 1']);
    fixture.rows('1001 | bid 10 1\n1002 | trade buy 10 1\n1003 | bid 20 1');
    expect(fixture.received()).toEqual(['store 2', 'send place 1', 'seen 2', 'store 3', 'send place 2', 'seen 3']);
    fixture.event({ type: 'orderAccepted', ...about(1) });
    expect(fixture.received()).toEqual(['store 4', 'seen 4']);
  });

  it('reports the times of each step with commands after they were sent', async () => {
    const times: number[][] = [];
    const fixture = new RunFixture([createInstance({ onBook: () => [bids(4_000)] })], {
      onSent: (...at) => {
        times.push(at);
        fixture.log.push('timed');
      },
    });
    await fixture.run.start();
    fixture.rows('1001 | bid 10 1');
    fixture.event({ type: 'orderAccepted', ...about(1) });
    expect(fixture.received()).toEqual([
      'connect',
      'store 1',
      'seen 1',
      'store 2',
      'send place 1',
      'timed',
      'seen 2',
      'store 3',
      'seen 3',
    ]);
    expect(times).toHaveLength(1);
    expect(times[0]).toEqual(times[0]?.toSorted((a, b) => a - b));
    expect(times[0]?.[0]).toBeGreaterThan(0);
  });

  it('delays the step for the signature only when an order is the first command', async () => {
    const log: string[] = [];
    const received = (action: string) => (steps: readonly Step[]) => void log.push(`${action} ${steps[0]?.seq}`);
    const fixture = new RunFixture([createInstance({ onBook: () => [bids(4_000)] })], {
      store: {
        append: received('append'),
        appendDeferred: received('hold'),
        flushDeferred: () => void log.push('stored'),
      },
    });
    fixture.onSend = (commands) => void log.push(...commandTexts(commands));
    await fixture.run.start();
    fixture.rows('1001 | bid 10 1');
    fixture.event({ type: 'orderAccepted', ...about(1) });
    fixture.run.submit({ type: 'operatorCommanded', command: 'kill' });
    expect(log).toEqual(['append 1', 'hold 2', 'place 1', 'stored', 'append 3', 'append 4', 'cancelAll', 'stored']);
  });

  it('does not start when it is stopped or closed while it connects', async () => {
    for (const end of ['stop', 'close'] as const) {
      const fixture = new RunFixture([createInstance({ onStart: () => [bids(4_000)] })]);
      fixture.onConnect = () => void fixture.run[end]();
      await expect(fixture.run.start()).rejects.toMatchObject({ code: 'STOPPED' });
      expect(fixture.received()).toEqual(['connect', 'close']);
    }
  });

  it('sends the cancels of a kill while it connects before any instance starts', async () => {
    const fixture = new RunFixture([createInstance({ onStart: () => [bids(4_000)] })]);
    fixture.onConnect = () => fixture.run.submit({ type: 'operatorCommanded', command: 'kill' });
    await fixture.run.start();
    expect(fixture.received()).toEqual(['connect', 'store 1', 'seen 1', 'send cancelAll', 'store 2', 'seen 2']);
    expect(fixture.run.fault).toBeUndefined();
  });

  it('processes only the announced rows of a block', async () => {
    const prices: (number | undefined)[] = [];
    const fixture = new RunFixture([createInstance({ onBook: ({ book }) => void prices.push(book.bestBid()) })]);
    await fixture.run.start();
    const block = messages('1 | bid 10 1\n2 | bid 20 1\n3 | bid 30 1\n4 | bid 40 1');
    fixture.sink?.rows(block, 1, 3);
    fixture.sink?.rows(messages('5 | bid 50 1'), 0, 1);
    expect(prices).toEqual([20, 30, 50]);
  });

  it('processes the current state before any instance starts', async () => {
    const seen: unknown[] = [];
    const fixture = new RunFixture([
      createInstance({
        onStart: ({ markets }) => void seen.push(markets[0]?.mark),
        onFill: () => void seen.push('fill'),
      }),
    ]);
    fixture.onConnect = (sink) => {
      sink.event(filled({ order: 3 }));
      const block = messages('900 | bid 5000 1 | ask 5200 1');
      sink.rows(block, 0, block.count);
    };
    await fixture.run.start();
    expect([seen, fixture.received()]).toEqual([[10_200], ['connect', 'store 1', 'seen 1', 'store 2', 'seen 2']]);
  });

  it('never passes on a list that it reuses', async () => {
    const stored: (readonly Step[])[] = [];
    const sent: (readonly OrderCommand[])[] = [];
    const fixture = new RunFixture([createInstance({ onBook: () => [bids(4_000)] })], {
      store: { append: (steps) => void stored.push(steps) },
    });
    fixture.onSend = (commands) => void sent.push(commands);
    await fixture.run.start();
    fixture.rows('1001 | bid 10 1\n1002 | bid 20 1');
    expect(stored.map((steps) => steps.length)).toEqual([1, 1, 1]);
    expect(sent.map(commandTexts)).toEqual([['place 1'], ['place 2']]);
  });

  it('starts once, and passes on the error of a failed connection', async () => {
    const fixture = new RunFixture([]);
    await fixture.run.start();
    await expect(fixture.run.start()).rejects.toThrow('Invariant: a run starts once');
    const venue: Venue = { connect: () => Promise.reject(new Error('no line')) };
    await expect(new RunFixture([], { venue }).run.start()).rejects.toThrow('no line');
  });

  it('stops in order: onStop, cancel all orders, process answers, close', async () => {
    const log: string[] = [];
    const fixture = new RunFixture([
      createInstance({ onStart: () => [bids(4_000)], onStop: () => void log.push('stop') }),
    ]);
    await fixture.run.start();
    fixture.received();
    fixture.run.stop();
    expect([log, fixture.received()]).toEqual([['stop'], ['store 2', 'send cancelAll', 'seen 2']]);
    fixture.event({ type: 'orderClosed', ...about(1), reason: 'USER' });
    await fixture.run.close();
    await fixture.run.close();
    expect(fixture.received()).toEqual(['store 3', 'seen 3', 'close']);
  });

  it('passes on commands of operators and events from outside', async () => {
    const received: unknown[] = [];
    const fixture = new RunFixture([
      createInstance({ onSignal: ({ name, value, time }) => void received.push([name, value, time]) }),
    ]);
    await fixture.run.start();
    fixture.clock.advanceTo(1_700);
    fixture.run.submit({ type: 'signalReceived', name: 'goal', value: 2 });
    fixture.run.submit({ type: 'operatorCommanded', command: 'kill' });
    expect(received).toEqual([['goal', 2, 1_700]]);
    expect(fixture.risk.mode).toBe('KILLED');
    expect(fixture.steps.at(-1)?.event).toEqual({ type: 'operatorCommanded', time: 1_700, command: 'kill' });
    expect(fixture.log).toContain('send cancelAll');
  });
});

describe('timers', () => {
  const fired = (fixture: RunFixture) =>
    fixture.steps.flatMap(({ event }) => (event?.type === 'timerFired' ? [[event.timer, event.bot, event.time]] : []));

  it('fire at multiples of their interval after the start, with the number of their instance', async () => {
    const fixture = new RunFixture([
      createInstance({}, { timers: [{ name: 'fast', everyMs: 40 }] }),
      createInstance({}, { number: 1, timers: [{ name: 'slow', everyMs: 100 }] }),
    ]);
    await fixture.run.start();
    while (fixture.clock.nextTime() <= 1_120) fixture.clock.runNext();
    expect(fired(fixture)).toEqual([
      ['fast', 0, 1_040],
      ['fast', 0, 1_080],
      ['slow', 1, 1_100],
      ['fast', 0, 1_120],
    ]);
  });

  it('skip missed times after a late firing and stay aligned', async () => {
    const clock = new LateClock();
    const fixture = new RunFixture([createInstance({}, { timers: [{ name: 't', everyMs: 100 }] })], { clock });
    await fixture.run.start();
    clock.wake(1_130);
    expect(clock.due).toEqual([1_200]);
    clock.wake(1_455);
    expect(clock.due).toEqual([1_500]);
    clock.wake(1_500);
    expect(clock.due).toEqual([1_600]);
    expect(fired(fixture).map(([, , time]) => time)).toEqual([1_130, 1_455, 1_500]);
  });

  it('end with the run and after a fault', async () => {
    const timers = [{ name: 't', everyMs: 100 }];
    const stopped = new RunFixture([createInstance({}, { timers })]);
    await stopped.run.start();
    expect(stopped.clock.pending).toBe(1);
    stopped.run.stop();
    expect(stopped.clock.pending).toBe(0);

    const closed = new RunFixture([createInstance({}, { timers })]);
    await closed.run.start();
    await closed.run.close();
    expect(closed.clock.pending).toBe(0);

    const failing = new RunFixture([createInstance({ onTimer: fail }, { timers })]);
    await failing.run.start();
    expect(() => failing.clock.runNext()).toThrow(StrategyFault);
    expect(failing.clock.pending).toBe(0);
  });
});

/** A clock that a test can make late. */
class LateClock implements Clock {
  #now = 1_000;
  #waiting: { readonly when: number; readonly fire: () => void }[] = [];

  get due(): readonly number[] {
    return this.#waiting.map(({ when }) => when);
  }

  now() {
    return epochMs(this.#now);
  }

  schedule(when: number, fire: () => void): () => void {
    const entry = { when, fire };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
    };
  }

  wake(time: number): void {
    this.#now = time;
    const [due] = this.#waiting.splice(0, 1);
    due?.fire();
  }
}

function fail(): never {
  throw new TypeError('bang');
}

describe('a run with a store in memory', () => {
  it('can be read again from any step', async () => {
    const store = new MemoryStore();
    const fixture = new RunFixture([createInstance({ onBook: () => [bids(4_000)] })], { store });
    await fixture.run.start();
    fixture.rows('1001 | bid 10 1\n1002 | bid 20 1');
    const types = [...store.read(unchecked.seq(2))].map(({ seq, commands }) => [seq, ...commandTexts(commands)]);
    expect(types).toEqual([
      [2, 'place 1'],
      [3, 'place 2'],
    ]);
  });
});
