/**
 * HOT: the libsecp256k1 of 2019 that the package `secp256k1` brings (bench/signing.ts). The caller passes the module:
 * the package's own entry falls back to slow JavaScript without an error, so `openPrimitives` loads only its native
 * part.
 */
import type { Curve } from './primitives.ts';

export interface NativeModule {
  contextRandomize(seed: Uint8Array): void;
  privateKeyVerify(key: Uint8Array): boolean;
  publicKeyCreate(key: Uint8Array, isCompressed: boolean): Uint8Array;
  ecdsaSign(digest: Uint8Array, key: Uint8Array, options: object, into: Uint8Array): { readonly recid: number };
  ecdsaRecover(
    rs: Uint8Array,
    recovery: number,
    digest: Uint8Array,
    isCompressed: boolean,
    into: Uint8Array,
  ): Uint8Array;
}

const FUNCTIONS = ['contextRandomize', 'privateKeyVerify', 'publicKeyCreate', 'ecdsaSign', 'ecdsaRecover'] as const;
const DEFAULTS = {};

/** Whether a loaded module has the functions that this file uses. */
export function isNativeModule(module: unknown): module is NativeModule {
  if (typeof module !== 'object' || module === null) return false;
  const members = new Map(Object.entries(module));
  return FUNCTIONS.every((name) => typeof members.get(name) === 'function');
}

/** The curve on a native module. `blinding`, 32 random bytes, hides keys from timing attacks; no result depends on it. */
export function nativeCurve(native: NativeModule, blinding: Uint8Array): Curve {
  native.contextRandomize(blinding);
  return {
    backend: { kind: 'native', library: 'secp256k1', reason: undefined },
    isPrivateKey: (key) => native.privateKeyVerify(key),
    publicKey: (key) => native.publicKeyCreate(key, false),
    sign: (digest, key, into) => native.ecdsaSign(digest, key, DEFAULTS, into).recid,
    recover(digest, rs, recovery, into) {
      try {
        native.ecdsaRecover(rs, recovery, digest, false, into);
        return true;
      } catch (error) {
        // The only possible error, as lengths and ranges were checked.
        if (error instanceof Error && error.message === 'Public key could not be recover') return false;
        throw error;
      }
    },
  };
}
