/**
 * What a server has to keep that is no state of the exchange: sessions, keys, wallets, withdrawals, settings. A port: a
 * change joins the next transaction, together with the batch of commands and rows that is committed with it.
 */
import type { Durable } from '../journal/journal.ts';
import type { Json } from '../markets/canonical-json.ts';

/** What there is to keep; a closed list, so that a misspelt name does not compile. */
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
] as const;
/** A name of `REGISTRY_TABLES`. */
export type RegistryTableName = (typeof REGISTRY_TABLES)[number];

/** A row that is written, or taken away. */
export interface RegistryChange {
  readonly table: RegistryTableName;
  readonly key: string;
  /** Undefined takes it away. */
  readonly value: Json | undefined;
}

/** A row. */
export interface RegistryEntry {
  readonly key: string;
  readonly value: Json;
}

/** Keeps rows by name and key. */
export interface Registry {
  /** Joins the next transaction. The value may not change any more. */
  put(change: RegistryChange): void;
  /** Commits what was put until now, also when no command comes; told when it is durable, or why it never will be. */
  sync(done: Durable): void;
  /** All rows of a table that are durable, by key. */
  load(table: RegistryTableName): readonly RegistryEntry[];
  /** A durable row: for tables that are too large to be held in memory. */
  find(table: RegistryTableName, key: string): Json | undefined;
}
