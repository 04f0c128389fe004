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
import { TinyMachine } from './tiny-machine.ts';
import { anyHistory, heartbeat, noting, open, tick, transfer } from './words.ts';

const restoring = { fresh: () => new TinyMachine(), restore: TinyMachine.restore };

/** An exchange over a held journal, with the commits that were answered. */
function held(more: Partial<DurableExchangeOptions> = {}) {
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
  /** Applies a command and commits it. The journal answers at once when it is configured to. */
  const run = (command: ExchangeCommand): readonly ExchangeEvent[] => {
    const { events } = exchange.apply(command);
    commit();
    if (journal.isAppending) journal.release();
    return events;
  };
  return { machine, journal, exchange, commit, run, answers, faults };
}

const typesOf = (events: readonly ExchangeEvent[]): readonly string[] =>
  events.map((event) => (event.type === 'happened' ? event.event.type : event.type));

describe('a durable exchange', () => {
  it('answers a commit when everything applied before it is durable', () => {
    const { machine, journal, exchange, commit, answers } = held();
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
    const { journal, exchange, commit, answers } = held();
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
    const { journal, exchange, commit, answers } = held();
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

  it('reports for each command whether it changed the state, whether it was refused, and its time', () => {
    const { exchange } = held();
    const [opened, refused, nothing] = [open(), transfer(-1), tick(5)].map((command) => exchange.apply(command));
    expect(opened).toMatchObject({ command: open(), hasChanged: true, isRefused: false });
    expect(refused).toMatchObject({ hasChanged: false, isRefused: true, events: [{ type: 'refused', entry: -1 }] });
    expect(nothing).toMatchObject({ hasChanged: false, isRefused: false, events: [] });
  });

  it('answers a commit of refused commands at once without a record', () => {
    const { journal, exchange, commit, answers } = held();
    exchange.apply(transfer(5));
    commit('refused');
    expect([answers, journal.isAppending, journal.last]).toEqual([['refused'], false, 0]);
  });

  it('journals a refused command before which something was due, and replays it as refused', () => {
    const { machine, journal, run } = held();
    run(open());
    run(heartbeat(10));
    expect(typesOf(run(transfer(-1, 10)))).toEqual(['heartbeatLapsed', 'refused']);
    expect(journal.last).toBe(3);
    const lines: string[] = [];
    const sink = noting(lines);
    const again = recover({ journal, ...restoring, apply: (to, command) => to.apply(command, sink) });
    expect(again.machine.stateHash()).toBe(machine.stateHash());
    expect(lines.slice(2)).toEqual([
      expect.stringMatching(/^happened 3 .*heartbeatLapsed/),
      expect.stringMatching(/^refused/),
    ]);
  });

  it('journals no tick at which nothing is due', () => {
    const { journal, exchange, commit } = held();
    exchange.apply(tick(5));
    commit();
    expect(journal.isAppending).toBe(false);
  });

  it('measures each commit, also the one in progress', () => {
    let now = 1_000;
    const { journal, exchange, commit, answers } = held({ stopwatch: () => now });
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

  it('stops for good at an error of the journal and passes it to the commit', () => {
    const { journal, exchange, commit, answers, faults } = held();
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
    const { journal, exchange, run, commit } = held();
    run(open());
    exchange.apply(transfer(5));
    expect(() => exchange.apply(transfer(666))).toThrow('Invariant: 666');
    expect(() => exchange.apply(transfer(1))).toThrow('Invariant: 666');
    expect(() => commit()).toThrow('Invariant: 666');
    expect([journal.isAppending, journal.last]).toEqual([false, 1]);
  });

  it('refuses a machine and a journal of which only one is new', () => {
    const { machine, journal, run } = held();
    run(open());
    const fresh = new TinyMachine();
    expect(() => new DurableExchange({ machine: fresh, journal })).toThrow(
      'Invariant: 0 events, but 1 records in held',
    );
    expect(() => new DurableExchange({ machine, journal: new MemoryJournal() })).toThrow(
      'Invariant: 1 events, but 0 records in memory',
    );
  });

  it('takes a snapshot after a given number of durable records', () => {
    const { journal, exchange, commit, run } = held({ snapshotEvery: 2 });
    run(open());
    expect(journal.isSaving).toBe(false);
    exchange.apply(transfer(1));
    commit();
    expect(journal.isSaving).toBe(false);
    journal.release();
    expect(journal.isSaving).toBe(true);
    // The next falls due while one is under way: it waits.
    for (const amount of [1, 2, 3]) run(transfer(amount));
    journal.releaseSnapshot();
    expect(journal.snapshots).toEqual([2]);
    run(transfer(4));
    journal.releaseSnapshot();
    expect(journal.snapshots).toEqual([6, 2]);
  });

  it('takes a snapshot on request and continues when it fails', () => {
    const problems: string[] = [];
    const { journal, exchange, commit, run } = held({ onSnapshotFault: (fault) => problems.push(fault.code) });
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
    const { journal, exchange, commit, run } = held();
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

  it('stops when a snapshot fails, because its batch would wait for ever', () => {
    const { machine, journal, exchange, commit } = held({ snapshotEvery: 1 });
    machine.writeState = () => {
      throw new RangeError('no memory');
    };
    exchange.apply(open());
    expect(() => commit()).toThrow('no memory');
    expect(() => exchange.apply(open())).toThrow('no memory');
    expect(journal.isAppending).toBe(false);
  });

  it('stops when a requested snapshot fails', () => {
    const { machine, exchange } = held();
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
          const { machine, journal, exchange, commit, faults } = held({ snapshotEvery, hashEvery });
          for (const command of history) {
            exchange.apply(command);
            if (releases.next().value) commit();
            if (journal.isAppending) journal.release();
            if (journal.isSaving && releases.next().value) journal.releaseSnapshot();
          }
          commit();
          if (journal.isAppending) journal.release();
          const again = recover({ journal, ...restoring });
          expect(again.machine.stateHash()).toBe(machine.stateHash());
          expect(again.snapshot + again.replayed).toBe(journal.last);
          expect([again.notes, faults]).toEqual([[], []]);
          if (journal.snapshots.length > 0) expect(again.snapshot).toBe(journal.snapshots[0]);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('continues where it stopped: a run in two parts reaches the same state as one', () => {
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
        const whole = new TinyMachine();
        for (const command of history) whole.apply(command, noting([]));
        run(new TinyMachine(), history.slice(0, cut));
        run(recover({ journal, ...restoring }).machine, history.slice(cut));
        expect(recover({ journal, ...restoring }).machine.stateHash()).toBe(whole.stateHash());
      }),
    );
  });
});
