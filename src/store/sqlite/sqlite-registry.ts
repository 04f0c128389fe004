import type {
  Durable,
  Json,
  Registry,
  RegistryChange,
  RegistryEntry,
  RegistryTableName,
} from '../../exchange/index.ts';
import type { Commits } from './commits.ts';
import type { Connection } from './database.ts';
import { textOf, textValue } from './text-value.ts';

/** The registry in the database: values are JSON. */
export class SqliteRegistry implements Registry {
  readonly #commits: Commits;
  readonly #all;
  readonly #one;

  constructor(commits: Commits, connection: Connection) {
    this.#commits = commits;
    this.#all = connection.prepare<[string], { readonly key: string; readonly value: string }>(
      'SELECT key, value FROM registry WHERE name = ? ORDER BY key',
    );
    this.#one = connection
      .prepare<[string, string], string>('SELECT value FROM registry WHERE name = ? AND key = ?')
      .pluck();
  }

  put(change: RegistryChange): void {
    this.#commits.change(change);
  }

  sync(done: Durable): void {
    this.#commits.commit(undefined, done);
  }

  load(table: RegistryTableName): readonly RegistryEntry[] {
    return this.#all.all(table).map(({ key, value }) => ({ key: textOf(key), value: parsed(value) }));
  }

  find(table: RegistryTableName, key: string): Json | undefined {
    const value = this.#one.get(table, textValue(key));
    return value === undefined ? undefined : parsed(value);
  }
}

function parsed(text: string): Json {
  const json: Json = JSON.parse(text);
  return json;
}
