/** A child of `many-workers-soak.ts`: all workers (number, ms per trial) or the coordinator (number of trials). */
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseRunSpec } from '../../../src/backtest/index.ts';
import { PACKAGE_ROOT, STRATEGIES_FOLDER } from '../../../src/package-files.ts';
import { parseRedisUrl, RedisWorkers, TrialWorker } from '../../../src/research/queue/index.ts';
import type { RunMetrics } from '../../../src/research/study/run-metrics.ts';
import { forEachConcurrently } from '../../../src/research/study/trial-pool.ts';

const [part, url = '', first, second] = process.argv.slice(2);
const HASH = '0'.repeat(64);
const common = {
  redis: parseRedisUrl('redis', url, undefined),
  baseDir: join(PACKAGE_ROOT, 'config'),
  strategyFolders: [STRATEGIES_FOLDER],
  version: 'soak',
  queue: 'soak',
  host: 'soak',
};

const FIGURES: RunMetrics = {
  markets: [{ slug: 'a-market', pnl: 1 }],
  pnl: 1,
  pnlAfterMarkout: 1,
  rewards: 0,
  fees: 0,
  maxDrawdown: 0,
  maxInventory: 0,
  fills: 1,
  shares: 1,
  effectiveBps: 1,
  eventLogHash: HASH,
  twoSided: null,
};

// Exit with the parent, also when a test timeout kills it.
process.on('disconnect', () => process.exit(1));
process.channel?.unref();

if (part === 'workers') {
  const workers = Array.from({ length: Number(first) }, (_, at) => {
    const log = (text: string): void => void process.stderr.write(`${text}\n`);
    const pool = {
      maxPending: 1,
      ready: async () => undefined,
      run: async () => {
        await pause(Number(second));
        return { figures: FIGURES };
      },
      close: async () => undefined,
    };
    return new TrialWorker({ ...common, name: `${at}`, threads: 1, findTape: async () => 'none.tape', log, pool });
  });
  for (const worker of workers) await worker.start();
  process.send?.('ready');
} else {
  const trials = Number(first);
  const printNotice = (text: string): void => void process.stderr.write(`${text}\n`);
  const workers = new RedisWorkers({ ...common, notice: printNotice });
  await workers.ready();
  const spec = parseRunSpec({ strategy: 'ladder', params: {}, tapes: ['tapes'] });
  const { signal } = new AbortController();
  const [start, used] = [performance.now(), process.cpuUsage()];
  let done = 0;
  let peak = 0;
  await forEachConcurrently(Array(trials).keys(), workers, async (seed) => {
    const outcome = await workers.run({ ...common, spec: { ...spec, seed }, hashes: [HASH] }, signal);
    if (!('figures' in outcome)) throw new Error(outcome.problem);
    done += 1;
    if (done % 1_000 === 0) peak = Math.max(peak, process.memoryUsage.rss());
  });
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(used);
  if (done !== trials || workers.totals.backtests !== trials) throw new Error(`${done} of ${trials} ended`);
  await workers.close();
  process.send?.({ trials, seconds, cores: (user + system) / 1e6 / seconds, megabytes: peak / 1_048_576 });
}
