/**
 * Stores secrets as keyed hashes.
 *
 * Uses HMAC-SHA256 instead of a slow password hash: tokens and keys are 256 random bits, which nobody can guess, and a
 * slow hash would let unauthenticated callers consume the server's time. Each database has its own key, so hashes are
 * useless elsewhere, and an attacker who times look-ups cannot choose hashes. A label per use keeps hashes of different
 * uses apart.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { secureBytes } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import type { Registry } from '../../exchange/index.ts';

export type SecretUse = 'access' | 'refresh' | 'family' | 'key' | 'email' | 'polymarket';

const KEY = 'access.hashKey';
const KEY_BYTES = 32;
const HEX_KEY = /^[0-9a-f]{64}$/;

export class SecretHash {
  readonly #key: KeyObject;

  /** Reads the key from the registry, or creates it. A new key is stored with the first hash. */
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

/** Compares two texts, in constant time for equal lengths. */
export function isSameHash(a: string, b: string): boolean {
  const [aBytes, bBytes] = [Buffer.from(a), Buffer.from(b)];
  return aBytes.length === bBytes.length && timingSafeEqual(aBytes, bBytes);
}
