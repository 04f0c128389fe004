/** The one secret of the operators: shown once, stored as its hash. 256 random bits need no slow hash. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { secureBytes } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import type { Registry } from '../../exchange/index.ts';

const KEY = 'operator.token';
const SECRET_BYTES = 32;
const HEX_HASH = /^[0-9a-f]{64}$/;
const BEARER = /^bearer +(pmo_[0-9a-f]{64})$/i;

export class OperatorToken {
  /** The token in clear text when it is new: show it once. */
  readonly fresh: string | undefined;
  readonly #hash: Buffer;

  /** Reads the hash from the registry, or draws a token. @param renew draws a new one: the old one becomes invalid */
  constructor(registry: Registry, renew = false) {
    const kept = registry.find('secret', KEY);
    if (kept !== undefined && !renew) {
      if (typeof kept !== 'string' || !HEX_HASH.test(kept)) {
        const message =
          "the hash of the operators' token is not 64 hex digits. Draw another one (--new-operator-token)";
        throw new Fault('REGISTRY', message);
      }
      this.#hash = Buffer.from(kept, 'hex');
      return;
    }
    this.fresh = `pmo_${Buffer.from(secureBytes(SECRET_BYTES)).toString('hex')}`;
    this.#hash = hashOf(this.fresh);
    registry.put({ table: 'secret', key: KEY, value: this.#hash.toString('hex') });
  }

  /** Whether an `Authorization` header carries it, in constant time. */
  isGood(authorization: string | undefined): boolean {
    const token = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
    return token !== undefined && timingSafeEqual(hashOf(token.toLowerCase()), this.#hash);
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
