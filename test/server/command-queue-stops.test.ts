/** Deadlines of the exchange, and the faults at which the queue stops. */
import { describe, expect, it } from 'vitest';
import { SimClock } from '../../src/clock/index.ts';
import { accountNo } from '../../src/domain/ids.ts';
import { credentialNo, durationMs, epochMs, Fault, microUsd } from '../../src/domain/index.ts';
import { DurableExchange, type ExchangeCommand } from '../../src/exchange/index.ts';
import { CommandQueue } from '../../src/server/command-queue.ts';
import { HeldJournal } from '../exchange/journal/held-journal.ts';
import { MemoryJournal } from '../exchange/journal/memory-journal.ts';
import { TinyMachine } from '../exchange/journal/tiny-machine.ts';
import { deposit, open, openQueue, START, types } from './command-queue-harness.ts';

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
