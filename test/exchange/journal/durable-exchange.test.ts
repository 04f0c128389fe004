import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../src/domain/index.ts';
import type { ExchangeCommand } from '../../../src/exchange/command.ts';
import { DurableExchange, type DurableExchangeOptions } from '../../../src/exchange/journal/durable-exchange.ts';
import type { ExchangeEvent } from '../../../src/exchange/journal/event-recorder.ts';
import { recover } from '../../../src/exchange/journal/recover.ts';
import { runs } from '../../runs.ts';
import { HeldJournal } from './held-journal.ts';
import { MemoryJournal } from './memory-journal.ts';
import { anyHistory, heartbeat, open, recordingSink, tick, transfer } from './tiny-commands.ts';
import { TinyMachine } from './tiny-machine.ts';

const restoring = { createNew: () => new TinyMachine(), restore: TinyMachine.restore };

/** An exchange with a held journal. `answers` lists the completed commits, `faults` their errors. */
function newExchange(more: Partial<DurableExchangeOptions> = {}) {
  const machine = new TinyMachine();
  const journal = new HeldJournal();
  const exchange = new DurableExchange({ machine, journal, ...more });
  const faults: string[] = [];
  const answers: string[] = [];
  const commit = (name = ''): void => {
    exchange.commit((fault) => {
      answers.push(name);
      if (fault !== undefined) faults.push(fault.code);
    });
  };
  /** Applies a command, commits it and completes the commit. */
  const run = (command: ExchangeCommand): readonly ExchangeEvent[] => {
    const { events } = exchange.apply(command);
    commit();
    if (journal.isAppending) journal.release();
    return events;
  };
  return { machine, journal, exchange, commit, run, answers, faults };
}

const typesOf = (events: readonly ExchangeEvent[]): readonly string[] =>
  events.map((event) => (event.type === 'rareEvent' ? event.event.type : event.type));

describe('a durable exchange', () => {
  it('answers a commit when everything applied before it is durable', () => {
    const { machine, journal, exchange, commit, answers } = newExchange();
    const first = exchange.apply(open());
    const second = exchange.apply(transfer(5));
    expect([typesOf(first.events), typesOf(second.events), machine.seq]).toEqual([
      ['accountOpened'],
      ['transferred'],
      2,
    ]);
    expect(exchange.sequence).toBe(2);
    commit('both');
    expect([answers, journal.isAppending]).toEqual([[], true]);
    journal.release();
    expect([answers, journal.sizes, journal.last, exchange.sequence]).toEqual([['both'], [2], 2, 2]);
  });

  it('accepts no command during a commit', () => {
    const { journal, exchange, commit, answers } = newExchange();
    exchange.apply(open());
    commit('first');
    expect(() => exchange.apply(transfer(5))).toThrow('Invariant: a commit is under way');
    expect(() => commit('second')).toThrow('Invariant: a commit is under way');
    journal.release();
    exchange.apply(transfer(5));
    commit('second');
    journal.release();
    expect([answers, journal.sizes]).toEqual([
      ['first', 'second'],
      [1, 1],
    ]);
  });

  it('accepts the next command within the callback of a commit', () => {
    const { journal, exchange, commit, answers } = newExchange();
    exchange.apply(open());
    exchange.commit(() => {
      exchange.apply(transfer(7));
      commit('next');
    });
    journal.release();
    expect(answers).toEqual([]);
    journal.release();
    expect([answers, journal.sizes]).toEqual([['next'], [1, 1]]);
  });

  it('reports for each command whether it changed the state and whether it was refused', () => {
    const { exchange } = newExchange();
    const [opened, refused, nothing] = [open(), transfer(-1), tick(5)].map((command) => exchange.apply(command));
    expect(opened).toMatchObject({ command: open(), hasChanged: true, isRefused: false });
    expect(refused).toMatchObject({ hasChanged: false, isRefused: true, events: [{ type: 'refused', entry: -1 }] });
    expect(nothing).toMatchObject({ hasChanged: false, isRefused: false, events: [] });
  });

  it('answers a commit of refused commands at once without a record', () => {
    const { journal, exchange, commit, answers } = newExchange();
    exchange.apply(transfer(5));
    commit('refused');
    expect([answers, journal.isAppending, journal.last]).toEqual([['refused'], false, 0]);
  });

  it('journals a refused command that a deadline precedes, and replays it as refused', () => {
    const { machine, journal, run } = newExchange();
    run(open());
    run(heartbeat(10));
    expect(typesOf(run(transfer(-1, 10)))).toEqual(['heartbeatLapsed', 'refused']);
    expect(journal.last).toBe(3);
    const lines: string[] = [];
    const sink = recordingSink(lines);
    const recovery = recover({ journal, ...restoring, apply: (to, command) => to.apply(command, sink) });
    expect(recovery.machine.stateHash()).toBe(machine.stateHash());
    expect(lines.slice(2)).toEqual([
      expect.stringMatching(/^rareEvent 3 .*heartbeatLapsed/),
      expect.stringMatching(/^refused/),
    ]);
  });

  it('journals no tick at which nothing is due', () => {
    const { journal, exchange, commit } = newExchange();
    exchange.apply(tick(5));
    commit();
    expect(journal.isAppending).toBe(false);
  });

  it('measures each commit, also the one in progress', () => {
    let now = 1_000;
    const { journal, exchange, commit, answers } = newExchange({ stopwatch: () => now });
    const commits: (readonly [number, number])[] = [];
    exchange.onCommit = (ms, records) => {
      commits.push([ms, records]);
      expect(answers).toEqual([]);
    };
    exchange.apply(open());
    exchange.apply(transfer(1));
    expect(exchange.commitMs).toBe(0);
    commit();
    now += 4.5;
    expect([exchange.commitMs, commits]).toEqual([4.5, []]);
    journal.release();
    expect([exchange.commitMs, commits]).toEqual([0, [[4.5, 2]]]);
  });

  it('stops permanently at an error of the journal and passes it to the commit', () => {
    const { journal, exchange, commit, answers, faults } = newExchange();
    const commits: number[] = [];
    exchange.onCommit = (_ms, records) => void commits.push(records);
    exchange.apply(open());
    commit('failed');
    const fault = new Fault('FILE', 'the disk is full');
    journal.release(fault);
    expect([answers, faults, commits, exchange.commitMs]).toEqual([['failed'], ['FILE'], [], 0]);
    expect(() => exchange.apply(transfer(1))).toThrow(fault);
    expect(() => commit()).toThrow(fault);
    expect(() => exchange.snapshot()).toThrow(fault);
    expect(journal.isAppending).toBe(false);
  });

  it('stops at a broken invariant and keeps only what was committed before', () => {
    const { journal, exchange, run, commit } = newExchange();
    run(open());
    exchange.apply(transfer(5));
    expect(() => exchange.apply(transfer(666))).toThrow('Invariant: 666');
    expect(() => exchange.apply(transfer(1))).toThrow('Invariant: 666');
    expect(() => commit()).toThrow('Invariant: 666');
    expect([journal.isAppending, journal.last]).toEqual([false, 1]);
  });

  it('refuses a state machine and a journal with different numbers of commands', () => {
    const { machine, journal, run } = newExchange();
    run(open());
    const fresh = new TinyMachine();
    expect(() => new DurableExchange({ machine: fresh, journal })).toThrow(
      'Invariant: 0 events, but 1 records in memory',
    );
    expect(() => new DurableExchange({ machine, journal: new MemoryJournal() })).toThrow(
      'Invariant: 1 events, but 0 records in memory',
    );
  });

  it('takes a snapshot after a given number of durable records', () => {
    const { journal, exchange, commit, run } = newExchange({ snapshotEvery: 2 });
    run(open());
    expect(journal.isSaving).toBe(false);
    exchange.apply(transfer(1));
    commit();
    expect(journal.isSaving).toBe(false);
    journal.release();
    expect(journal.isSaving).toBe(true);
    // The next snapshot is due during the first and waits for it.
    for (const amount of [1, 2, 3]) run(transfer(amount));
    journal.releaseSnapshot();
    expect(journal.snapshots).toEqual([2]);
    run(transfer(4));
    journal.releaseSnapshot();
    expect(journal.snapshots).toEqual([6, 2]);
  });

  it('takes a snapshot on request and continues when the journal cannot save it', () => {
    const problems: string[] = [];
    const { journal, exchange, commit, run } = newExchange({ onSnapshotFault: (fault) => problems.push(fault.code) });
    exchange.apply(open());
    exchange.snapshot();
    commit();
    expect(journal.isSaving).toBe(false);
    journal.release();
    journal.releaseSnapshot(new Fault('FILE', 'no room'));
    expect(problems).toEqual(['FILE']);
    run(transfer(1));
    exchange.snapshot();
    journal.releaseSnapshot();
    expect(journal.snapshots).toEqual([2]);
  });

  it('delays a snapshot that is requested during a commit or another snapshot', () => {
    const { journal, exchange, commit, run } = newExchange();
    exchange.apply(open());
    commit();
    exchange.snapshot();
    expect(journal.isSaving).toBe(false);
    journal.release();
    run(transfer(1));
    exchange.snapshot();
    journal.releaseSnapshot();
    expect([journal.snapshots, journal.isSaving]).toEqual([[1], true]);
    journal.releaseSnapshot();
    expect(journal.snapshots).toEqual([2, 1]);
  });

  it('stops when the state of a due snapshot cannot be written, because its batch would never complete', () => {
    const { machine, journal, exchange, commit } = newExchange({ snapshotEvery: 1 });
    machine.writeState = () => {
      throw new RangeError('no memory');
    };
    exchange.apply(open());
    expect(() => commit()).toThrow('no memory');
    expect(() => exchange.apply(open())).toThrow('no memory');
    expect(journal.isAppending).toBe(false);
  });

  it('stops when the state of a requested snapshot cannot be written', () => {
    const { machine, exchange } = newExchange();
    machine.writeState = () => {
      throw new RangeError('no memory');
    };
    expect(() => exchange.snapshot()).toThrow('no memory');
    expect(() => exchange.apply(open())).toThrow('no memory');
    expect(machine.seq).toBe(0);
  });
});

describe('recovery of an exchange', () => {
  it('reaches the same state with any batches, snapshots and hashes', () => {
    fc.assert(
      fc.property(
        anyHistory,
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 0, max: 5 }),
        fc.infiniteStream(fc.boolean()),
        (history, snapshotEvery, hashEvery, releases) => {
          const { machine, journal, exchange, commit, faults } = newExchange({ snapshotEvery, hashEvery });
          for (const command of history) {
            exchange.apply(command);
            if (releases.next().value) commit();
            if (journal.isAppending) journal.release();
            if (journal.isSaving && releases.next().value) journal.releaseSnapshot();
          }
          commit();
          if (journal.isAppending) journal.release();
          const recovery = recover({ journal, ...restoring });
          expect(recovery.machine.stateHash()).toBe(machine.stateHash());
          expect(recovery.snapshot + recovery.replayed).toBe(journal.last);
          expect([recovery.notes, faults]).toEqual([[], []]);
          if (journal.snapshots.length > 0) expect(recovery.snapshot).toBe(journal.snapshots[0]);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('reaches the same state in two runs as in one', () => {
    fc.assert(
      fc.property(anyHistory, fc.nat(40), (history, cut) => {
        const journal = new MemoryJournal();
        const run = (machine: TinyMachine, commands: readonly ExchangeCommand[]): void => {
          const exchange = new DurableExchange({ machine, journal, snapshotEvery: 7 });
          for (const command of commands) {
            exchange.apply(command);
            exchange.commit(() => {});
          }
        };
        const reference = new TinyMachine();
        for (const command of history) reference.apply(command, recordingSink([]));
        run(new TinyMachine(), history.slice(0, cut));
        run(recover({ journal, ...restoring }).machine, history.slice(cut));
        expect(recover({ journal, ...restoring }).machine.stateHash()).toBe(reference.stateHash());
      }),
    );
  });
});
