/** The contract of every implementation of `Journal`. */
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../src/domain/index.ts';
import type { Journal, JournalBatch, Snapshot } from '../../src/exchange/index.ts';

/** A journal under test; `reopen` closes it cleanly and opens it again. */
export interface JournalUnderTest {
  readonly journal: Journal;
  readonly reopen: () => Promise<Journal>;
}

export function batch(first: number, count: number): JournalBatch {
  return { first, count, bytes: Uint8Array.from({ length: count }, (_, at) => first + at) };
}

function snapshot(sequence: number): Snapshot {
  return { sequence, hash: String(sequence).padStart(16, '0'), pieces: [Uint8Array.of(sequence), Uint8Array.of(7, 8)] };
}

function append(journal: Journal, records: JournalBatch): Promise<Fault | undefined> {
  return new Promise((resolve) => journal.append(records, resolve));
}

function save(journal: Journal, saved: Snapshot): Promise<Fault | undefined> {
  return new Promise((resolve) => journal.saveSnapshot(saved, resolve));
}

/** Returns the batches from a record on, each as `[first, count, bytes]`. */
function recordsFrom(journal: Journal, from: number): readonly unknown[] {
  return [...journal.read(from)].map(({ first, count, bytes }) => [first, count, [...bytes]]);
}

export function journalContract(name: string, make: () => Promise<JournalUnderTest>): void {
  describe(`journal contract: ${name}`, () => {
    it('starts empty', async () => {
      const { journal, reopen } = await make();
      for (const each of [journal, await reopen()]) {
        expect([each.first, each.last, each.snapshots]).toEqual([1, 0, []]);
        expect(recordsFrom(each, 1)).toEqual([]);
      }
    });

    it('returns the appended batches from any record on', async () => {
      const { journal, reopen } = await make();
      for (const each of [batch(1, 1), batch(2, 3), batch(5, 2)]) {
        expect(await append(journal, each)).toBeUndefined();
        expect(journal.last).toBe(each.first + each.count - 1);
      }
      for (const each of [journal, await reopen()]) {
        expect([each.first, each.last]).toEqual([1, 6]);
        const all = [
          [1, 1, [1]],
          [2, 3, [2, 3, 4]],
          [5, 2, [5, 6]],
        ];
        expect(recordsFrom(each, 1)).toEqual(all);
        expect(recordsFrom(each, 2)).toEqual(all.slice(1));
        expect(recordsFrom(each, 4)).toEqual(all.slice(1));
        expect(recordsFrom(each, 5)).toEqual(all.slice(2));
        expect(recordsFrom(each, 7)).toEqual([]);
      }
    });

    it('keeps its records when the caller changes the buffer after the commit', async () => {
      const { journal, reopen } = await make();
      const bytes = Uint8Array.of(1, 2, 3);
      await append(journal, { first: 1, count: 1, bytes });
      bytes.fill(9);
      expect(recordsFrom(journal, 1)).toEqual([[1, 1, [1, 2, 3]]]);
      expect(recordsFrom(await reopen(), 1)).toEqual([[1, 1, [1, 2, 3]]]);
    });

    it('accepts further batches after a reopen', async () => {
      const { journal, reopen } = await make();
      await append(journal, batch(1, 2));
      const again = await reopen();
      await append(again, batch(3, 1));
      expect(recordsFrom(again, 1)).toEqual([
        [1, 2, [1, 2]],
        [3, 1, [3]],
      ]);
    });

    it.each([
      [1, 1],
      [3, 1],
      [5, 1],
      [4, 0],
    ])('rejects a batch from record %i with %i records after record 3', async (first, count) => {
      const { journal } = await make();
      await append(journal, batch(1, 3));
      expect(() => journal.append(batch(first, count), () => {})).toThrow(/^Invariant: /);
    });

    it('lists snapshots newest first, and returns each by its number', async () => {
      const { journal, reopen } = await make();
      await append(journal, batch(1, 5));
      expect(await save(journal, snapshot(5))).toBeUndefined();
      await append(journal, batch(6, 3));
      await save(journal, { ...snapshot(8), pieces: [] });
      for (const each of [journal, await reopen()]) {
        expect(each.snapshots).toEqual([8, 5]);
        const { sequence, hash, pieces } = each.readSnapshot(5);
        expect([sequence, hash, [...Buffer.concat(pieces)]]).toEqual([5, '0000000000000005', [5, 7, 8]]);
        expect(Buffer.concat(each.readSnapshot(8).pieces)).toHaveLength(0);
        expect(() => each.readSnapshot(6)).toThrow(
          expect.objectContaining({
            code: 'JOURNAL_GONE',
            message: expect.stringMatching('no snapshot after record 6'),
          }),
        );
      }
    });

    it('replaces a snapshot with the same number', async () => {
      const { journal, reopen } = await make();
      await append(journal, batch(1, 5));
      await save(journal, snapshot(5));
      await save(journal, { ...snapshot(5), hash: 'ffffffffffffffff' });
      for (const each of [journal, await reopen()]) {
        expect(each.snapshots).toEqual([5]);
        expect(each.readSnapshot(5).hash).toBe('ffffffffffffffff');
      }
    });

    it('rejects a snapshot of records that are not durable', async () => {
      const { journal } = await make();
      await append(journal, batch(1, 5));
      expect(() => journal.saveSnapshot(snapshot(6), () => {})).toThrow(
        /^Invariant: .* record 6, which is not durable/,
      );
    });

    it('keeps all records while there is one snapshot, then those after the second newest snapshot', async () => {
      const { journal, reopen } = await make();
      for (let first = 1; first <= 40; first += 2) {
        await append(journal, batch(first, 2));
        if (first === 9) await save(journal, snapshot(10));
        if (first === 13) expect(journal.first).toBe(1);
        if (first === 19) await save(journal, snapshot(20));
        if (first === 29) await save(journal, snapshot(30));
      }
      for (const each of [journal, await reopen()]) {
        expect(each.snapshots).toEqual([30, 20]);
        expect(each.first).toBeGreaterThan(1);
        expect(each.first).toBeLessThanOrEqual(21);
        expect(recordsFrom(each, 21)[0]).toEqual([21, 2, [21, 22]]);
        expect(() => [...each.read(each.first - 1)]).toThrow(
          expect.objectContaining({
            code: 'JOURNAL_GONE',
            message: expect.stringMatching(/was removed, the oldest is/),
          }),
        );
        expect(() => each.readSnapshot(10)).toThrow(/10/);
      }
    });

    it('ignores a snapshot that was marked unusable', async () => {
      const { journal, reopen } = await make();
      await append(journal, batch(1, 5));
      await save(journal, snapshot(3));
      await save(journal, snapshot(5));
      journal.markUnusable(5);
      expect(journal.snapshots).toEqual([3]);
      const again = await reopen();
      expect(again.snapshots).toEqual([3]);
      await append(again, batch(6, 1));
      await save(again, snapshot(6));
      expect([again.snapshots, again.first]).toEqual([[6, 3], 1]);
    });
  });
}
