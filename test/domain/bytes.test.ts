import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from '../../src/domain/byte-reader.ts';
import { ByteWriter } from '../../src/domain/byte-writer.ts';

const EDGES = Array.from({ length: 54 }, (_, bit) => 2 ** bit).flatMap((power) => [power - 1, power, power + 1]);
const anyNumber = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer({ min: -300, max: 300 }),
  fc.constantFrom(...EDGES, ...EDGES.map((edge) => -edge)),
  fc.double(),
);
const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('\udc00', 'ÿ', 'Ā'));
const anyValues = fc.array(fc.oneof(anyNumber, anyText), { maxLength: 60 });

function read(bytes: Uint8Array, like: readonly (number | string)[]): readonly (number | string)[] {
  const reader = new ByteReader(bytes);
  const values = like.map((value) => (typeof value === 'number' ? reader.number() : reader.text()));
  expect(reader.isAtEnd).toBe(true);
  expect(reader.offset).toBe(bytes.length);
  return values;
}

describe('numbers and texts in a byte writer', () => {
  it('are read back from a writer that grows', () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        const writer = new ByteWriter(1);
        for (const value of values) typeof value === 'number' ? writer.number(value) : writer.text(value);
        expect(writer.length).toBe(writer.written().length);
        expect(read(writer.written(), values)).toEqual(values);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are read back in the order of writing, in each form', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 20 }), (texts) => {
        const writer = new ByteWriter(1);
        writer.skip(3);
        writer.count(texts.length);
        for (const text of texts) {
          writer.utf16(text);
          const from = writer.length;
          writer.skip(4);
          writer.utf8(text);
          writer.bytes(Uint8Array.of(33));
          writer.setCount(from);
          writer.float(text.length);
        }
        const reader = new ByteReader(writer.finish().subarray(3));
        const read = reader.list((from) => [from.utf16(), from.utf8(), from.integer(0)]);
        reader.expectEnd();
        expect(read).toEqual(texts.map((text) => [text, `${text.toWellFormed()}!`, text.length]));
        expect(writer.length).toBe(0);
      }),
    );
  });

  it.each([
    [0, 1],
    [239, 1],
    [240, 2],
    [255, 2],
    [256, 3],
    [-1, 2],
    [5250, 3],
    [100_000_000, 5],
    [1_790_000_000_000, 7],
    [Number.MAX_SAFE_INTEGER, 8],
    [Number.MIN_SAFE_INTEGER, 8],
    [2 ** 53, 9],
    [0.5, 9],
    [-0, 9],
  ])('store %d in %i bytes', (value, bytes) => {
    const writer = new ByteWriter();
    writer.number(value);
    expect(writer.length).toBe(bytes);
    expect(new ByteReader(writer.written()).number()).toBe(value);
  });

  it('are read from the middle of a larger buffer', () => {
    const writer = new ByteWriter();
    for (const value of [1, 2 ** 40, 'text']) typeof value === 'number' ? writer.number(value) : writer.text(value);
    const larger = new Uint8Array(100).fill(255);
    larger.set(writer.written(), 7);
    expect(read(larger.subarray(7, 7 + writer.length), [1, 2 ** 40, 'text'])).toEqual([1, 2 ** 40, 'text']);
  });

  it('overwrite truncated and released bytes', () => {
    const writer = new ByteWriter();
    writer.number(1);
    const mark = writer.length;
    writer.text('gone');
    writer.truncate(mark);
    writer.number(2);
    expect([...writer.written()]).toEqual([1, 2]);
    writer.finish();
    expect(writer.length).toBe(0);
  });

  it.each([
    ['a byte at the end', [], 'byte'],
    ['a number at the end', [], 'number'],
    ['half a number', [241, 1], 'number'],
    ['half a float', [254, 1, 2], 'number'],
    ['an invalid number code', [255, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'number'],
    ['a text at the end', [4, 65], 'text'],
    ['a text of a negative length', [247, 2, 65], 'text'],
    ['a text with a fractional length', [254, 0, 0, 0, 0, 0, 0, 4, 64, 65, 65, 65], 'text'],
  ] as const)('throw for %s and read nothing', (_name, bytes, type) => {
    const reader = new ByteReader(Uint8Array.from(bytes));
    expect(() => reader[type]()).toThrow(new RangeError(`expected a ${type} at byte 0 of ${bytes.length}`));
    expect(reader.offset).toBe(0);
  });
});
