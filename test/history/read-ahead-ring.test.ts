import { describe, expect, it } from 'vitest';
import { makeRingMemory, ReadAheadRing, type RingMemory, SLOTS } from '../../src/history/read-ahead-ring.ts';
import { makeBlock } from '../../src/tape/index.ts';

const ROWS = 3;

/** Both ends of one ring. The test acts as both threads in turn. */
function bothEnds(first: number, end: number): { thread: ReadAheadRing; reader: ReadAheadRing; memory: RingMemory } {
  const memory = makeRingMemory(first, end, ROWS);
  return { thread: new ReadAheadRing(memory), reader: new ReadAheadRing(memory), memory };
}

/** Writes contents that are unique to a block. */
function decode(thread: ReadAheadRing, index: number): void {
  const slot = thread.slot(index);
  const columns = [slot.tx, slot.rx, slot.market, slot.kind, slot.side, slot.price, slot.shares, slot.flags];
  columns.forEach((column, at) => {
    for (let row = 0; row < ROWS; row += 1) column[row] = 10 * index + at + row;
  });
  thread.finish(index, true);
}

describe('the ring of blocks decoded in advance', () => {
  it('passes every column of each block in order, round after round', () => {
    const { thread, reader } = bothEnds(5, 5 + 3 * SLOTS);
    const block = makeBlock(ROWS + 1);
    for (let index = 5; index < 5 + 3 * SLOTS; index += 1) {
      expect(thread.claim()).toBe(index);
      decode(thread, index);
      expect(reader.read(index, ROWS, block)).toBe(true);
      expect(block.count).toBe(ROWS);
      const { tx, rx, market, kind, side, price, shares, flags } = block;
      const firstRow = [tx, rx, market, kind, side, price, shares, flags].map((column) => column[0]);
      expect(firstRow).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((at) => 10 * index + at));
      expect([...tx]).toEqual([10 * index, 10 * index + 1, 10 * index + 2, 0]);
      expect([...flags]).toEqual([10 * index + 7, 10 * index + 8, 10 * index + 9, 0]);
    }
    expect(thread.claim()).toBe('over');
  });

  it('is full when the thread is as many blocks ahead as the ring has slots, until the reader frees one', () => {
    const { thread, reader } = bothEnds(0, 100);
    for (let index = 0; index < SLOTS; index += 1) {
      expect(thread.claim()).toBe(index);
      decode(thread, index);
    }
    expect(thread.claim()).toBe('full');
    expect(reader.read(0, ROWS, makeBlock(ROWS))).toBe(true);
    expect(thread.claim()).toBe(SLOTS);
    expect(thread.claim()).toBe('full');
  });

  it('has memory for a fixed number of blocks, regardless of the length of the tape', () => {
    const { memory } = bothEnds(0, 1_000_000);
    expect(new Set(memory.slots.map(({ tx }) => tx.buffer)).size).toBe(SLOTS);
    expect(memory.slots.map(({ tx }) => tx.buffer.byteLength)).toEqual(Array(SLOTS).fill(31 * ROWS));
  });

  it('leaves a block that the thread has not started to the reader', () => {
    const { thread, reader } = bothEnds(0, 3);
    const block = makeBlock(ROWS);
    expect(reader.read(0, ROWS, block)).toBe(false);
    expect(thread.claim()).toBe(1);
    decode(thread, 1);
    expect(reader.read(1, ROWS, block)).toBe(true);
    expect(reader.read(2, ROWS, block)).toBe(false);
    expect(thread.claim()).toBe('over');
  });

  it('leaves a block that could not be decoded to the reader, also on a second attempt', () => {
    const { thread, reader } = bothEnds(0, 3);
    const block = makeBlock(ROWS);
    expect([thread.claim(), thread.claim()]).toEqual([0, 1]);
    thread.finish(0, false);
    decode(thread, 1);
    expect(reader.read(0, ROWS, block)).toBe(false);
    expect(reader.read(0, ROWS, block)).toBe(false);
    expect(reader.read(1, ROWS, block)).toBe(true);
  });

  it('starts no block after it was closed', () => {
    const { thread, reader } = bothEnds(0, 100);
    while (thread.claim() !== 'full');
    reader.close();
    expect(thread.claim()).toBe('over');
  });
});
