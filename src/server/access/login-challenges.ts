/**
 * Login nonces that take no memory until a login uses them.
 *
 * A nonce is 16 random bytes and 16 bytes of a MAC over them, the address and the two times. A signed login contains
 * all of these, so an unused challenge needs no storage. Used nonces are kept in memory until they expire. The MAC's key
 * is new in each process, so nonces of an earlier run are invalid and nothing is stored across restarts.
 */
import { createHmac } from 'node:crypto';
import { secureBytes } from '../../clock/index.ts';
import { type EpochMs, timeAfter } from '../../domain/index.ts';
import { type HexText, hexOf } from '../../protocol/index.ts';
import { isSameHash } from './secrets.ts';

/** The text to sign. */
export interface Challenge {
  readonly address: HexText;
  readonly nonce: HexText;
  readonly issuedAt: EpochMs;
  readonly expiresAt: EpochMs;
}

const SALT_BYTES = 16;
const MAC_BYTES = 16;

export class LoginChallenges {
  readonly #key = secureBytes(32);
  readonly #lifeMs: number;
  /** Expiry by used nonce, in order of use. */
  readonly #used = new Map<string, number>();

  /** @param lifeMs how long a nonce is valid */
  constructor(lifeMs: number) {
    this.#lifeMs = lifeMs;
  }

  get usedCount(): number {
    return this.#used.size;
  }

  issue(address: HexText, now: EpochMs): Challenge {
    const terms = { address, issuedAt: now, expiresAt: timeAfter(now, this.#lifeMs) };
    const salt = hexOf(secureBytes(SALT_BYTES));
    return { ...terms, nonce: `${salt}${this.#mac(salt, terms)}` };
  }

  /** Returns whether this process issued the challenge and it is neither expired nor used. */
  isValid({ nonce, ...terms }: Challenge, now: EpochMs): boolean {
    const salt = nonce.slice(0, 2 + 2 * SALT_BYTES);
    const mac = nonce.slice(2 + 2 * SALT_BYTES);
    return isSameHash(mac, this.#mac(salt, terms)) && now < terms.expiresAt && !this.#used.has(nonce);
  }

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
