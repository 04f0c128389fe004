import { hexBytes, type Signer, type SigningKey } from '../../signing/index.ts';

/**
 * The secret that salts are made with, from the signing key alone: the keccak of a signature that is never shown. The
 * same key gives the same secret, so orders that were decided before a restart are found again by their bytes.
 */
export function saltSecret(signer: Signer, key: SigningKey): Uint8Array {
  const digest = signer.keccak256(new TextEncoder().encode('halfspread: secret of order salts, version 1'));
  const signature = hexBytes(signer.sign(digest, key));
  if (signature === undefined) throw new Error('Invariant: a signature is hex');
  return signer.keccak256(signature);
}
