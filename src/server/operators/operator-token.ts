/** The operators' secret. It is shown once and stored as a hash; 256 random bits need no slow hash. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { secureBytes } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import type { Registry } from '../../exchange/index.ts';

const KEY = 'operator.token';
const SECRET_BYTES = 32;
const HEX_HASH = /^[0-9a-f]{64}$/;
const BEARER = /^bearer +(pmo_[0-9a-f]{64})$/i;

export class OperatorToken {
  /** The token in clear text, if it is new. Show it once. */
  readonly fresh: string | undefined;
  readonly #hash: Buffer;

  /** Reads the stored hash, or creates a token. @param renew replaces an existing token */
  constructor(registry: Registry, renew = false) {
    const stored = registry.find('secret', KEY);
    if (stored !== undefined && !renew) {
      if (typeof stored !== 'string' || !HEX_HASH.test(stored)) {
        const message =
          "the hash of the operators' token is not 64 hex digits. Create a new token (--new-operator-token)";
        throw new Fault('REGISTRY', message);
      }
      this.#hash = Buffer.from(stored, 'hex');
      return;
    }
    this.fresh = `pmo_${Buffer.from(secureBytes(SECRET_BYTES)).toString('hex')}`;
    this.#hash = hashOf(this.fresh);
    registry.put({ table: 'secret', key: KEY, value: this.#hash.toString('hex') });
  }

  /** Returns whether an `Authorization` header carries the token, in constant time. */
  isValid(authorization: string | undefined): boolean {
    const token = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
    return token !== undefined && timingSafeEqual(hashOf(token.toLowerCase()), this.#hash);
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
