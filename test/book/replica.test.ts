import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BookDelta, type BookLevel, BookReplica, bookChecksum, Ladder } from '../../src/book/index.ts';
import type { BookSnapshot } from '../../src/book/replica.ts';
import { microShares, priceBps } from '../../src/domain/index.ts';

function level(price: number, lots: number): BookLevel {
  return { price: priceBps(price), shares: microShares(lots * 10_000) };
}

function delta(prevSeq: number, seq: number, bids: BookLevel[] = [], asks: BookLevel[] = []): BookDelta {
  return { prevSeq, seq, bids, asks };
}

const SNAPSHOT: BookSnapshot = { seq: 10, bids: [level(5000, 3), level(4990, 1)], asks: [level(5010, 2)] };

function syncedReplica(): BookReplica {
  const replica = new BookReplica(new Ladder(10));
  expect(replica.applySnapshot(SNAPSHOT)).toBe('applied');
  return replica;
}

describe('BookReplica', () => {
  it('waits for its first snapshot', () => {
    const replica = new BookReplica(new Ladder(10));
    expect(replica.applyDelta(delta(0, 1, [level(5000, 1)]))).toBe('waiting');
    expect([replica.isSynced, replica.seq, replica.book.bestBid()]).toEqual([false, 0, undefined]);
  });

  it('applies a delta that follows, and removes levels with 0 shares', () => {
    const replica = syncedReplica();
    expect(replica.applyDelta(delta(10, 14, [level(5000, 0)], [level(5010, 9), level(5020, 1)]))).toBe('applied');
    expect(replica.seq).toBe(14);
    expect(replica.book.depth('bid', 9)).toEqual([level(4990, 1)]);
    expect(replica.book.depth('ask', 9)).toEqual([level(5010, 9), level(5020, 1)]);
  });

  it('drops older deltas and accepts an empty keep-alive frame', () => {
    const replica = syncedReplica();
    expect(replica.applyDelta(delta(8, 10, [level(5000, 77)]))).toBe('old');
    expect(replica.applyDelta(delta(3, 4))).toBe('old');
    expect(replica.applyDelta(delta(10, 9, [level(5000, 77)]))).toBe('old');
    expect(replica.applyDelta(delta(10, 10))).toBe('applied');
    expect([replica.isSynced, replica.seq, replica.book.bidAt(5000)]).toEqual([true, 10, 30_000]);
  });

  it('reports a gap once and then waits for a snapshot', () => {
    const replica = syncedReplica();
    expect(replica.applyDelta(delta(11, 12, [level(5000, 77)]))).toBe('gap');
    expect(replica.applyDelta(delta(10, 11, [level(5000, 77)]))).toBe('waiting');
    expect([replica.isSynced, replica.seq, replica.book.bidAt(5000)]).toEqual([false, 10, 30_000]);
    expect(replica.applySnapshot({ seq: 12, bids: [], asks: [level(6000, 1)] })).toBe('applied');
    expect([replica.isSynced, replica.seq, replica.book.bestBid(), replica.book.bestAsk()]).toEqual([
      true,
      12,
      undefined,
      6000,
    ]);
  });

  it('detects a gap by a keep-alive frame that is ahead', () => {
    expect(syncedReplica().applyDelta(delta(12, 12))).toBe('gap');
  });

  it('reports a differing checksum, in a delta and in a snapshot', () => {
    const replica = syncedReplica();
    expect(replica.applyDelta({ ...delta(10, 11, [level(4980, 1)]), checksum: 1 })).toBe('corrupt');
    expect(replica.isSynced).toBe(false);
    expect(replica.applySnapshot({ ...SNAPSHOT, checksum: 1 })).toBe('corrupt');
    expect(replica.isSynced).toBe(false);
    expect(replica.applySnapshot({ ...SNAPSHOT, checksum: bookChecksum(replica.book) })).toBe('applied');
    expect(replica.isSynced).toBe(true);
  });

  it('reaches the same book with any old or repeated deltas in between', () => {
    const levels = fc.array(fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 5 })), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(levels, levels, fc.nat()), { minLength: 1, maxLength: 40 }), (steps) => {
        const direct = new Ladder(10);
        const replica = new BookReplica(new Ladder(10));
        replica.applySnapshot({ seq: 0, bids: [], asks: [] });
        const sent: BookDelta[] = [];
        for (const [at, [bids, asks, back]] of steps.entries()) {
          const frame = delta(
            at,
            at + 1,
            bids.map(([slot, lots]) => level(slot * 10, lots)),
            asks.map(([slot, lots]) => level(slot * 10, lots)),
          );
          for (const each of frame.bids) direct.set(0, each.price, each.shares);
          for (const each of frame.asks) direct.set(1, each.price, each.shares);
          expect(replica.applyDelta({ ...frame, checksum: bookChecksum(direct) })).toBe('applied');
          sent.push(frame);
          const again = sent[back % sent.length];
          if (again !== undefined) expect(replica.applyDelta(again)).toBe('old');
        }
        expect(replica.book.depth('bid', 999)).toEqual(direct.depth('bid', 999));
        expect(replica.book.depth('ask', 999)).toEqual(direct.depth('ask', 999));
      }),
    );
  });
});
