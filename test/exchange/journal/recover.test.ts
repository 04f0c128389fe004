import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../../../src/domain/byte-writer.ts';
import { column } from '../../../src/domain/index.ts';
import type { ExchangeCommand } from '../../../src/exchange/command.ts';
import { BatchWriter, visitBatch } from '../../../src/exchange/journal/batch-codec.ts';
import { DurableExchange } from '../../../src/exchange/journal/durable-exchange.ts';
import type { Journal, Snapshot } from '../../../src/exchange/journal/journal.ts';
import { recover } from '../../../src/exchange/journal/recover.ts';
import type { ExchangeSink } from '../../../src/exchange/sink.ts';
import { MemoryJournal } from './memory-journal.ts';
import { TinyMachine } from './tiny-machine.ts';
import { faultOf, noting, open, transfer } from './words.ts';

const restoring = { fresh: () => new TinyMachine(), restore: TinyMachine.restore };

/** Records 1 … 5 with snapshots after 2 and 4, whose older ones are let go. */
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

/** A journal in which some snapshots are not what they were. */
function spoiled(journal: MemoryJournal, spoil: (snapshot: Snapshot) => Snapshot, only?: number): Journal {
  return {
    name: 'spoiled',
    first: journal.first,
    last: journal.last,
    snapshots: journal.snapshots,
    append: () => {},
    read: (from) => journal.read(from),
    readSnapshot(sequence) {
      const snapshot = journal.readSnapshot(sequence);
      return only === undefined || only === sequence ? spoil(snapshot) : snapshot;
    },
    setAside: (sequence) => journal.setAside(sequence),
    saveSnapshot: () => {},
  };
}

describe('recovery from snapshots', () => {
  it('starts with the newest', () => {
    const { machine, journal } = journalOf();
    const again = recover({ journal, ...restoring });
    expect([again.snapshot, again.replayed, again.notes]).toEqual([4, 1, []]);
    expect(again.machine.stateHash()).toBe(machine.stateHash());
  });

  it.each<[string, (snapshot: Snapshot) => Snapshot, RegExp]>([
    ['does not match its hash', (one) => ({ ...one, hash: '00' }), /restores to a state with the hash \w+, not 00$/],
    ['cannot be restored', (one) => ({ ...one, pieces: [] }), /cannot be used: expected a number at byte 0 of 0/],
    [
      'holds more than the state',
      (one) => ({ ...one, pieces: [...one.pieces, new Uint8Array(1)] }),
      /cannot be used: it ends at byte \d+, but there is more/,
    ],
  ])('falls back to the previous one when the newest %s, and reports it', (_name, spoil, note) => {
    const { machine, journal } = journalOf();
    const again = recover({ journal: spoiled(journal, spoil, 4), ...restoring });
    expect([again.snapshot, again.replayed]).toEqual([2, 3]);
    expect(again.notes).toEqual([expect.stringMatching(note)]);
    expect(again.notes[0]).toMatch(/^the snapshot after record 4 /);
    expect(journal.snapshots).toEqual([2]);
    expect(again.machine.stateHash()).toBe(machine.stateHash());
  });

  it('refuses when no snapshot is good and the first records are gone', () => {
    const { journal } = journalOf();
    const all = spoiled(journal, (one) => ({ ...one, hash: '00' }));
    expect(() => recover({ journal: all, ...restoring })).toThrow(
      faultOf(
        'JOURNAL_LOST',
        /^spoiled: no snapshot can be used that the records, which begin at 3, go on from\. .*after record 4.*after record 2/,
      ),
    );
    expect(journal.snapshots).toEqual([4, 2]);
  });

  it('replays from the first record when no snapshot is good and all records exist', () => {
    const { machine, journal } = journalOf([open(), transfer(1), transfer(2)]);
    const again = recover({ journal: spoiled(journal, (one) => ({ ...one, hash: '00' })), ...restoring });
    expect([again.snapshot, again.replayed, again.notes.length]).toEqual([0, 3, 1]);
    expect(again.machine.stateHash()).toBe(machine.stateHash());
  });

  it('refuses when the records end before the newest snapshot, which is damaged', () => {
    const { journal } = journalOf();
    const cut: Journal = {
      ...spoiled(journal, (one) => ({ ...one, hash: '00' }), 4),
      last: 4,
      *read(from) {
        for (const batch of journal.read(from)) if (batch.first < 4) yield batch;
      },
    };
    expect(() => recover({ journal: cut, ...restoring })).toThrow(
      faultOf(
        'JOURNAL_LOST',
        /the records end at 3, but there was a snapshot after record 4: .* go on after record 3 \(the snapshot after/,
      ),
    );
  });
});

describe('recovery with a changed program', () => {
  const { journal } = journalOf([open(), transfer(1)]);

  class Other extends TinyMachine {
    readonly #act: (machine: Other, command: ExchangeCommand) => ExchangeCommand;

    constructor(act: (machine: Other, command: ExchangeCommand) => ExchangeCommand) {
      super();
      this.#act = act;
    }

    override apply(command: ExchangeCommand, sink: ExchangeSink): void {
      super.apply(this.#act(this, command), sink);
    }
  }

  function recovering(act: (machine: Other, command: ExchangeCommand) => ExchangeCommand) {
    const records = spoiled(journal, (one) => ({ ...one, hash: '00' }));
    return () => recover({ journal: records, fresh: () => new Other(act), restore: () => new Other(act) });
  }

  it('fails when the number of events differs', () => {
    const act = (machine: Other, command: ExchangeCommand): ExchangeCommand => {
      if (command.type === 'transfer') machine.seq += 1;
      return command;
    };
    expect(recovering(act)).toThrow(
      faultOf('JOURNAL_DIVERGED', /replayed up to record 2, the last event is number 3, it was 2\. Start the version/),
    );
  });

  it('fails when the hash differs and the number of events does not', () => {
    const act = (_machine: Other, command: ExchangeCommand): ExchangeCommand =>
      command.type === 'transfer' ? { ...command, amount: column.usd(2) } : command;
    expect(recovering(act)).toThrow(
      faultOf('JOURNAL_DIVERGED', /replayed up to record 2, the state's hash is \w{16}, it was \w{16}\./),
    );
  });

  it('fails when an invariant breaks', () => {
    const act = (_machine: Other, command: ExchangeCommand): ExchangeCommand =>
      command.type === 'transfer' ? { ...command, amount: column.usd(666) } : command;
    expect(recovering(act)).toThrow(
      faultOf('JOURNAL_DIVERGED', /record 2, the command "transfer" breaks an invariant \(Invariant: 666\)/),
    );
  });
});

it('recovers from batches of any length', () => {
  const journal = new MemoryJournal();
  const whole = new TinyMachine();
  for (const count of [130, 1, 64]) {
    const writer = new BatchWriter();
    for (let left = count; left > 0; left--) {
      const command = journal.last === 0 && left === count ? open() : transfer(left);
      whole.apply(command, noting([]));
      writer.add(command);
    }
    journal.append(writer.end(journal.last + 1, whole.seq, whole.stateHash()), () => {});
  }
  const { machine, replayed } = recover({ journal, fresh: () => new TinyMachine(), restore: () => new TinyMachine() });
  expect(replayed).toBe(195);
  expect(machine.stateHash()).toBe(whole.stateHash());
});

describe('a batch in the journal', () => {
  const visitor = { command: () => {}, mark: () => {}, hash: () => {} };

  it('contains its records, the mark and the hash', () => {
    const writer = new BatchWriter();
    writer.add(open());
    writer.add(transfer(4));
    const seen: unknown[] = [];
    visitBatch(writer.end(8, 77, 'abc'), {
      command: (record, command) => seen.push([record, command.type]),
      mark: (record, seq) => seen.push([record, 'mark', seq]),
      hash: (record, hash) => seen.push([record, 'hash', hash]),
    });
    expect(seen).toEqual([
      [8, 'openAccount'],
      [9, 'transfer'],
      [9, 'mark', 77],
      [9, 'hash', 'abc'],
    ]);
    expect([writer.count, writer.length > 0]).toEqual([2, true]);
    writer.clear();
    expect([writer.count, writer.length]).toEqual([0, 0]);
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
    // The command, and behind it the mark of two bytes.
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
