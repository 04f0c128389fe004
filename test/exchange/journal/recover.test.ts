import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../../../src/domain/byte-writer.ts';
import { unchecked } from '../../../src/domain/index.ts';
import type { ExchangeCommand } from '../../../src/exchange/command.ts';
import { BatchWriter, visitBatch } from '../../../src/exchange/journal/batch-codec.ts';
import { DurableExchange } from '../../../src/exchange/journal/durable-exchange.ts';
import type { Journal, Snapshot } from '../../../src/exchange/journal/journal.ts';
import { recover } from '../../../src/exchange/journal/recover.ts';
import type { ExchangeSink } from '../../../src/exchange/sink.ts';
import { MemoryJournal } from './memory-journal.ts';
import { faultOf, open, recordingSink, transfer } from './tiny-commands.ts';
import { TinyMachine } from './tiny-machine.ts';

const restoring = { createNew: () => new TinyMachine(), restore: TinyMachine.restore };

/** Executes the commands with a snapshot after every second record. By default there are snapshots after 2 and 4. */
function journalOf(commands = [open(), transfer(1), transfer(2), transfer(3), transfer(4)]) {
  const machine = new TinyMachine();
  const journal = new MemoryJournal();
  const exchange = new DurableExchange({ machine, journal, snapshotEvery: 2, hashEvery: 1 });
  for (const command of commands) {
    exchange.apply(command);
    exchange.commit(() => {});
  }
  return { machine, journal };
}

/** A journal with changed snapshots; `only` restricts the change to one sequence number. */
function withChangedSnapshots(
  journal: MemoryJournal,
  change: (snapshot: Snapshot) => Snapshot,
  only?: number,
): Journal {
  return {
    name: 'changed',
    first: journal.first,
    last: journal.last,
    snapshots: journal.snapshots,
    append: () => {},
    read: (from) => journal.read(from),
    readSnapshot(sequence) {
      const snapshot = journal.readSnapshot(sequence);
      return only === undefined || only === sequence ? change(snapshot) : snapshot;
    },
    markUnusable: (sequence) => journal.markUnusable(sequence),
    saveSnapshot: () => {},
  };
}

const withWrongHash = (snapshot: Snapshot): Snapshot => ({ ...snapshot, hash: '00' });

describe('recovery from snapshots', () => {
  it('starts with the newest snapshot', () => {
    const { machine, journal } = journalOf();
    const recovery = recover({ journal, ...restoring });
    expect([recovery.snapshot, recovery.replayed, recovery.notes]).toEqual([4, 1, []]);
    expect(recovery.machine.stateHash()).toBe(machine.stateHash());
  });

  it.each<[string, (snapshot: Snapshot) => Snapshot, RegExp]>([
    ['does not match its hash', withWrongHash, /restores to a state with the hash \w+, not 00$/],
    ['cannot be restored', (saved) => ({ ...saved, pieces: [] }), /cannot be used: expected a number at byte 0 of 0/],
    [
      'has bytes after the state',
      (saved) => ({ ...saved, pieces: [...saved.pieces, new Uint8Array(1)] }),
      /cannot be used: it ends at byte \d+, but more bytes follow/,
    ],
  ])('falls back to the previous snapshot when the newest one %s, and reports the reason', (_name, change, note) => {
    const { machine, journal } = journalOf();
    const recovery = recover({ journal: withChangedSnapshots(journal, change, 4), ...restoring });
    expect([recovery.snapshot, recovery.replayed]).toEqual([2, 3]);
    expect(recovery.notes).toEqual([expect.stringMatching(note)]);
    expect(recovery.notes[0]).toMatch(/^the snapshot after record 4 /);
    expect(journal.snapshots).toEqual([2]);
    expect(recovery.machine.stateHash()).toBe(machine.stateHash());
  });

  it('fails when no snapshot is valid and the first records are deleted', () => {
    const { journal } = journalOf();
    const all = withChangedSnapshots(journal, withWrongHash);
    expect(() => recover({ journal: all, ...restoring })).toThrow(
      faultOf(
        'JOURNAL_LOST',
        /^changed: no usable snapshot precedes the records, which begin at 3\. Put back a good copy of the file .*after record 4.*after record 2/,
      ),
    );
    expect(journal.snapshots).toEqual([4, 2]);
  });

  it('replays from the first record when no snapshot is valid and all records exist', () => {
    const { machine, journal } = journalOf([open(), transfer(1), transfer(2)]);
    const recovery = recover({
      journal: withChangedSnapshots(journal, withWrongHash),
      ...restoring,
    });
    expect([recovery.snapshot, recovery.replayed, recovery.notes.length]).toEqual([0, 3, 1]);
    expect(recovery.machine.stateHash()).toBe(machine.stateHash());
  });

  it('fails when the newest snapshot is damaged and the records end before it', () => {
    const { journal } = journalOf();
    const cut: Journal = {
      ...withChangedSnapshots(journal, withWrongHash, 4),
      last: 4,
      *read(from) {
        for (const batch of journal.read(from)) if (batch.first < 4) yield batch;
      },
    };
    expect(() => recover({ journal: cut, ...restoring })).toThrow(
      faultOf(
        'JOURNAL_LOST',
        /the records end at 3, but a snapshot after record 4 exists and is damaged: the last records are missing\. Put back a good copy of the file\. Orders since that copy are lost \(the snapshot after/,
      ),
    );
  });
});

describe('recovery with a changed program', () => {
  const { journal } = journalOf([open(), transfer(1)]);

  class ChangedMachine extends TinyMachine {
    readonly #act: (machine: ChangedMachine, command: ExchangeCommand) => ExchangeCommand;

    constructor(act: (machine: ChangedMachine, command: ExchangeCommand) => ExchangeCommand) {
      super();
      this.#act = act;
    }

    override apply(command: ExchangeCommand, sink: ExchangeSink): void {
      super.apply(this.#act(this, command), sink);
    }
  }

  function recovering(act: (machine: ChangedMachine, command: ExchangeCommand) => ExchangeCommand) {
    const records = withChangedSnapshots(journal, withWrongHash);
    return () =>
      recover({ journal: records, createNew: () => new ChangedMachine(act), restore: () => new ChangedMachine(act) });
  }

  it('fails when the number of events differs', () => {
    const act = (machine: ChangedMachine, command: ExchangeCommand): ExchangeCommand => {
      if (command.type === 'transfer') machine.seq += 1;
      return command;
    };
    expect(recovering(act)).toThrow(
      faultOf(
        'JOURNAL_DIVERGED',
        /replayed up to record 2, the last event is number 3 instead of 2\. Start the version .* good copy of the file$/,
      ),
    );
  });

  it('fails when only the hash differs', () => {
    const act = (_machine: ChangedMachine, command: ExchangeCommand): ExchangeCommand =>
      command.type === 'transfer' ? { ...command, amount: unchecked.usd(2) } : command;
    expect(recovering(act)).toThrow(
      faultOf('JOURNAL_DIVERGED', /replayed up to record 2, the state's hash is \w{16} instead of \w{16}\./),
    );
  });

  it('fails when an invariant breaks', () => {
    const act = (_machine: ChangedMachine, command: ExchangeCommand): ExchangeCommand =>
      command.type === 'transfer' ? { ...command, amount: unchecked.usd(666) } : command;
    expect(recovering(act)).toThrow(
      faultOf('JOURNAL_DIVERGED', /record 2, the command "transfer" breaks an invariant \(Invariant: 666\)/),
    );
  });
});

it('recovery replays batches of any length', () => {
  const journal = new MemoryJournal();
  const reference = new TinyMachine();
  for (const count of [130, 1, 64]) {
    const writer = new BatchWriter();
    for (let remaining = count; remaining > 0; remaining--) {
      const command = journal.last === 0 && remaining === count ? open() : transfer(remaining);
      reference.apply(command, recordingSink([]));
      writer.add(command);
    }
    journal.append(writer.end(journal.last + 1, reference.seq, reference.stateHash()), () => {});
  }
  const { machine, replayed } = recover({
    journal,
    createNew: () => new TinyMachine(),
    restore: () => new TinyMachine(),
  });
  expect(replayed).toBe(195);
  expect(machine.stateHash()).toBe(reference.stateHash());
});

describe('a batch in the journal', () => {
  const visitor = { command: () => {}, lastEvent: () => {}, hash: () => {} };

  it('contains its records, the mark and the hash', () => {
    const writer = new BatchWriter();
    writer.add(open());
    writer.add(transfer(4));
    const seen: unknown[] = [];
    const batch = writer.end(8, 77, 'abc');
    const { length } = batch.bytes;
    visitBatch(batch, {
      command: (record, command) => seen.push([record, command.type]),
      lastEvent: (record, seq) => seen.push([record, 'mark', seq]),
      hash: (record, hash) => seen.push([record, 'hash', hash]),
    });
    expect(seen).toEqual([
      [8, 'openAccount'],
      [9, 'transfer'],
      [9, 'mark', 77],
      [9, 'hash', 'abc'],
    ]);
    expect(writer.count).toBe(2);
    writer.clear();
    expect(writer.count).toBe(0);
    expect(writer.end(10, 77, undefined).bytes.length).toBeLessThan(length);
  });

  it('with another number of records is refused', () => {
    const writer = new BatchWriter();
    writer.add(open());
    const batch = { ...writer.end(8, 77, undefined), count: 2 };
    expect(() => visitBatch(batch, visitor)).toThrow(
      faultOf('JOURNAL_BYTES', 'the batch from record 8 holds 1 records, not 2'),
    );
  });

  it('that is cut short is refused', () => {
    const writer = new BatchWriter();
    writer.add(open());
    const batch = writer.end(1, 1, undefined);
    const { length } = batch.bytes;
    // Two bytes with the number of the last event follow the command.
    const cuts = [...Array.from({ length: length - 3 }, (_, at) => at + 1), length - 1];
    for (const cut of cuts) {
      const short = { ...batch, bytes: batch.bytes.slice(0, cut) };
      expect(() => visitBatch(short, visitor), `${cut}`).toThrow(faultOf('JOURNAL_BYTES', /^expected a/));
    }
  });

  it('with invalid contents is refused', () => {
    const bytes = new ByteWriter();
    bytes.byte(18);
    expect(() => visitBatch({ first: 1, count: 1, bytes: bytes.written() }, visitor)).toThrow(
      faultOf('JOURNAL_BYTES', /code 18/),
    );
  });
});
