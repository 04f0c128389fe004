/**
 * Signs and recovers with given primitives. Synchronous and deterministic.
 *
 * Private keys do not reveal themselves in JSON, `console.log`, `inspect`, text, errors or `structuredClone`, which show the
 * address. The bytes are not a property of the key.
 */
import { Fault, InputFault } from '../domain/index.ts';
import { type Hex, hexBytes, lowerAddress, toHex } from './hex.ts';
import { addressOfPoint, pointAddresses } from './point-addresses.ts';
import type { Keccak256, Primitives, SigningBackend } from './primitives.ts';
import { readSignature, refused, type SignatureRefused } from './signature.ts';

const secrets = new WeakMap<SigningKey, Uint8Array>();

/** A private key. `signer.key` creates it, `signer.sign` uses it. */
export class SigningKey {
  /** The account it signs for, lower case. */
  readonly address: Hex;

  /** Copies 32 bytes that `Curve.isPrivateKey` accepts. `address` must be theirs. */
  constructor(secret: Uint8Array, address: Hex) {
    this.address = address;
    secrets.set(this, Uint8Array.from(secret));
  }

  /** Overwrites the bytes. The key cannot sign after that. */
  erase(): void {
    secrets.get(this)?.fill(0);
    secrets.delete(this);
  }

  /** Shows only the address of the key. */
  toString(): string {
    return `[signing key of ${this.address}]`;
  }

  toJSON(): string {
    return this.toString();
  }
}

/** The signer's address in lower case, or why there is none. */
type Recovered = { readonly ok: true; readonly address: Hex } | SignatureRefused;

/** Keys, signatures, addresses. */
export interface Signer {
  readonly backend: SigningBackend;
  readonly keccak256: Keccak256;
  /** A key from 32 bytes (copied) or `0x` and 64 hex digits. @throws Fault `PRIVATE_KEY` without what was given */
  key(secret: string | Uint8Array): SigningKey;
  /** Signs a digest of 32 bytes: `0x` and r, s, v; s low, v 27 or 28; deterministic (RFC 6979, as viem and ethers). */
  sign(digest: Uint8Array, key: SigningKey): Hex;
  /** Recovers the signer of a digest of 32 bytes. The signature may be any text. */
  recover(digest: Uint8Array, signature: string): Recovered;
  /** Formats an address with its EIP-55 checksum. @throws InputFault unless it is 20 bytes of hex */
  checksum(address: string): Hex;
}

export function createSigner({ keccak256, curve }: Primitives): Signer {
  const rs = new Uint8Array(64);
  const point = new Uint8Array(65);
  const addressOf = pointAddresses(keccak256);
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
      const key = new SigningKey(bytes, addressOfPoint(keccak256, curve.publicKey(bytes)));
      if (typeof secret === 'string') bytes.fill(0);
      return key;
    },
    sign(digest, key) {
      assertDigest(digest);
      const recovery = lendSecret(key, (secret) => curve.sign(digest, secret, rs));
      return `${toHex(rs)}${recovery === 0 ? '1b' : '1c'}`;
    },
    recover(digest, signature) {
      assertDigest(digest);
      const recovery = readSignature(signature, rs);
      if (typeof recovery === 'object') return recovery;
      if (!curve.recover(digest, rs, recovery, point)) return refused('NO_POINT', 'no public key fits r');
      return { ok: true, address: addressOf(point) };
    },
    checksum: (address) => checksum(keccak256, address),
  };
}

/** Describes the signing code, for `doctor`. */
export function signingBackend({ backend: { kind, library, reason } }: Pick<Signer, 'backend'>): string {
  if (kind === 'native') return `native (package ${library})`;
  return `JavaScript (${library}), ten to twenty times slower${reason === undefined ? '' : `: ${reason}`}`;
}

/** Letters are upper case where the hash of the lower-case digits has 8 or more (EIP-55). */
function checksum(keccak256: Keccak256, address: string): Hex {
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

/** Lends the bytes to `use`, which may not keep them. @throws Fault once forgotten */
function lendSecret<T>(key: SigningKey, use: (secret: Uint8Array) => T): T {
  const secret = secrets.get(key);
  if (secret === undefined) {
    throw new Fault('KEY_FORGOTTEN', `${key.toString()} was erased and cannot sign: open it again`);
  }
  return use(secret);
}
