import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ByteReader } from '../../../src/domain/index.ts';
import { SnapshotWriter } from '../../../src/exchange/journal/snapshot-writer.ts';
import { StateHash } from '../../../src/exchange/state-writer.ts';
import { anyCharacter } from '../../any-character.ts';

const anyValues = fc.array(fc.oneof(fc.maxSafeInteger(), fc.string({ unit: anyCharacter })), { maxLength: 60 });

it('a snapshot is restored from pieces of any size with the hash of its values', () => {
  fc.assert(
    fc.property(anyValues, fc.integer({ min: 1, max: 64 }), (values, pieceBytes) => {
      const writer = new SnapshotWriter(pieceBytes);
      const hash = new StateHash();
      for (const to of [writer, hash]) {
        for (const value of values) typeof value === 'number' ? to.number(value) : to.text(value);
      }
      const pieces = writer.pieces();
      expect(pieces.every(({ length }) => length > 0)).toBe(true);
      expect(pieces.slice(0, -1).every(({ length }) => length >= pieceBytes)).toBe(true);
      const reader = new ByteReader(Buffer.concat(pieces));
      expect(values.map((value) => (typeof value === 'number' ? reader.number() : reader.text()))).toEqual(values);
      expect([reader.isAtEnd, writer.hash()]).toEqual([true, hash.digest()]);
    }),
    { numRuns: 1_000 },
  );
});
