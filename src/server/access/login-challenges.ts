/**
 * Login nonces that use no memory until a login uses one.
 *
 * A nonce is 16 random bytes and 16 bytes of a MAC over them, the address and the two times. A signed login contains
 * all of these, so nothing is stored for a challenge without a login. Used nonces are stored until they expire: each of
 * them cost an account's signature. The MAC's key lives as long as the process, so a nonce of an earlier run is
 * invalid, and nothing is stored across starts.
 */
import { createHmac } from 'node:crypto';
import { secureBytes } from '../../clock/index.ts';
import { type EpochMs, timeAfter } from '../../domain/index.ts';
import { type HexText, hexOf } from '../../protocol/index.ts';
import { isSameHash } from './secret-hash.ts';

/** The text to sign. */
export interface Challenge {
  readonly address: HexText;
  readonly nonce: HexText;
  readonly issuedAt: EpochMs;
  readonly expiresAt: EpochMs;
}

const SALT_BYTES = 16;
const MAC_BYTES = 16;

/** Issues nonces and accepts each once. */
export class LoginChallenges {
  readonly #key = secureBytes(32);
  readonly #lifeMs: number;
  /** Used nonces and when each expires, in order of use. */
  readonly #used = new Map<string, number>();

  /** @param lifeMs how long a nonce is valid */
  constructor(lifeMs: number) {
    this.#lifeMs = lifeMs;
  }

  /** Number of used nonces that are kept. */
  get kept(): number {
    return this.#used.size;
  }

  give(address: HexText, now: EpochMs): Challenge {
    const terms = { address, issuedAt: now, expiresAt: timeAfter(now, this.#lifeMs) };
    const salt = hexOf(secureBytes(SALT_BYTES));
    return { ...terms, nonce: `${salt}${this.#mac(salt, terms)}` };
  }

  /** Whether a challenge is one of these, has not expired and was not used. */
  isGood({ nonce, ...terms }: Challenge, now: EpochMs): boolean {
    const salt = nonce.slice(0, 2 + 2 * SALT_BYTES);
    const mac = nonce.slice(2 + 2 * SALT_BYTES);
    return isSameHash(mac, this.#mac(salt, terms)) && now < terms.expiresAt && !this.#used.has(nonce);
  }

  /** Marks it as used. */
  use({ nonce, expiresAt }: Challenge, now: EpochMs): void {
    for (const [known, end] of this.#used) {
      if (end > now) break;
      this.#used.delete(known);
    }
    this.#used.set(nonce, expiresAt);
  }

  #mac(salt: string, { address, issuedAt, expiresAt }: Omit<Challenge, 'nonce'>): string {
    const terms = `${salt} ${address} ${issuedAt} ${expiresAt}`;
    return createHmac('sha256', this.#key)
      .update(terms)
      .digest('hex')
      .slice(0, 2 * MAC_BYTES);
  }
}
