import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keccak256 as etherKeccak } from 'ethers';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createSigner, openPrimitives, signingBackend, toHex } from '../../src/signing/index.ts';
import { proveCurve } from '../../src/signing/prove-curve.ts';
import { noSystem, openBackends } from './stage.ts';

const blinding = new Uint8Array(32).fill(9);
const folder = mkdtempSync(join(tmpdir(), 'halfspread-signing-'));
const NO_LIBRARY = join(folder, 'libsecp256k1.so');
writeFileSync(NO_LIBRARY, 'a text');
const neverAsked = () => Promise.reject(new Error('nobody wanted it'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('opening the primitives', () => {
  it('takes the fastest curve that this machine has', async () => {
    const { backend } = (await openPrimitives({ blinding })).curve;
    expect(backend.kind).toBe(openBackends[0]);
    expect(backend.reason).toEqual(noSystem === undefined ? undefined : expect.any(String));
  });

  it("takes the package's curve where the system's library is not wanted", async () => {
    const signer = createSigner(await openPrimitives({ blinding, library: 'none', loadForeign: neverAsked }));
    expect(signer.backend).toEqual({
      kind: 'native',
      library: 'secp256k1',
      reason: 'a libsecp256k1 of the system is not wanted (none)',
    });
    expect(signingBackend(signer)).toBe(
      'native (package secp256k1), a third slower than a libsecp256k1 of the system: a libsecp256k1 of the system is not wanted (none)',
    );
  });

  it.each([
    [
      'is missing',
      () => Promise.reject(new Error("Cannot find package 'koffi'\nimported from here")),
      "Cannot find package 'koffi'",
    ],
    ['is nothing', () => Promise.resolve(undefined), 'koffi lacks functions that are used of it'],
    ['has no functions', () => Promise.resolve({}), 'koffi lacks functions that are used of it'],
    [
      'cannot say how libraries end',
      () => Promise.resolve({ load: () => undefined }),
      'koffi lacks functions that are used of it',
    ],
  ])(
    "takes the package's curve and says why where koffi %s; not where the system's was asked for",
    async (_, loadForeign, reason) => {
      const { curve } = await openPrimitives({ blinding, loadForeign });
      expect(curve.backend).toEqual({ kind: 'native', library: 'secp256k1', reason });
      for (const wanted of [{ backend: 'system' }, { library: '/usr/lib/libsecp256k1.so' }] as const) {
        await expect(openPrimitives({ blinding, loadForeign, ...wanted })).rejects.toMatchObject({
          code: 'library' in wanted ? 'FILE' : 'SIGNING_BACKEND',
          message: expect.stringContaining(reason),
        });
      }
    },
  );

  it.each([
    ['is not there', join(folder, 'libmissing.so')],
    ['is no library', NO_LIBRARY],
    ['has a relative path', './libsecp256k1.so.1'],
    ['is named by nothing', ''],
  ])('takes no other library where the one that was named %s', async (_, library) => {
    await expect(openPrimitives({ blinding, library })).rejects.toMatchObject({
      code: 'FILE',
      file: library,
      message: expect.stringMatching(/: no libsecp256k1 that can be used: .*HALFSPREAD_LIBSECP256K1\)$/),
    });
  });

  it('takes no library that signs wrongly', async () => {
    const loadForeign = () => Promise.resolve({ extension: '.so', load: () => ({ func: () => () => 1 }) });
    await expect(openPrimitives({ blinding, loadForeign, backend: 'system' })).rejects.toThrow(
      /libsecp256k1\.so\.7 does not give the known signature.*; libsecp256k1\.so does not give/,
    );
    const { curve } = await openPrimitives({ blinding, loadForeign });
    expect(curve.backend).toMatchObject({ kind: 'native', reason: expect.stringContaining('known signature') });
  });

  it('falls back to JavaScript where the native part does not load, and says why', async () => {
    const loadNative = () => Promise.reject(new Error('No native build was found\nfor this platform'));
    const signer = createSigner(await openPrimitives({ blinding, library: 'none', loadNative }));
    expect(signer.backend).toEqual({
      kind: 'javascript',
      library: '@noble/curves',
      reason: 'a libsecp256k1 of the system is not wanted (none); No native build was found',
    });
    expect(signingBackend(signer)).toContain(
      'ten to twenty times slower: a libsecp256k1 of the system is not wanted (none); No native build was found',
    );
  });

  it('does not fall back where native was asked for', async () => {
    const loadNative = () => Promise.reject(new Error('No native build was found'));
    await expect(openPrimitives({ blinding, loadNative, backend: 'native' })).rejects.toMatchObject({
      code: 'SIGNING_BACKEND',
      message: expect.stringContaining('No native build was found'),
    });
  });

  it.each([
    ['is nothing', undefined],
    ['has no functions', {}],
    ['lacks one', { contextRandomize: () => undefined, privateKeyVerify: () => true }],
  ])('falls back when the module %s', async (_, module) => {
    const { curve } = await openPrimitives({ blinding, library: 'none', loadNative: () => Promise.resolve(module) });
    expect(curve.backend).toMatchObject({
      kind: 'javascript',
      reason: expect.stringMatching(/; the module lacks functions that are used of it$/),
    });
  });

  it('falls back when the native code signs wrongly', async () => {
    const wrong = {
      contextRandomize: () => undefined,
      privateKeyVerify: () => true,
      publicKeyCreate: () => new Uint8Array(65),
      ecdsaSign: () => ({ recid: 0 }),
      ecdsaRecover: () => new Uint8Array(65),
    };
    const { curve } = await openPrimitives({ blinding, library: 'none', loadNative: () => Promise.resolve(wrong) });
    expect(curve.backend).toMatchObject({ kind: 'javascript', reason: expect.stringContaining('known signature') });
  });

  it.each(openBackends)('signs the same whatever the blinding: %s', async (backend) => {
    const digest = new Uint8Array(32).fill(3);
    const secret = new Uint8Array(32).fill(4);
    const signatures = [0, 1, 255].map(async (byte) => {
      const signer = createSigner(await openPrimitives({ blinding: new Uint8Array(32).fill(byte), backend }));
      return signer.sign(digest, signer.key(secret));
    });
    expect(new Set(await Promise.all(signatures)).size).toBe(1);
  });

  it('hashes as ethers does, and answers bytes of their own', async () => {
    const { keccak256 } = await openPrimitives({ blinding });
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

describe('the proof of a curve', () => {
  it('fails on each single fault', async () => {
    const { curve } = await openPrimitives({ blinding });
    expect(proveCurve(curve)).toBe(curve);
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
      expect(() => proveCurve({ ...curve, recover })).toThrow('does not give the known signature');
    }
    for (const [name, fault] of Object.entries(faults)) {
      expect(() => proveCurve({ ...curve, [name]: fault })).toThrow('does not give the known signature');
    }
  });
});
