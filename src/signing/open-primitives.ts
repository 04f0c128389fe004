/**
 * Opens hash and curve once, at the start, as WebAssembly and native modules load asynchronously. The returned primitives are
 * synchronous (docs/decisions/0010-signing-receives-its-primitives.md).
 */
import type { secp256k1 } from '@noble/curves/secp256k1';
import { createKeccak } from 'hash-wasm';
import { Fault } from '../domain/index.ts';
import { checkCurve } from './check-curve.ts';
import { isNativeModule, nativeCurve } from './native-curve.ts';
import type { Curve, Keccak256, Primitives } from './primitives.ts';

export interface OpenOptions {
  /** 32 random bytes that protect the native code from timing attacks. No result depends on them. */
  readonly blinding: Uint8Array;
  /** Required backend. Default: the package's native code if it loads and passes the check, else JavaScript. */
  readonly backend?: 'native' | 'javascript';
  /** Loads the native part of the package `secp256k1`. For tests. */
  readonly loadNative?: () => Promise<unknown>;
}

/** Loads the native part of the package. The package's entry would fall back to JavaScript without an error. */
const NATIVE_PART: string = 'secp256k1/bindings.js';

/** Opens the primitives, and checks the curve on known bytes. @throws Fault `SIGNING_BACKEND` if the required backend is not available */
export async function openPrimitives(options: OpenOptions): Promise<Primitives> {
  const keccak256 = await openKeccak();
  return { keccak256, curve: await openCurve(options) };
}

async function openKeccak(): Promise<Keccak256> {
  const hasher = await createKeccak(256);
  return (data) => {
    hasher.init();
    hasher.update(data);
    return hasher.digest('binary');
  };
}

async function openCurve(options: OpenOptions): Promise<Curve> {
  const { backend } = options;
  if (backend === 'javascript') return openJavascript(undefined);
  try {
    return await openNative(options);
  } catch (cause) {
    if (backend === 'native') {
      const remedy = 'Install with `npm ci`, or use JavaScript';
      throw new Fault('SIGNING_BACKEND', `native signing cannot be opened: ${reasonOf(cause)}. ${remedy}`, { cause });
    }
    return openJavascript(reasonOf(cause));
  }
}

async function openNative({ blinding, loadNative = importNative }: OpenOptions): Promise<Curve> {
  const native = await loadNative();
  if (!isNativeModule(native)) throw new Error('the module lacks required functions');
  return checkCurve(nativeCurve(native, blinding));
}

async function openJavascript(reason: string | undefined): Promise<Curve> {
  const noble = await import('@noble/curves/secp256k1');
  return checkCurve(javascriptCurve(noble.secp256k1, reason));
}

/** The curve of `@noble/curves`: the same results as the native curve, slower. @param reason why the native curve is not used */
function javascriptCurve(noble: typeof secp256k1, reason: string | undefined): Curve {
  return {
    backend: { kind: 'javascript', library: '@noble/curves', reason },
    isPrivateKey: (key) => noble.utils.isValidPrivateKey(key),
    publicKey: (key) => noble.getPublicKey(key, false),
    sign(digest, key, into) {
      const signature = noble.sign(digest, key, { lowS: true });
      into.set(signature.toCompactRawBytes());
      return signature.recovery;
    },
    recover(digest, rs, recovery, into) {
      const signature = noble.Signature.fromCompact(rs).addRecoveryBit(recovery);
      try {
        into.set(signature.recoverPublicKey(digest).toRawBytes(false));
        return true;
      } catch {
        // Lengths and ranges are tested before: what is left to fail is that no point of the curve has r as its x, or
        // that the key would be the point at infinity.
        return false;
      }
    },
  };
}

async function importNative(): Promise<unknown> {
  const module: { readonly default?: unknown } = await import(NATIVE_PART);
  return module.default;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
}
