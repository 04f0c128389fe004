/**
 * Runs trials and prints their time. The mode is `bare` (a loop over backtests without a study), `study` (a study with
 * a number of workers), `redis` (with Redis workers) or `idle` (trials that place no orders). All draw the same values.
 */
import { join } from 'node:path';
import process from 'node:process';
import { parseRunSpec, runForResult } from '../../src/backtest/index.ts';
import { withKey } from '../../src/config/configuration.ts';
import { version } from '../../src/package-files.ts';
import { parseStudy, runStudy, TrialPool } from '../../src/research/index.ts';
import { makeQueueName, parseRedisUrl, RedisWorkers } from '../../src/research/queue/index.ts';
import { createSearch } from '../../src/research/search/search.ts';
import type { Values } from '../../src/research/search/space.ts';
import { StudyStore } from '../../src/store/index.ts';

const ROOT = join(import.meta.dirname, '../..');
const [mode = 'bare', tapes = '', trials = '10', workers = '1', seed = '1', redis = ''] = process.argv.slice(2);
const isIdle = mode === 'idle';

const base = {
  strategy: isIdle ? 'baseline' : 'ladder',
  params: isIdle ? { quote: 'none' } : { bid_spread: 60, ask_spread: 60, order_amount: 20, max_position: 300 },
  tapes: [tapes],
  report_dir: null,
};
const QUEUE = makeQueueName(version(), process.versions.node);
const places = { baseDir: ROOT, strategyFolders: [join(ROOT, 'strategies')], version: 'bench' };
const backtest = (values: Values) =>
  parseRunSpec(Object.entries(values).reduce<unknown>((all, [key, value]) => withKey(all, key, value), base));
const spec = parseStudy({
  backtest: 'none.yaml',
  parameters: isIdle
    ? { 'params.order_amount': { low: 1, high: 100_000, whole: true } }
    : {
        'params.bid_spread': { low: 20, high: 200, whole: true },
        'params.ask_spread': { low: 20, high: 200, whole: true },
      },
  search: { method: 'random' },
  trials: Number(trials),
  seed: Number(seed),
});

/** Returns wall time, and processor time of all threads, which is more reliable on a busy machine. */
const now = () => {
  const { user, system } = process.cpuUsage();
  return { wall: performance.now() / 1_000, processor: (user + system) / 1_000_000 };
};
const started = now();
/** Time of the first progress report (0 backtests), when a worker is ready. */
let ready: ReturnType<typeof now> | undefined;
let ended: ReturnType<typeof now> | undefined;
if (mode === 'bare') {
  const dimensions = Object.keys(spec.parameters).map(
    (name) => ({ kind: 'integer', name, low: 20, high: 200, log: false }) as const,
  );
  const search = createSearch({ method: 'random' }, dimensions, spec.seed);
  for (let trial = 0; trial < spec.trials; trial += 1)
    await runForResult(backtest(search.suggest(trial, [])), { ...places, machine: { peakRssMb: () => 0 } });
} else {
  const file = join(tapes, `${process.pid}.study`);
  const signal = new AbortController().signal;
  // After its trials, a study runs three controls, which are not measured.
  const onProgress = ({ done }: { readonly done: number }): void => {
    if (done === 0) ready = now();
    if (done === spec.trials) ended = now();
  };
  const notice = (text: string): void => void process.stderr.write(`${text}\n`);
  const openWorkers = () =>
    mode === 'redis'
      ? new RedisWorkers({ ...places, redis: parseRedisUrl('redis', redis, undefined), queue: QUEUE, notice })
      : new TrialPool(Number(workers));
  await runStudy({ spec, backtest, ...places, file, openWorkers, signal, onProgress });
  StudyStore.remove(file);
}
ended ??= now();
const seconds = ended.wall - started.wall;
const processorSeconds = ended.processor - started.processor;
const readySeconds = ended.wall - (ready ?? started).wall;
const megabytes = process.resourceUsage().maxRSS / 1_024;
process.stdout.write(JSON.stringify({ seconds, readySeconds, processorSeconds, megabytes }));
