import { hexBytes, type Signer, type SigningKey } from '../../signing/index.ts';

/**
 * Derives the secret for order salts from the signing key: the keccak of a signature that is never shown. The same key
 * gives the same secret, so the salt of an order's number is the same in every run.
 */
export function saltSecret(signer: Signer, key: SigningKey): Uint8Array {
  const digest = signer.keccak256(new TextEncoder().encode('halfspread: secret of order salts, version 1'));
  const signature = hexBytes(signer.sign(digest, key));
  if (signature === undefined) throw new Error('Invariant: a signature is hex');
  return signer.keccak256(signature);
}
