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
    const visible: number[] = [];
    outside.set(ASK, 6_000, 100);
    outside.take(ASK, 6_000, 30);
    visible.push(outside.visible(ASK, 6_000));
    for (const recorded of [80, 120, 20, 0, 50]) visible.push(outside.set(ASK, 6_000, recorded));
    expect(visible).toEqual([70, 50, 90, 0, 0, 50]);
  });

  it('is the recorded size minus the taken shares, which each set limits to the recorded size', () => {
    const step = fc.tuple(fc.constantFrom('set', 'take'), fc.nat(1), fc.integer({ min: 1, max: 3 }), fc.nat(100));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const outside = book();
        const recorded = new Map<string, number>();
        const taken = new Map<string, number>();
        for (const [action, side, at, shares] of steps) {
          const price = 6_000 + 10 * at;
          const key = `${side} ${price}`;
          if (action === 'set') {
            outside.set(side, price, shares);
            recorded.set(key, shares);
            taken.set(key, Math.min(taken.get(key) ?? 0, shares));
          } else {
            const part = Math.min(shares, outside.visible(side, price));
            if (part > 0) outside.take(side, price, part);
            taken.set(key, (taken.get(key) ?? 0) + part);
          }
          for (const bookSide of [BID, ASK]) {
            const prices = [6_010, 6_020, 6_030].filter((tick) => (taken.get(`${bookSide} ${tick}`) ?? 0) > 0);
            const best = bookSide === BID ? Math.max(0, ...prices) : Math.min(10_000, ...prices);
            expect(bookSide === BID ? outside.bestTakenBid : outside.bestTakenAsk).toBe(best);
            for (const tick of [6_010, 6_020, 6_030]) {
              const r = recorded.get(`${bookSide} ${tick}`) ?? 0;
              expect(outside.recorded(bookSide, tick)).toBe(r);
              expect(outside.visible(bookSide, tick)).toBe(r - (taken.get(`${bookSide} ${tick}`) ?? 0));
            }
          }
        }
      }),
    );
  });

  it('limits what takers can take', () => {
    const outside = book();
    outside.set(BID, 5_000, 10);
    expect(() => outside.take(BID, 5_000, 11)).toThrow('Invariant');
  });

  it('is zero after a clear, which also resets earlier takes', () => {
    const outside = book();
    outside.set(BID, 5_000, 100);
    outside.take(BID, 5_000, 40);
    outside.clear();
    expect([outside.recorded(BID, 5_000), outside.bestTakenBid]).toEqual([0, 0]);
    expect(outside.set(BID, 5_000, 100)).toBe(100);
  });
});

describe('level flags', () => {
  it('distinguish consumed levels from others', () => {
    const flags = new LevelFlags();
    const outside = new OutsideBook({ type: 'tick', tickBps: 10 }, flags);
    outside.set(ASK, 6_000, 100);
    expect(flags.bits[6_000]).toBe(0);
    outside.take(ASK, 6_000, 30);
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
