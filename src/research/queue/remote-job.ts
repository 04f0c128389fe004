/** A backtest of a study as a job for any machine, and its answer. Jobs name tapes and sources by content hashes. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { findRunTapes, parseRunSpec, type RunSpec } from '../../backtest/index.ts';
import { InputFault, withReadFault } from '../../domain/index.ts';
import { loadStrategies } from '../../runtime/index.ts';
import { metricsSchema } from '../study/run-metrics.ts';
import type { TrialJob } from '../study/trial-pool.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const remoteJobSchema = z.object({
  /** The backtest, without its tapes. */
  spec: z.record(z.string(), z.unknown()),
  /** Content hashes of its tapes, in order. */
  tapes: z.array(sha256).min(1).max(100_000),
  /** Hash of its strategies' sources and of its signal and latency files. */
  sources: sha256,
  detailed: z.boolean(),
});

export type RemoteJob = z.infer<typeof remoteJobSchema>;

const answerSchema = z.object({
  outcome: z.union([z.object({ figures: metricsSchema }), z.object({ problem: z.string().max(10_000) })]),
  /** Computing time, s. */
  seconds: z.number().nonnegative(),
  worker: z.string().max(200),
});

export type WorkerAnswer = z.infer<typeof answerSchema>;

/** @param value an object or its JSON. @throws z.ZodError or SyntaxError for anything else */
export function parseAnswer(value: unknown): WorkerAnswer {
  return answerSchema.parse(typeof value === 'string' ? JSON.parse(value) : value);
}

export interface BacktestFolders {
  readonly baseDir: string;
  readonly strategyFolders: readonly string[];
}

/** Returns the id of a job. Equal backtests have equal ids in every study, so that none is computed twice. */
export function computeJobId(job: RemoteJob): string {
  return createHash('sha256').update(JSON.stringify(job)).digest('hex');
}

/** Names a queue by halfspread version and Node major version, because other versions may compute other results. */
export function makeQueueName(version: string, node: string): string {
  return `trials-${version}-node${node.split('.')[0]}`;
}

export class JobFactory {
  readonly #folders: BacktestFolders;
  readonly #sources = new Map<string, Promise<string>>();

  constructor(folders: BacktestFolders) {
    this.#folders = folders;
  }

  /** @throws InputFault for a backtest on a part of a tape, FileFault for an unreadable file */
  async makeJob({ spec, hashes, detailed = false }: TrialJob): Promise<RemoteJob> {
    const found = findRunTapes(spec, this.#folders.baseDir);
    if (found.some(({ markets }) => markets !== undefined)) {
      const expected = 'a condition that selects whole tapes, because workers find tapes by hash';
      throw new InputFault('tapes', undefined, expected);
    }
    const { tapes: _, ...rest } = spec;
    const tapes = hashes ?? found.map(({ tape }) => tape.manifest.contentHash);
    // The JSON round trip drops undefined keys, so that the job equals the job that a worker reads.
    return JSON.parse(JSON.stringify({ spec: rest, tapes, sources: await this.getSourcesHash(spec), detailed }));
  }

  getSourcesHash(spec: RunSpec): Promise<string> {
    const { strategy, strategies, signals, latency } = spec;
    const key = JSON.stringify([strategy, strategies?.map((entry) => entry.strategy), signals, latency]);
    const hash = this.#sources.get(key) ?? hashSources(spec, this.#folders);
    this.#sources.set(key, hash);
    hash.catch(() => this.#sources.delete(key));
    return hash;
  }
}

/** Returns the spec of a job on this machine. @throws InputFault for a spec that this version refuses */
export function toLocalSpec({ spec }: RemoteJob, paths: readonly string[]): RunSpec {
  return parseRunSpec({ ...spec, tapes: paths, report_dir: null });
}

async function hashSources(spec: RunSpec, { baseDir, strategyFolders }: BacktestFolders): Promise<string> {
  const hash = createHash('sha256');
  try {
    const strategies = await loadStrategies(spec, { folders: strategyFolders, baseDir });
    for (const { loaded } of strategies) hash.update(`${loaded.sha256}\n`);
  } catch (fault) {
    // The backtest itself reports parameters that the strategy refuses.
    if (!(fault instanceof InputFault)) throw fault;
  }
  const { signals, latency } = spec;
  if (signals !== undefined) hash.update(hashFile(resolve(baseDir, signals)));
  if (latency.model === 'measured') hash.update(hashFile(resolve(baseDir, latency.file)));
  if (latency.model === 'recorded') hash.update(hashFile(resolve(baseDir, latency.session)));
  return hash.digest('hex');
}

function hashFile(path: string): Buffer {
  const bytes = withReadFault(path, 'Create or restore the file', () => readFileSync(path));
  return createHash('sha256').update(bytes).digest();
}
