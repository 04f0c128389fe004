import type { Clock } from '../../clock/index.ts';
import type { LiveFile } from '../../config/live-schema.ts';
import { DAY_MS, type EpochMs } from '../../domain/index.ts';
import type { Log } from '../../ops/index.ts';
import { recover } from '../../runtime/index.ts';
import { BotStore, retentionTask, touchLease } from '../../store/index.ts';
import { gapText, type TakenLeases, toUnrecordedPeriod } from './leases.ts';
import type { LiveStart } from './opened-live.ts';
import { botFiles, warnAboutExposedFiles } from './paths.ts';

export type BotRecovery = Readonly<ReturnType<typeof recoverBot>>;

/** Opens the database and rebuilds the state from the steps of earlier runs. @throws FileFault */
export function recoverBot(start: LiveStart, { name, findUnrecordedPeriod }: TakenLeases, clock: Clock) {
  const { live, paths, log, closers, acceptLoss = false } = start;
  const store = BotStore.open({ file: paths.db, name, spec: JSON.stringify(live.file), acceptLoss });
  closers.add(() => store.close(clock.now()));
  warnAboutExposedFiles(botFiles(paths), log);
  const stored = store.storedRun();
  const recovered = stored === undefined ? undefined : recover(stored);
  const { gap } = store;
  if (gap !== undefined) log.warn({ ...gap }, gapText(gap));
  if (recovered !== undefined) log.info({ steps: recovered.appliedSteps, nextSeq: recovered.nextSeq }, 'recovered');
  return {
    store,
    /** Undefined for a new database. */
    recovered,
    /** Data that the files lack; kept until the account has been compared with the venue. */
    gap,
    /** Time in which orders may be missing in the journal. */
    unrecorded: gap === undefined ? findUnrecordedPeriod?.(recovered?.state.now) : toUnrecordedPeriod(gap, clock),
  };
}

/** Returns a function that updates the database lease at most once a second. */
export function createLivenessUpdater(lease: string, log: Log): (now: EpochMs) => void {
  let next = Number.NEGATIVE_INFINITY;
  return (now) => {
    if (now < next) return;
    next = now + 1_000;
    try {
      touchLease(lease, now);
    } catch (error) {
      // The lease belongs to another user or was deleted. Only the report of the next start needs this time.
      next = Number.POSITIVE_INFINITY;
      const effect = "the next start measures its downtime from the journal's last step";
      log.warn({ err: error }, `the time of ${lease} cannot be set: ${effect}`);
    }
  };
}

/** Returns a function that removes old rows, unless all rows are kept. Call that function several times a second. */
export function createPruningTask(
  { store: { keep_days: days } }: Pick<LiveFile, 'store'>,
  store: Pick<BotStore, 'beginPruning'>,
  { log, onFailed }: { readonly log: Log; readonly onFailed: (error: unknown) => void },
): (now: EpochMs) => void {
  if (days === 'none') return () => {};
  const onPruned = (rows: object): void =>
    log.info({ ...rows }, `removed rows older than ${days} days from the database`);
  const task = retentionTask({ store, maxAgeMs: days * DAY_MS, onPruned, onFailed });
  return (now) => void task(now);
}
