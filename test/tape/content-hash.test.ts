import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, ContentHash } from '../../src/tape/index.ts';
import { arbitraryMessages, blocksOf, type Message } from './rows.ts';

function hashOf(blocks: readonly Block[]): string {
  const hash = new ContentHash(() => createHash('sha256'));
  for (const block of blocks) hash.add(block);
  return hash.digest();
}

const MESSAGES: Message[] = [
  { tx: 1000, rx: 1001, rows: [{ market: 0, kind: 1, side: 0, price: 6000, shares: 30_000 }] },
  { tx: 1005, rx: 1007, rows: [{ market: 1, kind: 0, side: 1, price: 6100, shares: 0 }] },
];

describe('content hash', () => {
  it('does not depend on where blocks begin and end', () => {
    fc.assert(
      fc.property(arbitraryMessages(), fc.integer({ min: 6, max: 30 }), (messages, capacity) => {
        expect(hashOf(blocksOf(messages, capacity))).toBe(hashOf(blocksOf(messages)));
      }),
    );
  });

  it('equals its description, computed by hand', () => {
    const sha = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
    const raw = (array: Float64Array | Uint16Array | Uint8Array): Buffer => sha(new Uint8Array(array.buffer));
    const columns = [
      raw(new Float64Array([1000, 1005])),
      raw(new Float64Array([1001, 1007])),
      raw(new Uint16Array([0, 1])),
      raw(new Uint8Array([1, 0])),
      raw(new Uint8Array([0, 1])),
      raw(new Uint16Array([6000, 6100])),
      raw(new Float64Array([30_000, 0])),
      raw(new Uint8Array([1, 1])),
    ];
    const rows = Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]);
    const expected = sha(Buffer.concat([Buffer.from('halfspread rows 1\n'), rows, ...columns])).toString('hex');
    expect(hashOf(blocksOf(MESSAGES))).toBe(expected);
  });

  it('changes with any column of any row', () => {
    const hashes = new Set([hashOf(blocksOf(MESSAGES))]);
    for (const column of ['tx', 'rx', 'market', 'kind', 'side', 'price', 'shares', 'flags'] as const) {
      for (const row of [0, 1]) {
        const blocks = blocksOf(MESSAGES);
        blocks[0]![column][row]! += 1;
        hashes.add(hashOf(blocks));
      }
    }
    expect(hashes.size).toBe(17);
  });
});
