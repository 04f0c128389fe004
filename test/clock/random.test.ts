import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { mersenne } from 'pure-rand/generator/mersenne';
import { describe, expect, it } from 'vitest';
import { secureBytes, secureSeed, seededRandom } from '../../src/clock/index.ts';

const draws = (seed: number, count: number): number[] => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random.uniform());
};

describe('seeded random', () => {
  it('gives the same numbers for the same seed, on every Node version', () => {
    const random = seededRandom(42);
    expect([random.uniform(), random.int(1_000_000), random.exponential(), random.normal()]).toEqual([
      0.9705673231091424, 803228, 1.3464062450527072, 0.773529530559745,
    ]);
  });

  it('gives different numbers for different seeds, also small ones', () => {
    const firsts = new Set([0, 1, 2, 3, 4294967295].map((seed) => draws(seed, 1)[0]));
    expect(firsts.size).toBe(5);
  });

  it('draws uniformly in [0, 1)', () => {
    const values = draws(7, 100_000);
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.005);
  });

  it('draws each integer below n about equally often', () => {
    const random = seededRandom(1);
    const counts = [0, 0, 0, 0, 0, 0];
    for (let draw = 0; draw < 60_000; draw += 1) counts[random.int(6)]! += 1;
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400);
  });

  it('draws the same integers as the pure-rand library for every range', () => {
    const sizes = [
      1,
      2,
      3,
      6,
      1_000,
      1_024,
      65_537,
      2 ** 31 - 1,
      2 ** 31,
      2 ** 31 + 1,
      3_000_000_000,
      2 ** 32 - 1,
      2 ** 32,
    ];
    for (const n of sizes) {
      const random = seededRandom(9);
      const library = mersenne(9);
      const ours = Array.from({ length: 2_000 }, () => random.int(n));
      expect(ours).toEqual(Array.from({ length: 2_000 }, () => uniformInt(library, 0, n - 1)));
    }
  });

  it('draws exponentials of mean 1 and normals of mean 0 and variance 1', () => {
    const random = seededRandom(3);
    let exponential = 0;
    let normal = 0;
    let square = 0;
    for (let draw = 0; draw < 100_000; draw += 1) {
      exponential += random.exponential();
      const z = random.normal();
      normal += z;
      square += z * z;
    }
    expect(Math.abs(exponential / 100_000 - 1)).toBeLessThan(0.015);
    expect(Math.abs(normal / 100_000)).toBeLessThan(0.015);
    expect(Math.abs(square / 100_000 - 1)).toBeLessThan(0.02);
  });

  it('forks depend only on the label and not on earlier draws', () => {
    const fresh = seededRandom(5);
    const used = seededRandom(5);
    used.normal();
    const first = fresh.fork('latency').uniform();
    expect(used.fork('latency').uniform()).toBe(first);
    expect(used.fork('queue').uniform()).not.toBe(first);
    expect(seededRandom(6).fork('latency').uniform()).not.toBe(first);
    expect(used.fork('a').fork('b').uniform()).not.toBe(used.fork('b').fork('a').uniform());
  });

  it('refuses a seed or a range that it cannot represent', () => {
    for (const seed of [-1, 0.5, 4294967296, Number.NaN]) expect(() => seededRandom(seed)).toThrow(/seed: expected/);
    for (const n of [0, 1.5, 4294967297]) expect(() => seededRandom(1).int(n)).toThrow(/int: expected/);
    expect(seededRandom(1).int(1)).toBe(0);
  });
});

describe('secure random', () => {
  it('gives the requested number of different bytes at each call', () => {
    expect(secureBytes(32)).toHaveLength(32);
    expect(secureBytes(32)).not.toEqual(secureBytes(32));
  });

  it('gives seeds that the seeded generator accepts', () => {
    expect(() => seededRandom(secureSeed())).not.toThrow();
  });
});
