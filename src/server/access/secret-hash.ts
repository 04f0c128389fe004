/**
 * What is kept of secrets: a keyed hash.
 *
 * HMAC-SHA256 and not a slow password hash: tokens and keys are 256 random bits, which nobody finds by trying, however
 * fast each try is; a slow hash would only let strangers burn the server's time. The key, drawn once per database, makes
 * hashes of one server worth nothing at another, and keeps whoever times look-ups from choosing hashes. Each use has its
 * label, so that a hash of one kind is none of another.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { secureBytes } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import type { Registry } from '../../exchange/index.ts';

/** What a secret is for. */
export type SecretUse = 'access' | 'refresh' | 'family' | 'key' | 'email';

const KEY = 'access.hashKey';
const KEY_BYTES = 32;
const HEX_KEY = /^[0-9a-f]{64}$/;

/** Hashes secrets with the database's key. */
export class SecretHash {
  readonly #key: KeyObject;

  /** Finds the key in the registry, or draws it: it is written with the first hash. */
  constructor(registry: Registry) {
    const known = registry.find('secret', KEY);
    if (known !== undefined && !(typeof known === 'string' && HEX_KEY.test(known))) {
      throw new Fault('REGISTRY', 'the key of hashes is not 64 hex digits. Put back a good copy of the database');
    }
    const digits = typeof known === 'string' ? known : Buffer.from(secureBytes(KEY_BYTES)).toString('hex');
    if (known === undefined) registry.put({ table: 'secret', key: KEY, value: digits });
    this.#key = createSecretKey(digits, 'hex');
  }

  /** 64 hex digits. */
  of(use: SecretUse, secret: string): string {
    return createHmac('sha256', this.#key).update(`${use}\n`).update(secret).digest('hex');
  }
}

/** Whether two texts of one length are the same, in a time that does not tell where they differ. */
export function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
