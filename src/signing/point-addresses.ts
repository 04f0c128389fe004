/**
 * HOT: a cache of addresses of public points (bench/signing.ts). Most orders have the same signer as a recent one, so
 * comparing all 64 bytes of the point replaces hashing them.
 */
import { type Hex, toHex } from './hex.ts';
import type { Keccak256 } from './primitives.ts';

interface Known {
  /** 4, x, y. */
  readonly point: Uint8Array;
  readonly address: Hex;
}

/** Number of slots. A new point replaces the point in its slot. */
const PLACES = 4096;

/** Returns the address of a point of 65 bytes (4, x, y), always equal to `addressOfPoint`. */
export function pointAddresses(keccak256: Keccak256): (point: Uint8Array) => Hex {
  const places: (Known | undefined)[] = new Array(PLACES).fill(undefined);
  return (point) => {
    const place = ((point[1]! << 8) | point[2]!) % PLACES;
    const known = places[place];
    if (known !== undefined && isSame(known.point, point)) return known.address;
    const address = addressOfPoint(keccak256, point);
    places[place] = { point: point.slice(), address };
    return address;
  };
}

/** The last 20 bytes of the keccak of x and y. */
export function addressOfPoint(keccak256: Keccak256, point: Uint8Array): Hex {
  return toHex(keccak256(point.subarray(1)).subarray(12));
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
