import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Deadlines } from '../../../src/exchange/engine/deadlines.ts';

type Deadline = readonly [time: number, rank: number, owner: number];

function compareDeadlines(a: Deadline, b: Deadline): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function drain(deadlines: Deadlines): Deadline[] {
  const list: Deadline[] = [];
  while (deadlines.next !== Number.POSITIVE_INFINITY) {
    list.push([deadlines.next, deadlines.rank, deadlines.subject]);
    deadlines.pop();
  }
  return list;
}

describe('deadlines', () => {
  it('are ordered by time, then rank, then owner, regardless of insertion order', () => {
    const lists = fc.array(fc.tuple(fc.nat(20), fc.nat(2), fc.nat(1000)), { maxLength: 300 });
    fc.assert(
      fc.property(lists, (list) => {
        const deadlines = new Deadlines(() => true);
        for (const deadline of list) deadlines.add(...deadline);
        expect(drain(deadlines)).toEqual([...list].sort(compareDeadlines));
      }),
    );
  });

  it('are skipped after they were superseded', () => {
    const lists = fc.array(fc.tuple(fc.nat(20), fc.nat(2), fc.nat(50)), { maxLength: 300 });
    fc.assert(
      fc.property(lists, fc.uniqueArray(fc.nat(50)), (list, superseded) => {
        const deadlines = new Deadlines((_time, _rank, owner) => !superseded.includes(owner));
        for (const deadline of list) deadlines.add(...deadline);
        expect(drain(deadlines)).toEqual(
          list.filter(([, , owner]) => !superseded.includes(owner)).sort(compareDeadlines),
        );
      }),
    );
  });

  it('use no memory for deadlines that were replaced', () => {
    let active = 0;
    const deadlines = new Deadlines((_time, _rank, owner) => owner === active);
    for (active = 0; active < 100_000; active++) deadlines.add(1_000_000 - active, 0, active);
    active--;
    expect(deadlines.size).toBeLessThanOrEqual(64);
    expect(drain(deadlines)).toEqual([[1_000_000 - active, 0, active]]);
  });

  it('can report that none is due without checking whether they are superseded', () => {
    const deadlines = new Deadlines(() => false);
    expect(deadlines.mayBeDue(100)).toBe(false);
    deadlines.add(50, 0, 1);
    expect([deadlines.mayBeDue(49), deadlines.mayBeDue(50)]).toEqual([false, true]);
    expect(deadlines.next).toBe(Number.POSITIVE_INFINITY);
  });
});
