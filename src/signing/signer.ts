/**
 * Signs digests, and recovers signers. Synchronous and deterministic.
 *
 * A private key's bytes are not a property of the key. So JSON, `console.log`, `inspect`, text, errors and
 * `structuredClone` show only the key's address.
 *
 * HOT: recovers the signer of every placed order (bench/signing.ts). Most orders have the signer of a recent order, so
 * a comparison with a cached point replaces a hash.
 */
import { Fault, InputFault } from '../domain/index.ts';
import { areEqualBytes, type Hex, hexBytes, isHex, lowerAddress, toHex, writeHexBytes } from './hex.ts';
import type { Keccak256, Primitives, SigningBackend } from './primitives.ts';

const secrets = new WeakMap<SigningKey, Uint8Array>();

/** A private key and its lower-case address. Call `signer.key` to create a key. */
export class SigningKey {
  readonly address: Hex;

  /** Copies `secret`, 32 bytes that `Curve.isPrivateKey` accepts. `address` must be the address of this key. */
  constructor(secret: Uint8Array, address: Hex) {
    this.address = address;
    secrets.set(this, Uint8Array.from(secret));
  }

  toString(): string {
    return `[signing key of ${this.address}]`;
  }

  toJSON(): string {
    return this.toString();
  }
}

/** The signer's address in lower case, or the reason why it cannot be recovered. */
type Recovered = { readonly ok: true; readonly address: Hex } | SignatureRefused;

export interface Signer {
  readonly backend: SigningBackend;
  readonly keccak256: Keccak256;
  /** @param secret 32 bytes, or `0x` and 64 hex digits @throws Fault `PRIVATE_KEY`, which does not show the secret */
  key(secret: string | Uint8Array): SigningKey;
  /** Signs a digest of 32 bytes, deterministically by RFC 6979. Returns r, a low s, and v (27 or 28). */
  sign(digest: Uint8Array, key: SigningKey): Hex;
  /** Recovers the signer of a digest of 32 bytes. The signature may be any text. */
  recover(digest: Uint8Array, signature: string): Recovered;
  /** Formats an address with its EIP-55 checksum. @throws InputFault unless the address has 20 bytes of hex */
  toChecksum(address: string): Hex;
}

export function createSigner({ keccak256, curve }: Primitives): Signer {
  const rs = new Uint8Array(64);
  const point = new Uint8Array(65);
  const getAddress = createAddressCache(keccak256);
  return {
    backend: curve.backend,
    keccak256,
    key(secret) {
      const bytes = typeof secret === 'string' ? hexBytes(secret) : secret;
      if (bytes?.length !== 32 || !curve.isPrivateKey(bytes)) {
        throw new Fault(
          'PRIVATE_KEY',
          'private key: expected 32 bytes (0x and 64 hex digits), neither zero nor beyond the order of the curve; the given text is not shown',
        );
      }
      const key = new SigningKey(bytes, computeAddress(keccak256, curve.publicKey(bytes)));
      if (typeof secret === 'string') bytes.fill(0);
      return key;
    },
    sign(digest, key) {
      assertDigest(digest);
      const secret = secrets.get(key);
      if (secret === undefined) throw new Error(`Invariant: ${key} has no bytes`);
      const recovery = curve.sign(digest, secret, rs);
      return `${toHex(rs)}${recovery === 0 ? '1b' : '1c'}`;
    },
    recover(digest, signature) {
      assertDigest(digest);
      const recovery = readSignature(signature, rs);
      if (typeof recovery === 'object') return recovery;
      if (!curve.recover(digest, rs, recovery, point)) return refuseSignature('NO_POINT', 'no public key fits r');
      return { ok: true, address: getAddress(point) };
    },
    toChecksum: (address) => computeChecksum(keccak256, address),
  };
}

export function signingBackend({ backend: { kind, library, reason } }: Pick<Signer, 'backend'>): string {
  if (kind === 'native') return `native (package ${library})`;
  return `JavaScript (${library}), ten to twenty times slower${reason === undefined ? '' : `: ${reason}`}`;
}

/** EIP-55: a letter is upper case if the hash of the lower-case digits has a digit of 8 or more at its index. */
function computeChecksum(keccak256: Keccak256, address: string): Hex {
  const lower = lowerAddress(address);
  if (lower === undefined) throw new InputFault('address', address, '0x and 40 hex digits');
  const digits = lower.slice(2);
  const hash = toHex(keccak256(new TextEncoder().encode(digits))).slice(2);
  const shown = Array.from(digits, (digit, at) => ((hash[at] ?? '0') >= '8' ? digit.toUpperCase() : digit));
  return `0x${shown.join('')}`;
}

function assertDigest(digest: Uint8Array): void {
  if (digest.length !== 32) throw new RangeError(`Invariant: a digest has 32 bytes, got ${digest.length}`);
}

const CACHE_SLOTS = 4096;

/** Returns `computeAddress` with a cache. A new point replaces the point in the same slot. */
export function createAddressCache(keccak256: Keccak256): (point: Uint8Array) => Hex {
  const slots: ({ readonly point: Uint8Array; readonly address: Hex } | undefined)[] = new Array(CACHE_SLOTS).fill(
    undefined,
  );
  return (point) => {
    const slot = ((point[1]! << 8) | point[2]!) % CACHE_SLOTS;
    const cached = slots[slot];
    if (cached !== undefined && areEqualBytes(cached.point, point)) return cached.address;
    const address = computeAddress(keccak256, point);
    slots[slot] = { point: point.slice(), address };
    return address;
  };
}

/** An address is the last 20 bytes of the keccak of x and y. */
function computeAddress(keccak256: Keccak256, point: Uint8Array): Hex {
  return toHex(keccak256(point.subarray(1)).subarray(12));
}

export const SIGNATURE_CODES = ['NOT_HEX', 'LENGTH', 'V', 'R_RANGE', 'S_RANGE', 'HIGH_S', 'NO_POINT'] as const;
export type SignatureCode = (typeof SIGNATURE_CODES)[number];

export interface SignatureRefused {
  readonly ok: false;
  readonly code: SignatureCode;
  readonly message: string;
}

/** The curve's order (SEC 2, secp256k1) and half of it, rounded **down**. */
const CURVE_ORDER = toNumberBytes('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141');
const HALF_ORDER = toNumberBytes('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0');
const SIGNATURE_BYTES = 65;

/**
 * Reads r and s into `rs` (64 bytes). Returns the recovery bit, or the reason why the signature is invalid. A valid
 * signature has 65 bytes r, s, v, with s in the lower half, and v 27 or 28. Refuses a high s, because anyone can derive
 * a signature with a high s from a valid signature.
 */
function readSignature(signature: string, rs: Uint8Array): 0 | 1 | SignatureRefused {
  if (!isHex(signature)) return refuseSignature('NOT_HEX', 'expected 0x and hex digits');
  const length = (signature.length - 2) / 2;
  if (length !== SIGNATURE_BYTES)
    return refuseSignature('LENGTH', `expected ${SIGNATURE_BYTES} bytes (r, s, v), got ${length}`);
  writeHexBytes(signature, 2, rs, 0, SIGNATURE_BYTES - 1);
  const v = Number.parseInt(signature.slice(-2), 16);
  if (v !== 27 && v !== 28) return refuseSignature('V', `v has to be 27 or 28, got ${v}`);
  if (isZero(rs, 0) || compareNumbers(rs, 0, CURVE_ORDER) >= 0)
    return refuseSignature('R_RANGE', 'r is zero or not below the order of the curve');
  if (isZero(rs, 32) || compareNumbers(rs, 32, CURVE_ORDER) >= 0)
    return refuseSignature('S_RANGE', 's is zero or not below the order of the curve');
  if (compareNumbers(rs, 32, HALF_ORDER) > 0)
    return refuseSignature('HIGH_S', 's is in the upper half of the order of the curve');
  return v === 27 ? 0 : 1;
}

export function refuseSignature(code: SignatureCode, problem: string): SignatureRefused {
  return { ok: false, code, message: `signature: ${problem}` };
}

/** Compares two big-endian numbers of 32 bytes. Returns a negative number, 0 or a positive number. */
function compareNumbers(bytes: Uint8Array, at: number, other: Uint8Array): number {
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

function toNumberBytes(digits: string): Uint8Array {
  const bytes = new Uint8Array(32);
  writeHexBytes(digits, 0, bytes, 0, 32);
  return bytes;
}
