import { type CredentialNo, credentialNo } from '../../domain/index.ts';
import type { Registry } from '../../exchange/index.ts';

const KEY = 'access.credentials';

/**
 * Numbers credentials 1, 2, 3 …. Never reuses a number, because the exchange stores switches by number. The last number
 * is stored in the same transaction as its credential.
 */
export class CredentialNumbers {
  readonly #registry: Registry;
  #last: number;

  constructor(registry: Registry) {
    this.#registry = registry;
    const last = registry.find('setting', KEY);
    this.#last = typeof last === 'number' ? last : 0;
  }

  next(): CredentialNo {
    this.#last += 1;
    this.#registry.put({ table: 'setting', key: KEY, value: this.#last });
    return credentialNo(this.#last);
  }
}
