/** Port for server data outside the exchange's state, stored in the same transactions as commands and rows. */
import type { OnDurable } from '../journal/journal.ts';
import type { Json } from '../markets/canonical-json.ts';

export const REGISTRY_TABLES = [
  'session',
  'refreshToken',
  'apiKey',
  'loginNonce',
  'usedDigest',
  'email',
  'emailCode',
  'wallet',
  'withdrawal',
  'withdrawalIndex',
  'unfinishedWithdrawal',
  'category',
  'topic',
  'orderGroup',
  'setting',
  'secret',
  'operatorAction',
  'orphanedSwitch',
  'polymarketKey',
  'polymarketWallet',
  'polymarketPayment',
] as const;
export type RegistryTableName = (typeof REGISTRY_TABLES)[number];

export interface RegistryChange {
  readonly table: RegistryTableName;
  readonly key: string;
  /** Undefined deletes the row. */
  readonly value: Json | undefined;
}

export interface RegistryEntry {
  readonly key: string;
  readonly value: Json;
}

export interface Registry {
  /** Adds a change to the next transaction. Do not change the value afterwards. */
  put(change: RegistryChange): void;
  /** Commits all changes so far, even if no command follows. */
  sync(done: OnDurable): void;
  /** Returns all durable rows of a table, sorted by key. */
  load(table: RegistryTableName): readonly RegistryEntry[];
  /** Returns a durable row, for tables too large for memory. */
  find(table: RegistryTableName, key: string): Json | undefined;
}

/** Writes and reads the values of a table. */
export interface RegistryCodec<Value> {
  readonly encode: (value: Value) => Json;
  /** @throws Fault on a value that is not from `encode` */
  readonly decode: (json: Json) => Value;
}

/** A small table in memory, with typed rows by key. A change is visible at once, and durable after the next commit. */
export class RegistryTable<Value> {
  readonly #registry: Registry;
  readonly #name: RegistryTableName;
  readonly #codec: RegistryCodec<Value>;
  readonly #rows = new Map<string, Value>();

  /** Loads the whole table. @throws any error of the codec */
  constructor(registry: Registry, name: RegistryTableName, codec: RegistryCodec<Value>) {
    this.#registry = registry;
    this.#name = name;
    this.#codec = codec;
    for (const { key, value } of registry.load(name)) this.#rows.set(key, codec.decode(value));
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: string): Value | undefined {
    return this.#rows.get(key);
  }

  /** Loaded rows are sorted by key. Later rows follow in the order of their insertion. */
  entries(): IterableIterator<[string, Value]> {
    return this.#rows.entries();
  }

  put(key: string, value: Value): void {
    this.#rows.set(key, value);
    this.#registry.put({ table: this.#name, key, value: this.#codec.encode(value) });
  }

  delete(key: string): void {
    if (this.#rows.delete(key)) this.#registry.put({ table: this.#name, key, value: undefined });
  }
}
