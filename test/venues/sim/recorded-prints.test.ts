import { describe, expect, it } from 'vitest';
import { harnessWithBook } from './harness.ts';

const harness = (...levels: string[]) => harnessWithBook({}, ...levels);

describe('prints that filled the recording bot (docs/spec/models.md#own-trades-of-a-recording)', () => {
  it('fill an order at their price regardless of its queue, and leave the queue unchanged', () => {
    const sim = harness('ask 6100 20');
    const order = sim.place('ask 50 @ 6100');
    sim.message('own buy 30 @ 6100');
    expect(sim.fills()).toEqual(['#1 30 @ 6100 queue']);
    expect(sim.front(order)).toBe(20);
    sim.message('buy 25 @ 6100');
    expect(sim.fills()).toEqual(['#1 5 @ 6100 queue']);
  });

  it('fill an order once for all trades beyond its price, and once for each trade at its price', () => {
    const sim = harness();
    sim.place('ask 40 @ 6050');
    sim.place('ask 40 @ 6100');
    sim.message('own buy 25 @ 6060', 'own buy 10 @ 6100', 'own buy 20 @ 6100');
    expect(sim.fills()).toEqual(['#1 40 @ 6050 through inside', '#2 15 @ 6100 queue inside']);
    sim.message('own buy 5 @ 6100', 'own buy 8 @ 6100');
    expect(sim.fills()).toEqual(['#2 5 @ 6100 queue inside', '#2 8 @ 6100 queue inside']);
  });

  it('do not fill an order beyond their price', () => {
    const sim = harness();
    sim.place('bid 40 @ 5900');
    sim.message('own sell 30 @ 5910');
    expect(sim.fills()).toEqual([]);
    sim.message('own sell 30 @ 5900');
    expect(sim.fills()).toEqual(['#1 30 @ 5900 queue inside']);
  });
});

describe('a print that was recorded after the level that it explains (docs/spec/models.md#late-prints)', () => {
  it('moves the queue once, as if it had come before that level', () => {
    const [inTime, late] = [harness('ask 6100 110'), harness('ask 6100 110')];
    const [first, second] = [inTime.place('ask 50 @ 6100'), late.place('ask 50 @ 6100')];
    late.time += 250;
    inTime.message('buy 80 @ 6100', 'ask 6100 30');
    late.message('ask 6100 30');
    late.message('late buy 80 @ 6100');
    expect([inTime.fills(), late.fills()]).toEqual([[], []]);
    expect([inTime.front(first), late.front(second)]).toEqual([30, 30]);
  });

  it('fills as many shares as if it had come before that level', () => {
    const sim = harness('ask 6100 20');
    sim.place('ask 50 @ 6100');
    sim.time += 250;
    sim.message('ask 6100 0');
    sim.message('late buy 45 @ 6100');
    expect(sim.fills()).toEqual(['#1 25 @ 6100 queue inside']);
  });

  it('does not fill an order that arrived after that level', () => {
    const sim = harness('ask 6100 20');
    sim.message('ask 6100 0');
    sim.place('ask 50 @ 6100');
    sim.time += 250;
    sim.message('late buy 45 @ 6100');
    expect(sim.fills()).toEqual([]);
  });

  it('does not fill an order that is younger than 250 ms, even at a better price', () => {
    const sim = harness('ask 6100 20');
    sim.place('ask 50 @ 6050');
    sim.message('late buy 45 @ 6100');
    expect(sim.fills()).toEqual([]);
    sim.time += 250;
    sim.message('late buy 45 @ 6100');
    expect(sim.fills()).toEqual(['#1 45 @ 6050 through inside']);
  });
});
