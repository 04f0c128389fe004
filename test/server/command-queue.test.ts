/** The queue replies only with durable state, runs waiting commands as one batch and stops at the first fault. */

import { describe, expect, it } from 'vitest';
import { SimClock } from '../../src/clock/index.ts';
import { accountNo } from '../../src/domain/ids.ts';
import { credentialNo, durationMs, epochMs, Fault, microUsd } from '../../src/domain/index.ts';
import {
  DurableExchange,
  Exchange,
  type ExchangeCommand,
  type ExchangeEvent,
  type Journal,
  type RegistryChange,
} from '../../src/exchange/index.ts';
import type { DurableExchangeOptions } from '../../src/exchange/journal/durable-exchange.ts';
import { WireFault } from '../../src/protocol/index.ts';
import { CommandQueue } from '../../src/server/command-queue.ts';
import type { CommandQueueOptions } from '../../src/server/command-queue-types.ts';
import { sha256 } from '../exchange/engine/harness.ts';
import { HeldJournal } from '../exchange/journal/held-journal.ts';
import { MemoryJournal } from '../exchange/journal/memory-journal.ts';
import { TinyMachine } from '../exchange/journal/tiny-machine.ts';

const START = epochMs(1_800_000_000_000);
const ADDRESS = `0x${'a1'.repeat(20)}`;

type Options = Pick<CommandQueueOptions, 'maxWaiting'> &
  Partial<Pick<DurableExchangeOptions, 'machine' | 'maxTimeStep'>>;

function openQueue<J extends Journal>(journal: J, { maxWaiting, ...exchangeOptions }: Options = {}) {
  const machine = new Exchange({ sha256 });
  const clock = new SimClock(START);
  const stops: unknown[] = [];
  const changes: RegistryChange[] = [];
  const { view } = machine;
  const registry = { put: (change: RegistryChange) => void changes.push(change) };
  const queue = new CommandQueue({
    exchange: new DurableExchange({ machine, journal, ...exchangeOptions }),
    view,
    registry,
    clock,
    onStop: (cause) => void stops.push(cause),
    ...(maxWaiting === undefined ? {} : { maxWaiting }),
  });
  return { queue, view, clock, journal, stops, changes, machine };
}

const open = (address = ADDRESS): ExchangeCommand => ({ type: 'openAccount', time: START, address, unlimited: false });
const deposit = (dollars: number): ExchangeCommand => {
  return { type: 'transfer', time: START, account: accountNo(1), amount: microUsd(dollars * 1_000_000) };
};
const types = (events: readonly ExchangeEvent[]): readonly string[] =>
  events.map((event) => (event.type === 'happened' ? event.event.type : event.type));

/** Waits for everything except the journal. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a queue over a journal that commits synchronously', () => {
  it('replies synchronously from the state after the command', () => {
    const { queue, view } = openQueue(new MemoryJournal());
    const reply = queue.run({
      command: () => open(),
      answer: (events) => ({ reported: types(events), accounts: view.accountCount, seq: view.seq }),
    });
    expect(reply).toEqual({ reported: ['accountOpened'], accounts: 1, seq: 1 });
    expect(queue.read(({ seq }) => seq)).toBe(1);
  });

  it('runs a task without a command and rethrows errors of tasks and reads', () => {
    const { queue } = openQueue(new MemoryJournal());
    expect(queue.run({ command: () => undefined, answer: (events) => events })).toEqual([]);
    const thrown = new WireFault('INVALID', 'no');
    const fail = (): never => {
      throw thrown;
    };
    expect(() => queue.run({ command: fail, answer: () => 1 })).toThrow(thrown);
    expect(() => queue.run({ command: () => open(), answer: fail })).toThrow(thrown);
    expect(() => queue.read(fail)).toThrow(thrown);
    expect(queue.read(({ accountCount }) => accountCount)).toBe(1);
  });

  it('runs 20,000 tasks that are each started by the previous answer', async () => {
    const { queue } = openQueue(new MemoryJournal());
    await queue.execute(open());
    let left = 20_000;
    const runNext = (): void => {
      left -= 1;
      // Recursion of this depth would overflow the stack.
      if (left > 0) queue.run({ command: () => deposit(1), answer: runNext });
    };
    queue.run({ command: () => deposit(1), answer: runNext });
    expect([left, queue.read((view) => view.account(1)?.available)]).toEqual([0, 20_000_000_000]);
  });

  it('runs a task that an answer starts in a later turn', async () => {
    const { queue } = openQueue(new MemoryJournal());
    let inner: Promise<readonly ExchangeEvent[]> | undefined;
    queue.run({
      command: () => open(),
      answer: () => {
        inner = queue.execute(deposit(5));
      },
    });
    expect(types((await inner) ?? [])).toEqual(['transferred']);
  });
});

describe('a queue over a journal that commits later', () => {
  it('reports and answers nothing before the command is durable', async () => {
    const { queue, view, journal } = openQueue(new HeldJournal());
    const reported: string[] = [];
    queue.watch({
      onCommitted: (events, { type }) => void reported.push(`committed ${type}: ${types(events)}`),
      onTurnEnd: () => void reported.push('turn end'),
    });
    const answer = queue.run({ command: () => open(), answer: (events) => reported.push(`answer ${types(events)}`) });
    const read = queue.read(({ accountCount }) => reported.push(`read ${accountCount}`));
    expect(answer).toBeInstanceOf(Promise);
    await settle();
    expect(view.accountCount).toBe(1);
    expect(reported).toEqual([]);
    journal.release();
    expect(reported).toEqual(['committed openAccount: accountOpened', 'turn end', 'answer accountOpened', 'read 1']);
    await Promise.all([answer, read]);
  });

  it('reports to watchers the time of the exchange right after each command of the turn', async () => {
    const { queue, journal } = openQueue(new HeldJournal());
    const times: number[] = [];
    queue.watch({ onCommitted: (_events, _command, at) => void times.push(at) });
    const first = queue.execute(open());
    const rest = [5, 9].map((ms) => queue.execute({ ...deposit(1), time: epochMs(START + ms) }));
    journal.release();
    journal.release();
    await Promise.all([first, ...rest]);
    expect(times).toEqual([START, START + 5, START + 9]);
  });

  it('applies all waiting commands as one batch in which each command sees the effects of the previous ones', async () => {
    const { queue, view, journal } = openQueue(new HeldJournal());
    const first = queue.execute(open());
    const balances: number[] = [];
    const rest = [1, 2, 3].map((dollars) =>
      queue.run({
        command: () => {
          balances.push(view.account(1)?.available ?? -1);
          return deposit(dollars);
        },
        // Answers see the state at the end of the turn, which is durable.
        answer: () => view.account(1)?.available,
      }),
    );
    expect(balances).toEqual([]);
    journal.release();
    expect(balances).toEqual([0, 1_000_000, 3_000_000]);
    expect(journal.sizes).toEqual([1, 3]);
    journal.release();
    expect(types(await first)).toEqual(['accountOpened']);
    expect(await Promise.all(rest)).toEqual([6_000_000, 6_000_000, 6_000_000]);
    expect(queue.waiting).toBe(0);
  });

  it('delays reads until the state is durable', async () => {
    const { queue, journal } = openQueue(new HeldJournal());
    const first = queue.execute(open());
    const second = queue.execute(deposit(7));
    const early = queue.read((view) => view.account(1)?.available);
    journal.release();
    // The second turn has begun, so the exchange is ahead of the durable state.
    const late = queue.read((view) => view.account(1)?.available);
    journal.release();
    await Promise.all([first, second]);
    expect([await early, await late]).toEqual([0, 7_000_000]);
  });

  it('reports a refusal after earlier commands are durable and writes no changes of the refused command', async () => {
    const { queue, journal, changes } = openQueue(new HeldJournal());
    const change = (key: string): RegistryChange => ({ table: 'setting', key, value: 1 });
    const first = queue.execute(open(), [change('first')]);
    const refused = queue.execute(open(), [change('refused')]);
    const nothing = queue.execute({ type: 'tick', time: START }, [change('nothing')]);
    expect(changes.map(({ key }) => key)).toEqual(['first']);
    journal.release();
    expect(journal.isAppending).toBe(false);
    expect(types(await first)).toEqual(['accountOpened']);
    expect(await refused).toMatchObject([{ type: 'refused', refusal: { reason: 'CONFLICT' } }]);
    expect(await nothing).toEqual([]);
    expect(changes.map(({ key }) => key)).toEqual(['first']);
  });

  it('writes no changes of a refused command that triggered a deadline', async () => {
    const { queue, clock, changes } = openQueue(new MemoryJournal());
    await queue.execute(open());
    const sender = { account: accountNo(1), credential: credentialNo(1) };
    await queue.execute({ type: 'heartbeat', time: clock.now(), timeout: durationMs(1000), ...sender });
    const time = epochMs(START + 5000);
    const events = await queue.execute({ ...open(), time }, [{ table: 'setting', key: 'refused', value: 1 }]);
    expect(types(events)).toEqual(['heartbeatLapsed', 'refused']);
    expect(changes).toEqual([]);
  });

  it('refuses tasks and reads above the limit', async () => {
    const { queue, journal } = openQueue(new HeldJournal(), { maxWaiting: 2 });
    const first = queue.execute(open());
    const waiting = [queue.execute(deposit(1)), queue.execute(deposit(1))];
    await expect(queue.execute(deposit(1))).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const reads = [queue.read(() => 1), queue.read(() => 2)];
    expect(() => queue.read(() => 3)).toThrow('rate limited');
    journal.release();
    journal.release();
    await Promise.all([first, ...waiting, ...reads]);
  });

  it('closes when the last turn has ended', async () => {
    const { queue, journal } = openQueue(new HeldJournal());
    const first = queue.execute(open());
    const second = queue.execute(deposit(1));
    let isClosed = false;
    const closing = queue.close().then(() => {
      isClosed = true;
    });
    await expect(queue.execute(deposit(1))).rejects.toMatchObject({ code: 'EXCHANGE_CLOSING' });
    journal.release();
    await first;
    await settle();
    expect(isClosed).toBe(false);
    journal.release();
    await Promise.all([second, closing]);
    expect(queue.read(({ accountCount }) => accountCount)).toBe(1);
    await queue.close();
  });
});

describe('deadlines', () => {
  const beat = (time: number, timeout: number): ExchangeCommand => ({
    type: 'heartbeat',
    time: epochMs(time),
    timeout: durationMs(timeout),
    account: accountNo(1),
    credential: credentialNo(1),
  });

  it('fire at their time', async () => {
    const { queue, view, clock } = openQueue(new MemoryJournal());
    const reported: string[] = [];
    queue.watch({ onCommitted: (events) => void reported.push(...types(events)) });
    await queue.execute(open());
    await queue.execute(beat(START, 5000));
    expect(clock.nextTime()).toBe(START + 5000);
    clock.advanceTo(START + 4000);
    await queue.execute(beat(START + 4000, 2000));
    expect(clock.nextTime()).toBe(START + 6000);
    clock.runNext();
    expect(reported).toEqual(['accountOpened', 'heartbeatArmed', 'heartbeatArmed', 'heartbeatLapsed']);
    expect(view.now).toBe(START + 6000);
    expect(clock.pending).toBe(0);
  });

  it('fire at the start when they passed while the server was stopped', async () => {
    const { queue, journal, machine } = openQueue(new MemoryJournal());
    await queue.execute(open());
    await queue.execute(beat(START, 5000));
    const { view } = machine;
    const clock = new SimClock(epochMs(START + 60_000));
    const reported: string[] = [];
    const exchange = new DurableExchange({ machine, journal });
    const next = new CommandQueue({ exchange, view, registry: { put: () => {} }, clock, onStop: () => {} });
    next.watch({ onCommitted: (events) => void reported.push(...types(events)) });
    next.start();
    clock.runNext();
    expect(reported).toEqual(['heartbeatLapsed']);
  });

  it('leave no timer behind when the queue closes', async () => {
    const { queue, clock } = openQueue(new MemoryJournal());
    await queue.execute(open());
    await queue.execute(beat(START, 5000));
    await queue.close();
    expect(clock.pending).toBe(0);
  });

  it('stop the queue when the clock is further ahead than the largest time step', async () => {
    const { queue, clock, stops } = openQueue(new MemoryJournal(), { maxTimeStep: 60_000 });
    await queue.execute(open());
    await queue.execute(beat(START, 5000));
    Object.assign(clock, { now: () => START + 3_600_000 });
    clock.runNext();
    expect(stops).toMatchObject([{ code: 'CLOCK_AHEAD' }]);
  });
});

describe('a queue stops', () => {
  it('after a fault of the journal, acknowledges nothing and refuses later tasks', async () => {
    const { queue, journal, stops } = openQueue(new HeldJournal());
    const reported: unknown[] = [];
    queue.watch({ onCommitted: (events) => void reported.push(events) });
    const fault = new Fault('DISK', 'the disk is full');
    const waiting = [queue.execute(open()), queue.execute(deposit(1)), Promise.resolve(queue.read(() => 1))];
    const outcomes = Promise.allSettled(waiting);
    journal.release(fault);
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'EXCHANGE_STOPPED', cause: fault } });
    }
    expect(reported).toEqual([]);
    expect(stops).toEqual([fault]);
    await expect(queue.execute(open())).rejects.toMatchObject({ code: 'EXCHANGE_STOPPED' });
    expect(() => queue.read(() => 1)).toThrow('the exchange has stopped');
    expect(() => queue.snapshot()).toThrow('the exchange has stopped');
    await queue.close();
  });

  it('after a broken invariant', async () => {
    const { queue, stops } = openQueue(new MemoryJournal(), { machine: new TinyMachine() });
    await queue.execute(open());
    const broken = { ...deposit(1), amount: microUsd(666) };
    await expect(queue.execute({ ...broken, type: 'transfer', account: accountNo(1) })).rejects.toMatchObject({
      code: 'EXCHANGE_STOPPED',
    });
    expect(stops).toMatchObject([{ message: 'Invariant: 666' }]);
  });

  it('after a watcher throws', async () => {
    const { queue, stops } = openQueue(new MemoryJournal());
    const thrown = new Error('a stream broke');
    const unwatch = queue.watch({
      onCommitted: () => {
        throw thrown;
      },
    });
    await expect(queue.execute(open())).rejects.toMatchObject({ code: 'EXCHANGE_STOPPED' });
    expect(stops).toEqual([thrown]);
    unwatch();
    await expect(queue.execute(deposit(1))).rejects.toMatchObject({ code: 'EXCHANGE_STOPPED' });
  });
});
