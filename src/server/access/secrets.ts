/**
 * Tokens, their stored hashes, and the numbers of credentials.
 *
 * A token's prefix shows its kind to people and secret scanners. The rest is random.
 *
 *     pma_<64 hex>                access token
 *     pmr_<32 hex>_<64 hex>       refresh token: the session's family, then the token's own secret
 *     pmk_<UUID>_<64 hex>         API key
 *     pmo_<64 hex>                token of the operators
 *
 * Hashes are HMAC-SHA256, not a slow password hash. Nobody can guess the 256 random bits of a secret, and a slow hash
 * would let unauthenticated callers consume the server's time. Each database has its own key, so hashes are useless
 * elsewhere. Without this key, attackers who time look-ups cannot choose hashes. Each use has its own label, so
 * equal secrets with different uses have different hashes.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { secureBytes } from '../../clock/index.ts';
import { type CredentialNo, credentialNo } from '../../domain/index.ts';
import type { Registry } from '../../exchange/index.ts';
import { loadSecret } from '../registry-rows.ts';

/** RFC 9110: the scheme in any case, then spaces, then the token. */
const BEARER = /^bearer +(pm[ak]_[0-9a-f_-]{64,101})$/i;
const REFRESH = /^pmr_([0-9a-f]{32})_([0-9a-f]{64})$/;

/** Returns the token of an `Authorization` header; undefined unless it has the format of an access token or API key. */
export function bearerToken(authorization: string): string | undefined {
  return BEARER.exec(authorization)?.[1];
}

export function isAccessToken(token: string): boolean {
  return token.startsWith('pma_');
}

export function newToken(prefix: string): string {
  return `${prefix}_${randomHex(32)}`;
}

/** Splits a refresh token; undefined for any other text. */
export function parseRefreshToken(token: string) {
  const [, family, secret] = REFRESH.exec(token) ?? [];
  return family === undefined || secret === undefined ? undefined : { family, secret };
}

export function randomHex(bytes: number): string {
  return Buffer.from(secureBytes(bytes)).toString('hex');
}

export type SecretUse = 'access' | 'refresh' | 'family' | 'key' | 'email' | 'polymarket';

export class SecretHash {
  readonly #key: KeyObject;

  /** @throws Fault for an invalid stored key */
  constructor(registry: Registry) {
    this.#key = createSecretKey(loadSecret(registry, 'access.hashKey', 'the key of token hashes'));
  }

  /** Returns 64 hex digits. */
  compute(use: SecretUse, secret: string): string {
    return createHmac('sha256', this.#key).update(`${use}\n`).update(secret).digest('hex');
  }
}

/** Compares two texts, in constant time for equal lengths. */
export function isSameHash(a: string, b: string): boolean {
  const [aBytes, bBytes] = [Buffer.from(a), Buffer.from(b)];
  return aBytes.length === bBytes.length && timingSafeEqual(aBytes, bBytes);
}

const NEWEST_NUMBER = 'access.credentials';

/**
 * Numbers credentials from 1. Never reuses a number, because the exchange stores dead-man's switches by number. The
 * transaction that stores a credential also stores its number as the newest.
 */
export class CredentialNumbers {
  readonly #registry: Registry;
  #newest: number;

  constructor(registry: Registry) {
    this.#registry = registry;
    const last = registry.find('setting', NEWEST_NUMBER);
    this.#newest = typeof last === 'number' ? last : 0;
  }

  next(): CredentialNo {
    this.#newest += 1;
    this.#registry.put({ table: 'setting', key: NEWEST_NUMBER, value: this.#newest });
    return credentialNo(this.#newest);
  }
}
