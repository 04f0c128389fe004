/**
 * Private keys that do not show themselves: not in JSON, not to `console.log` or `inspect`, not as text, not in errors,
 * not to `structuredClone`. The bytes are no property of the key at all; what is shown is the address.
 */
import { Fault } from '../domain/index.ts';
import type { Hex } from './hex.ts';

const secrets = new WeakMap<SigningKey, Uint8Array>();

/** A private key. Made by `signer.key`, used by `signer.sign`. */
export class SigningKey {
  /** The account it signs for, lower case. */
  readonly address: Hex;

  /** Takes its own copy of 32 bytes that `Curve.isPrivateKey` has passed; `address` follows from them. */
  constructor(secret: Uint8Array, address: Hex) {
    this.address = address;
    secrets.set(this, Uint8Array.from(secret));
  }

  /** Overwrites the bytes. The key signs nothing any more. */
  forget(): void {
    secrets.get(this)?.fill(0);
    secrets.delete(this);
  }

  /** Shows only the address of the key. */
  toString(): string {
    return `[signing key of ${this.address}]`;
  }

  /** As `toString`. */
  toJSON(): string {
    return this.toString();
  }
}

/** Lends the bytes to `use`, which may not keep them. Not shown at the folder's door. @throws Fault once forgotten */
export function lendSecret<T>(key: SigningKey, use: (secret: Uint8Array) => T): T {
  const secret = secrets.get(key);
  if (secret === undefined) {
    throw new Fault('KEY_FORGOTTEN', `${key.toString()} was forgotten and signs nothing any more: open it again`);
  }
  return use(secret);
}
