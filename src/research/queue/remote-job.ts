/** A backtest of a study as a job that any machine can run: it names everything that it reads by a hash of the content. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseRunSpec, type RunSpec, tapesOf } from '../../backtest/index.ts';
import { FileFault, InputFault, readProblem } from '../../domain/index.ts';
import { loadPlans } from '../../runtime/index.ts';
import type { TrialJob } from '../study/trial-pool.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const jobSchema = z.object({
  /** The backtest, without its tapes. */
  spec: z.record(z.string(), z.unknown()),
  /** Content hashes of its tapes, in their order. */
  tapes: z.array(sha256).min(1).max(100_000),
  /** Of the sources of its strategies, and of its files of signals and latencies. */
  sources: sha256,
  detailed: z.boolean(),
});

export type RemoteJob = z.infer<typeof jobSchema>;

/** Folders in which a backtest finds what it names. */
export interface Places {
  readonly baseDir: string;
  readonly strategyFolders: readonly string[];
}

/** @throws z.ZodError for what no study put there */
export function parseRemoteJob(data: unknown): RemoteJob {
  return jobSchema.parse(data);
}

/** The same backtest has the same id in every study, so that no machine computes it twice. */
export function jobId(job: RemoteJob): string {
  return createHash('sha256').update(JSON.stringify(job)).digest('hex');
}

/**
 * Only workers of the same version of halfspread and of Node's generation take its jobs: others might compute other bytes.
 * @param node version of Node: 24.1.0
 */
export function queueName(version: string, node: string): string {
  return `trials-${version}-node${node.split('.')[0]}`;
}

export class JobMaker {
  readonly #places: Places;
  readonly #sources = new Map<string, Promise<string>>();

  constructor(places: Places) {
    this.#places = places;
  }

  /** @throws InputFault for a backtest of a part of a tape, FileFault for a file of it that cannot be read */
  async remoteJob({ spec, hashes, detailed = false }: TrialJob): Promise<RemoteJob> {
    const found = tapesOf(spec, this.#places.baseDir);
    if (found.some(({ markets }) => markets !== undefined))
      throw new InputFault(
        'tapes',
        undefined,
        'a condition that whole tapes fulfil, as workers find tapes by their hash',
      );
    const { tapes: _, ...rest } = spec;
    const tapes = hashes ?? found.map(({ tape }) => tape.manifest.contentHash);
    // As JSON it is what a worker reads: without keys that are undefined.
    return JSON.parse(JSON.stringify({ spec: rest, tapes, sources: await this.sourcesOf(spec), detailed }));
  }

  /** The same for the same strategies and files. */
  sourcesOf(spec: RunSpec): Promise<string> {
    const { strategy, strategies, signals, latency } = spec;
    const key = JSON.stringify([strategy, strategies?.map((each) => each.strategy), signals, latency]);
    const known = this.#sources.get(key) ?? sourcesOf(spec, this.#places);
    this.#sources.set(key, known);
    known.catch(() => this.#sources.delete(key));
    return known;
  }
}

/** The job as a backtest on this machine. @throws InputFault for a spec that this version does not take */
export function localSpec({ spec }: RemoteJob, paths: readonly string[]): RunSpec {
  // A worker writes no reports, whatever a job says.
  return parseRunSpec({ ...spec, tapes: paths, report_dir: null });
}

async function sourcesOf(spec: RunSpec, { baseDir, strategyFolders }: Places): Promise<string> {
  const hash = createHash('sha256');
  try {
    const plans = await loadPlans(spec, { folders: strategyFolders, baseDir });
    for (const { loaded } of plans) hash.update(`${loaded.sha256}\n`);
  } catch (fault) {
    // Values that the strategy refuses: the backtest itself says so.
    if (!(fault instanceof InputFault)) throw fault;
  }
  const { signals, latency } = spec;
  if (signals !== undefined) hash.update(fileHash(resolve(baseDir, signals)));
  if (latency.model === 'measured') hash.update(fileHash(resolve(baseDir, latency.file)));
  if (latency.model === 'recorded') hash.update(fileHash(resolve(baseDir, latency.session)));
  return hash.digest('hex');
}

function fileHash(path: string): Buffer {
  try {
    return createHash('sha256').update(readFileSync(path)).digest();
  } catch (cause) {
    throw new FileFault(path, undefined, readProblem(cause), 'Put it there', { cause });
  }
}
