/**
 * Server data outside the exchange's state: sessions, keys, wallets, withdrawals, settings. A port: a change joins the
 * next transaction, with that batch of commands and rows.
 */
import type { OnDurable } from '../journal/journal.ts';
import type { Json } from '../markets/canonical-json.ts';

/** The tables; a closed list, so that a misspelt name does not compile. */
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
/** A name of `REGISTRY_TABLES`. */
export type RegistryTableName = (typeof REGISTRY_TABLES)[number];

/** A row that is written or deleted. */
export interface RegistryChange {
  readonly table: RegistryTableName;
  readonly key: string;
  /** Undefined deletes it. */
  readonly value: Json | undefined;
}

/** A row. */
export interface RegistryEntry {
  readonly key: string;
  readonly value: Json;
}

/** Keeps rows by name and key. */
export interface Registry {
  /** Joins the next transaction. Do not change the value afterwards. */
  put(change: RegistryChange): void;
  /**
   * Commits all changes so far, also without a command. Calls `done` when they are durable, or with the reason why they
   * never will be.
   */
  sync(done: OnDurable): void;
  /** All rows of a table that are durable, by key. */
  load(table: RegistryTableName): readonly RegistryEntry[];
  /** A durable row: for tables that are too large to be held in memory. */
  find(table: RegistryTableName, key: string): Json | undefined;
}

/** Writes and reads the values of a table. */
export interface RegistryCodec<Value> {
  readonly encode: (value: Value) => Json;
  /** @throws Fault on what `encode` did not make */
  readonly decode: (json: Json) => Value;
}

/**
 * A small table in memory, typed rows by key: read from memory, written to the registry. A change is visible at once
 * and durable with the next commit.
 */
export class RegistryTable<Value> {
  readonly #registry: Registry;
  readonly #name: RegistryTableName;
  readonly #codec: RegistryCodec<Value>;
  readonly #rows = new Map<string, Value>();

  /** Loads the whole table. @throws what the codec throws */
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

  /** In the order of insertion; after a start by key. */
  entries(): IterableIterator<[string, Value]> {
    return this.#rows.entries();
  }

  put(key: string, value: Value): void {
    this.#rows.set(key, value);
    this.#registry.put({ table: this.#name, key, value: this.#codec.encode(value) });
  }

  /** Does nothing where there is none. */
  delete(key: string): void {
    if (this.#rows.delete(key)) this.#registry.put({ table: this.#name, key, value: undefined });
  }
}
