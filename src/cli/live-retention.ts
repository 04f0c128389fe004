/** What `store.keep_days` of the configuration lets go while a bot runs. */
import type { EpochMs } from '../domain/index.ts';
import type { Log } from '../ops/index.ts';
import { type BotStore, Retention } from '../store/index.ts';
import type { LiveFile } from './live-schema.ts';

const DAY_MS = 86_400_000;

/** @returns what is called several times a second; does nothing where all is kept */
export function retentionOf(
  { store: { keep_days: days } }: Pick<LiveFile, 'store'>,
  store: Pick<BotStore, 'pruning'>,
  { log, failed }: { readonly log: Log; readonly failed: (error: unknown) => void },
): (now: EpochMs) => void {
  if (days === 'none') return () => {};
  const retention = new Retention({
    store,
    keepMs: days * DAY_MS,
    failed,
    pruned: (rows) => log.info({ ...rows }, `removed from the database what is older than ${days} days`),
  });
  return (now) => void retention.turn(now);
}
