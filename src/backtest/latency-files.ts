import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { readLatencyFile, readStepLog } from '../history/index.ts';
import { type LatencyFiles, type SimOptions, sessionLatency } from '../venues/sim/index.ts';

/** What the latency model's file says, and a sha256 that stands for it in a run's identity; none without a file. */
export type ReadLatency = LatencyFiles & { readonly sha256?: string };

/**
 * Reads the file that a latency model names.
 * @param folder base of a relative path
 * @throws FileFault for a file that cannot be read or is not one of its kind
 */
export function readLatency(latency: SimOptions['latency'], folder: string): ReadLatency {
  if (latency.model === 'recorded') {
    const session = sessionLatency(readStepLog(resolve(folder, latency.session)).steps());
    return { session, sha256: createHash('sha256').update(JSON.stringify(session)).digest('hex') };
  }
  if (latency.model !== 'measured') return {};
  const { sha256, ...times } = readLatencyFile(resolve(folder, latency.file));
  return { times, sha256 };
}
