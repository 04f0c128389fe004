import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StateHash } from '../../src/exchange/state-writer.ts';

const hashOf = (values: readonly number[]): string => {
  const hash = new StateHash();
  for (const value of values) hash.number(value);
  return hash.digest();
};

/** The same hash in BigInt arithmetic, in which products are exact. */
function exactHashOf(values: readonly number[]): string {
  const u32 = (value: bigint) => BigInt.asUintN(32, value);
  const rotated = (word: bigint, by: bigint) => u32((word << by) | (word >> (32n - by)));
  const mixed = (word: bigint) => {
    let bits = u32((word ^ (word >> 16n)) * 0x21f0aaadn);
    bits = u32((bits ^ (bits >> 15n)) * 0x735a2d97n);
    return bits ^ (bits >> 15n);
  };
  let [left, right] = [0x2545f491n, 0x6c8e9cf5n];
  for (const value of values) {
    for (const word of [u32(BigInt(value)), u32(BigInt(value) >> 32n)]) {
      left = u32(rotated(u32(left + word * 0x3c6ef373n), 13n) * 0x2c1b3c6dn);
      right = u32(rotated(right ^ u32(word * 0x297a2d39n), 17n) * 0x1b56c4e9n + left);
    }
  }
  left = mixed(left ^ BigInt(values.length));
  right = mixed(u32(right + left));
  return (mixed(u32(left + right)) * 2n ** 32n + right).toString(16).padStart(16, '0');
}

describe('StateHash', () => {
  it('equals the same hash in exact arithmetic', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger()), (values) => {
        expect(hashOf(values)).toBe(exactHashOf(values));
      }),
    );
  });

  it('depends on order, length, signs and the upper half of a number', () => {
    const sequences = [
      [],
      [0],
      [0, 0],
      [1],
      [-1],
      [1, 0],
      [0, 1],
      [2 ** 32],
      [2 ** 32 + 1],
      [1, 2, 3],
      [1, 3, 2],
      [-(2 ** 32)],
    ];
    expect(new Set(sequences.map(hashOf)).size).toBe(sequences.length);
  });

  it('can be read before all values are added', () => {
    const hash = new StateHash();
    hash.number(1);
    expect(hash.digest()).toBe(hashOf([1]));
    hash.number(2);
    expect(hash.digest()).toBe(hashOf([1, 2]));
  });

  it('has no collision and no constant bit among 200,000 small integers', () => {
    const hashes = Array.from({ length: 200_000 }, (_, value) => hashOf([value]));
    expect(new Set(hashes).size).toBe(hashes.length);
    // Each of the 64 bits is set in about half of the hashes (5 standard deviations are 0.56 %).
    const bits = Array.from({ length: 64 }, () => 0);
    for (const hash of hashes) {
      for (let value = BigInt(`0x${hash}`), bit = 0; bit < 64; bit++, value >>= 1n) bits[bit]! += Number(value & 1n);
    }
    for (const set of bits) expect(Math.abs(set / hashes.length - 0.5)).toBeLessThan(0.0056);
  });
});
