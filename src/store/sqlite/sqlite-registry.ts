import type {
  Json,
  OnDurable,
  Registry,
  RegistryChange,
  RegistryEntry,
  RegistryTableName,
} from '../../exchange/index.ts';
import { decodeText, encodeText } from './column-values.ts';
import { VENUE_CHECKSUMS } from './columns.ts';
import type { Commits } from './commits.ts';
import type { DatabaseReads } from './database-reads.ts';

type EntryColumns = { readonly name: string; readonly key: string; readonly value: string; readonly crc: number };

/** Stores server data outside the exchange's state, such as sessions and API keys, in the database as JSON. */
export class SqliteRegistry implements Registry {
  readonly #commits: Commits;
  readonly load: (table: RegistryTableName) => readonly RegistryEntry[];
  readonly #find;

  constructor(commits: Commits, reads: DatabaseReads) {
    this.#commits = commits;
    const entries = reads.table('registry', VENUE_CHECKSUMS.registry, toEntry);
    this.load = entries.all<[RegistryTableName]>('WHERE name = ? ORDER BY key');
    this.#find = entries.one<[string, string]>('WHERE name = ? AND key = ?');
    // Verify all rows: a row with a damaged name or key would be missing from every list without an error.
    const all = reads.connection.prepare<[], EntryColumns>('SELECT * FROM registry');
    reads.query(() => {
      for (const row of all.iterate()) entries.decode(row);
    }, 'registry');
  }

  put(change: RegistryChange): void {
    this.#commits.addChange(change);
  }

  sync(done: OnDurable): void {
    this.#commits.commit(undefined, done);
  }

  find(table: RegistryTableName, key: string): Json | undefined {
    return this.#find(table, encodeText(key))?.value;
  }
}

/** @throws SyntaxError that does not quote the value, which may be a secret */
function toEntry({ key, value }: EntryColumns): RegistryEntry {
  try {
    const json: Json = JSON.parse(value);
    return { key: decodeText(key), value: json };
  } catch {
    throw new SyntaxError('it is not JSON');
  }
}
