import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { openPrimitives } from '../../src/signing/index.ts';
import { systemCurve } from '../../src/signing/system-curve.ts';
import { noSystem, openBackends, tellMissing } from './stage.ts';

const PROGRAM = new URL('./signing-program.ts', import.meta.url);
const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(1);
const blinding = bytes(32);

describe.each(openBackends)('the %s curve', (backend) => {
  it('signs on several threads at once, each with its own, and lets them and the process end', async () => {
    const workers = [1, 2, 3].map((seed) => new Worker(PROGRAM, { workerData: { backend, seed } }));
    const told = await Promise.all(
      workers.map(async (worker) => {
        const [[message], [code]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
        return { message, code };
      }),
    );
    const alone = execFileSync(process.execPath, [fileURLToPath(PROGRAM), backend], { encoding: 'utf8' }).trim();
    expect(alone).toMatch(/^0x[0-9a-f]{40} 0x[0-9a-f]{64}$/);
    expect(told).toEqual(workers.map(() => ({ message: alone, code: 0 })));
  });
});

describe("the system's curve", () => {
  tellMissing();

  it.skipIf(noSystem !== undefined)('hands no memory of another length to the library', async () => {
    const { curve } = await openPrimitives({ blinding, backend: 'system' });
    expect(curve.isPrivateKey(bytes(31))).toBe(false);
    const refused: readonly (readonly [string, () => unknown])[] = [
      ['key has 32 bytes, got 31', () => curve.publicKey(bytes(31))],
      ['digest has 32 bytes, got 31', () => curve.sign(bytes(31), bytes(32), bytes(64))],
      ['key has 32 bytes, got 33', () => curve.sign(bytes(32), bytes(33), bytes(64))],
      ['signature has 64 bytes, got 63', () => curve.sign(bytes(32), bytes(32), bytes(63))],
      ['digest has 32 bytes, got 31', () => curve.recover(bytes(31), bytes(64), 0, bytes(65))],
      ['signature has 64 bytes, got 63', () => curve.recover(bytes(32), bytes(63), 0, bytes(65))],
      ['point has 65 bytes, got 64', () => curve.recover(bytes(32), bytes(64), 0, bytes(64))],
      ...[-1, 2, 4, 0.5, Number.NaN].map(
        (recovery) =>
          [
            `a recovery bit is 0 or 1, got ${recovery}`,
            () => curve.recover(bytes(32), bytes(64), recovery, bytes(65)),
          ] as const,
      ),
    ];
    for (const [problem, call] of refused) expect(call).toThrow(`Invariant: ${problem}`);
    await expect(openPrimitives({ blinding: bytes(31), backend: 'system' })).rejects.toThrow('blinding has 32 bytes');
  });

  it.skipIf(noSystem !== undefined)('signs with no key that is none', async () => {
    const { curve } = await openPrimitives({ blinding, backend: 'system' });
    const none = new Uint8Array(32);
    expect(() => curve.publicKey(none)).toThrow('Invariant: secp256k1_ec_pubkey_create answered 0');
    expect(() => curve.sign(none, none, bytes(64))).toThrow('Invariant: secp256k1_ecdsa_sign_recoverable answered 0');
  });

  it('is none where the library lacks a function, or answers what it should not', () => {
    const lacking = (missing: string) => ({
      func(name: string) {
        if (name === missing) throw new Error(`Cannot find function '${name}'`);
        return () => 1;
      },
    });
    for (const name of ['secp256k1_ecdsa_recover', 'secp256k1_context_create']) {
      expect(() => systemCurve(lacking(name), 'a library', blinding)).toThrow(`Cannot find function '${name}'`);
    }
    const failing = { func: (name: string) => () => (name === 'secp256k1_context_randomize' ? 0 : 1) };
    expect(() => systemCurve(failing, 'a library', blinding)).toThrow('secp256k1_context_randomize answered 0');
  });
});
