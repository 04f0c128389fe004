import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { createWorker, createWorkerMetrics } from '../../app/trial-worker.ts';
import { counted } from '../../domain/index.ts';
import { serveMetrics } from '../../ops/index.ts';
import { version } from '../../package-files.ts';
import { action, textList, whole } from '../command.ts';
import { strategyFolders } from '../paths.ts';
import { REMOTE_TAPES, remoteTapes } from '../remote-tapes.ts';

const EXPECTED_DRAIN = 'expected a number of seconds from 0 to 86400';

const OPTIONS = {
  tapes: textList,
  folder: z.string().min(1).default('.'),
  threads: whole(1, 256).optional(),
  drain: z.coerce.number(EXPECTED_DRAIN).min(0, EXPECTED_DRAIN).max(86_400, EXPECTED_DRAIN).default(600),
  ...REMOTE_TAPES,
  metricsPort: whole(1, 65_535, 'a port').optional(),
  metricsHost: z.string().min(1).default('127.0.0.1'),
};

/** Computes backtests until a signal, then finishes the running backtests. A second signal stops the process. */
export const worker = action(OPTIONS, async ({ terminal, setExitCode, interruption }, [url = ''], options) => {
  const { threads = availableParallelism() } = options;
  const folder = resolve(terminal.cwd, options.folder);
  const log = (text: string): void => void terminal.err.write(`${text}\n`);
  const trialWorker = createWorker({
    url,
    tapes: options.tapes.length === 0 ? ['.'] : options.tapes,
    baseDir: folder,
    strategyFolders: strategyFolders(folder),
    version: version(),
    threads,
    remoteTapes: remoteTapes(options),
    log,
  });
  const { stopRequested } = interruption();
  const metrics =
    options.metricsPort === undefined
      ? undefined
      : await serveMetrics(createWorkerMetrics(trialWorker), options.metricsPort, options.metricsHost);
  try {
    await trialWorker.start();
    const { name, queue } = trialWorker.status;
    terminal.out.write(`worker ${name} takes backtests from ${queue} on ${counted(threads, 'thread')}\n`);
    await stopRequested;
    log(`ending: running backtests have ${options.drain} s to finish`);
    await trialWorker.drain(options.drain * 1_000);
    const { backtests, seconds } = trialWorker.status;
    terminal.out.write(`ended after ${counted(backtests, 'backtest')}, ${seconds.toFixed(1)} s of computing time\n`);
    setExitCode(0);
  } finally {
    await metrics?.close();
  }
});
