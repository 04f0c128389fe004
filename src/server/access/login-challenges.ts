/**
 * Login nonces that take no memory until a login uses them.
 *
 * A nonce is a salt of 16 random bytes and a 16-byte MAC of the salt, the address, the issue time and the expiry time.
 * A signed login contains all these values, so an unused nonce needs no storage. Used nonces stay in memory until they
 * expire. Each process has a new MAC key, so nonces of an earlier process are invalid.
 */
import { createHmac } from 'node:crypto';
import { secureBytes } from '../../clock/index.ts';
import { type EpochMs, timeAfter } from '../../domain/index.ts';
import { type HexText, toHex } from '../../protocol/index.ts';
import { isSameHash } from './secrets.ts';

export interface Challenge {
  readonly address: HexText;
  readonly nonce: HexText;
  readonly issuedAt: EpochMs;
  readonly expiresAt: EpochMs;
}

/** Characters of `0x` and 16 bytes of salt. The rest of a nonce is 16 bytes of MAC. */
const SALT_LENGTH = 34;

export class LoginChallenges {
  readonly #key = secureBytes(32);
  readonly #lifetimeMs: number;
  /** Expiry times of used nonces, in order of use. */
  readonly #used = new Map<string, number>();

  /** @param lifetimeMs time from issue to expiry of a nonce */
  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  get usedCount(): number {
    return this.#used.size;
  }

  issue(address: HexText, now: EpochMs): Challenge {
    const fields = { address, issuedAt: now, expiresAt: timeAfter(now, this.#lifetimeMs) };
    const salt = toHex(secureBytes(16));
    return { ...fields, nonce: `${salt}${this.#mac(salt, fields)}` };
  }

  /** Returns whether this process issued the challenge, and the challenge is neither expired nor used. */
  isValid({ nonce, ...fields }: Challenge, now: EpochMs): boolean {
    const mac = this.#mac(nonce.slice(0, SALT_LENGTH), fields);
    return isSameHash(nonce.slice(SALT_LENGTH), mac) && now < fields.expiresAt && !this.#used.has(nonce);
  }

  markUsed({ nonce, expiresAt }: Challenge, now: EpochMs): void {
    for (const [usedNonce, usedExpiresAt] of this.#used) {
      if (usedExpiresAt > now) break;
      this.#used.delete(usedNonce);
    }
    this.#used.set(nonce, expiresAt);
  }

  #mac(salt: string, { address, issuedAt, expiresAt }: Omit<Challenge, 'nonce'>): string {
    const mac = createHmac('sha256', this.#key).update(`${salt} ${address} ${issuedAt} ${expiresAt}`).digest('hex');
    return mac.slice(0, 32);
  }
}
