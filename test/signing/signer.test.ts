import { inspect } from 'node:util';
import { SigningKey as EtherKey, getAddress, recoverAddress } from 'ethers';
import fc from 'fast-check';
import { keccak256 as viemKeccak } from 'viem';
import { sign as viemSign } from 'viem/accounts';
import { beforeAll, describe, expect, it } from 'vitest';
import { hexBytes, type Signer, signingBackend, toHex } from '../../src/signing/index.ts';
import { createAddressCache, SIGNATURE_CODES } from '../../src/signing/signer.ts';
import { BACKENDS, hexOf, openSigner, secrets, vectors } from './harness.ts';

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const GENERATOR_X = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const SECRET = vectors.keys[0]?.privateKey ?? '0x';
const digests = fc.uint8Array({ minLength: 32, maxLength: 32 });

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}

const BACKEND_NAMES = {
  native: 'native (package secp256k1)',
  javascript: 'JavaScript (@noble/curves)',
};

describe.each(BACKENDS)('the %s signer', (backend) => {
  let signer: Signer;
  beforeAll(async () => {
    signer = await openSigner(backend);
  });

  it('has the name of its backend', () => {
    expect(signer.backend.kind).toBe(backend);
    expect(signingBackend(signer)).toContain(BACKEND_NAMES[backend]);
  });

  it('signs with the same bytes as viem and ethers', async () => {
    await fc.assert(
      fc.asyncProperty(digests, secrets, async (digest, secret) => {
        const hash = toHex(digest);
        const viem = await viemSign({ hash, privateKey: secret, to: 'hex' });
        expect(signer.sign(digest, signer.key(secret))).toBe(viem);
        expect(new EtherKey(secret).sign(hash).serialized).toBe(viem);
      }),
      { numRuns: backend === 'javascript' ? 20 : 100 },
    );
  });

  it('recovers the signer that ethers recovers', () => {
    fc.assert(
      fc.property(digests, secrets, (digest, secret) => {
        const key = signer.key(secret);
        const signature = signer.sign(digest, key);
        expect(signer.recover(digest, signature)).toEqual({ ok: true, address: key.address });
        expect(recoverAddress(toHex(digest), signature).toLowerCase()).toBe(key.address);
      }),
      { numRuns: backend === 'javascript' ? 20 : 100 },
    );
  });

  it('never recovers the signer after a flipped bit in the digest or signature', () => {
    const key = signer.key(SECRET);
    const digest = new Uint8Array(32).fill(0x33);
    const signature = hexBytes(signer.sign(digest, key)) ?? new Uint8Array(0);
    const flipBit = (bytes: Uint8Array, bit: number) =>
      bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
    // The JavaScript backend tests every tenth bit, because a recovery takes milliseconds.
    const step = backend === 'javascript' ? 10 : 1;
    for (let bit = 0; bit < 8 * 32; bit += step) {
      expect(signer.recover(flipBit(digest, bit), toHex(signature))).not.toMatchObject({ address: key.address });
    }
    for (let bit = 0; bit < 8 * 65; bit += step) {
      expect(signer.recover(digest, toHex(flipBit(signature, bit)))).not.toMatchObject({ address: key.address });
    }
  });

  it('refuses an invalid signature with the reason', () => {
    const digest = hexBytes(`0x${word(1n)}`) ?? new Uint8Array(0);
    const [unit, half] = [word(1n), word(CURVE_ORDER / 2n)];
    const cases: readonly (readonly [string, string])[] = [
      ['', 'NOT_HEX'],
      ['0x1', 'NOT_HEX'],
      [`${'zz'.repeat(65)}`, 'NOT_HEX'],
      [` 0x${unit}${unit}1b`, 'NOT_HEX'],
      [`0x${unit}${unit}1b\n`, 'NOT_HEX'],
      ['0x', 'LENGTH'],
      [`0x${unit}${unit}`, 'LENGTH'],
      [`0x${unit}${unit}1b00`, 'LENGTH'],
      [`0x${unit}${unit}00`, 'V'],
      [`0x${unit}${unit}01`, 'V'],
      [`0x${unit}${unit}1a`, 'V'],
      [`0x${unit}${unit}1d`, 'V'],
      [`0x${unit}${unit}ff`, 'V'],
      [`0x${word(0n)}${unit}1b`, 'R_RANGE'],
      [`0x${word(CURVE_ORDER)}${unit}1b`, 'R_RANGE'],
      [`0x${'ff'.repeat(32)}${unit}1b`, 'R_RANGE'],
      [`0x${unit}${word(0n)}1b`, 'S_RANGE'],
      [`0x${unit}${word(CURVE_ORDER)}1b`, 'S_RANGE'],
      [`0x${unit}${word(CURVE_ORDER - 1n)}1b`, 'HIGH_S'],
      [`0x${unit}${word(CURVE_ORDER / 2n + 1n)}1b`, 'HIGH_S'],
      // No point of the curve has the x coordinate 5 (SEC 2: 5^3 + 7 is not a square).
      [`0x${word(5n)}${unit}1b`, 'NO_POINT'],
      [`0x${word(5n)}${unit}1c`, 'NO_POINT'],
      // The recovered key would be the point at infinity: R is the generator G, and s G - z G is zero.
      [`0x${GENERATOR_X}${unit}1b`, 'NO_POINT'],
    ];
    for (const [signature, code] of cases) {
      const refused = signer.recover(digest, signature);
      expect([signature, refused]).toEqual([
        signature,
        { ok: false, code, message: expect.stringContaining('signature: ') },
      ]);
    }
    expect(new Set(cases.map(([, code]) => code))).toEqual(new Set(SIGNATURE_CODES));
    expect(signer.recover(digest, `0x${unit}${half}1b`)).toMatchObject({ ok: true });
    expect(signer.recover(digest, `0x${unit}${unit}1c`)).toMatchObject({ ok: true });
  });

  it('returns an address or a reason for any text', () => {
    fc.assert(
      fc.property(digests, fc.oneof(fc.string(), hexOf(65), hexOf(64)), (digest, signature) => {
        const found = signer.recover(digest, signature);
        expect(found.ok ? found.address : found.code).toMatch(/^(0x[0-9a-f]{40}|[A-Z_]+)$/);
      }),
      { numRuns: backend === 'javascript' ? 20 : 200 },
    );
  });

  it('accepts only keys of 32 bytes below the order of the curve, and shows no refused key in an error', () => {
    expect(signer.key(hexBytes(SECRET) ?? '').address).toBe(vectors.keys[0]?.address);
    expect(signer.key(`0x${word(CURVE_ORDER - 1n)}`).address).toMatch(/^0x/);
    const invalidKeys = [
      `0x${word(0n)}`,
      `0x${word(CURVE_ORDER)}`,
      `0x${'ff'.repeat(32)}`,
      SECRET.slice(0, -2),
      SECRET.slice(2),
      'secret',
    ];
    for (const secret of [...invalidKeys, new Uint8Array(31).fill(7)]) {
      let output = '';
      try {
        signer.key(secret);
      } catch (error) {
        output = inspect(error, { depth: 10, showHidden: true });
      }
      expect(output).toContain('PRIVATE_KEY');
      expect(output).not.toContain(typeof secret === 'string' ? secret : '07070707');
    }
  });
});

describe('a key of the signer', () => {
  let signer: Signer;
  beforeAll(async () => {
    signer = await openSigner('native');
  });

  it('shows only its address, however it is printed', () => {
    const key = signer.key(SECRET);
    const outputs = [
      JSON.stringify({ key }),
      String(key),
      `${key}`,
      inspect(key, { depth: 10, showHidden: true, getters: true }),
      inspect({ deep: { key } }, { depth: 10, showHidden: true }),
      JSON.stringify(structuredClone(key)),
      JSON.stringify(Object.getOwnPropertyDescriptors(key)),
      JSON.stringify({ ...key }),
    ];
    const bytes = [...(hexBytes(SECRET) ?? [])];
    for (const output of outputs) {
      expect(output).toContain(key.address);
      expect(output.toLowerCase()).not.toContain(SECRET.slice(2));
      expect(output).not.toContain(bytes.slice(0, 4).join(', '));
      expect(output).not.toContain(bytes.slice(0, 4).join(','));
    }
  });

  it('has its own copy of its bytes', () => {
    const bytes = Uint8Array.from(hexBytes(SECRET) ?? []);
    const key = signer.key(bytes);
    bytes.fill(0);
    const digest = new Uint8Array(32).fill(2);
    expect(signer.recover(digest, signer.sign(digest, key))).toEqual({ ok: true, address: key.address });
  });

  it('signs and recovers only digests of 32 bytes', () => {
    const key = signer.key(SECRET);
    expect(() => signer.sign(new Uint8Array(31), key)).toThrow('Invariant: a digest has 32 bytes, got 31');
    expect(() => signer.recover(new Uint8Array(33), '0x')).toThrow('Invariant: a digest has 32 bytes, got 33');
  });
});

describe('an address', () => {
  it('is printed with the checksum of ethers', async () => {
    const signer = await openSigner('native');
    fc.assert(
      fc.property(hexOf(20), (address) => {
        expect(signer.toChecksum(address)).toBe(getAddress(address));
        expect(signer.toChecksum(`0x${address.slice(2).toUpperCase()}`)).toBe(getAddress(address));
      }),
    );
    expect(() => signer.toChecksum('0x12')).toThrow('address: expected 0x and 40 hex digits');
  });
});

let hashed = 0;
const keccak256 = (data: Uint8Array): Uint8Array => {
  hashed += 1;
  return hexBytes(viemKeccak(data)) ?? new Uint8Array(0);
};
const expectedAddress = (point: Uint8Array): string => `0x${viemKeccak(point.subarray(1)).slice(-40)}`;
const pointOf = (bytes: Uint8Array): Uint8Array => Uint8Array.of(4, ...bytes);

describe('addresses of public keys', () => {
  it('are the last 20 bytes of the hash, whichever keys came before', () => {
    const addressOf = createAddressCache(keccak256);
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
    const addressOf = createAddressCache(keccak256);
    const point = pointOf(new Uint8Array(64).fill(9));
    const before = hashed;
    const address = addressOf(point);
    expect([addressOf(point), addressOf(point.slice()), hashed - before]).toEqual([address, address, 1]);
    point[64] = 8;
    expect(addressOf(point)).toBe(expectedAddress(point));
    expect(hashed - before).toBe(2);
  });
});
