import { keccak256 as etherKeccak } from 'ethers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSigner, loadPrimitives, signingBackend, toHex } from '../../src/signing/index.ts';
import { checkCurve } from '../../src/signing/load-primitives.ts';
import { BACKENDS } from './harness.ts';

const blinding = new Uint8Array(32).fill(9);

describe('opening the primitives', () => {
  it('uses the native code of the package', async () => {
    const signer = createSigner(await loadPrimitives({ blinding }));
    expect(signer.backend).toEqual({ kind: 'native', library: 'secp256k1', reason: undefined });
    expect(signingBackend(signer)).toBe('native (package secp256k1)');
  });

  it('falls back to JavaScript when the native module does not load, and reports the reason', async () => {
    const loadNative = () => Promise.reject(new Error('No native build was found\nfor this platform'));
    const signer = createSigner(await loadPrimitives({ blinding, loadNative }));
    expect(signer.backend).toEqual({
      kind: 'javascript',
      library: '@noble/curves',
      reason: 'No native build was found',
    });
    expect(signingBackend(signer)).toContain('ten to twenty times slower: No native build was found');
  });

  it('does not fall back when the native backend is required', async () => {
    const loadNative = () => Promise.reject(new Error('No native build was found'));
    await expect(loadPrimitives({ blinding, loadNative, backend: 'native' })).rejects.toMatchObject({
      code: 'SIGNING_BACKEND',
      message: expect.stringContaining('No native build was found'),
    });
  });

  it.each([
    ['is undefined', undefined],
    ['has no functions', {}],
    ['lacks a function', { contextRandomize: () => undefined, privateKeyVerify: () => true }],
  ])('falls back when the module %s', async (_, module) => {
    const { curve } = await loadPrimitives({ blinding, loadNative: () => Promise.resolve(module) });
    expect(curve.backend).toMatchObject({
      kind: 'javascript',
      reason: 'the module lacks required functions',
    });
  });

  it('falls back when the native code returns a wrong signature', async () => {
    const brokenModule = {
      contextRandomize: () => undefined,
      privateKeyVerify: () => true,
      publicKeyCreate: () => new Uint8Array(65),
      ecdsaSign: () => ({ recid: 0 }),
      ecdsaRecover: () => new Uint8Array(65),
    };
    const { curve } = await loadPrimitives({ blinding, loadNative: () => Promise.resolve(brokenModule) });
    expect(curve.backend).toMatchObject({ kind: 'javascript', reason: expect.stringContaining('wrong signature') });
  });

  it.each(BACKENDS)('gives the same signatures for any blinding: %s', async (backend) => {
    const digest = new Uint8Array(32).fill(3);
    const secret = new Uint8Array(32).fill(4);
    const signatures = [0, 1, 255].map(async (byte) => {
      const signer = createSigner(await loadPrimitives({ blinding: new Uint8Array(32).fill(byte), backend }));
      return signer.sign(digest, signer.key(secret));
    });
    expect(new Set(await Promise.all(signatures)).size).toBe(1);
  });

  it('hashes like ethers and returns a new array each time', async () => {
    const { keccak256 } = await loadPrimitives({ blinding });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        expect(toHex(keccak256(bytes))).toBe(etherKeccak(bytes));
      }),
    );
    const first = keccak256(Uint8Array.of(1));
    const before = toHex(first);
    keccak256(Uint8Array.of(2));
    expect(toHex(first)).toBe(before);
  });
});

describe('the self-test of a curve', () => {
  it('fails for each single fault', async () => {
    const { curve } = await loadPrimitives({ blinding });
    expect(checkCurve(curve)).toBe(curve);
    const faults = {
      isPrivateKey: () => true,
      publicKey: () => new Uint8Array(65),
      sign: () => 1,
    };
    const recoveries = {
      never: () => false,
      'nothing written': () => true,
      'no refusal': (digest: Uint8Array, rs: Uint8Array, recovery: number, into: Uint8Array) =>
        curve.recover(digest, rs, recovery, into) || true,
    };
    for (const recover of Object.values(recoveries)) {
      expect(() => checkCurve({ ...curve, recover })).toThrow('gives a wrong signature');
    }
    for (const [name, fault] of Object.entries(faults)) {
      expect(() => checkCurve({ ...curve, [name]: fault })).toThrow('gives a wrong signature');
    }
  });
});
