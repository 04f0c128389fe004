/** The curve in JavaScript by `@noble/curves`, which viem stands on, too: the same bytes as the native one, slower. */
import type { secp256k1 } from '@noble/curves/secp256k1';
import type { Curve } from './primitives.ts';

/** The curve on noble's module; `reason` says why not on the native one. */
export function javascriptCurve(noble: typeof secp256k1, reason: string | undefined): Curve {
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
