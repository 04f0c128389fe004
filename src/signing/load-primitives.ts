/**
 * Loads the hash and the curve at the start, because WebAssembly and native modules load asynchronously. The loaded
 * primitives are synchronous (docs/decisions/0010-signing-receives-its-primitives.md).
 */
import type { secp256k1 } from '@noble/curves/secp256k1';
import { createKeccak } from 'hash-wasm';
import { errorMessage, Fault } from '../domain/index.ts';
import { hexBytes, toHex } from './hex.ts';
import type { Curve, Keccak256, Primitives } from './primitives.ts';

export interface LoadOptions {
  /** 32 random bytes that hide keys from timing attacks on the native code. No result depends on these bytes. */
  readonly blinding: Uint8Array;
  /** Required backend. Default: native code if it loads and passes the check, else JavaScript. */
  readonly backend?: 'native' | 'javascript';
  /** For tests. Default: imports the package `secp256k1`. */
  readonly loadNative?: () => Promise<unknown>;
}

/** The native part. The package's main module would fall back to JavaScript without an error. */
const NATIVE_PART: string = 'secp256k1/bindings.js';

/** Whether public keys are compressed. */
const IS_COMPRESSED = false;

/** Checks the curve with a known signature. @throws Fault `SIGNING_BACKEND` without the required backend */
export async function loadPrimitives(options: LoadOptions): Promise<Primitives> {
  const hasher = await createKeccak(256);
  const keccak256: Keccak256 = (data) => {
    hasher.init();
    hasher.update(data);
    return hasher.digest('binary');
  };
  return { keccak256, curve: await loadCurve(options) };
}

async function loadCurve(options: LoadOptions): Promise<Curve> {
  const { backend } = options;
  if (backend === 'javascript') return loadJavascriptCurve();
  try {
    return await loadNativeCurve(options);
  } catch (cause) {
    if (backend === 'native') {
      const remedy = 'Install with `npm ci`, or use JavaScript';
      throw new Fault('SIGNING_BACKEND', `native signing cannot be loaded: ${getReason(cause)}. ${remedy}`, { cause });
    }
    return loadJavascriptCurve(getReason(cause));
  }
}

async function loadNativeCurve({ blinding, loadNative }: LoadOptions): Promise<Curve> {
  const native = loadNative === undefined ? (await import(NATIVE_PART)).default : await loadNative();
  if (!isNativeModule(native)) throw new Error('the module lacks required functions');
  return checkCurve(createNativeCurve(native, blinding));
}

async function loadJavascriptCurve(reason?: string): Promise<Curve> {
  const noble = await import('@noble/curves/secp256k1');
  return checkCurve(createJavascriptCurve(noble.secp256k1, reason));
}

/** @param reason why the faster native curve is not used */
function createJavascriptCurve(noble: typeof secp256k1, reason: string | undefined): Curve {
  return {
    backend: { kind: 'javascript', library: '@noble/curves', reason },
    isPrivateKey: (key) => noble.utils.isValidPrivateKey(key),
    publicKey: (key) => noble.getPublicKey(key, IS_COMPRESSED),
    sign(digest, key, into) {
      const signature = noble.sign(digest, key, { lowS: true });
      into.set(signature.toCompactRawBytes());
      return signature.recovery;
    },
    recover(digest, rs, recovery, into) {
      const signature = noble.Signature.fromCompact(rs).addRecoveryBit(recovery);
      try {
        into.set(signature.recoverPublicKey(digest).toRawBytes(IS_COMPRESSED));
        return true;
      } catch {
        // The caller has checked lengths and ranges. So no point has x = r, or the key is the point at infinity.
        return false;
      }
    },
  };
}

function getReason(cause: unknown): string {
  return errorMessage(cause).split('\n')[0] ?? '';
}

/** Private key 1. viem and ethers give this signature of `KNOWN_DIGEST`. The key's public point is the generator. */
const KNOWN_KEY = hexBytes(`0x${'00'.repeat(31)}01`) ?? new Uint8Array(32);
const KNOWN_DIGEST = new Uint8Array(32).fill(0x2a);
const KNOWN_SIGNATURE =
  '0x74a6b203feee506ab5c39ecb33a32769f79cbf765db4578d15f7e196fb6863a96e4b0679559655534b1c575b9857f1f2604eaf21edd0e703cf723042992c2cb401';
const GENERATOR =
  '0x0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8';
/** No point of the curve has x = 5, because 5^3 + 7 is not a square. */
const OFF_CURVE = hexBytes(`0x${'00'.repeat(31)}05${'00'.repeat(31)}01`) ?? new Uint8Array(64);

/** Returns the curve if it signs and recovers known bytes. @throws Fault `SIGNING_BACKEND` otherwise */
export function checkCurve(curve: Curve): Curve {
  const rs = new Uint8Array(64);
  const recovery = curve.sign(KNOWN_DIGEST, KNOWN_KEY, rs);
  const point = new Uint8Array(65);
  const isCorrect =
    curve.isPrivateKey(KNOWN_KEY) &&
    !curve.isPrivateKey(new Uint8Array(32)) &&
    `${toHex(rs)}0${recovery}` === KNOWN_SIGNATURE &&
    !curve.recover(KNOWN_DIGEST, OFF_CURVE, 0, new Uint8Array(65)) &&
    curve.recover(KNOWN_DIGEST, rs, recovery, point) &&
    toHex(point) === GENERATOR &&
    toHex(curve.publicKey(KNOWN_KEY)) === GENERATOR;
  if (isCorrect) return curve;
  const { library } = curve.backend;
  throw new Fault('SIGNING_BACKEND', `${library} gives a wrong signature for a known key: reinstall it`);
}

interface NativeModule {
  contextRandomize(seed: Uint8Array): void;
  privateKeyVerify(key: Uint8Array): boolean;
  publicKeyCreate(key: Uint8Array, isCompressed: boolean): Uint8Array;
  ecdsaSign(digest: Uint8Array, key: Uint8Array, options: object, into: Uint8Array): { readonly recid: number };
  ecdsaRecover(rs: Uint8Array, recovery: number, digest: Uint8Array, isCompressed: boolean, into: Uint8Array): void;
}

const FUNCTIONS = ['contextRandomize', 'privateKeyVerify', 'publicKeyCreate', 'ecdsaSign', 'ecdsaRecover'] as const;
const DEFAULT_OPTIONS = {};

function isNativeModule(module: unknown): module is NativeModule {
  if (typeof module !== 'object' || module === null) return false;
  const members = new Map(Object.entries(module));
  return FUNCTIONS.every((name) => typeof members.get(name) === 'function');
}

/** HOT: recovers the signer of every placed order (bench/signing.ts), by the package's libsecp256k1 of 2019. */
function createNativeCurve(native: NativeModule, blinding: Uint8Array): Curve {
  native.contextRandomize(blinding);
  return {
    backend: { kind: 'native', library: 'secp256k1', reason: undefined },
    isPrivateKey: (key) => native.privateKeyVerify(key),
    publicKey: (key) => native.publicKeyCreate(key, IS_COMPRESSED),
    sign: (digest, key, into) => native.ecdsaSign(digest, key, DEFAULT_OPTIONS, into).recid,
    recover(digest, rs, recovery, into) {
      try {
        native.ecdsaRecover(rs, recovery, digest, IS_COMPRESSED, into);
        return true;
      } catch (error) {
        // No other error is possible, because lengths and ranges were checked.
        if (error instanceof Error && error.message === 'Public key could not be recover') return false;
        throw error;
      }
    },
  };
}
