/**
 * Stores secrets as keyed hashes.
 *
 * HMAC-SHA256 and not a slow password hash: tokens and keys are 256 random bits, which cannot be guessed at any speed;
 * a slow hash would only let unauthenticated callers use up the server's time. The key is drawn once per database. It
 * makes hashes of one server useless at another, and an attacker who times look-ups cannot choose hashes. Each use has
 * its label, so a hash of one kind never equals one of another.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { secureBytes } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import type { Registry } from '../../exchange/index.ts';

export type SecretUse = 'access' | 'refresh' | 'family' | 'key' | 'email' | 'polymarket';

const KEY = 'access.hashKey';
const KEY_BYTES = 32;
const HEX_KEY = /^[0-9a-f]{64}$/;

/** Hashes secrets with the database's key. */
export class SecretHash {
  readonly #key: KeyObject;

  /** Reads the key from the registry, or draws it: it is written with the first hash. */
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

/** Whether two texts are the same, for those of one length in constant time. */
export function isSameHash(one: string, other: string): boolean {
  const [bytes, others] = [Buffer.from(one), Buffer.from(other)];
  return bytes.length === others.length && timingSafeEqual(bytes, others);
}
