import fc from 'fast-check';
import { keccak256 as viemKeccak } from 'viem';
import { describe, expect, it } from 'vitest';
import { hexBytes } from '../../src/signing/index.ts';
import { pointAddresses } from '../../src/signing/point-addresses.ts';

let hashed = 0;
const keccak256 = (data: Uint8Array): Uint8Array => {
  hashed += 1;
  return hexBytes(viemKeccak(data)) ?? new Uint8Array(0);
};
const expectedAddress = (point: Uint8Array): string => `0x${viemKeccak(point.subarray(1)).slice(-40)}`;
const pointOf = (bytes: Uint8Array): Uint8Array => Uint8Array.of(4, ...bytes);

describe('addresses of public keys', () => {
  it('are the last 20 bytes of the hash, whichever keys came before', () => {
    const addressOf = pointAddresses(keccak256);
    // Few different bytes, so many points share a cache slot, differ only in late bytes, or repeat.
    const bytes = fc.array(fc.constantFrom(0, 1, 255), { minLength: 64, maxLength: 64 });
    const nearlySame = fc
      .tuple(fc.constantFrom(0, 1), fc.integer({ min: 0, max: 63 }))
      .map(([value, at]) => Array.from({ length: 64 }, (_, byte) => (byte === at ? value : 7)));
    fc.assert(
      fc.property(fc.array(fc.oneof(bytes, nearlySame), { minLength: 1, maxLength: 30 }), (list) => {
        for (const pointBytes of [...list, ...list]) {
          const point = pointOf(Uint8Array.from(pointBytes));
          expect(addressOf(point)).toBe(expectedAddress(point));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are hashed once for a repeated key, but again when the same array has other bytes', () => {
    const addressOf = pointAddresses(keccak256);
    const point = pointOf(new Uint8Array(64).fill(9));
    const before = hashed;
    const address = addressOf(point);
    expect([addressOf(point), addressOf(point.slice()), hashed - before]).toEqual([address, address, 1]);
    point[64] = 8;
    expect(addressOf(point)).toBe(expectedAddress(point));
    expect(hashed - before).toBe(2);
  });
});
