/** Progress of a running study, in a file next to the study's database. `optimize` writes the file each second. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

export const MAX_WORKERS = 1_000;
export const MAX_NOTICES = 10;
const MAX_TEXT = 1_000;
/** Maximum size of a file that is read. A status with 1,000 workers usually has less than 1 MB. */
const MAX_BYTES = 4_000_000;

const text = z.string().transform((given) => given.slice(0, MAX_TEXT));
const count = z.int().min(0);
const amount = z.number().min(0);

const workerSchema = z.object({
  name: text,
  host: text,
  threads: count,
  /** `draining`: finishes its backtests and takes no more. `ended`: has stopped. `gone`: was lost without a message. */
  state: z.enum(['working', 'draining', 'ended', 'gone']),
  /** Backtests that the worker computed for this study, and the failed backtests among them. */
  backtests: count,
  failed: count,
  /** Backtests that the worker returned because a tape, a strategy or memory was missing. */
  returned: count,
  perSecond: amount,
  /** Time since the worker's last sign of life. */
  silentMs: amount,
});

const statusSchema = z.object({
  host: text,
  pid: count,
  /** Epoch ms. */
  startedAt: count,
  writtenAt: count,
  /** Backtests that have ended, and the approximate number of all. */
  done: count,
  total: count,
  /** Failed backtests since this process started. */
  failed: count,
  perSecond: amount,
  /** Estimated time to the end, ms; null before the first backtest has ended. */
  leftMs: amount.nullable(),
  /** Such as `best: trial 3, 1.25`. */
  best: text.nullable(),
  /** Notices that the terminal showed, the newest first. */
  notices: z.array(z.object({ time: count, text })).max(MAX_NOTICES),
  /** Computing threads on all machines. */
  threads: count,
  /** Workers on other machines; null when the study computes on its own threads. */
  remote: z
    .object({
      /** Why the study waits; null while the study computes. */
      problem: text.nullable(),
      connected: count,
      queued: count,
      /** Times that a worker returned a backtest, and times that a worker was lost with a backtest. */
      returned: count,
      lost: count,
      computingSeconds: amount,
      costUsd: amount.nullable(),
      /** Includes workers that are gone. */
      workers: z.array(workerSchema).max(MAX_WORKERS),
    })
    .nullable(),
});

export type StudyStatus = z.output<typeof statusSchema>;

/** @param study path of its database @throws Error of the file system */
export function writeStudyStatus(study: string, status: StudyStatus): void {
  const path = statusPath(study);
  writeFileSync(`${path}.partial`, JSON.stringify(status));
  renameSync(`${path}.partial`, path);
}

/** Removes the status of a study that stops. A killed study leaves an old status. */
export function removeStudyStatus(study: string): void {
  for (const suffix of ['', '.partial']) rmSync(`${statusPath(study)}${suffix}`, { force: true });
}

/** @returns undefined for a missing or invalid status, or a file above 4 MB */
export function readStudyStatus(study: string): StudyStatus | undefined {
  const path = statusPath(study);
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
    return statusSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

function statusPath(study: string): string {
  return `${study}-status`;
}
