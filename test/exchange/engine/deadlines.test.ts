import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Deadlines } from '../../../src/exchange/engine/deadlines.ts';

type Deadline = readonly [time: number, rank: number, who: number];

function byAll(one: Deadline, other: Deadline): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

function drain(deadlines: Deadlines): Deadline[] {
  const list: Deadline[] = [];
  while (deadlines.next !== Number.POSITIVE_INFINITY) {
    list.push([deadlines.next, deadlines.rank, deadlines.who]);
    deadlines.pop();
  }
  return list;
}

describe('deadlines', () => {
  it('are ordered by time, then rank, then owner, regardless of insertion order', () => {
    const any = fc.array(fc.tuple(fc.nat(20), fc.nat(2), fc.nat(1000)), { maxLength: 300 });
    fc.assert(
      fc.property(any, (list) => {
        const deadlines = new Deadlines(() => true);
        for (const deadline of list) deadlines.add(...deadline);
        expect(drain(deadlines)).toEqual([...list].sort(byAll));
      }),
    );
  });

  it('are skipped after they were superseded', () => {
    const any = fc.array(fc.tuple(fc.nat(20), fc.nat(2), fc.nat(50)), { maxLength: 300 });
    fc.assert(
      fc.property(any, fc.uniqueArray(fc.nat(50)), (list, dead) => {
        const deadlines = new Deadlines((_time, _rank, who) => !dead.includes(who));
        for (const deadline of list) deadlines.add(...deadline);
        expect(drain(deadlines)).toEqual(list.filter(([, , who]) => !dead.includes(who)).sort(byAll));
      }),
    );
  });

  it('use no memory for deadlines that were replaced', () => {
    let alive = 0;
    const deadlines = new Deadlines((_time, _rank, who) => who === alive);
    for (alive = 0; alive < 100_000; alive++) deadlines.add(1_000_000 - alive, 0, alive);
    alive--;
    expect(deadlines.size).toBeLessThanOrEqual(64);
    expect(drain(deadlines)).toEqual([[1_000_000 - alive, 0, alive]]);
  });

  it('can report that none is due without reading their contents', () => {
    const deadlines = new Deadlines(() => false);
    expect(deadlines.mayBeDue(100)).toBe(false);
    deadlines.add(50, 0, 1);
    expect([deadlines.mayBeDue(49), deadlines.mayBeDue(50)]).toEqual([false, true]);
    expect(deadlines.next).toBe(Number.POSITIVE_INFINITY);
  });
});
