/**
 * Signatures of the venue: 65 bytes r, s, v; s in the lower half, v 27 or 28. A signer has exactly one such text per message
 * and nonce, so a second one cannot be derived from the first.
 */
import { isHex, writeDigits } from './hex.ts';

/** Why a signature is invalid. */
export const SIGNATURE_CODES = ['NOT_HEX', 'LENGTH', 'V', 'R_RANGE', 'S_RANGE', 'HIGH_S', 'NO_POINT'] as const;
export type SignatureCode = (typeof SIGNATURE_CODES)[number];

export interface SignatureRefused {
  readonly ok: false;
  readonly code: SignatureCode;
  readonly message: string;
}

/** The order of the curve (SEC 2, secp256k1) and its half, rounded down. */
const N = scalar('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141');
const HALF_N = scalar('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0');
const LENGTH = 65;

/** Reads r and s into `rs` (64 bytes), and returns the recovery bit, 0 or 1, or why the signature is invalid. */
export function readSignature(signature: string, rs: Uint8Array): 0 | 1 | SignatureRefused {
  if (!isHex(signature)) return refused('NOT_HEX', 'expected 0x and hex digits');
  const length = (signature.length - 2) / 2;
  if (length !== LENGTH) return refused('LENGTH', `expected ${LENGTH} bytes (r, s, v), got ${length}`);
  writeDigits(signature, 2, rs, 0, LENGTH - 1);
  const v = Number.parseInt(signature.slice(-2), 16);
  if (v !== 27 && v !== 28) return refused('V', `v has to be 27 or 28, got ${v}`);
  if (isZero(rs, 0) || compare(rs, 0, N) >= 0)
    return refused('R_RANGE', 'r is zero or not below the order of the curve');
  if (isZero(rs, 32) || compare(rs, 32, N) >= 0) {
    return refused('S_RANGE', 's is zero or not below the order of the curve');
  }
  if (compare(rs, 32, HALF_N) > 0) return refused('HIGH_S', 's is in the upper half of the order of the curve');
  return v === 27 ? 0 : 1;
}

export function refused(code: SignatureCode, problem: string): SignatureRefused {
  return { ok: false, code, message: `signature: ${problem}` };
}

/** Compares two big-endian numbers of 32 bytes: negative, 0 or positive. */
function compare(bytes: Uint8Array, at: number, other: Uint8Array): number {
  for (let byte = 0; byte < 32; byte += 1) {
    const difference = (bytes[at + byte] ?? 0) - (other[byte] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function isZero(bytes: Uint8Array, at: number): boolean {
  for (let byte = at; byte < at + 32; byte += 1) if (bytes[byte] !== 0) return false;
  return true;
}

function scalar(digits: string): Uint8Array {
  const bytes = new Uint8Array(32);
  writeDigits(digits, 0, bytes, 0, 32);
  return bytes;
}
