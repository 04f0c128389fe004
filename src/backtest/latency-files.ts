import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { openRecordedRows, readLatencyFile, readStepLog } from '../history/index.ts';
import { BLOCK_ROWS, type Feed, makeBlock } from '../tape/index.ts';
import { type LatencyFiles, measureSessionLatency, type SimOptions } from '../venues/sim/index.ts';

/**
 * Reads the latencies that a model takes from a file, and a sha256 for the run's identity. Returns `{}` without a file.
 * @param folder base of a relative path
 * @throws FileFault for a file that cannot be read or has another format
 */
export function readLatency(
  latency: SimOptions['latency'],
  folder: string,
): LatencyFiles & { readonly sha256?: string } {
  if (latency.model === 'recorded') {
    const path = resolve(folder, latency.session);
    const { feed } = openRecordedRows(path.replace(/\.steps$/, '.tape'));
    try {
      const session = measureSessionLatency(readStepLog(path).steps(), receiveTimes(feed));
      return { session, sha256: createHash('sha256').update(JSON.stringify(session)).digest('hex') };
    } finally {
      feed.close();
    }
  }
  if (latency.model !== 'measured') return {};
  const { sha256, ...times } = readLatencyFile(resolve(folder, latency.file));
  return { times, sha256 };
}

/** Returns a lookup of receive times by row number. Row numbers must not decrease from call to call. */
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
