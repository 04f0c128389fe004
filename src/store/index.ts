export {
  type AdjustmentRow,
  type BalanceRow,
  BotReader,
  type BotStanding,
  type FillRow,
  type MarketRow,
  type OrderRow,
  type PositionRow,
} from './bot/bot-reader.ts';
export type { BotSource, StoredAccount } from './bot/bot-source.ts';
export { BotStore } from './bot/bot-store.ts';
export type { BotStoreOptions } from './bot/bot-store-options.ts';
export { type BotFindings, checkBotFile, isBotFile } from './bot/check-file.ts';
export { type LeaseHolder, type LeasePath, leaseHolder, leaseTouchedAt, takeLease, touchLease } from './bot/lease.ts';
export type { OrderStatus } from './bot/order-rows.ts';
export { pruneFile } from './bot/prune-file.ts';
export type { PrunedRows } from './bot/pruning.ts';
export { Retention, type RetentionOptions } from './bot/retention.ts';
export { ScratchFile } from './bot/scratch-file.ts';
export { WarmupStore } from './bot/warmup-store.ts';
export { isLocked } from './folder-lock.ts';
export { type LooseFile, looseFiles, sqliteFiles } from './private-files.ts';
export type { RowListener } from './sqlite/commits.ts';
export { checkForLoss, machineStart } from './sqlite/database-use.ts';
export { ReadOnlyStore } from './sqlite/read-only-store.ts';
export { NOT_COMPARED } from './sqlite/row-rebuild.ts';
export { SqliteArchive } from './sqlite/sqlite-archive.ts';
export { SqliteIdentities } from './sqlite/sqlite-identities.ts';
export { SqliteJournal } from './sqlite/sqlite-journal.ts';
export { SqliteRegistry } from './sqlite/sqlite-registry.ts';
export { SqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.ts';
