/** Turns: what anybody sees is durable, commands that wait go as one batch, a fault ends everything. */
import { describe, expect, it } from 'vitest';
import { SimClock } from '../../../src/clock/index.ts';
import { accountNo, credentialNo, durationMs, epochMs, Fault, microUsd } from '../../../src/domain/index.ts';
import {
  type ExchangeCommand,
  type ExchangeEvent,
  ExchangeMachine,
  type Journal,
  MemoryJournal,
  type RegistryChange,
} from '../../../src/exchange/index.ts';
import { WireFault } from '../../../src/protocol/index.ts';
import { Desk, type DeskOptions } from '../../../src/server/desk/index.ts';
import { sha256 } from '../../exchange/engine/stage.ts';
import { HeldJournal } from '../../exchange/journal/held-journal.ts';
import { TinyMachine } from '../../exchange/journal/tiny-machine.ts';

const START = epochMs(1_800_000_000_000);
const ADDRESS = `0x${'a1'.repeat(20)}`;

function opened<J extends Journal>(journal: J, options: Partial<DeskOptions> = {}) {
  const machine = new ExchangeMachine({ sha256 });
  const clock = new SimClock(START);
  const stops: unknown[] = [];
  const changes: RegistryChange[] = [];
  const { view } = machine.exchange;
  const registry = { put: (change: RegistryChange) => void changes.push(change) };
  const desk = new Desk({
    machine,
    view,
    journal,
    registry,
    clock,
    onStop: (cause) => void stops.push(cause),
    ...options,
  });
  return { desk, view, clock, journal, stops, changes, machine };
}

const open = (address = ADDRESS): ExchangeCommand => ({ type: 'openAccount', time: START, address, unlimited: false });
const deposit = (dollars: number): ExchangeCommand => {
  return { type: 'transfer', time: START, account: accountNo(1), amount: microUsd(dollars * 1_000_000) };
};
const types = (events: readonly ExchangeEvent[]): readonly string[] =>
  events.map((told) => (told.type === 'happened' ? told.event.type : told.type));

/** Everything that waits for no disk is done. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a desk over a journal that answers at once', () => {
  it('answers at once, with what stands after the command', () => {
    const { desk, view } = opened(new MemoryJournal());
    const seen = desk.run({
      command: () => open(),
      answer: (events) => ({ told: types(events), accounts: view.accountCount, seq: view.seq }),
    });
    expect(seen).toEqual({ told: ['accountOpened'], accounts: 1, seq: 1 });
    expect(desk.read(({ seq }) => seq)).toBe(1);
  });

  it('does a task without a command, and hands on what tasks and looks throw', () => {
    const { desk } = opened(new MemoryJournal());
    expect(desk.run({ command: () => undefined, answer: (events) => events })).toEqual([]);
    const thrown = new WireFault('INVALID', 'no');
    const fail = (): never => {
      throw thrown;
    };
    expect(() => desk.run({ command: fail, answer: () => 1 })).toThrow(thrown);
    expect(() => desk.run({ command: () => open(), answer: fail })).toThrow(thrown);
    expect(() => desk.read(fail)).toThrow(thrown);
    expect(desk.read(({ accountCount }) => accountCount)).toBe(1);
  });

  it('lets a task be asked within an answer: it comes in a turn of its own', async () => {
    const { desk } = opened(new MemoryJournal());
    let inner: Promise<readonly ExchangeEvent[]> | undefined;
    desk.run({
      command: () => open(),
      answer: () => {
        inner = desk.ask(deposit(5));
      },
    });
    expect(types((await inner) ?? [])).toEqual(['transferred']);
  });
});

describe('a desk over a journal that takes its time', () => {
  it('tells nobody anything before it is durable', async () => {
    const { desk, view, journal } = opened(new HeldJournal());
    const told: string[] = [];
    desk.watch({
      applied: ({ type }) => void told.push(`applied ${type}`),
      told: (events, { type }) => void told.push(`told ${type}: ${types(events)}`),
      settled: () => void told.push('settled'),
    });
    const answer = desk.run({ command: () => open(), answer: (events) => told.push(`answer ${types(events)}`) });
    const look = desk.read(({ accountCount }) => told.push(`look ${accountCount}`));
    expect(answer).toBeInstanceOf(Promise);
    await settled();
    expect(view.accountCount).toBe(1);
    expect(told).toEqual(['applied openAccount']);
    journal.release();
    expect(told.slice(1)).toEqual(['told openAccount: accountOpened', 'settled', 'answer accountOpened', 'look 1']);
    await Promise.all([answer, look]);
  });

  it('applies all that wait as one batch, each seeing what was asked before it', async () => {
    const { desk, view, journal } = opened(new HeldJournal());
    const first = desk.ask(open());
    const seen: number[] = [];
    const rest = [1, 2, 3].map((dollars) =>
      desk.run({
        command: () => {
          seen.push(view.account(1)?.available ?? -1);
          return deposit(dollars);
        },
        // Whoever is answered sees the end of the turn: everything of it is durable.
        answer: () => view.account(1)?.available,
      }),
    );
    expect(seen).toEqual([]);
    journal.release();
    expect(seen).toEqual([0, 1_000_000, 3_000_000]);
    expect(journal.sizes).toEqual([1, 3]);
    journal.release();
    expect(types(await first)).toEqual(['accountOpened']);
    expect(await Promise.all(rest)).toEqual([6_000_000, 6_000_000, 6_000_000]);
    expect(desk.waiting).toBe(0);
  });

  it('keeps looks of the next turn from what is not durable yet', async () => {
    const { desk, journal } = opened(new HeldJournal());
    const first = desk.ask(open());
    const second = desk.ask(deposit(7));
    const early = desk.read((view) => view.account(1)?.available);
    journal.release();
    // The second turn has begun, the engine is ahead again.
    const late = desk.read((view) => view.account(1)?.available);
    journal.release();
    await Promise.all([first, second]);
    expect([await early, await late]).toEqual([0, 7_000_000]);
  });

  it('tells refusals when what was applied before them is durable, and writes none of their changes', async () => {
    const { desk, journal, changes } = opened(new HeldJournal());
    const change = (key: string): RegistryChange => ({ table: 'setting', key, value: 1 });
    const first = desk.ask(open(), [change('first')]);
    const refused = desk.ask(open(), [change('refused')]);
    const nothing = desk.ask({ type: 'tick', time: START }, [change('nothing')]);
    expect(changes.map(({ key }) => key)).toEqual(['first']);
    journal.release();
    expect(journal.isAppending).toBe(false);
    expect(types(await first)).toEqual(['accountOpened']);
    expect(await refused).toMatchObject([{ type: 'refused', refusal: { reason: 'CONFLICT' } }]);
    expect(await nothing).toEqual([]);
    expect(changes.map(({ key }) => key)).toEqual(['first']);
  });

  it('writes no changes of a refused command before which something fell due', async () => {
    const { desk, clock, changes } = opened(new MemoryJournal());
    await desk.ask(open());
    const asked = { account: accountNo(1), credential: credentialNo(1) };
    await desk.ask({ type: 'heartbeat', time: clock.now(), timeout: durationMs(1000), ...asked });
    const time = epochMs(START + 5000);
    const events = await desk.ask({ ...open(), time }, [{ table: 'setting', key: 'refused', value: 1 }]);
    expect(types(events)).toEqual(['heartbeatLapsed', 'refused']);
    expect(changes).toEqual([]);
  });

  it('turns away what it has no room for', async () => {
    const { desk, journal } = opened(new HeldJournal(), { mostWaiting: 2 });
    const first = desk.ask(open());
    const waiting = [desk.ask(deposit(1)), desk.ask(deposit(1))];
    await expect(desk.ask(deposit(1))).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const looks = [desk.read(() => 1), desk.read(() => 2)];
    expect(() => desk.read(() => 3)).toThrow('rate limited');
    journal.release();
    journal.release();
    await Promise.all([first, ...waiting, ...looks]);
  });

  it('closes when the turns are over', async () => {
    const { desk, journal } = opened(new HeldJournal());
    const first = desk.ask(open());
    const second = desk.ask(deposit(1));
    let isClosed = false;
    const closing = desk.close().then(() => {
      isClosed = true;
    });
    await expect(desk.ask(deposit(1))).rejects.toMatchObject({ code: 'DESK_CLOSED' });
    journal.release();
    await first;
    await settled();
    expect(isClosed).toBe(false);
    journal.release();
    await Promise.all([second, closing]);
    expect(desk.read(({ accountCount }) => accountCount)).toBe(1);
    await desk.close();
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

  it('fire by themselves, when their time has come', async () => {
    const { desk, view, clock } = opened(new MemoryJournal());
    const told: string[] = [];
    desk.watch({ told: (events) => void told.push(...types(events)) });
    await desk.ask(open());
    await desk.ask(beat(START, 5000));
    expect(clock.nextTime()).toBe(START + 5000);
    clock.advanceTo(START + 4000);
    await desk.ask(beat(START + 4000, 2000));
    expect(clock.nextTime()).toBe(START + 6000);
    clock.runNext();
    expect(told).toEqual(['accountOpened', 'heartbeatArmed', 'heartbeatArmed', 'heartbeatLapsed']);
    expect(view.now).toBe(START + 6000);
    expect(clock.pending).toBe(0);
  });

  it('fire at the start where they passed while nobody was here', async () => {
    const { desk, journal, machine } = opened(new MemoryJournal());
    await desk.ask(open());
    await desk.ask(beat(START, 5000));
    const { view } = machine.exchange;
    const clock = new SimClock(epochMs(START + 60_000));
    const told: string[] = [];
    const next = new Desk({ machine, view, journal, registry: { put: () => {} }, clock, onStop: () => {} });
    next.watch({ told: (events) => void told.push(...types(events)) });
    next.start();
    clock.runNext();
    expect(told).toEqual(['heartbeatLapsed']);
  });

  it('leave no timer behind when the desk closes', async () => {
    const { desk, clock } = opened(new MemoryJournal());
    await desk.ask(open());
    await desk.ask(beat(START, 5000));
    await desk.close();
    expect(clock.pending).toBe(0);
  });

  it('stop the desk when the clock is further ahead than the exchange follows', async () => {
    const { desk, clock, stops } = opened(new MemoryJournal(), { maxTimeStep: 60_000 });
    await desk.ask(open());
    await desk.ask(beat(START, 5000));
    Object.assign(clock, { now: () => START + 3_600_000 });
    clock.runNext();
    expect(stops).toMatchObject([{ code: 'CLOCK_AHEAD' }]);
  });
});

describe('the end of a desk', () => {
  it('comes with a fault of the journal: nothing is acknowledged, everything after fails', async () => {
    const { desk, journal, stops } = opened(new HeldJournal());
    const told: unknown[] = [];
    desk.watch({ told: (events) => void told.push(events) });
    const fault = new Fault('DISK', 'the disk is full');
    const waiting = [desk.ask(open()), desk.ask(deposit(1)), Promise.resolve(desk.read(() => 1))];
    const outcomes = Promise.allSettled(waiting);
    journal.release(fault);
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'DESK_STOPPED', cause: fault } });
    }
    expect(told).toEqual([]);
    expect(stops).toEqual([fault]);
    await expect(desk.ask(open())).rejects.toMatchObject({ code: 'DESK_STOPPED' });
    expect(() => desk.read(() => 1)).toThrow('the exchange has stopped');
    expect(() => desk.snapshot()).toThrow('the exchange has stopped');
    await desk.close();
  });

  it('comes with a broken invariant', async () => {
    const { exchange } = new ExchangeMachine({ sha256 });
    const { desk, stops } = opened(new MemoryJournal(), { machine: new TinyMachine(), view: exchange.view });
    await desk.ask(open());
    const broken = { ...deposit(1), amount: microUsd(666) };
    await expect(desk.ask({ ...broken, type: 'transfer', account: accountNo(1) })).rejects.toMatchObject({
      code: 'DESK_STOPPED',
    });
    expect(stops).toMatchObject([{ message: 'Invariant: 666' }]);
  });

  it('comes with a watcher that throws', async () => {
    const { desk, stops } = opened(new MemoryJournal());
    const thrown = new Error('a stream broke');
    const end = desk.watch({
      told: () => {
        throw thrown;
      },
    });
    await expect(desk.ask(open())).rejects.toMatchObject({ code: 'DESK_STOPPED' });
    expect(stops).toEqual([thrown]);
    end();
    await expect(desk.ask(deposit(1))).rejects.toMatchObject({ code: 'DESK_STOPPED' });
  });
});
