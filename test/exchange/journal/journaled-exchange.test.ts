import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../src/domain/index.ts';
import type { ExchangeCommand } from '../../../src/exchange/command.ts';
import { JournaledExchange, type JournaledOptions } from '../../../src/exchange/journal/journaled-exchange.ts';
import { recover } from '../../../src/exchange/journal/recover.ts';
import { HeldJournal } from './held-journal.ts';
import { MemoryJournal } from './memory-journal.ts';
import { TinyMachine } from './tiny-machine.ts';
import { anyHistory, heartbeat, noting, open, tick, transfer } from './words.ts';

const restoring = { fresh: () => new TinyMachine(), restore: TinyMachine.restore };

/** An exchange over a held journal, with what was told and what went wrong. */
function held(more: Partial<JournaledOptions> = {}) {
  const machine = new TinyMachine();
  const journal = new HeldJournal();
  const lines: string[] = [];
  const faults: string[] = [];
  const onFault = (fault: Fault): void => void faults.push(fault.code);
  const exchange = new JournaledExchange({ machine, journal, onFault, ...more });
  const apply = (command: ExchangeCommand, name = ''): void => {
    exchange.apply(command, noting(lines, name), () => lines.push(`${name} done`.trim()));
  };
  const takeLines = (): readonly string[] => lines.splice(0);
  return { machine, journal, exchange, apply, takeLines, faults };
}

describe('a journalled exchange', () => {
  it('tells nothing before it is durable', () => {
    const { machine, journal, apply, takeLines, exchange } = held();
    apply(open());
    expect(machine.seq).toBe(1);
    expect(takeLines()).toEqual([]);
    expect(exchange.backlog.commands).toBe(1);
    journal.release();
    expect(takeLines()).toEqual([expect.stringMatching(/^happened 1 .*accountOpened/), 'done']);
    expect(exchange.backlog).toEqual({ commands: 0, bytes: 0 });
  });

  it('collects what comes while a batch is under way, and keeps the order', () => {
    const { journal, exchange, apply, takeLines } = held();
    apply(open(), 'a');
    apply(transfer(5), 'b');
    apply(transfer(-9), 'c');
    apply(transfer(-5), 'd');
    expect(exchange.backlog.commands).toBe(3);
    expect(exchange.backlog.bytes).toBeGreaterThan(50);
    expect(exchange.sequence).toBe(3);
    journal.release();
    expect(takeLines().map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(['a happened', 'a done']);
    journal.release();
    expect(takeLines().map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'b happened',
      'b done',
      'c refused',
      'c done',
      'd happened',
      'd done',
    ]);
    expect(journal.sizes).toEqual([1, 2]);
    expect(journal.isAppending).toBe(false);
  });

  it('answers a refusal at once when nothing is under way, and leaves no record of it', () => {
    const { journal, apply, takeLines } = held();
    apply(transfer(5));
    expect(takeLines()).toEqual(['refused -1 {"reason":"INSUFFICIENT_BALANCE","field":"amount"}', 'done']);
    expect([journal.isAppending, journal.last]).toEqual([false, 0]);
  });

  it('holds a refusal back while that which may have caused it is under way', () => {
    const { journal, apply, takeLines } = held();
    apply(open());
    apply(transfer(-1));
    expect(takeLines()).toEqual([]);
    journal.release();
    expect(takeLines()).toHaveLength(4);
    expect(journal.sizes).toEqual([1]);
  });

  it('journals a refused command before which something fell due, and replays it as refused', () => {
    const { machine, journal, apply } = held();
    apply(open());
    journal.release();
    apply(heartbeat(10));
    journal.release();
    apply(transfer(-1, 10));
    expect(journal.isAppending).toBe(true);
    journal.release();
    const lines: string[] = [];
    const again = recover({ journal, ...restoring, sink: noting(lines) });
    expect(again.machine.stateHash()).toBe(machine.stateHash());
    expect(lines.slice(2)).toEqual([
      expect.stringMatching(/^happened 3 .*heartbeatLapsed/),
      expect.stringMatching(/^refused/),
    ]);
  });

  it('journals no tick at which nothing is due', () => {
    const { journal, apply } = held();
    apply(tick(5));
    expect(journal.isAppending).toBe(false);
  });

  it('says when all until now is durable', () => {
    const { journal, exchange, apply, takeLines } = held();
    const lines: string[] = [];
    exchange.whenDurable(() => lines.push('nothing to wait for'));
    apply(open());
    apply(transfer(1));
    exchange.whenDurable(() => lines.push('durable'));
    apply(transfer(2));
    journal.release();
    expect(lines).toEqual(['nothing to wait for']);
    journal.release();
    expect(lines).toEqual(['nothing to wait for', 'durable']);
    expect(takeLines()).toHaveLength(6);
  });

  it('lets whoever is told apply the next command', () => {
    const { journal, exchange, takeLines, apply } = held();
    exchange.apply(open(), noting([]), () => apply(transfer(7), 'next'));
    apply(transfer(8), 'before');
    journal.release();
    journal.release();
    expect(takeLines().map((line) => line.split(' ')[0])).toEqual(['before', 'before', 'next', 'next']);
    expect(journal.sizes).toEqual([1, 2]);
  });

  it('does so too when the journal answers at once', () => {
    const lines: string[] = [];
    const exchange = new JournaledExchange({
      machine: new TinyMachine(),
      journal: new MemoryJournal(),
      onFault: (fault) => lines.push(fault.message),
    });
    const chain = (left: number): void => {
      exchange.apply(transfer(1), noting([]), () => {
        lines.push(`${left}`);
        if (left > 0) chain(left - 1);
      });
    };
    exchange.apply(open(), noting([]));
    // Deeper than any stack, if it went one call into the other.
    chain(20_000);
    expect(lines).toHaveLength(20_001);
    expect(lines.at(-1)).toBe('0');
  });

  it('tells at once where nothing waits for the disk, and journals all the same', () => {
    const { machine, journal, exchange, apply, takeLines } = held({ awaitDurable: false });
    apply(open());
    apply(transfer(3));
    expect(takeLines().filter((line) => line === 'done')).toHaveLength(2);
    const order: string[] = [];
    exchange.whenDurable(() => order.push('durable'));
    expect(order).toEqual([]);
    journal.release();
    journal.release();
    expect(order).toEqual(['durable']);
    expect(recover({ journal, ...restoring }).machine.stateHash()).toBe(machine.stateHash());
  });

  it('stops for ever at a fault of the journal, and acknowledges nothing more', () => {
    const { journal, exchange, apply, takeLines, faults } = held();
    apply(open());
    apply(transfer(5));
    const fault = new Fault('FILE', 'the disk is full');
    journal.release(fault);
    expect(faults).toEqual(['FILE']);
    expect(takeLines()).toEqual([]);
    expect(() => apply(transfer(1))).toThrow(fault);
    expect(() => exchange.whenDurable(() => {})).toThrow(fault);
    expect(() => exchange.snapshot()).toThrow(fault);
    expect(journal.isAppending).toBe(false);
  });

  it('stops at a broken invariant; only what is durable by then is told', () => {
    const { journal, apply, takeLines } = held();
    apply(open(), 'a');
    apply(transfer(5), 'b');
    expect(() => apply(transfer(666), 'c')).toThrow('Invariant: 666');
    expect(() => apply(transfer(1), 'd')).toThrow('Invariant: 666');
    journal.release();
    expect(takeLines().map((line) => line.split(' ')[0])).toEqual(['a', 'a']);
    expect([journal.isAppending, journal.last]).toEqual([false, 1]);
  });

  it('stops when a sink throws', () => {
    const { journal, exchange, apply } = held();
    exchange.apply(open(), {
      ...noting([]),
      happened: () => {
        throw new Error('sink');
      },
    });
    expect(() => journal.release()).toThrow('sink');
    expect(() => apply(transfer(1))).toThrow('sink');
  });

  it('is not made of a machine and a journal of which only one is fresh', () => {
    const { machine, journal, apply } = held();
    apply(open());
    journal.release();
    const onFault = (): void => {};
    const fresh = new TinyMachine();
    expect(() => new JournaledExchange({ machine: fresh, journal, onFault })).toThrow(
      'Invariant: 0 events told, but 1 records in held',
    );
    expect(() => new JournaledExchange({ machine, journal: new MemoryJournal(), onFault })).toThrow(
      'Invariant: 1 events told, but 0 records in memory',
    );
  });

  it('takes a snapshot each so many records, when they are durable', () => {
    const { journal, apply } = held({ snapshotEvery: 2 });
    apply(open());
    journal.release();
    expect(journal.isSaving).toBe(false);
    apply(transfer(1));
    expect(journal.isSaving).toBe(false);
    journal.release();
    expect(journal.isSaving).toBe(true);
    // The next falls due while one is under way: it waits.
    for (const amount of [1, 2, 3]) {
      apply(transfer(amount));
      journal.release();
    }
    journal.releaseSnapshot();
    expect(journal.snapshots).toEqual([2]);
    apply(transfer(4));
    journal.release();
    journal.releaseSnapshot();
    expect(journal.snapshots).toEqual([6, 2]);
  });

  it('takes a snapshot when asked, and goes on when it fails', () => {
    const problems: string[] = [];
    const { journal, exchange, apply } = held({ onSnapshotFault: (fault) => problems.push(fault.code) });
    apply(open());
    exchange.snapshot();
    expect(journal.isSaving).toBe(false);
    journal.release();
    journal.releaseSnapshot(new Fault('FILE', 'no room'));
    expect(problems).toEqual(['FILE']);
    apply(transfer(1));
    journal.release();
    exchange.snapshot();
    journal.releaseSnapshot();
    expect(journal.snapshots).toEqual([2]);
  });

  it('stops when a snapshot cannot be made, as the batch that it belongs to would wait for ever', () => {
    const { machine, exchange, apply, takeLines } = held();
    machine.writeSnapshot = () => {
      throw new RangeError('no memory');
    };
    expect(() => exchange.snapshot()).toThrow('no memory');
    expect(() => apply(open())).toThrow('no memory');
    expect(machine.seq).toBe(0);
    expect(takeLines()).toEqual([]);
  });
});

describe('recovery', () => {
  it('comes to the same state, with any batches, snapshots and hashes', () => {
    fc.assert(
      fc.property(
        anyHistory,
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 0, max: 5 }),
        fc.infiniteStream(fc.boolean()),
        (history, snapshotEvery, hashEvery, releases) => {
          const { machine, journal, apply, faults } = held({ snapshotEvery, hashEvery });
          for (const command of history) {
            apply(command);
            if (journal.isAppending && releases.next().value) journal.release();
            if (journal.isSaving && releases.next().value) journal.releaseSnapshot();
          }
          while (journal.isAppending) journal.release();
          const again = recover({ journal, ...restoring });
          expect(again.machine.stateHash()).toBe(machine.stateHash());
          expect(again.snapshot + again.replayed).toBe(journal.last);
          expect([again.notes, faults]).toEqual([[], []]);
          if (journal.snapshots.length > 0) expect(again.snapshot).toBe(journal.snapshots[0]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('goes on where it was: a run cut in two comes to the same state as one', () => {
    fc.assert(
      fc.property(anyHistory, fc.nat(40), (history, cut) => {
        const journal = new MemoryJournal();
        const run = (machine: TinyMachine, commands: readonly ExchangeCommand[]): void => {
          const exchange = new JournaledExchange({ machine, journal, onFault: () => {}, snapshotEvery: 7 });
          for (const command of commands) exchange.apply(command, noting([]));
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
