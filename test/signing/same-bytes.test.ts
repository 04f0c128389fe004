/** All backends return the same bytes and the same refusals for any input. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadPrimitives, signedMessages, toHex } from '../../src/signing/index.ts';
import type { Curve } from '../../src/signing/primitives.ts';
import { BACKENDS, DOMAINS, hexOf, openSigner, orders, secrets, verifyOrder } from './harness.ts';

const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const signers = await Promise.all(BACKENDS.map(openSigner));
const curves = await Promise.all(
  BACKENDS.map(async (backend) => (await loadPrimitives({ blinding: new Uint8Array(32).fill(1), backend })).curve),
);
const bytes = (count: number) => fc.uint8Array({ minLength: count, maxLength: count });

/** Applies a function to all items and checks that the results are equal. @returns the result */
function sameResult<T, U>(items: readonly T[], apply: (item: T) => U): U {
  const [first, ...others] = items.map(apply);
  for (const other of others) expect(other).toEqual(first);
  if (first === undefined) throw new Error('there are no items');
  return first;
}

describe(`the backends ${BACKENDS.join(', ')}`, () => {
  it('sign orders with the same bytes, and each backend verifies the signatures of the others', () => {
    const kinds = signers.map((signer) => ({ signer, order: signedMessages(signer, DOMAINS).order }));
    fc.assert(
      fc.property(orders, secrets, (order, secret) => {
        const address = sameResult(signers, (signer) => signer.key(secret).address);
        const message = { ...order, maker: address, signer: address };
        const { signature, hash } = sameResult(kinds, (kind) => {
          const key = kind.signer.key(secret);
          const signed = kind.order.sign(message, key);
          return { signature: signed.signature, hash: signed.hash };
        });
        const wire = { ...kinds[0]?.order.wire(message), signature };
        expect(sameResult(kinds, (kind) => verifyOrder(kind.order, wire))).toMatchObject({ ok: true, hash });
      }),
      { numRuns: 40 },
    );
  });

  it('recover the same signer or return the same error for any 65 bytes', () => {
    const small = fc.bigInt(1n, 20n);
    const scalar = fc.oneof(
      fc.bigInt(0n, 2n ** 256n - 1n),
      small,
      small.map((distance) => N / 2n + 10n - distance),
      small.map((distance) => N - distance),
    );
    const plausible = fc
      .tuple(scalar, scalar, fc.constantFrom('1b', '1c', '00'))
      .map(([r, s, v]) => `0x${[r, s].map((each) => each.toString(16).padStart(64, '0')).join('')}${v}`);
    const codes = new Set<string>();
    fc.assert(
      fc.property(bytes(32), fc.oneof(plausible, hexOf(65)), (digest, signature) => {
        const received = sameResult(signers, (signer) => signer.recover(digest, signature));
        codes.add(received.ok ? 'ok' : received.code);
      }),
      { numRuns: 150 },
    );
    expect(codes).toContain('ok');
    expect(codes).toContain('NO_POINT');
    expect(codes).toContain('HIGH_S');
  });

  it('accept the same bytes as keys', () => {
    const nearOrder = fc.bigInt(-3n, 3n).map((distance) => N + distance);
    const edge = fc.oneof(nearOrder, fc.bigInt(0n, 3n), fc.bigInt(0n, 2n ** 256n - 1n));
    fc.assert(
      fc.property(edge, (value) => {
        const key = Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
        expect(sameResult(curves, (curve) => curve.isPrivateKey(key))).toBe(value > 0n && value < N);
        if (value > 0n && value < N) sameResult(curves, (curve) => toHex(curve.publicKey(key)));
      }),
      { numRuns: 60 },
    );
  });

  it('write signatures and points only to their targets', () => {
    const key = new Uint8Array(32).fill(7);
    const digest = new Uint8Array(32).fill(8);
    const written = (curve: Curve) => {
      const memory = new Uint8Array(200).fill(0xee);
      const rs = memory.subarray(20, 84);
      const recovery = curve.sign(digest, key, rs);
      expect(curve.recover(digest, rs, recovery, memory.subarray(100, 165))).toBe(true);
      expect([...memory.subarray(0, 20), ...memory.subarray(84, 100), ...memory.subarray(165)]).toEqual(
        Array.from({ length: 71 }, () => 0xee),
      );
      return toHex(memory);
    };
    sameResult(curves, written);
    expect(toHex(key)).toBe(`0x${'07'.repeat(32)}`);
  });
});
