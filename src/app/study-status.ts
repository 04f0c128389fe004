/** How a running study goes: `optimize` writes it each second to a file beside the study's database, and the dashboard reads it. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

export const MOST_WORKERS = 1_000;
export const MOST_NOTICES = 10;
const MOST_TEXT = 1_000;
/** A status with most workers has less than a quarter. */
const MOST_BYTES = 4_000_000;

const text = z.string().transform((given) => given.slice(0, MOST_TEXT));
const count = z.int().min(0);
const figure = z.number().min(0);

const workerSchema = z.object({
  name: text,
  host: text,
  threads: count,
  state: z.enum(['working', 'draining', 'ended', 'gone']),
  /** Backtests that it computed for this study, and those of them that ended with a problem. */
  backtests: count,
  failed: count,
  /** That it gave back, as it lacks something. */
  returned: count,
  perSecond: figure,
  silentMs: figure,
});

const statusSchema = z.object({
  host: text,
  pid: count,
  /** Epoch ms. */
  startedAt: count,
  writtenAt: count,
  /** Backtests that have ended, and about how many there will be. */
  done: count,
  total: count,
  /** Backtests of this start that ended with a problem. */
  failed: count,
  perSecond: figure,
  /** Null before a backtest has ended. */
  leftMs: figure.nullable(),
  /** `best: trial 3, 1.25`. */
  best: text.nullable(),
  /** What the terminal said, the newest first. */
  notices: z.array(z.object({ time: count, text })).max(MOST_NOTICES),
  /** That compute, here or elsewhere. */
  threads: count,
  /** Null on threads of its own process. */
  remote: z
    .object({
      /** What the study waits for. */
      problem: text.nullable(),
      /** Workers that are there. */
      connected: count,
      /** Backtests that are in Redis. */
      queued: count,
      /** Backtests that workers gave back, and those whose worker was lost. */
      returned: count,
      lost: count,
      computingSeconds: figure,
      costUsd: figure.nullable(),
      /** Also those that are gone; at most so many. */
      workers: z.array(workerSchema).max(MOST_WORKERS),
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

/** A study without a status does not run; with an old one, its process was killed. */
export function removeStudyStatus(study: string): void {
  for (const end of ['', '.partial']) rmSync(`${statusPath(study)}${end}`, { force: true });
}

/** @returns undefined without one, and for one of another version or of more than 4 MB */
export function readStudyStatus(study: string): StudyStatus | undefined {
  const path = statusPath(study);
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MOST_BYTES) return undefined;
    return statusSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

function statusPath(study: string): string {
  return `${study}-status`;
}
