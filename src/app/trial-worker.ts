/** Creates a worker that runs backtests for studies of other machines, and its Prometheus metrics. */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { Registry } from 'prom-client';
import { findRunTapes, parseRunSpec, withLocalTapes } from '../backtest/index.ts';
import { secureSeed } from '../clock/index.ts';
import { Fault, FileFault, InputFault } from '../domain/index.ts';
import { createMetrics } from '../network/metrics/index.ts';
import { makeQueueName, parseRedisUrl, REDIS_PASSWORD, TrialWorker } from '../research/queue/index.ts';
import { remoteAccess } from './remote-access.ts';

export interface WorkerSettings {
  readonly url: string;
  /** Paths and URLs of folders with tapes. */
  readonly tapes: readonly string[];
  /** Base of relative paths in backtests. */
  readonly baseDir: string;
  readonly strategyFolders: readonly string[];
  readonly version: string;
  readonly threads: number;
  /** Same keys as `remote_tapes` of a backtest. */
  readonly remoteTapes: Readonly<Record<string, unknown>>;
  readonly log: (text: string) => void;
}

/** @throws InputFault for a URL or a setting that cannot be used */
export function createWorker({ url, tapes, remoteTapes, ...settings }: WorkerSettings): TrialWorker {
  return new TrialWorker({
    ...settings,
    queue: makeQueueName(settings.version, process.versions.node),
    host: hostname(),
    name: `${hostname()}-${process.pid}-${secureSeed()}`,
    redis: parseRedisUrl('redis', url, process.env[REDIS_PASSWORD]),
    findTape: createTapeFinder(tapes, settings.baseDir, remoteTapes),
  });
}

/** Returns a function that finds a tape in these folders, in order. A tape from a URL is cached and checked. */
function createTapeFinder(
  folders: readonly string[],
  baseDir: string,
  remoteTapes: Readonly<Record<string, unknown>>,
): (contentHash: string) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  const access = remoteAccess();
  const searchFolders = async (contentHash: string): Promise<string> => {
    const problems: string[] = [];
    for (const folder of folders) {
      try {
        const where = `content = '${contentHash}'`;
        const spec = parseRunSpec({ strategy: 'none', tapes: [{ folder, where }], remote_tapes: remoteTapes });
        const [found] = findRunTapes(await withLocalTapes(spec, access), baseDir);
        if (found !== undefined) return found.tape.path;
      } catch (fault) {
        if (!(fault instanceof Fault)) throw fault;
        const isMissing = fault instanceof InputFault && fault.field === 'tapes[0].where';
        if (!isMissing) problems.push(fault.message);
      }
    }
    const remedy = 'Copy it there, or name its folder or URL with --tapes';
    const searched = folders.map((folder) => (/^\w+:\/\//.test(folder) ? folder : resolve(baseDir, folder))).join(', ');
    const details = problems.map((text) => ` (${text})`).join('');
    throw new FileFault(searched, undefined, `no tape with content ${contentHash}${details}`, remedy);
  };
  return (contentHash) => {
    const path = known.get(contentHash) ?? searchFolders(contentHash);
    known.set(contentHash, path);
    path.catch(() => known.delete(contentHash));
    return path;
  };
}

export function createWorkerMetrics(worker: TrialWorker): Registry {
  const registry = new Registry();
  const { counter, gauge } = createMetrics(registry, 'halfspread_worker');
  counter('backtests_total', 'Backtests that this worker computed.', () => worker.status.backtests);
  counter('computing_seconds_total', 'Seconds that its threads computed.', () => worker.status.seconds);
  gauge('threads', 'Threads that compute.', () => worker.status.threads);
  return registry;
}
