/**
 * Random numbers: seeded for reproducible results, secure for values that must not be guessed.
 *
 * Uses only +, -, *, /, sqrt, exp and log, because their results are identical on all supported Node versions.
 */
import { webcrypto } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { mersenne } from 'pure-rand/generator/mersenne';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { InputFault } from '../domain/index.ts';

/** A stream of random draws. Streams with the same seed and label give the same draws. */
export interface Random {
  /** Draws uniformly from [0, 1), in multiples of 2^-53. */
  uniform(): number;
  /** Draws an integer uniformly from 0..n-1. @throws InputFault unless n is an integer of 1..2^32 */
  int(n: number): number;
  /** Draws from the exponential distribution with mean 1. */
  exponential(): number;
  /** Draws from the normal distribution with mean 0 and variance 1 (Marsaglia's polar method). */
  normal(): number;
  /** Returns a stream that depends only on this stream's seed and the label, not on earlier draws. */
  fork(label: string): Random;
}

const TWO_TO_32 = 4_294_967_296;

/** Returns a Mersenne twister. @throws InputFault unless the seed is an integer of 0..2^32-1 */
export function seededRandom(seed: number): Random {
  if (!Number.isInteger(seed) || seed < 0 || seed >= TWO_TO_32)
    throw new InputFault('seed', seed, 'an integer from 0 to 4294967295');
  const twister = mersenne(seed);
  const uniform = (): number => uniformFloat64(twister);
  return {
    uniform,
    int(n) {
      if (!Number.isInteger(n) || n < 1 || n > TWO_TO_32) throw new InputFault('int', n, 'an integer from 1 to 2^32');
      return uniformBelow(n, twister);
    },
    exponential: () => -Math.log(1 - uniform()),
    normal: () => polarNormal(uniform),
    fork: (label) => seededRandom(deriveSeed(seed, label)),
  };
}

/**
 * Returns the same numbers as the library's `uniformInt` in two thirds of the time, because the `%` of doubles is slow.
 * Up to 2^32, the rounded-down quotient of doubles is exact.
 */
function uniformBelow(n: number, generator: RandomGenerator): number {
  if (n === TWO_TO_32) return drawUint32(generator);
  const end = Math.floor(TWO_TO_32 / n) * n;
  for (;;) {
    const drawn = drawUint32(generator);
    if (drawn < end) return drawn - Math.floor(drawn / n) * n;
  }
}

function drawUint32(generator: RandomGenerator): number {
  return (generator.next() ^ 0x80000000) >>> 0;
}

/** Returns unpredictable random bytes from the operating system. */
export function secureBytes(count: number): Uint8Array {
  return webcrypto.getRandomValues(new Uint8Array(count));
}

/** Draws a seed for `seededRandom`. Store the seed with the run, so that the run can be repeated. */
export function secureSeed(): number {
  return new DataView(secureBytes(4).buffer).getUint32(0);
}

/** Draws a normal number. Discards the second draw of each pair, because a stored draw would be hidden state. */
function polarNormal(uniform: () => number): number {
  for (;;) {
    const x = 2 * uniform() - 1;
    const y = 2 * uniform() - 1;
    const square = x * x + y * y;
    if (square > 0 && square < 1) return x * Math.sqrt((-2 * Math.log(square)) / square);
  }
}

/** Hashes the seed's bytes and the label's UTF-16 units with FNV-1a, then mixes the bits (MurmurHash3 fmix32). */
function deriveSeed(seed: number, label: string): number {
  let hash = 0x811c9dc5;
  for (let shift = 0; shift < 32; shift += 8) hash = Math.imul(hash ^ ((seed >>> shift) & 0xff), 0x01000193);
  for (let at = 0; at < label.length; at += 1) hash = Math.imul(hash ^ label.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
