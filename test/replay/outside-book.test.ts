import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LevelFlags } from '../../src/replay/level-flags.ts';
import { OutsideBook } from '../../src/replay/outside-book.ts';

const BID = 0;
const ASK = 1;
const book = (): OutsideBook => new OutsideBook({ type: 'tick', tickBps: 10 }, new LevelFlags());

describe('the available size of a level', () => {
  it('equals the worked example of docs/spec/models.md#own-takers', () => {
    const outside = book();
    const available: number[] = [];
    outside.set(ASK, 6_000, 100);
    outside.consume(ASK, 6_000, 30);
    available.push(outside.available(ASK, 6_000));
    for (const recorded of [80, 120, 20, 0, 50]) available.push(outside.set(ASK, 6_000, recorded));
    expect(available).toEqual([70, 50, 90, 0, 0, 50]);
  });

  it('is the recorded size minus the consumed shares, which each set limits to the recorded size', () => {
    const step = fc.tuple(fc.constantFrom('set', 'consume'), fc.nat(1), fc.integer({ min: 1, max: 3 }), fc.nat(100));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const outside = book();
        const recorded = new Map<string, number>();
        const consumed = new Map<string, number>();
        for (const [action, side, at, shares] of steps) {
          const price = 6_000 + 10 * at;
          const key = `${side} ${price}`;
          if (action === 'set') {
            outside.set(side, price, shares);
            recorded.set(key, shares);
            consumed.set(key, Math.min(consumed.get(key) ?? 0, shares));
          } else {
            const part = Math.min(shares, outside.available(side, price));
            if (part > 0) outside.consume(side, price, part);
            consumed.set(key, (consumed.get(key) ?? 0) + part);
          }
          for (const bookSide of [BID, ASK]) {
            const prices = [6_010, 6_020, 6_030].filter((tick) => (consumed.get(`${bookSide} ${tick}`) ?? 0) > 0);
            const best = bookSide === BID ? Math.max(0, ...prices) : Math.min(10_000, ...prices);
            expect(bookSide === BID ? outside.bestConsumedBid : outside.bestConsumedAsk).toBe(best);
            for (const tick of [6_010, 6_020, 6_030]) {
              const r = recorded.get(`${bookSide} ${tick}`) ?? 0;
              expect(outside.recorded(bookSide, tick)).toBe(r);
              expect(outside.available(bookSide, tick)).toBe(r - (consumed.get(`${bookSide} ${tick}`) ?? 0));
            }
          }
        }
      }),
    );
  });

  it('limits what takers can take', () => {
    const outside = book();
    outside.set(BID, 5_000, 10);
    expect(() => outside.consume(BID, 5_000, 11)).toThrow('Invariant');
  });

  it('is zero after a clear, which also resets earlier takes', () => {
    const outside = book();
    outside.set(BID, 5_000, 100);
    outside.consume(BID, 5_000, 40);
    outside.clear();
    expect([outside.recorded(BID, 5_000), outside.bestConsumedBid]).toEqual([0, 0]);
    expect(outside.set(BID, 5_000, 100)).toBe(100);
  });
});

describe('level flags', () => {
  it('distinguish consumed levels from others', () => {
    const flags = new LevelFlags();
    const outside = new OutsideBook({ type: 'tick', tickBps: 10 }, flags);
    outside.set(ASK, 6_000, 100);
    expect(flags.bits[6_000]).toBe(0);
    outside.consume(ASK, 6_000, 30);
    expect(flags.bits[6_000]).toBe(2);
    outside.set(ASK, 6_000, 0);
    expect(flags.bits[6_000]).toBe(0);
  });

  it('of one market do not affect another', () => {
    const [first, second] = [new LevelFlags(), new LevelFlags()];
    first.set(5_000, BID, 1);
    expect([first.bits[5_000], second.bits[5_000]]).toEqual([1, 0]);
  });
});
