/** Credentials as the exchange numbers them: 1, 2, 3 … over all accounts, never twice. */
import { type CredentialNo, credentialNo, Fault } from '../../domain/index.ts';
import { type Json, type Registry, RegistryTable } from '../../exchange/index.ts';

/** Key of the row with the last number given; no credential is called so. */
const LAST = '#last';
/** The exchange takes no higher ones. */
const MOST = 2_147_483_647;

/** Numbers by the names that sessions and keys have. What is given goes with the next transaction. */
export class CredentialNumbers {
  readonly #rows: RegistryTable<number>;

  constructor(registry: Registry) {
    this.#rows = new RegistryTable(registry, 'credential', { encode: (number) => number, decode: numberOf });
  }

  /** The number of a credential, 0 for one that has none yet. */
  find(name: string): CredentialNo {
    return credentialNo(this.#rows.get(name) ?? 0);
  }

  /** The same; one that has none is given it. To be called where a command is made (`Task.command`). */
  of(name: string): CredentialNo {
    const known = this.#rows.get(name);
    if (known !== undefined) return credentialNo(known);
    const number = (this.#rows.get(LAST) ?? 0) + 1;
    if (number > MOST) throw new Fault('CREDENTIALS', `${MOST} credentials were numbered: there are no more numbers`);
    this.#rows.put(LAST, number);
    this.#rows.put(name, number);
    return credentialNo(number);
  }

  /** Forgets a credential that is over; its number is never given again. */
  forget(name: string): void {
    this.#rows.delete(name);
  }
}

function numberOf(json: Json): number {
  if (typeof json === 'number' && Number.isSafeInteger(json) && json > 0) return json;
  throw new Fault(
    'REGISTRY',
    `the number of a credential is ${JSON.stringify(json)}. Put back a good copy of the database`,
  );
}
