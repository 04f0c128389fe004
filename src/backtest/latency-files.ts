import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { openRecordedRows, readLatencyFile, readStepLog } from '../history/index.ts';
import { BLOCK_ROWS, type Feed, makeBlock } from '../tape/index.ts';
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
    const path = resolve(folder, latency.session);
    const { feed } = openRecordedRows(path.replace(/\.steps$/, '.tape'));
    try {
      const session = sessionLatency(readStepLog(path).steps(), receiveTimes(feed));
      return { session, sha256: hashOf(session) };
    } finally {
      feed.close();
    }
  }
  if (latency.model !== 'measured') return {};
  const { sha256, ...times } = readLatencyFile(resolve(folder, latency.file));
  return { times, sha256 };
}

/** Receive times of rows by number, which must not fall. */
function receiveTimes(feed: Feed): (row: number) => number | undefined {
  const block = makeBlock(BLOCK_ROWS);
  let first = 0;
  return (row) => {
    while (row >= first + block.count) {
      first += block.count;
      if (feed.fill(block) === 0) return undefined;
    }
    return block.rx[row - first];
  };
}

function hashOf(session: object): string {
  return createHash('sha256').update(JSON.stringify(session)).digest('hex');
}
